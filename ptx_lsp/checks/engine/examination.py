"""Shows the statements, functions and heads of a module to the checks; nothing is kept of what they find."""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Callable, Generator, Hashable, Iterator
from functools import cache
from itertools import islice, pairwise
from typing import ParamSpec, TypeVar

from ptx_lsp import codes
from ptx_lsp.analysis.module.chunk_summary import end_of, ends_on_broken_line
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.context import StatementContext, preparing_names
from ptx_lsp.analysis.statements.function_heads import preparing_faults_of_head
from ptx_lsp.analysis.statements.initializers import preparing_initial_faults
from ptx_lsp.analysis.statements.undeclared import is_next_instruction, lacks_only_declarations
from ptx_lsp.analysis.symbols.symbols import Scope
from ptx_lsp.checks import always_asked, asked_when_flagged
from ptx_lsp.checks.engine import log
from ptx_lsp.checks.engine.concerned import ConcernedChecks, lacking_declarations
from ptx_lsp.checks.engine.grouping import LocatedFinding, grouped, severity_of
from ptx_lsp.checks.engine.prefilter import Prefilter, StatementCheck
from ptx_lsp.checks.support.check import Check
from ptx_lsp.checks.support.finding import Finding, Phase, PlacedFinding
from ptx_lsp.diagnostic import Severity
from ptx_lsp.process_cache import memoized
from ptx_lsp.stepwise import run_to_completion, without_pauses
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.statement import Statement

NamesFilter = Callable[[Module, Scope, Statement], bool]

_PER_STEP = 8
"""The number of statements that are shown to checks before a pause."""
_LENGTH_IN_A_STEP = 1 << 12
"""Characters of statements before a pause. Of a longer one the tokens are read in steps, with one after each check."""
_LONG = 1 << 15
"""After what is found in the text of a longer chunk there is a pause."""

P = ParamSpec("P")
FindingT = TypeVar("FindingT")

_PREFILTER = Prefilter(always_asked())
"""Process-wide: it answers by shapes and texts, and shapes are the same for all documents."""


@cache
def _statement_checks() -> tuple[Check, ...]:
    return tuple(check for check in asked_when_flagged() if check.check is not None)


@cache
def _all_of_statements() -> tuple[StatementCheck, ...]:
    return tuple(check.check for check in _statement_checks() if check.check is not None)


@cache
def _of_errors() -> frozenset[StatementCheck]:
    checks = _statement_checks()
    return frozenset(one.check for one in checks if one.check is not None and one.rule.severity is Severity.ERROR)


@cache
def _of_phase(phase: Phase) -> tuple[StatementCheck, ...]:
    """The checks of statements in one phase.

    Of a broken statement only those of syntax are asked, and where only declarations are missing, those of names: one
    mistake, one finding, and a removed declaration makes very many.
    """
    checks = _statement_checks()
    return tuple(check.check for check in checks if check.check is not None and check.rule.phase is phase)


@memoized(256)
def _of_names(wanted: tuple[StatementCheck, ...]) -> tuple[StatementCheck, ...]:
    """The checks of names, and those that ask for a statement whether it is flagged or not."""
    return _both(_all_of_statements(), frozenset((*_of_phase(Phase.NAMES), *wanted)))


@memoized(256)
def _both(checks: tuple[StatementCheck, ...], only: frozenset[StatementCheck]) -> tuple[StatementCheck, ...]:
    return tuple(check for check in checks if check in only)


