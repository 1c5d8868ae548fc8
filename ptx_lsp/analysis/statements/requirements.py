"""The oldest version of PTX and the least target that would do for a module.

Asked of the matcher itself: does each instruction fit in an older module too? Only statements that differ in opcode or
operands are asked, and each only about the oldest module that did for all before it. What no gate says, such as the
size of parameters, is not considered.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.directives import GATED, directive_needs, type_needs
from ptx_lsp.analysis.statements.heads import head_needs
from ptx_lsp.analysis.statements.operands import read_operands
from ptx_lsp.analysis.statements.value_limits import depends_on_values
from ptx_lsp.analysis.symbols.special_names import special_names
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.match import accepts
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.gate import AcceptancePolicy, Gate
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import RELEASES, Version
from ptx_lsp.stepwise import finished
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import HEADS, Kind
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Instruction

if TYPE_CHECKING:
    from ptx_lsp.analysis.module.function import Function, Segment
    from ptx_lsp.analysis.module.module import Module


class Needs(NamedTuple):
    """What a module must be at least."""

    version: Version
    target: Target


class _Spelling(NamedTuple):
    """An instruction, abstracted from its names."""

    opcode: tuple[str, ...]
    operands: tuple[ActualOperand, ...]

    def fits(self, version: Version, target: Target) -> bool:
        """Whether every ptxas takes it in such a module."""
        return accepts(self.opcode, self.operands, version, target, AcceptancePolicy.ALL)


class _Directive(NamedTuple):
    """A directive, with its parts and the types that it declares."""

    text: str

    def fits(self, version: Version, target: Target) -> bool:
        """Whether such a module has all of it."""
        statement = Statement(self.text)
        lacking = (directive_needs, type_needs, head_needs)
        return not any(True for needs_of in lacking for _ in needs_of(statement, version, target))


class _Part(NamedTuple):
    """Anything else with a gate: a special register."""

    gate: Gate

    def fits(self, version: Version, target: Target) -> bool:
        """Whether such a module has it."""
        return self.gate.allows(version, target)


_Fact = _Spelling | _Part | _Directive


def needs(module: Module, functions: Iterable[Function] | None = None) -> Needs:
    """The least target for the module's version, and the oldest version for that target.

    Args:
        module: the module.
        functions: what of it counts; by default all of it.

    """
    found = _facts(module, module.functions if functions is None else functions)
    facts = [one for one in dict.fromkeys(found) if one.fits(module.version, module.target)]
    words = catalogue().vocabulary.targets
    base = sorted(
        (word.target for word in words.values() if not word.target.suffix and module.target.implies(word.target)),
        key=lambda target: target.canonical,
    )
    own = [word.target for word in words.values() if word.target.suffix and module.target.implies(word.target)]
    targets = [*base, *sorted(own, key=lambda target: target.suffix, reverse=True), module.target]
    known = [one for one in targets if str(one) in words and words[str(one)].version <= module.version]
    target = _least([*known, module.target], facts, lambda fact, one: fact.fits(module.version, one))
    since = words[str(target)].version if str(target) in words else module.version
    versions = [one for one in RELEASES if since <= one < module.version]
    version = _least([*versions, module.version], facts, lambda fact, one: fact.fits(one, target))
    return Needs(version, target)


_T = TypeVar("_T")


def _least(candidates: Sequence[_T], facts: list[_Fact], fits: Callable[[_Fact, _T], bool]) -> _T:
    """The first candidate that does for all facts; the last if none does. What does for one does later too."""
    at = 0
    for fact in facts:
        while at + 1 < len(candidates) and not fits(fact, candidates[at]):
            at += 1
    return candidates[at]


def _facts(module: Module, functions: Iterable[Function]) -> Iterator[_Fact]:
    seen: set[tuple[int, ...]] = set()
    for function in functions:
        for chunk in function.chunks:
            for segment in function.segments[chunk]:
                yield from _of_segment(module, function, chunk, segment, seen)


def _of_segment(
    module: Module, function: Function, chunk: Chunk, segment: Segment, seen: set[tuple[int, ...]]
) -> Iterator[_Fact]:
    """The facts of some statements; instructions are ``seen`` as their shape and what their names mean."""
    vocabulary = catalogue().vocabulary
    for index in range(segment.start, segment.end):
        number = chunk.shapes[index]
        shape = SHAPES[number]
        if shape.errors:
            continue
        if shape.kind != Kind.INSTRUCTION:
            if shape.kind in GATED and (shape.kind in _BY_TEXT or (number,) not in seen):
                seen.add((number,))
                yield _Directive(chunk.part(index).strip())
            continue
        tree = shape.tree
        assert isinstance(tree, Instruction)
        constants_count = bool(shape.constants) and depends_on_values(shape)
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
                yield _Part(vocabulary.special_registers[name].gate)
        key = (number, *context.codes)
        if 0 in prefixes and not constants_count:
            if key in seen:
                continue
            seen.add(key)
        if catalogue().candidates(tree.opcode) and 0 not in context.codes:
            yield _Spelling(tree.opcode, read_operands(shape, context.codes, context.statement, context.statement))


_BY_TEXT = frozenset({Kind.PRAGMA, Kind.HEADER, Kind.PROTOTYPE, *HEADS})
"""Directives whose strings, options and numbers have a say too, which shapes do not keep."""


def raised(module: Module) -> Needs:
    """What :func:`raising` finds, at once."""
    return finished(raising(module))


def raising(module: Module) -> Generator[None, None, Needs]:
    """The nearest version and target that have what the module uses; at least those that it has.

    A target that has all that the present one has comes first, the oldest of these; what is in no target at all, or
    gone from the later ones, is not waited for. It is found in steps of a few milliseconds.
    """
    facts: dict[_Fact, None] = {}
    seen: set[tuple[int, ...]] = set()
    for function in module.functions:
        for chunk in function.chunks:
            for segment in function.segments[chunk]:
                facts.update(dict.fromkeys(_of_segment(module, function, chunk, segment, seen)))
            yield
    words = catalogue().vocabulary.targets
    newest = RELEASES[-1]
    known = [word.target for word in words.values()]
    lacking = [one for one in facts if not one.fits(module.version, module.target)]
    needed = [one for one in lacking if any(one.fits(newest, target) for target in known)]
    if not needed:
        return Needs(module.version, module.target)

    def cost(target: Target) -> tuple[int, bool, bool, int, str]:
        missed = sum(not one.fits(newest, target) for one in needed)
        return missed, not target.implies(module.target), bool(target.suffix), target.canonical, target.suffix

    target = min([module.target, *known], key=lambda one: (*cost(one)[:2], one != module.target, *cost(one)[2:]))
    since = words[str(target)].version if str(target) in words else module.version
    needed = [one for one in needed if one.fits(newest, target)]
    later = [one for one in RELEASES if one >= max(since, module.version)]
    version = _least(later, needed, lambda fact, one: fact.fits(one, target))
    return Needs(version, target)
