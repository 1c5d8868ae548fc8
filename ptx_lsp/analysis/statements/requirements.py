"""The oldest PTX version and the least target that suffice for a module.

Computed with the matcher: each instruction is matched in older modules. Only statements that differ in opcode or
operands are tested, each only for the oldest module that suffices for all before it. Requirements without a gate, such
as the size of parameters, are not considered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from ptx_lsp.analysis.statements.required_parts import (
    Requirement,
    WrittenInstruction,
    found_requirements,
    of_segment,
    target_with,
)
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import RELEASES, Version
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import run_to_completion

if TYPE_CHECKING:
    from ptx_lsp.analysis.module.function import Function
    from ptx_lsp.analysis.module.module import Module


class HeaderRequirements(NamedTuple):
    """The version and target that a module requires."""

    version: Version
    target: Target


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
    for one in (yield from found_requirements(module, module.functions if functions is None else functions)):
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
    candidates: Sequence[_T], facts: list[Requirement], fits: Callable[[Requirement, _T], bool]
) -> Generator[None, None, _T]:
    """The first candidate that meets all requirements; the last if none does. All after a sufficient one suffice."""
    at = 0
    for fact in facts:
        while at + 1 < len(candidates) and not fits(fact, candidates[at]):
            at += 1
        yield
    return candidates[at]


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
            for index, one in of_segment(module, function, chunk, segment, seen):
                if not one.fits(found.version, found.target):
                    continue
                if below is not None and not one.fits(module.version, below):
                    return Place(chunk, index, 0)
                if by_version is None and earlier is not None and not one.fits(earlier, found.target):
                    by_version = Place(chunk, index, 0)
        yield
    return by_version


def _lacking(facts: Iterable[Requirement], module: Module) -> Iterator[Requirement]:
    """Those of some requirements that a module lacks, of spellings that differ in their numbers only the first ones."""
    alike: Counter[tuple[object, ...]] = Counter()
    for fact in facts:
        key: tuple[object, ...] = ()
        if isinstance(fact, WrittenInstruction):
            key = fact.opcode, *((one.kind, one.type, one.space, one.sign) for one in fact.operands)
            if alike[key] >= _MOST_ALIKE:
                continue
        if not fact.fits(module.version, module.target):
            alike[key] += 1
            yield fact


def _available(
    facts: Iterable[Requirement], version: Version, targets: Sequence[Target]
) -> Generator[None, None, list[Requirement]]:
    """Those of some requirements that a target has; of an opcode that is often wrong the further ones are not tried."""
    wrong: Counter[tuple[str, ...]] = Counter()
    found: list[Requirement] = []
    latest = targets[0]
    """The target that had the last requirement: often it has the next one too."""
    for fact in facts:
        opcode = fact.opcode if isinstance(fact, WrittenInstruction) else ()
        if opcode and wrong[opcode] >= _MOST_WRONG:
            continue
        target = target_with(fact, version, (latest, *targets))
        if target is not None:
            latest = target
            found.append(fact)
        else:
            wrong[opcode] += 1
        yield
    return found


def _fewest_missing(
    targets: Iterable[Target], facts: Iterable[Requirement], version: Version
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


def _without(facts: list[Requirement], indices: list[int]) -> Iterator[Requirement]:
    left_out = frozenset(indices)
    return (fact for index, fact in enumerate(facts) if index not in left_out)


_MOST_WRONG = 16
_MOST_ALIKE = 64
"""So many numbers say which targets have them all: each is a limit of a form, and a form has few."""
_SUFFIXES = ("", "f", "a")


def sufficient_header(module: Module) -> HeaderRequirements:
    """The result of :func:`find_sufficient_header`, without steps."""
    return run_to_completion(find_sufficient_header(module))


def find_sufficient_header(module: Module) -> Generator[None, None, HeaderRequirements]:
    """The nearest version and target that provide everything that the module uses; at least its present ones.

    Preferred is the oldest target that implies the present one; features that no target has, or that later ones
    removed, are ignored. Computed in steps of a few milliseconds.
    """
    facts = yield from found_requirements(module, module.functions)
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
    facts = dict.fromkeys((yield from found_requirements(module, module.functions)))
    # What earlier targets lack is tested first: it rules out most of the others too.
    deciding: list[Requirement] = []
    for target in known:
        if not all(fact.fits(module.version, target) for fact in deciding):
            continue
        for fact in list(facts):
            if fact.fits(module.version, target):
                continue
            if target_with(fact, module.version, known) is not None:
                deciding.append(fact)
                break
            del facts[fact]
        else:
            return target
        yield
    return None
