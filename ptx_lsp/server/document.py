"""One open document: its text and findings, in the client's terms."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from ptx_lsp.checks.checker import Checker
from ptx_lsp.diagnostic import Diagnostic, Severity
from ptx_lsp.server.columns import Encoding
from ptx_lsp.server.lines import Lines, Position
from ptx_lsp.server.wire import diagnostics_json
from ptx_lsp.settings import Settings

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TextChange:
    """Replace what lies between two positions, or everything if there are none, by ``text``."""

    text: str
    start: Position | None = None
    end: Position | None = None


class OpenDocument:
    """A document as the client sees it, with the checker that follows its edits.

    Args:
        uri: the document's address, in the client's own spelling.
        version: the client's number for this state of the text.
        text: all of it.
        settings: what to check for.
        encoding: the unit of the client's columns.

    """

    def __init__(self, uri: str, version: int | None, text: str, settings: Settings, encoding: Encoding) -> None:
        self.uri = uri
        self.version = version
        self.encoding = encoding
        self.settings = settings
        self.checker = Checker(text, settings)
        self._lines: Lines | None = None
        self._lines_are_old = False
        self._findings: str | None = None

    @property
    def text(self) -> str:
        """The whole text; takes time in proportion to it."""
        return self.checker.document.text

    @property
    def lines(self) -> Lines:
        """Positions of the present text."""
        if self._lines is None or self._lines_are_old:
            self._lines = Lines(self.checker.document.chunks, self.encoding, self._lines)
            self._lines_are_old = False
        return self._lines

    @property
    def findings(self) -> str:
        """The findings of the present text as a JSON array of LSP diagnostics; computed once."""
        if self._findings is None:
            limit = self.settings.max_diagnostics
            found = self.checker.diagnostics(limit + 1)
            if len(found) > limit:
                found[limit:] = [_and_more(found[limit], limit)]
            self._findings = diagnostics_json(found, self.uri, self.lines)
        return self._findings

    def change(self, change: TextChange) -> None:
        """Apply one change; positions past the end mean the end."""
        self._findings = None
        if change.start is None or change.end is None:
            self._replace(change.text)
            return
        span = self.lines.span(change.start, change.end)
        length = self.lines.length - (span.end - span.start) + len(change.text)
        try:
            self.checker.edit(span, change.text)
        except Exception:
            log.exception("an edit of %s failed; it is checked anew", self.uri)
            text = self.text
            if len(text) != length:  # it failed before the text was changed
                text = text[: span.start] + change.text + text[span.end :]
            self._replace(text)
            return
        self._lines_are_old = True

    def recheck(self, settings: Settings) -> None:
        """Check the same text by other settings."""
        self.settings = settings
        self._findings = None
        self.checker.reconfigure(settings)

    def _replace(self, text: str) -> None:
        self.checker = Checker(text, self.settings)
        self._lines = None


def _and_more(first: Diagnostic, limit: int) -> Diagnostic:
    """The last entry of a list that was cut before ``first``."""
    message = f"only the first {limit} findings are shown; the next one is here (setting 'max-diagnostics')"
    return Diagnostic("I701", "more-findings", Severity.INFORMATION, message, first.span)
