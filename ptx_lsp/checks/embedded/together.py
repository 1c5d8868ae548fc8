"""Verdicts on many short fragments at once: they are checked in one module, each as the body of a function of its own.

A module, its checker and its tables take many times longer than the few statements of most fragments. Only what cannot
depend on other functions is judged so: instructions, labels, blocks and registers.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from ptx_lsp import suppressions
from ptx_lsp.analysis.module.chunk_summary import summarise
from ptx_lsp.analysis.symbols.given_names import GivenName
from ptx_lsp.checks.embedded.verdicts import VERDICTS, Judged, first_target, kept, verdict_key, verdict_of_one
from ptx_lsp.checks.embedded.wanted import Wanted
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.diagnostic import Diagnostic, Related, Severity
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.embedded.target_sets import TargetSet
from ptx_lsp.isa.model.target import Target
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.settings import Settings
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.chunk import Chunk, chunks
from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.split import split

_LONGEST = 1000
"""Characters of a fragment: with longer ones a module of their own counts little."""
_FEWEST = 2
_SELF_CONTAINED = re.compile(
    b"[%b]*+"
    % re.escape(bytes([Kind.EMPTY, Kind.INSTRUCTION, Kind.LABEL, Kind.OPEN, Kind.CLOSE, Kind.REGISTERS, Kind.BAD]))
).fullmatch


class _Waiting(NamedTuple):
    """A fragment on which there is no verdict."""

    key: object
    fragment: AsmFragment
    chunk: Chunk
    """All of its statements."""


class _Alike(NamedTuple):
    """What the fragments of one module have in common."""

    targets: TargetSet
    first: Target
    """The target for which they are judged first."""
    given: tuple[GivenName, ...]


class Together:
    """Judges fragments for a version and the findings that are wanted, and keeps the verdicts where others look."""

    def __init__(self, version: str | None, wanted: Wanted) -> None:
        self._version = version
        self._wanted = wanted

    def judge(self, fragments: Iterable[tuple[AsmFragment, TargetSet]]) -> tuple[int, int]:
        """Judge those on which there is no verdict; how many those are, and how many have one now."""
        groups: dict[_Alike, list[_Waiting]] = {}
        seen: set[object] = set()
        for fragment, targets in fragments:
            if fragment.is_unknown:
                continue
            key = verdict_key(fragment, targets, self._version, self._wanted)
            if key in VERDICTS or key in seen:
                continue
            seen.add(key)
            chunk = _self_contained(fragment)
            if chunk is not None:
                alike = _Alike(targets, first_target([chunk], targets, self._version), fragment.given(older=True))
                groups.setdefault(alike, []).append(_Waiting(key, fragment, chunk))
        count = 0
        for alike, group in groups.items():
            if len(group) >= _FEWEST:
                for one, found in self._verdicts(alike, group):
                    VERDICTS[one.key] = tuple(found)
                    count += 1
        return len(seen), count

    def _verdicts(self, alike: _Alike, group: list[_Waiting]) -> Iterator[tuple[_Waiting, list[Diagnostic]]]:
        """The verdicts that other targets and other readings of the operands cannot change."""
        targets = alike.targets
        fine: list[tuple[_Waiting, list[Diagnostic]]] = []
        for one, found in self._found(alike.first, alike.given, group):
            if any(other.severity is Severity.ERROR for other in found):
                final = None if one.fragment.has_two_readings else verdict_of_one(Judged(alike.first, found), targets)
                if final is not None:
                    yield one, final
            else:
                fine.append((one, found))
        if targets.is_named and self._wanted.least >= Severity.INFORMATION:
            for target in targets.targets[1:]:
                refused = {id(one) for one, found in fine}
                for one, found in self._found(target, alike.given, [one for one, _ in fine]):
                    if all(other.severity is not Severity.ERROR for other in found):
                        refused.discard(id(one))
                fine = [(one, found) for one, found in fine if id(one) not in refused]
        yield from fine

    def _found(
        self, target: Target, given: tuple[GivenName, ...], group: Sequence[_Waiting]
    ) -> Iterator[tuple[_Waiting, list[Diagnostic]]]:
        """The findings in each fragment for a target; without those whose place is not certain."""
        document = Document.of([one.chunk for one in group])
        settings = Settings(target=str(target), ptx_version=self._version)
        checker = Checker(document, settings, given=given, are_bodies=True)
        shown = checker.findings(least=self._wanted.least).shown
        starts = list(accumulate((one.chunk.length for one in group), initial=0))
        parts = _parts(shown, starts)
        for one, found in zip(group, parts, strict=True):
            if found is not None and (self._wanted.most is None or len(found) < self._wanted.most):
                yield one, run_to_completion(kept(found, one.fragment)) if found else found


def _self_contained(fragment: AsmFragment) -> Chunk | None:
    """The statements of a fragment, if what is found in them does not depend on others."""
    text = fragment.checked
    if len(text) > _LONGEST or suppressions.MARK in text:
        return None
    found = list(chunks(split(text)))
    if len(found) != 1:
        return None
    chunk = found[0]
    if _SELF_CONTAINED(chunk.kinds) is None or _is_unbalanced(chunk.kinds):
        return None
    summary = chunk.derived(summarise)
    return None if summary.half_declared or summary.has_broken_file else chunk


def _is_unbalanced(kinds: bytes) -> bool:
    """Whether braces do not pair."""
    if Kind.OPEN not in kinds and Kind.CLOSE not in kinds:
        return False
    depth = 0
    for kind in kinds:
        depth += (kind == Kind.OPEN) - (kind == Kind.CLOSE)
        if depth < 0:
            return True
    return depth > 0


def _parts(found: list[Diagnostic], starts: list[int]) -> list[list[Diagnostic] | None]:
    """The findings in each part of a text, with places there; None for parts of which some is not certain."""
    parts: list[list[Diagnostic] | None] = [[] for _ in starts[1:]]
    for one in found:
        number = min(bisect_right(starts, one.span.start) - 1, len(parts) - 1)
        start, end = starts[number], starts[number + 1]
        places = (one.span, *(at.span for at in one.related), *(at.span for at in one.repeats))
        is_certain = all(start <= span.start <= span.end <= end for span in places)
        if one.span.start == one.span.end == start and number:
            parts[number - 1] = None  # it may be at the end there
            is_certain = False
        part = parts[number]
        if not is_certain:
            parts[number] = None
        elif part is not None:
            part.append(_moved(one, start))
    return parts


def _moved(one: Diagnostic, start: int) -> Diagnostic:
    """A finding with places from the ``start`` of its part on."""
    if not start:
        return one
    moved = one.shifted(-start)
    if not (one.related or one.repeats):
        return moved
    return moved._replace(
        related=tuple(Related(at.span.shifted(-start), at.message) for at in one.related),
        repeats=tuple(Related(at.span.shifted(-start), at.message) for at in one.repeats),
    )
