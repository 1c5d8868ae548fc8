"""Fixes that write another ``.version`` or ``.target``: only those after which nothing is wrong that was right.

One word of the header decides about every statement of the module, so the whole module is tried under the new header
before it is offered. That takes time in proportion to the text: it is done when somebody asks for fixes, in steps, and
remembered until the text changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Generator, Iterable, Iterator

from ptx_lsp.analysis.module.header import target_place, version_place
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.requirements import (
    HeaderRequirements,
    find_least_target,
    find_sufficient_header,
)
from ptx_lsp.checks.engine.examination import Examination
from ptx_lsp.checks.engine.grouping import LocatedFinding
from ptx_lsp.diagnostic import Diagnostic, Edit, Fix
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.text import Span

_MOST_LEFT = 50
"""A header under which more errors stay is not offered: to compare them all takes as long as another check."""

_MOST_ASKED = 8
"""Headers that are tried for one list of findings."""

Error = tuple[str, int]
"""Code and offset of an error."""


def with_header_fixes(semantics: Semantics, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The findings, with fixes of the header for those that ask for another."""
    return run_to_completion(adding_header_fixes(semantics, diagnostics))


def adding_header_fixes(
    semantics: Semantics, diagnostics: Iterable[Diagnostic]
) -> Generator[None, None, list[Diagnostic]]:
    """Add fixes of the header in steps of a few milliseconds; the findings are the generator's value.

    A fix is tried on the whole module. If the findings ask for many different headers, those after the first ones get
    none: no module needs all of them.
    """
    found = []
    asked: set[tuple[str, str]] = set()
    for diagnostic in diagnostics:
        added = []
        for directive, word in diagnostic.header:
            if len(asked) >= _MOST_ASKED and (directive, word) not in asked:
                continue
            asked.add((directive, word))
            fix = yield from semantics.derived(_CurrentTrials).of(semantics).fix(diagnostic, directive, word)
            if fix is not None and fix not in diagnostic.fixes:
                added.append(fix)
        found.append(diagnostic._replace(fixes=(*diagnostic.fixes, *added)) if added else diagnostic)
    return found


_LONGEST_LINE = 256
"""Characters before a statement that are looked at to see whether it begins its line."""


