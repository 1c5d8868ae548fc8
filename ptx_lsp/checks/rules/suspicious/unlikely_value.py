"""W611 unlikely-value."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.module.module import is_whole
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.operand_advice import (
    advised_operands,
    is_about_constants,
    is_likely,
    may_be_unlikely,
    unlikely_constants,
)
from ptx_lsp.checks.support.finding import Finding, PlacedFinding, warning
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.form import Advice
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.process_cache import KEPT_BY_SHAPE, memoized
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.shape import SHAPES, Shape
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind

RULE = warning("W611").in_trees(Instruction)

_MOST = 1 << 12
"""Endings of statements that are remembered for one shape."""
_READABLE = 15
"""Longer ranges are less clear than the reason for them."""


class _Constants:
    """The constants of a shape, with those that were checked."""

    def __init__(self, shape: Shape, commas: int) -> None:
        self.shape = shape
        self.commas = commas
        """From before the first constant on; 0 if none is before it."""
        self.may_be_unlikely: dict[str, bool] = {}
        """By the text after these commas; few combinations of opcode and constants are ever seen."""


def accepts_shape(shape: Shape) -> _Constants | None:
    """Instructions with constants whose page lists the sensible ones."""
    tree = shape.tree
    if not shape.constants or not isinstance(tree, Instruction):
        return None
    if not any(map(_has_advice, catalogue().candidates(tree.opcode))):
        return None
    first = next((at for at, one in enumerate(tree.operands) if one.last > shape.constants[0]), 0)
    return _Constants(shape, sum(map(_leaves, tree.operands[first:])) if first else 0)


def _leaves(operand: Operand) -> int:
    """The number of operands without parts in an operand."""
    return sum(map(_leaves, operand.parts)) or 1


@cache
def _has_advice(page: InstructionPage) -> bool:
    return any(is_about_constants(advice) for form in page.forms for advice in form.advice)


def prefilter_statement(text: str, constants: _Constants) -> bool:
    """Whether some form advises against the constants."""
    commas, remembered = constants.commas, constants.may_be_unlikely
    if commas == 1:
        end = text[text.rfind(",") :]
    else:
        end = ",".join(text.rsplit(",", commas)[1:]) if commas and "/" not in text else text
    known = remembered.get(end)
    if known is None:
        if len(remembered) > _MOST:
            remembered.clear()
        known = remembered[end] = may_be_unlikely(constants.shape, text)
    return known


def check(context: StatementContext) -> Iterator[Finding]:
    """A constant that ptxas accepts and that is probably a mistake: a fixed result, ignored bits, undefined behavior.

    The result is fixed for shifts by the width of the value or more (they are well defined: 0, or copies of the sign),
    bit fields above the highest bit, and comparisons that are always true or always false. Bits are ignored in tables
    and selectors. Also reported: masks without a lane, shuffles in which no lane gets another lane's value, divisions
    by zero.

    ```ptx
    //- sm_80 ptx 7.0
    shl.b32 %r1, %r2, 32;
    //                ^^ warning[W611]: '32' is outside of 0..31: a shift by the width or more always gives 0
    // ptxas: accepts it
    ```

    **Right:** `shl.b32 %r1, %r2, 31;`

    ---

    The pages of the instructions list the sensible constants, in lines with `~`. A register is reported too if it has
    one such value on all paths, from a `mov`. Comparisons and counts modulo the width are not, and of long functions
    only the first such operands are looked at.
    """
    for one in advised_operands(context):
        if not is_about_constants(one.advice):
            continue
        for operand, _ in unlikely_constants(context.statement, one.operand, one.words):
            wanted = " ".join(str(word) for cell in one.words for word in cell)
            place = "" if len(wanted) > _READABLE or ":" in wanted else f" is outside of {wanted}"
            yield RULE.at(context.operand_span(operand), f"'{context.text_of(operand)}'{place}: {one.advice.message}")


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """Values in registers that are the same on all paths."""
    wanted = {}
    for count, number in enumerate(flow.shapes):
        if not count % _SHAPES_IN_A_STEP:
            yield None
        if found := _advised_registers(SHAPES[number]):
            wanted[number] = found
    if not wanted or not is_whole(flow.module, flow.function):
        return
    graph, left = flow.graph, _MOST_REGISTERS
    for chunk in flow.function.chunks:
        for index in [index for index, number in enumerate(chunk.shapes) if number in wanted]:
            node = graph.node_at(chunk, index)
            if node is None or node.number not in graph.reachable:
                continue
            left -= 1
            if left < 0:
                return
            statement, opcode = chunk.statement(index), SHAPES[chunk.shapes[index]].opcode
            registers = [
                (place, graph.registers.key(statement.word(token), node.scope))
                for place, token in wanted[chunk.shapes[index]]
            ]
            if all(_has_likely_constant(flow, opcode, *one) for one in registers):
                continue
            if any(_may_be_constant(flow, register) for _, register in registers):
                yield from _of_registers(flow, flow.steps.at(node.number, index))


def _has_likely_constant(flow: Flow, opcode: tuple[str, ...], place: int, register: str) -> bool:
    """Whether a register has a constant that no form advises against; False if that takes a closer look."""
    graph = flow.graph
    writers = graph.writers.get(register, ())
    if len(writers) != 1:
        return False
    node = graph.nodes[writers[0]]
    index = graph.written[node.number][register]
    tree = SHAPES[node.chunk.shapes[index]].tree
    if not isinstance(tree, Instruction) or tree.operands[-1].kind is not OperandKind.INTEGER:
        return False
    if tree.opcode not in _MOVES:
        return False
    value = evaluate(node.chunk.statement(index), tree.operands[-1])
    if not isinstance(value, int) or _is_advised_against(opcode, place, value % (1 << 32)):
        return False
    return all(step.statement <= index for step in flow.steps.writing(node.number, register))


_MOVES = frozenset(("mov", type_) for type_ in (".b32", ".u32", ".s32"))
"""Instructions that put a constant of 32 bits into a register."""


def _may_be_constant(flow: Flow, register: str) -> bool:
    """Whether a register gets its value by copies of a constant, each in one block; a look that costs little."""
    graph = flow.graph
    for _ in range(_MOST_COPIES):
        writers = graph.writers.get(register, ())
        if len(writers) != 1:
            return False
        node = graph.nodes[writers[0]]
        index = graph.written[node.number][register]
        tree = SHAPES[node.chunk.shapes[index]].tree
        if not isinstance(tree, Instruction) or tree.opcode[0] != "mov":
            return False
        source = tree.operands[-1]
        if source.kind is not OperandKind.NAME:
            return True
        register = graph.registers.key(node.chunk.statement(index).word(source.name), node.scope)
    return True


_MOST_COPIES = 8
"""A chain of more copies is taken for that of a constant: its value is looked for."""


def _of_registers(flow: Flow, step: Step) -> Iterator[PlacedFinding]:
    """The operands of an instruction that have one value, which the page advises against."""
    if not any(_is_ever_unlikely(flow, step, place) for place in _advised_places(step.opcode)):
        return
    context = flow.steps.context(step)
    for one in advised_operands(context):
        if not _is_about_registers(one.advice) or one.operand.kind is not OperandKind.NAME or one.operand.sign:
            continue
        value = flow.values.operand(step, one.operand).number
        if value is None or any(is_likely(value, cell) for cell in one.words):
            continue
        text = context.text_of(one.operand)
        span = context.operand_span(one.operand)
        yield PlacedFinding(step.place, RULE.at(span, f"'{text}' is {value} here: {one.advice.message}"))


def _is_ever_unlikely(flow: Flow, step: Step, place: int) -> bool:
    """Whether some form advises against the value of an operand; a look that costs less than the form of the step."""
    tree = SHAPES[step.chunk.shapes[step.statement]].tree
    assert isinstance(tree, Instruction)
    if place >= len(tree.operands) or tree.operands[place].kind is not OperandKind.NAME:
        return False
    value = flow.values.operand(step, tree.operands[place]).number
    return value is not None and _is_advised_against(step.opcode, place, value)


@memoized(1 << 12)
def _is_advised_against(opcode: tuple[str, ...], place: int, value: int) -> bool:
    rows = (
        row
        for page in filter(_has_advice, catalogue().candidates(opcode))
        for form in page.forms
        for advice in form.advice
        if _is_about_registers(advice) and advice.operand in (operand.name for operand in form.operands[place:][:1])
        for row in advice.table.rows
    )
    return any(not is_likely(value, row.cells[-1]) for row in rows)


_SHAPES_IN_A_STEP = 64
_MOST_REGISTERS = 40
"""So many instructions of a function are looked at for values in registers."""
_NOT_FOR_REGISTERS = frozenset({".cmp", ".mode"})
"""Qualifiers: of code that compares a value, or that takes a number modulo the width, a register may say it as well."""


def _is_about_registers(advice: Advice) -> bool:
    """Whether advice also holds for registers."""
    return is_about_constants(advice) and _NOT_FOR_REGISTERS.isdisjoint(advice.table.columns)


@KEPT_BY_SHAPE.answers
def _advised_registers(shape: Shape) -> list[tuple[int, int]]:
    """The operands of instructions of a shape that are registers where the page advises against some values.

    Each is the number of the operand, with the token of its name.
    """
    tree = shape.tree
    if not shape.opcode or not isinstance(tree, Instruction):
        return []
    operands = [(at, tree.operands[at]) for at in _advised_places(shape.opcode) if at < len(tree.operands)]
    return [(at, one.name) for at, one in operands if one.kind is OperandKind.NAME and one.name >= 0]


@memoized(1 << 12)
def _advised_places(opcode: tuple[str, ...]) -> tuple[int, ...]:
    """The operands of instructions with an opcode for which the page advises against some values."""
    found: set[int] = set()
    for page in filter(_has_advice, catalogue().candidates(opcode)):
        for form in page.forms:
            names = [operand.name for operand in form.operands]
            advised = (one.operand for one in form.advice if _is_about_registers(one))
            found.update(names.index(name) for name in advised if name in names)
    return tuple(found)