class Examination:
    """A module under the checks of statements, functions and heads."""

    def __init__(self, semantics: Semantics) -> None:
        self.semantics = semantics
        self.module = semantics.module
        self._concerned = ConcernedChecks(semantics.module)

    def errors(self, most: int = sys.maxsize) -> Iterator[list[LocatedFinding] | None]:
        """All errors by the text alone, whatever settings and comments silence: of the structure, then of each chunk.

        In steps of a few milliseconds, with None at a pause. A list ends soon after ``most`` errors.
        """
        yield list(self._errors_of_structure(most))
        for function, number in ((one, number) for one in self.module.functions for number in range(len(one.chunks))):
            found = yield from self.examining(function, number, _of_errors(), most)
            yield [one for one in found if severity_of(one) is Severity.ERROR]

    def _errors_of_structure(self, most: int) -> Iterator[LocatedFinding]:
        places: set[tuple[Chunk, int, str, int]] = set()
        for (chunk, statement, _), finding in self._of_structure():
            diagnostic = finding.diagnostic
            if diagnostic.severity is Severity.ERROR:
                yield chunk, statement, finding
                places.add((chunk, statement, diagnostic.code, diagnostic.span.start))
                if len(places) > most:
                    return

    def _of_structure(self) -> Iterator[PlacedFinding]:
        """The findings in heads, declarations and braces, without those of checks on demand."""
        for check in always_asked():
            if check.check_module is not None and check.rule.code not in codes.ON_DEMAND:
                yield from without_pauses(guarded(check.check_module, self.module))
        for function in self.module.functions:
            if function.faults:
                for check in of_faults():
                    assert check.check_function is not None
                    yield from guarded(check.check_function, function)

    def of_chunk(
        self, function: Function, number: int, only: frozenset[StatementCheck] | None = None
    ) -> list[LocatedFinding]:
        """The findings in the statements of one chunk of a function, by ``only`` some checks or by all."""
        return run_to_completion(self.examining(function, number, only))

    def examining(
        self,
        function: Function,
        number: int,
        only: frozenset[StatementCheck] | None = None,
        most: int = sys.maxsize,
    ) -> Generator[None, None, list[LocatedFinding]]:
        """:meth:`of_chunk` in steps of a few milliseconds; the findings, about ``most``, are the generator's value."""
        module = self.module
        chunk = function.chunks[number]
        wanted = yield from chunk.deriving(_wanted, _PREFILTER.finding(chunk))
        interested = {
            index: checks
            for index, checks in wanted.items()
            if _may_stand_here(function, chunk, index) and (only is None or not only.isdisjoint(checks))
        }
        for index, checks in list(interested.items()):
            filters = _filters_by_names(checks)
            if filters and not _may_mean(filters, module, chunk, index):
                del interested[index]
        flagged = yield from self.semantics.flagging(function, chunk)
        if chunk.length > _LONG:
            yield
        if flagged:
            interested.update(dict.fromkeys(flagged, _all_of_statements()))
        if not interested:
            return []
        findings: list[LocatedFinding] = []
        broken = frozenset(module.summaries.broken(chunk))
        is_line_broken = starts_on_broken_line(function, number)
        said_on_line = frozenset(self._repeats(chunk, is_line_broken))
        unobjectionable: set[Hashable] = set()
        starts, length = chunk.starts(), 0
        for index in sorted(interested):
            if len(findings) > most:
                break
            length += starts[index + 1] - starts[index] + _LENGTH_IN_A_STEP // _PER_STEP
            if length >= _LENGTH_IN_A_STEP:
                length = 0
                yield
            if (broken or is_line_broken) and (
                index in said_on_line or self._follows_broken(chunk, index, is_line_broken)
            ):
                continue
            checks, is_chosen = interested[index], False
            likeness = self._likeness(function, chunk, index) if checks is wanted.get(index) else None
            if likeness is not None and likeness in unobjectionable:
                continue
            before_all = len(findings)
            context = StatementContext(module, function, chunk, index)
            is_long = len(context.statement.text) > _LENGTH_IN_A_STEP
            if is_long:
                from ptx_lsp.syntax.errors import preparing_notes  # imported late: few files need it

                yield from preparing_notes(context.statement)
            if context.statement.shape.errors:
                checks = _of_phase(Phase.SYNTAX)
                from ptx_lsp.syntax.errors import preparing_errors  # imported late: only such files need it

                yield from preparing_errors(context.statement)
            elif is_next_instruction(context):
                checks, is_chosen = _of_phase(Phase.SYNTAX), True
            elif checks is not wanted.get(index) and index not in broken and lacks_only_declarations(context):
                checks, is_chosen = lacking_declarations(_of_names(wanted.get(index, ()))), True
            is_wanted = checks is wanted.get(index)
            if only is not None:
                checks = _both(checks, only)
            key = None
            if not is_wanted and not is_chosen:
                if is_long:
                    yield from preparing_names(context)  # which takes as long as all else
                    yield
                checks, key = self._concerned.choose(checks, context)
            quiet: set[StatementCheck] = set()
            if is_long:
                yield from context.statement.reading()
                yield from preparing_initial_faults(context)
                yield from preparing_faults_of_head(context)
            for check in checks:
                if is_long:
                    yield
                before = len(findings)
                try:  # as guarded() does, which takes as long as most checks
                    for finding in check(context):  # what is found before it raises is kept
                        if finding is None:
                            yield
                            continue
                        one = grouped(module, finding) if module.header.is_generated else finding
                        findings.append((chunk, index, one))
                        if is_long:
                            yield
                except Exception:
                    log.exception("check %s failed", check.__module__)
                    continue
                if key is not None and len(findings) == before:
                    quiet.add(check)
            if key is not None:
                self._concerned.found(key, checks, quiet)
            if likeness is not None and len(findings) == before_all:
                unobjectionable.add(likeness)
        return findings

    def _likeness(self, function: Function, chunk: Chunk, index: int) -> Hashable:
        """The text of an instruction and its scope: in equal ones of a function checks find the same.

        None for others: what is wrong with broken statements, and what is declared late, depends on the place.
        """
        if chunk.kinds[index] != Kind.INSTRUCTION or SHAPES[chunk.shapes[index]].errors or function.late:
            return None
        return chunk.part(index), self.module.scope_of(chunk, index)

    def _repeats(self, chunk: Chunk, is_line_broken: bool) -> Iterator[int]:
        """Broken statements on a line that has one already, perhaps before the chunk: pieces of one mistake."""
        broken = self.module.summaries.broken(chunk)
        if not broken:
            return
        if is_line_broken and "\n" not in chunk.text[: _begin(chunk, broken[0])]:
            yield broken[0]
        if "\n" not in chunk.text:
            yield from broken[1:]
            return
        starts = chunk.starts()
        for before, statement in pairwise(broken):
            around = chunk.text[starts[before] : starts[statement + 1]]
            if "\n" not in around or "\n" not in chunk.text[end_of(chunk, before) : _begin(chunk, statement)]:
                yield statement

    def _follows_broken(self, chunk: Chunk, index: int, is_line_broken: bool) -> bool:
        """Whether a statement stands on a line that broke before it: it may be a piece of another."""
        broken = self.module.summaries.broken(chunk)
        before = bisect_left(broken, index) - 1
        if before >= 0:
            return "\n" not in chunk.text[end_of(chunk, broken[before]) : _begin(chunk, index)]
        return is_line_broken and "\n" not in chunk.text[: _begin(chunk, index)]


