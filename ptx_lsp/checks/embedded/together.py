"""Verdicts on many short fragments at once: they are checked in one module, each as the body of a function of its own.

A module, its checker and its tables take many times longer than the few statements of most fragments. Only what cannot
depend on other functions is judged so: instructions, labels, blocks and registers. Before that, those that are nothing
but instructions are checked as if all of them were one body: those without a finding there have none.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from ptx_lsp.analysis.symbols.given_names import GivenName
from ptx_lsp.checks.embedded.deciding import Asked, Deciding, Judged, deciding, first_target
from ptx_lsp.checks.embedded.known_verdicts import IsSilenced, Question
from ptx_lsp.checks.embedded.short_statements import ShortStatements, short_statements
from ptx_lsp.checks.embedded.trials import Trials
from ptx_lsp.checks.embedded.verdicts import kept
from ptx_lsp.checks.embedded.wanted import ALL, Wanted
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.diagnostic import Diagnostic, Related, Severity
from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.embedded.target_sets import TargetSet
from ptx_lsp.isa.model.target import Target
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import ProcessCache
from ptx_lsp.settings import Settings
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.document import Document

_FEWEST = 2
_SAMPLE = 8
"""If in more than half of so many fragments something is found, the others are not tried as one body."""


class _Waiting(NamedTuple):
    """A fragment on which there is no verdict."""

    key: object
    question: Question
    statements: ShortStatements


class ToJudge(NamedTuple):
    """A fragment on which a verdict is asked for."""

    fragment: AsmFragment
    targets: TargetSet
    silences: IsSilenced | None = None
    """Tells of which codes no findings are asked for."""
    is_certain: bool = True
    """Whether it is certainly PTX; otherwise nothing is asked about one that does not read as such."""


class _Alike(NamedTuple):
    """The properties that the fragments of one module have in common."""

    targets: TargetSet
    first: Target
    """The target for which they are judged first."""
    given: tuple[GivenName, ...]


class Together:
    """Judges fragments for a version, and keeps the verdicts where others look."""

    def __init__(self, version: str | None) -> None:
        self._version = version
        self._wanted = ALL
        self._firsts: ProcessCache[tuple[bytes, str], Target] = ProcessCache(1 << 10)
        self._tried = Trials()
        """Whether it was useful to check fragments as one body."""

    def judge(self, fragments: Iterable[ToJudge], wanted: Wanted) -> tuple[int, int]:
        """Judge those on which there is no verdict; how many those are, and how many have one now."""
        self._wanted = wanted
        first: list[tuple[Question, TargetSet]] = []
        others: list[tuple[Question, TargetSet]] = []
        seen: set[object] = set()
        kinds: set[object] = set()
        for fragment, targets, silences, is_certain in fragments:
            question = Question(fragment, targets, self._version, wanted, silences, is_certain=is_certain)
            if question.key in seen or not question.is_open:
                continue
            seen.add(question.key)
            kind = question.kind
            (others if kind in kinds else first).append((question, targets))
            if kind is not None:
                kinds.add(kind)
        count = self._judge(first)
        left = [one for one in others if one[0].is_open]
        return len(seen), count + len(others) - len(left) + self._judge(left)

    def _judge(self, questions: Iterable[tuple[Question, TargetSet]]) -> int:
        """Judge what nothing is known of; how many have a verdict now."""
        groups: dict[tuple[object, ...], tuple[_Alike, list[_Waiting]]] = {}
        for question, targets in questions:
            fragment = question.fragment
            statements = short_statements(fragment.checked)
            if statements is not None:
                first = self._first(statements, targets)
                older = fragment.key[2]
                if (older, targets.name, first) not in groups:
                    groups[older, targets.name, first] = _Alike(targets, first, fragment.given(older=True)), []
                groups[older, targets.name, first][1].append(_Waiting(question.key, question, statements))
        count = 0
        for alike, group in groups.values():
            if len(group) >= _FEWEST:
                for one, found in self._verdicts(alike, group):
                    one.question.keep(tuple(found))
                    count += 1
        return count

    def _first(self, statements: ShortStatements, targets: TargetSet) -> Target:
        """The target for which statements are judged first; programs write the same instructions again and again."""
        key = (bytes(array("I", statements.shapes)), targets.name)
        found = self._firsts.get(key)
        if found is None:
            found = self._firsts[key] = first_target(statements.shapes, targets, self._version)
        return found

    def _verdicts(self, alike: _Alike, group: list[_Waiting]) -> Iterator[tuple[_Waiting, list[Diagnostic]]]:
        """The verdicts on fragments whose findings have certain places, asked for the same targets in rounds."""
        quiet = self._without_findings(alike, group)
        rounds = _Rounds()
        for one in group:
            if one.key in quiet:
                yield one, []
            else:
                verdict = deciding(
                    one.statements.shapes,
                    alike.targets,
                    self._version,
                    self._wanted,
                    has_two_readings=one.question.fragment.has_two_readings,
                )
                yield from rounds.going_on(one, verdict, None)
        while rounds.asked:
            asked, waiting = rounds.following()
            for one, verdict, judged in self._answers(asked, waiting):
                yield from rounds.going_on(one, verdict, judged)

    def _answers(
        self, asked: Asked, waiting: list[tuple[_Waiting, Deciding]]
    ) -> Iterator[tuple[_Waiting, Deciding, Judged]]:
        """The answers to what several fragments ask."""
        if len(waiting) < _FEWEST:
            return
        given = waiting[0][0].question.fragment.given(older=asked.is_older)
        verdicts = {one.key: verdict for one, verdict in waiting}
        for one, judged in self._judged(asked.target, given, [one for one, _ in waiting]):
            yield one, verdicts[one.key], judged

    def _others(self, alike: _Alike) -> tuple[Target, ...]:
        """The targets that count too for fragments that the first one accepts."""
        return (
            alike.targets.targets[1:] if alike.targets.is_named and self._wanted.least >= Severity.INFORMATION else ()
        )

    def _without_findings(self, alike: _Alike, group: list[_Waiting]) -> set[object]:
        """The keys of fragments in which no target finds anything; not of all."""
        plain = [one for one in group if one.statements.are_plain]
        quiet: set[object] = set()
        if len(plain) < _FEWEST or not self._tried.is_next_due():
            return quiet
        for some in filter(None, (plain[:_SAMPLE], plain[_SAMPLE:])):
            left = some
            for target in (alike.first, *self._others(alike)):
                left = self._quiet(target, alike.given, left) if left else left
            quiet.update(one.key for one in left)
            is_useful = len(left) * 2 >= len(some)
            self._tried.take(is_useful=is_useful)
            if not is_useful:
                break
        return quiet

    def _quiet(self, target: Target, given: tuple[GivenName, ...], group: list[_Waiting]) -> list[_Waiting]:
        """The fragments of nothing but instructions in which a target finds nothing, if all of them are one body."""
        statements = ShortStatements.joined([one.statements for one in group])
        checker = Checker(Document.of([statements.chunk()]), self._settings(target), given=given)
        found = checker.findings(least=self._wanted.least).shown
        if not found:
            return group
        if any(one.related or one.repeats for one in found):
            return []  # it may stand for others of the same kind
        starts = list(accumulate((one.statements.length for one in group), initial=0))
        touched: set[int] = set()
        for one in found:
            first, last = bisect_left(starts, one.span.start) - 1, bisect_right(starts, one.span.end)
            touched.update(range(first, last))
        return [one for number, one in enumerate(group) if number not in touched]

    def _judged(
        self, target: Target, given: tuple[GivenName, ...], group: Sequence[_Waiting]
    ) -> Iterator[tuple[_Waiting, Judged]]:
        """The findings in each fragment for a target; without those whose place is not certain."""
        document = Document.of([one.statements.chunk() for one in group])
        checker = Checker(document, self._settings(target), given=given, are_bodies=True)
        shown = checker.findings(least=self._wanted.least).shown
        starts = list(accumulate((chunk.length for chunk in document.chunks), initial=0))
        parts = _parts(shown, starts)
        for one, found, chunk, start in zip(group, parts, document.chunks, starts, strict=False):
            if found is not None and (self._wanted.most is None or len(found) < self._wanted.most):
                judged = Judged.of(target, found)
                if found:
                    judged = Judged.of(target, run_to_completion(kept(found, one.question.fragment)))
                    if judged.is_compared:
                        judged = run_to_completion(judged.with_wrong(checker, chunk, start))
                yield one, judged

    def _settings(self, target: Target) -> Settings:
        return Settings(target=str(target), ptx_version=self._version)


class _Rounds:
    """Fragments on the way to their verdicts, by what each asks next."""

    def __init__(self) -> None:
        self.asked: dict[tuple[Asked, str], list[tuple[_Waiting, Deciding]]] = {}

    def following(self) -> tuple[Asked, list[tuple[_Waiting, Deciding]]]:
        """A question, and the fragments that ask it, with names of the same types."""
        (asked, names), waiting = next(iter(self.asked.items()))
        del self.asked[asked, names]
        return asked, waiting

    def going_on(
        self, one: _Waiting, verdict: Deciding, judged: Judged | None
    ) -> Iterator[tuple[_Waiting, list[Diagnostic]]]:
        """Send a fragment an answer; it has its verdict then, or asks for something else."""
        try:
            asked = verdict.send(judged)
            while asked is None:
                asked = verdict.send(None)
        except StopIteration as end:
            yield one, end.value
            return
        _, newer, older, _ = one.question.fragment.key
        self.asked.setdefault((asked, older if asked.is_older else newer), []).append((one, verdict))


def _parts(found: list[Diagnostic], starts: list[int]) -> list[list[Diagnostic] | None]:
    """The findings in each part of a text, with places there; None for parts of which some is not certain."""
    parts: list[list[Diagnostic] | None] = [[] for _ in starts[1:]]
    for one in found:
        number = _part_of(one, starts)
        start, end = starts[number], starts[number + 1]
        places = (one.span, *(at.span for at in one.related), *(at.span for at in one.repeats))
        is_certain = all(start <= span.start <= span.end <= end for span in places)
        if one.span.start == one.span.end == start and number and not one.related:
            parts[number - 1] = None  # it may be at the end there
            is_certain = False
        part = parts[number]
        if not is_certain:
            parts[number] = None
        elif part is not None:
            part.append(_moved(one, start))
    return parts


def _part_of(one: Diagnostic, starts: list[int]) -> int:
    """The number of the part with a finding; of one that is between two parts, the number of what it refers to."""
    is_between = one.span.start == one.span.end and bool(one.related)
    place = one.related[0].span.start if is_between else one.span.start
    return min(bisect_right(starts, place) - 1, len(starts) - 2)


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
