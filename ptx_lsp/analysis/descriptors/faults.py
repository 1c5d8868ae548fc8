"""Faults in the packed values of a function, each once; from proved bits alone."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.definitions import RegisterDefinition
from ptx_lsp.analysis.dataflow.registers import Register
from ptx_lsp.analysis.descriptors.known_values import KnownValues
from ptx_lsp.analysis.descriptors.packed_operands import (
    KnownOperand,
    PackedOperand,
    checked_operands,
    read_operand,
    tensor_shapes,
)
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import Place, Scope
from ptx_lsp.layouts.decode import FieldFault, disagreements
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.tree import Instruction, OperandKind


class PackedFault(NamedTuple):
    """Something wrong in the value of an operand."""

    context: StatementContext
    known: KnownOperand
    finding: FieldFault
    written: Place | None
    """The only statement that writes the operand's register."""
    literal: Place | None
    """The literal that is the whole value, if that is how it is made."""


def packed_faults(module: Module, function: Function, values: KnownValues) -> Iterator[PackedFault | None]:
    """The faults in the order of the text; of several instructions with one wrong value the first is reported.

    None is a pause: after each operand, which may take some milliseconds, and after each instruction.
    """
    reported: set[tuple[object, str]] = set()
    faultless: dict[tuple[int, ...], list[KnownOperand]] = {}
    """Operands without a fault, by the identities of their values and of how they are written; kept so that these stay
    theirs. Loops and unrolled steps have the same few values over and over."""
    settled: dict[tuple[str, Scope], tuple[PackedOperand, ...]] = {}
    """The operands of statements whose values do not depend on where in a scope they stand."""
    for context in packed_instructions(module, function):
        all_known = []
        checked = checked_operands(context)
        written_as = context.chunk.part(context.index), context.scope
        if settled.get(written_as) is checked:
            yield None
            continue  # it has the same faults as before
        for packed in checked:
            yield from values.preparing(context.chunk, context.index, packed.operand)
            all_known.append(read_operand(context, packed, values))
            yield None
        yield None
        if all(values.is_settled(context.chunk, context.index, packed.operand) for packed in checked):
            settled[written_as] = checked
        key = tuple(id(part) for known in all_known for part in (known.packed, known.proved))
        if key in faultless:
            continue
        is_faultless = True
        beside = {known.packed.role: known.proved for known in all_known}
        for known in all_known:
            packed = known.packed
            findings = (*known.proved.findings, *disagreements(known.proved, packed.spelling, beside))
            if not findings:
                continue
            is_faultless = False
            written, literal = source_of(context, packed, values)
            # A value that has no short line is a row of equal fields: what is wrong with the first says enough.
            for finding in findings if packed.layout.shorts else findings[:1]:
                said = (written or packed.operand, finding.says)
                if said not in reported:
                    reported.add(said)
                    yield PackedFault(context, known, finding, written, literal)
        if is_faultless:
            faultless[key] = all_known


def packed_instructions(module: Module, function: Function) -> Iterator[StatementContext]:
    """The instructions of a function that take descriptors."""
    wanted = tensor_shapes()
    for chunk in function.chunks:
        if not wanted.isdisjoint(chunk.shapes):
            for index, number in enumerate(chunk.shapes):
                if number in wanted:
                    yield StatementContext(module, function, chunk, index)


def source_of(
    context: StatementContext, packed: PackedOperand, values: KnownValues
) -> tuple[Place | None, Place | None]:
    """The definition of the operand's register, and the literal that it gets there."""
    operand = packed.operand
    if operand.kind is OperandKind.INTEGER:
        return None, Place(
            context.chunk, context.index, operand.last - 1
        ) if operand.last == operand.first + 1 else None
    if operand.kind is not OperandKind.NAME:
        return None, None
    register = values.definitions.register(context.statement.word(operand.name), context.chunk, context.index)
    definition = _only(register, context, values)
    if definition is None:
        return None, None
    statement = definition.chunk.statement(definition.statement)
    tree = statement.shape.tree
    literal = None
    if isinstance(tree, Instruction) and tree.opcode[0] == "mov" and len(tree.operands) == 2:
        source = tree.operands[1]
        if source.kind is OperandKind.INTEGER and source.last == source.first + 1:
            literal = Place(definition.chunk, definition.statement, source.first)
    return Place(definition.chunk, definition.statement, 0), literal


def _only(register: Register | None, context: StatementContext, values: KnownValues) -> RegisterDefinition | None:
    if register is None:
        return None
    return values.definitions.single(register, context.chunk, context.index)
