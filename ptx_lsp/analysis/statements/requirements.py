"""The oldest PTX version and the least target that suffice for a module.

Computed with the matcher: each instruction is matched in older modules. Only statements that differ in opcode or
operands are tested, each only for the oldest module that suffices for all before it. Requirements without a gate, such
as the size of parameters, are not considered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.directives import GATED, directive, directive_needs, is_plain_target, type_needs
from ptx_lsp.analysis.statements.function_heads import head_needs
from ptx_lsp.analysis.statements.operands import read_operands
from ptx_lsp.analysis.statements.value_limits import depends_on_values
from ptx_lsp.analysis.symbols.special_names import special_names
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.match import accepts
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.gate import AcceptancePolicy, Gate
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import RELEASES, Version
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import HEADS, Kind
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tree import Instruction

if TYPE_CHECKING:
    from ptx_lsp.analysis.module.function import Function, Segment
    from ptx_lsp.analysis.module.module import Module


class HeaderRequirements(NamedTuple):
    """The version and target that a module requires."""

    version: Version
    target: Target


class _Spelling(NamedTuple):
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


_Requirement = _Spelling | _Part | _Directive


def least_requirements(module: Module, functions: Iterable[Function] | None = None) -> HeaderRequirements:
    """The least target for the module's version, and the oldest version for that target.

    Args:
        module: the module.
        functions: the functions to consider; by default all.

    """
    return run_to_completion(find_least_requirements(module, functions))


def find_least_requirements(
    module: Module, functions: Iterable[Function] | None = None
) -> Generator[None, None, HeaderRequirements]:
    """The result of :func:`least_requirements`, computed in steps of a few milliseconds."""
    facts = []
    for one in (yield from _found_requirements(module, module.functions if functions is None else functions)):
        if one.fits(module.version, module.target):
            facts.append(one)
        yield
    words = catalogue().vocabulary.targets
    base = sorted(
        (word.target for word in words.values() if not word.target.suffix and module.target.implies(word.target)),
        key=lambda target: target.canonical,
    )
    own = [word.target for word in words.values() if word.target.suffix and module.target.implies(word.target)]
    targets = [*base, *sorted(own, key=lambda target: target.suffix, reverse=True), module.target]
    known = [one for one in targets if str(one) in words and words[str(one)].version <= module.version]
    target = yield from _least([*known, module.target], facts, lambda fact, one: fact.fits(module.version, one))
    since = words[str(target)].version if str(target) in words else module.version
    versions = [one for one in RELEASES if since <= one < module.version]
    version = yield from _least([*versions, module.version], facts, lambda fact, one: fact.fits(one, target))
    return HeaderRequirements(version, target)


_T = TypeVar("_T")


def _least(
    candidates: Sequence[_T], facts: list[_Requirement], fits: Callable[[_Requirement, _T], bool]
) -> Generator[None, None, _T]:
    """The first candidate that meets all requirements; the last if none does. All after a sufficient one suffice."""
    at = 0
    for fact in facts:
        while at + 1 < len(candidates) and not fits(fact, candidates[at]):
            at += 1
        yield
    return candidates[at]


def _of_segment(
    module: Module, function: Function, chunk: Chunk, segment: Segment, seen: set[tuple[int, ...]]
) -> Iterator[tuple[int, _Requirement]]:
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
                yield index, _Part(vocabulary.special_registers[name].gate)
        key = (number, *context.codes)
        if 0 in prefixes and not constants_count:
            if key in seen:
                continue
            seen.add(key)
        if catalogue().candidates(tree.opcode) and 0 not in context.codes:
            operands = read_operands(shape, context.codes, context.statement, context.statement)
            yield index, _Spelling(tree.opcode, operands)


def find_first_that_requires(
    module: Module, function: Function, found: HeaderRequirements
) -> Generator[None, None, Place | None]:
    """The first statement of a function that an older target does not have, or else an older version, in steps.

    Args:
        module: the module.
        function: the function.
        found: what the function requires, see :func:`least_requirements`.

    """
    words = catalogue().vocabulary.targets
    lesser = [
        word.target for word in words.values() if word.target != found.target and found.target.implies(word.target)
    ]
    below = max(lesser, key=lambda one: (one.canonical, _SUFFIXES.index(one.suffix)), default=None)
    earlier = max((one for one in RELEASES if one < found.version), default=None)
    by_version: Place | None = None
    seen: set[tuple[int, ...]] = set()
    for chunk in function.chunks:
        for segment in function.segments[chunk]:
            for index, one in _of_segment(module, function, chunk, segment, seen):
                if not one.fits(found.version, found.target):
                    continue
                if below is not None and not one.fits(module.version, below):
                    return Place(chunk, index, 0)
                if by_version is None and earlier is not None and not one.fits(earlier, found.target):
                    by_version = Place(chunk, index, 0)
        yield
    return by_version


def _lacking(facts: Iterable[_Requirement], module: Module) -> Iterator[_Requirement]:
    """Those of some requirements that a module lacks, of spellings that differ in their numbers only the first ones."""
    alike: Counter[tuple[object, ...]] = Counter()
    for fact in facts:
        key: tuple[object, ...] = ()
        if isinstance(fact, _Spelling):
            key = fact.opcode, *((one.kind, one.type, one.space, one.sign) for one in fact.operands)
            if alike[key] >= _MOST_ALIKE:
                continue
        if not fact.fits(module.version, module.target):
            alike[key] += 1
            yield fact


def _available(
    facts: Iterable[_Requirement], version: Version, targets: Sequence[Target]
) -> Generator[None, None, list[_Requirement]]:
    """Those of some requirements that a target has; of an opcode that is often wrong the further ones are not tried."""
    wrong: Counter[tuple[str, ...]] = Counter()
    found: list[_Requirement] = []
    latest = targets[0]
    """The target that had the last requirement: often it has the next one too."""
    for fact in facts:
        opcode = fact.opcode if isinstance(fact, _Spelling) else ()
        if opcode and wrong[opcode] >= _MOST_WRONG:
            continue
        target = next((one for one in (latest, *targets) if fact.fits(version, one)), None)
        if target is not None:
            latest = target
            found.append(fact)
        else:
            wrong[opcode] += 1
        yield
    return found


def _fewest_missing(
    targets: Iterable[Target], facts: Iterable[_Requirement], version: Version
) -> Generator[None, None, Target]:
    """The first of the targets that lack the fewest requirements."""
    ordered = list(facts)
    fewest, best = len(ordered) + 1, None
    for target in targets:
        missing: list[int] = []
        for index, fact in enumerate(ordered):
            if not fact.fits(version, target):
                missing.append(index)
                if len(missing) >= fewest:
                    break
        else:
            fewest, best = len(missing), target
            if not missing:
                break
        # What this target lacks is tested first: most of the others lack it too.
        ordered = [*(ordered[index] for index in missing), *_without(ordered, missing)]
        yield
    assert best is not None
    return best


def _without(facts: list[_Requirement], indices: list[int]) -> Iterator[_Requirement]:
    left_out = frozenset(indices)
    return (fact for index, fact in enumerate(facts) if index not in left_out)


_MOST_WRONG = 16
_MOST_ALIKE = 64
"""So many numbers say which targets have them all: each is a limit of a form, and a form has few."""
_SUFFIXES = ("", "f", "a")


_BY_TEXT = frozenset({Kind.PRAGMA, Kind.HEADER, Kind.PROTOTYPE, *HEADS})
"""Directives whose requirements depend on strings, options or numbers, which shapes do not contain."""


def sufficient_header(module: Module) -> HeaderRequirements:
    """The result of :func:`find_sufficient_header`, without steps."""
    return run_to_completion(find_sufficient_header(module))


def find_sufficient_header(module: Module) -> Generator[None, None, HeaderRequirements]:
    """The nearest version and target that provide everything that the module uses; at least its present ones.

    Preferred is the oldest target that implies the present one; features that no target has, or that later ones
    removed, are ignored. Computed in steps of a few milliseconds.
    """
    facts = yield from _found_requirements(module, module.functions)
    words = catalogue().vocabulary.targets
    newest = RELEASES[-1]
    known = [word.target for word in words.values()]
    lacking = list(_lacking(facts, module))
    needed = yield from _available(lacking, newest, known)
    if not needed:
        return HeaderRequirements(module.version, module.target)

    def preference(target: Target) -> tuple[bool, bool, bool, int, str]:
        is_other = target != module.target
        return not target.implies(module.target), is_other, bool(target.suffix), target.canonical, target.suffix

    ordered = sorted([module.target, *known], key=preference)
    target = yield from _fewest_missing(ordered, needed, newest)
    since = words[str(target)].version if str(target) in words else module.version
    needed = [one for one in needed if one.fits(newest, target)]
    later = [one for one in RELEASES if one >= max(since, module.version)]
    version = yield from _least(later, needed, lambda fact, one: fact.fits(one, target))
    return HeaderRequirements(version, target)


def find_least_target(module: Module) -> Generator[None, None, Target | None]:
    """The least target of the module's version that provides all that its statements use; None if there is none.

    What no target has is ignored. Computed in steps of a few milliseconds.
    """
    words = catalogue().vocabulary.targets.values()
    known = [word.target for word in words if word.version <= module.version]
    known.sort(key=lambda one: (one.canonical, _SUFFIXES.index(one.suffix)))
    facts = dict.fromkeys((yield from _found_requirements(module, module.functions)))
    # What earlier targets lack is tested first: it rules out most of the others too.
    deciding: list[_Requirement] = []
    for target in known:
        if not all(fact.fits(module.version, target) for fact in deciding):
            continue
        for fact in list(facts):
            if fact.fits(module.version, target):
                continue
            if any(fact.fits(module.version, other) for other in known):
                deciding.append(fact)
                break
            del facts[fact]
        else:
            return target
        yield
    return None


def _found_requirements(module: Module, functions: Iterable[Function]) -> Generator[None, None, list[_Requirement]]:
    """The requirements of some functions, each once, in steps."""
    found: dict[_Requirement, None] = {}
    seen: set[tuple[int, ...]] = set()
    for function in functions:
        for chunk in function.chunks:
            for segment in function.segments[chunk]:
                found.update(dict.fromkeys(one for _, one in _of_segment(module, function, chunk, segment, seen)))
            yield
    return list(found)