class _Trials:
    """A module under other headers, for one state of its text."""

    def __init__(self, semantics: Semantics) -> None:
        module = semantics.module
        self.revision = module.revision
        self._semantics = semantics.under(module.version, module.target)
        self._module = self._semantics.module
        self._left: dict[HeaderRequirements, Collection[Error] | None] = {}
        self._present = Examination(self._semantics).errors()
        self._before: list[Counter[tuple[Chunk, int]]] = []
        """The number of errors that each statement has now, by the steps in which they are found."""
        self._raised: HeaderRequirements | None = None
        self._least: Target | None = None

    def fix(self, diagnostic: Diagnostic, directive: str, word: str) -> Generator[None, None, Fix | None]:
        """The header under which a finding is gone and nothing else is wrong that was not before.

        Of two targets the one with which more of the module is right, else the nearer one; of versions the first.
        """
        if directive == ".target" and not self._module.header.is_target_known:
            return (yield from self._inserted(diagnostic))
        own = diagnostic.code, diagnostic.span.start
        best: tuple[int, Fix] | None = None
        nearest = self._nearest(directive, word)
        for wanted in (nearest, None):
            if wanted is None:
                wanted = yield from self._farther(directive, nearest)
            fix = self._written(wanted) if wanted is not None else None
            if wanted is None or fix is None:
                continue
            left = yield from self._errors_under(wanted)
            if left is not None and own not in left and (best is None or len(left) < best[0]):
                best = len(left), fix
            if best is not None and (not best[0] or directive == ".version"):
                break
        return best[1] if best is not None else None

    def _inserted(self, diagnostic: Diagnostic) -> Generator[None, None, Fix]:
        """The insertion of a missing ``.target`` where it is missed: the least one that all statements accept."""
        if self._least is None:
            self._least = (yield from find_least_target(self._module)) or self._module.target
        start, end = diagnostic.span
        version = version_place(self._module.header.lines)
        if version is not None and start <= self._module.positions.span_of(version).start < end:
            edit = Edit(Span(end, end), f"\n.target {self._least}")
        else:
            line = self._module.document.slice(Span(max(start - _LONGEST_LINE, 0), start)).rpartition("\n")[2]
            edit = Edit(Span(start, start), "\n" * bool(line.strip()) + f".target {self._least}\n")
        return Fix(f"insert '.target {self._least}'", (edit,))

    def _nearest(self, directive: str, word: str) -> HeaderRequirements:
        version, target = self._module.version, self._module.target
        if directive == ".version":
            return HeaderRequirements(Version.parse(word), target)
        known = catalogue().vocabulary.targets.get(word)
        return HeaderRequirements(max(version, known.version) if known is not None else version, Target.parse(word))

    def _farther(self, directive: str, nearest: HeaderRequirements) -> Generator[None, None, HeaderRequirements | None]:
        """The header that the whole module needs, if it has what the finding asks for."""
        if self._raised is None:
            self._raised = yield from find_sufficient_header(self._module)
        version, target = self._raised
        if directive == ".version":
            return HeaderRequirements(max(version, nearest.version), nearest.target)
        return self._raised if target.implies(nearest.target) else None

    def _written(self, wanted: HeaderRequirements) -> Fix | None:
        """The edits that write a header; None if one of the words to change is not in the text."""
        module = self._module
        edits, written = [], []
        for directive, value, present, find in (
            (".version", wanted.version, module.version, version_place),
            (".target", wanted.target, module.target, target_place),
        ):
            if value != present:
                place = find(module.header.lines)
                if place is None:
                    return None
                edits.append(Edit(module.positions.span_of(place), str(value)))
                written.append(f"'{directive} {value}'")
        return Fix(f"write {' and '.join(written)}", tuple(edits)) if edits else None

    def _errors_under(self, wanted: HeaderRequirements) -> Generator[None, None, Collection[Error] | None]:
        """The errors that stay; None if a statement has more than it has now, or if too many stay to see them all."""
        if wanted not in self._left:
            self._left[wanted] = yield from self._tried(wanted)
        return self._left[wanted]

    def _tried(self, wanted: HeaderRequirements) -> Generator[None, None, Collection[Error] | None]:
        left: set[Error] = set()
        step = 0
        for found in Examination(self._semantics.under(*wanted)).errors(_MOST_LEFT):
            if found:
                left.update(self._placed(found))
                if len(left) > _MOST_LEFT:
                    return None
                yield from self._look_until(step)
                if _per_statement(found) - self._before[step]:
                    return None
            step += found is not None
            yield
        return left

    def _look_until(self, step: int) -> Iterator[None]:
        while len(self._before) <= step:
            found = next(self._present)
            if found is not None:
                self._before.append(_per_statement(found))
            yield

    def _placed(self, found: Iterable[LocatedFinding]) -> Iterator[Error]:
        for chunk, index, finding in found:
            diagnostic = finding.diagnostic
            yield diagnostic.code, self._module.positions.statement_start(chunk, index) + diagnostic.span.start


def _per_statement(found: Iterable[LocatedFinding]) -> Counter[tuple[Chunk, int]]:
    return Counter((chunk, index) for chunk, index, _ in found)


class _CurrentTrials:
    """The trials of a module for its present text."""

    def __init__(self, semantics: Semantics) -> None:
        self._trials = _Trials(semantics)

    def of(self, semantics: Semantics) -> _Trials:
        """The trials, begun anew if the text has changed since."""
        if self._trials.revision != semantics.module.revision:
            self._trials = _Trials(semantics)
        return self._trials
