"""Errors that a fragment has for several targets alike, so that it need not be checked for each of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.matcher import Matcher, matcher
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.diagnostic import Diagnostic
from ptx_lsp.isa.model.target import Target
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.text import Span


class _Wrong(NamedTuple):
    """An instruction that fits no form."""

    context: StatementContext
    span: Span
    errors: int
    """The number of errors in it."""

    def is_wrong_by(self, judge: Matcher) -> bool:
        """Whether another version or target has as many errors in it at least."""
        here = self.context
        found = judge.match(here.statement.shape, here.codes, here.statement, values=True)
        if found is None or here.match is None or not found.mismatches:
            return False
        return self.errors <= 1 or found.mismatches == here.match.mismatches


class WrongInstructions:
    """The instructions of a checked fragment that fit no form.

    Args:
        checker: the fragment, checked for a target.
        errors: the errors, in the order of the text.

    """

    def __init__(self, checker: Checker, errors: Sequence[Diagnostic]) -> None:
        self._version = checker.module.version
        starts = [one.span.start for one in errors]
        self._found = [
            _Wrong(context, span, count)
            for context, span in _wrong(checker)
            if (count := bisect_left(starts, span.end) - bisect_left(starts, span.start))
        ]
        self.have_all = sum(one.errors for one in self._found) == len(errors)
        """Whether all errors are in them."""

    def are_wrong_for(self, target: Target) -> bool:
        """Whether another target has as many errors at least."""
        judge = matcher(self._version, target)
        return all(one.is_wrong_by(judge) for one in self._found)


def _wrong(checker: Checker) -> Iterator[tuple[StatementContext, Span]]:
    module = checker.module
    for function in module.functions:
        for chunk in function.chunks:
            for index in checker.semantics.flagged(function, chunk):
                context = StatementContext(module, function, chunk, index)
                if context.match is not None and context.match.mismatches:
                    start = module.positions.statement_start(chunk, index)
                    yield context, Span(start, start + len(chunk.part(index)))
