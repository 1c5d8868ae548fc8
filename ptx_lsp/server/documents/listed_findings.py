"""The findings of one state of a document as its client gets them."""

from __future__ import annotations

from collections.abc import Generator

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.checks.engine.truncation_notice import with_note
from ptx_lsp.codes import NAMES
from ptx_lsp.diagnostic import Diagnostic, Severity
from ptx_lsp.server.documents.diagnostic_json import making_template
from ptx_lsp.server.documents.findings_json import FindingsJson
from ptx_lsp.server.documents.lines import DocumentLines
from ptx_lsp.source_file import BINARY, HEAD, is_binary
from ptx_lsp.stepwise import Stepwise
from ptx_lsp.text import Span


class ListedFindings:
    """Two lists of the findings that are shown, each made in steps and once.

    To be given up when the text or what is known of it changes.

    Args:
        uri: the document's URI, in the client's spelling.
        checker: the document under all checks.
        lines: its lines.
        by_function: the JSON of functions that was made for the client before.

    """

    def __init__(self, uri: str, checker: Checker, lines: DocumentLines, by_function: FindingsJson) -> None:
        # The generators do not refer to this object: else it would be free only after a collection of all objects, and
        # all text that the document had with it.
        source = _Source(uri, checker, lines, by_function)
        self.json = Stepwise(source.making_json())
        """A JSON array of LSP diagnostics."""
        self.diagnostics = Stepwise(source.making_diagnostics(self.json))
        """These findings as diagnostics."""

    def settling(self) -> Generator[None, None, None]:
        """Make what the client has, and what somebody waits for, before more is found."""
        while not self.json.is_done:
            self.json.step()
            yield
        while self.diagnostics.is_begun and not self.diagnostics.is_done:
            self.diagnostics.step()
            yield


class _Source:
    """A document in one state, from which both lists are made."""

    def __init__(self, uri: str, checker: Checker, lines: DocumentLines, by_function: FindingsJson) -> None:
        self._uri = uri
        self._checker = checker
        self._lines = lines
        self._by_function = by_function
        self._limit = checker.settings.max_diagnostics
        self._shown: list[Diagnostic] | None = None

    def making_json(self) -> Generator[None, None, str]:
        """The findings as a JSON array."""
        if self._is_binary:
            self._shown = self._of_binary()
        else:
            found = yield from self._by_function.making(self._checker, self._lines, self._limit)
            if found is not None:
                return found
            self._shown = with_note((yield from self._checker.selecting(self._limit)))
        template = yield from making_template(self._shown, self._uri, self._lines)
        return f"[{template.filled()}]"

    def making_diagnostics(self, json: Stepwise[str]) -> Generator[None, None, list[Diagnostic]]:
        """The findings; those of the JSON if this was made of a list of them."""
        while not json.is_done:  # the two are not made at once: the first may find more
            json.step()
            yield
        if self._shown is None:
            self._shown = with_note((yield from self._checker.listing(self._limit)))
        return self._shown

    @property
    def _is_binary(self) -> bool:
        return is_binary(self._checker.document.slice(Span(0, HEAD)))

    def _of_binary(self) -> list[Diagnostic]:
        at = self._checker.document.slice(Span(0, HEAD)).index("\0")
        found = Diagnostic("E108", NAMES["E108"], Severity.ERROR, f"this is {BINARY}", Span(at, at + 1))
        return self._checker.settings.applied([found])