def starts_on_broken_line(function: Function, number: int) -> bool:
    """Whether a chunk of a function begins on a line that has a broken statement already, in a chunk before."""
    return number > 0 and function.derived(_BrokenEnds).before(number)


class _BrokenEnds:
    """Whether the text before each chunk of a function ends on a broken line, found from the first chunk on."""

    def __init__(self, function: Function) -> None:
        self._chunks = function.chunks
        self._found = [False]

    def before(self, number: int) -> bool:
        """The answer for one chunk."""
        for chunk in islice(self._chunks, len(self._found) - 1, number):
            is_broken = chunk.derived(ends_on_broken_line)
            self._found.append(self._found[-1] if is_broken is None else is_broken)
        return self._found[number]


@cache
def _filters_by_names(checks: tuple[StatementCheck, ...]) -> tuple[NamesFilter, ...]:
    """The filters of some checks by the names in a statement; empty if one of the checks has none."""
    filters = {one.prefilter_names for one in always_asked() if one.check in checks}
    return tuple(one for one in filters if one is not None) if None not in filters else ()


def _may_mean(filters: tuple[NamesFilter, ...], module: Module, chunk: Chunk, index: int) -> bool:
    """Whether some check with one of these filters is for a statement; a filter that raises is logged and lets it."""
    scope, statement = module.scope_of(chunk, index), chunk.statement(index)
    try:
        return any(may_mean(module, scope, statement) for may_mean in filters)
    except Exception:
        log.exception("a filter by names failed")
        return True


def _wanted(chunk: Chunk) -> dict[int, tuple[StatementCheck, ...]]:
    """The statements of a chunk that some checks want to see, with those checks."""
    return _PREFILTER.statements(chunk)


def checks_ignore_literals(shapes: set[int], digits: int) -> bool:
    """Whether no check finds more in statements of some shapes, which were examined, with other decimal literals.

    Only for literals of so many ``digits`` at most; what the analysis flags is another question.
    """
    return _PREFILTER.ignores(shapes, digits)


def findings_of_nothing() -> Iterator[Finding]:
    """The findings in a document without a statement."""
    for check in always_asked():
        if check.check_empty is not None:
            yield from guarded(check.check_empty)


@cache
def of_faults() -> tuple[Check, ...]:
    """The checks of functions in whose heads and braces the analysis has found faults."""
    return tuple(check for check in asked_when_flagged() if check.check_function is not None)


def _may_stand_here(function: Function, chunk: Chunk, index: int) -> bool:
    """Whether a statement has the right surroundings: an instruction outside of a body is wrong as such."""
    return chunk.kinds[index] != Kind.INSTRUCTION or function.is_inside(chunk, index)


def _begin(chunk: Chunk, statement: int) -> int:
    """The offset in its chunk of a statement without the blanks before it."""
    return chunk.starts()[statement] + chunk.statement(statement).lead


def guarded(check: Callable[P, Iterator[FindingT]], *arguments: P.args, **named: P.kwargs) -> Iterator[FindingT]:
    """The findings of a check, one by one; a check that raises is logged, and only its further findings are lost."""
    try:
        yield from check(*arguments, **named)
    except Exception:
        log.exception("check %s failed", check.__module__)
