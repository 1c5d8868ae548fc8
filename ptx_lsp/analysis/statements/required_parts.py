"""Requirements of statements for their module: instructions, directives and special registers with gates."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from typing import TYPE_CHECKING

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.directives import GATED, directive, directive_needs, is_plain_target, type_needs
from ptx_lsp.analysis.statements.function_heads import head_needs
from ptx_lsp.analysis.statements.operands import read_operands
from ptx_lsp.analysis.statements.value_limits import depends_on_values
from ptx_lsp.analysis.symbols.special_names import special_names
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.match import accepts, exists, is_ever_spelled
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.gate import AcceptancePolicy, Gate
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import HEADS, Kind
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tree import Instruction

if TYPE_CHECKING:
    from ptx_lsp.analysis.module.function import Function, Segment
    from ptx_lsp.analysis.module.module import Module


class WrittenInstruction(NamedTuple):
    """An instruction without its names."""

    opcode: tuple[str, ...]
    operands: tuple[ActualOperand, ...]

    def fits(self, version: Version, target: Target) -> bool:
        """Whether all releases of ptxas accept it in such a module."""
        return accepts(self.opcode, self.operands, version, target, AcceptancePolicy.ALL)


class _Directive(NamedTuple):
    """A directive, with its parts and the types that it declares."""

    text: str
    shape: int

    def fits(self, version: Version, target: Target) -> bool:
        """Whether all of it is available in such a module."""
        statement = directive(self.text, self.shape)
        lacking = (directive_needs, type_needs, head_needs)
        return not any(True for needs_of in lacking for _ in needs_of(statement, version, target))


class _Part(NamedTuple):
    """Another entity with a gate: a special register."""

    gate: Gate

    def fits(self, version: Version, target: Target) -> bool:
        """Whether it is available in such a module."""
        return self.gate.allows(version, target)


Requirement = WrittenInstruction | _Part | _Directive


def target_with(fact: Requirement, version: Version, targets: Iterable[Target]) -> Target | None:
    """The first of some targets that has what is required; None if none has it."""
    if isinstance(fact, WrittenInstruction) and not exists(fact.opcode, fact.operands):
        return None  # one test instead of one for each target
    return next((one for one in targets if fact.fits(version, one)), None)


def found_requirements(module: Module, functions: Iterable[Function]) -> Generator[None, None, list[Requirement]]:
    """The requirements of some functions, each once, in steps."""
    found: dict[Requirement, None] = {}
    seen: set[tuple[int, ...]] = set()
    for function in functions:
        for chunk in function.chunks:
            for segment in function.segments[chunk]:
                found.update(dict.fromkeys(one for _, one in of_segment(module, function, chunk, segment, seen)))
            yield
    return list(found)


def of_segment(
    module: Module, function: Function, chunk: Chunk, segment: Segment, seen: set[tuple[int, ...]]
) -> Iterator[tuple[int, Requirement]]:
    """The requirements of a segment with their statements; instructions are ``seen`` by shape and operand codes."""
    vocabulary = catalogue().vocabulary
    for index in range(segment.start, segment.end):
        number = chunk.shapes[index]
        shape = SHAPES[number]
        if shape.errors:
            continue
        if shape.kind != Kind.INSTRUCTION:
            if shape.kind in GATED and (shape.kind in _BY_TEXT or (number,) not in seen):
                seen.add((number,))
                if not is_plain_target(chunk.statement(index)):
                    yield index, _Directive(chunk.part(index).strip(), number)
            continue
        tree = shape.tree
        assert isinstance(tree, Instruction)
        is_spelled = is_ever_spelled(tree.opcode)
        constants_count = is_spelled and bool(shape.constants) and depends_on_values(shape)
        prefixes = [segment.scope.prefix_code(prefix) or 0 if prefix else 0 for _, prefix in shape.names]
        key = (number, *prefixes)
        if 0 not in prefixes and not constants_count:
            if key in seen:
                continue
            seen.add(key)
        context = StatementContext(module, function, chunk, index)
        for token, _ in shape.names:
            name = context.word(token)
            if name in special_names() and token not in context.symbols:
                yield index, _Part(vocabulary.special_registers[name].gate)
        key = (number, *context.codes)
        if 0 in prefixes and not constants_count:
            if key in seen:
                continue
            seen.add(key)
        if is_spelled and 0 not in context.codes:
            operands = read_operands(shape, context.codes, context.statement, context.statement)
            yield index, WrittenInstruction(tree.opcode, operands)


_BY_TEXT = frozenset({Kind.PRAGMA, Kind.HEADER, Kind.PROTOTYPE, *HEADS})
"""Directives whose requirements depend on strings, options or numbers, which shapes do not contain."""
