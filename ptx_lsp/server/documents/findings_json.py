"""The findings of an open document as JSON, kept function by function between edits.

What is kept of a function has its lines relative to that of its start: only those of edited functions are made again,
and an edit that adds lines renumbers the functions after it.
"""

from __future__ import annotations

from collections.abc import Generator

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.checks.engine.by_function import FunctionFindings, FunctionState
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.diagnostic import Diagnostic
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.server.documents.diagnostic_json import JsonTemplate, making_template, named
from ptx_lsp.server.documents.lines import DocumentLines


class _Made(NamedTuple):
    """The JSON of the findings in one function."""

    state: FunctionState
    template: JsonTemplate
    """Its lines are relative to that of the function."""
    line: int
    """The line of the function for which ``text`` is."""
    returns: int
    """The number of line ends before the function that messages do not count: returns without a newline."""
    text: str

    def at(self, line: int) -> _Made:
        """The JSON if the function starts on another line."""
        return self if line == self.line else self._replace(line=line, text=self.template.filled(line))


class FindingsJson:
    """The findings of one document, for one client.

    Args:
        uri: the document's URI, in the client's spelling.

    """

    def __init__(self, uri: str) -> None:
        self._uri = uri
        self._kept: dict[Function, _Made] = {}

    def making(self, checker: Checker, lines: DocumentLines, limit: int) -> Generator[None, None, str | None]:
        """Make a JSON array of the findings known so far, in steps; None if they cannot be shown by functions."""
        found = yield from checker.listing_by_function(limit)
        if found is None:
            self._kept = {}
            return None
        number_of = checker.module.positions.chunk_number
        kept: dict[Function, _Made] = {}
        texts = []
        for one in found:
            number = number_of(one.function.first)
            line = lines.chunk_line(number)
            returns = line - checker.document.chunk_line(number)
            made = self._kept.get(one.function)
            if made is not None and not one.structural and made.returns == returns and made.state.is_same(one.state):
                kept[one.function] = made = made.at(line)
                texts.append(made.text)
                continue
            yield
            diagnostics = yield from checker.listing_function(one)
            start = checker.document.chunk_start(number)
            if diagnostics and diagnostics[0].span.start <= start > 0:
                self._kept = {}
                return None  # the order of this one and of those before may depend on their codes
            template = yield from making_template(diagnostics, self._uri, lines)
            texts.append(template.filled())
            if not one.structural and _moves_along(checker, one, diagnostics, template, line if start else -1):
                relative = JsonTemplate(template.text, [at - line for at in template.lines])
                kept[one.function] = _Made(one.state, relative, line, returns, texts[-1])
        self._kept = kept
        return f"[{','.join(filter(None, texts))}]"


def _moves_along(
    checker: Checker, found: FunctionFindings, diagnostics: list[Diagnostic], template: JsonTemplate, line: int
) -> bool:
    """Whether the findings in a function change only their lines when text before it changes.

    That is if they speak of nothing before or after it, and of nothing on the line on which the text before it ends,
    since that has columns. ``line`` is that line, or -1.
    """
    last = found.function.chunks[-1]
    end = checker.module.positions.chunk_start(last) + last.length
    spans = [one.span for one in diagnostics] + [
        place.span for one in diagnostics for place in (*one.related, *one.repeats)
    ]
    return (
        min(template.lines, default=0) > line
        and all(span.end <= end for span in spans)
        and all(one.message.count(named(one)) == 1 for one in diagnostics if one.named_line)
    )
