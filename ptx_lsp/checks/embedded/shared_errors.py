"""Errors that a fragment has for several targets alike, so that it need not be checked for each of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Generator, Iterator, Sequence

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.matcher import Matcher, matcher
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.diagnostic import Diagnostic
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.text import Span

_IN_A_STEP = 64


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
        version: the version for which it was checked.
        found: the instructions with errors.
        have_all: whether all errors are in them.

    """

    def __init__(self, version: Version, found: list[_Wrong], *, have_all: bool) -> None:
        self._version = version
        self._found = found
        self.have_all = have_all

    @classmethod
    def reading(
        cls, checker: Checker, errors: Sequence[Diagnostic], chunk: Chunk | None = None, by: int = 0
    ) -> Generator[None, None, WrongInstructions]:
        """Those of a fragment that is checked for a target, with the errors in the order of the text; in steps.

        The fragment is all that is checked, or a ``chunk`` of it that begins ``by`` characters after the start.
        """
        starts = [one.span.start for one in errors]
        found: list[_Wrong] = []
        last = starts[-1] if starts else -1
        for number, (function, of_function, index, span) in enumerate(_flagged(checker, chunk, by), 1):
            if span.start > last:
                break  # there may be many more in which no error is wanted
            count = bisect_left(starts, span.end) - bisect_left(starts, span.start)
            if count:
                context = StatementContext(checker.module, function, of_function, index)
                if context.match is not None and context.match.mismatches:
                    found.append(_Wrong(context, span, count))
            if not number % _IN_A_STEP:
                yield
        have_all = sum(one.errors for one in found) == len(errors)
        return cls(checker.module.version, found, have_all=have_all)

    def comparing(self, target: Target) -> Generator[None, None, bool]:
        """Whether another target has as many errors at least."""
        judge = matcher(self._version, target)
        for number, one in enumerate(self._found, 1):
            if not one.is_wrong_by(judge):
                return False
            if not number % _IN_A_STEP:
                yield
        return True


def _flagged(checker: Checker, only: Chunk | None, by: int) -> Iterator[tuple[Function, Chunk, int, Span]]:
    module = checker.module
    for function in module.functions if only is None else (module.function_of(only),):
        for chunk in function.chunks:
            for index in checker.semantics.flagged(function, chunk):
                start = module.positions.statement_start(chunk, index) - by
                yield function, chunk, index, Span(start, start + len(chunk.part(index)))
