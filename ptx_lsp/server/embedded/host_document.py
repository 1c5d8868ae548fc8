"""An open document of another language: its inline assembly, and the findings there."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator
from itertools import chain
from time import perf_counter, thread_time
from typing import TYPE_CHECKING

from ptx_lsp.checks import importing
from ptx_lsp.checks.embedded.host_checker import HostChecker, HostText
from ptx_lsp.diagnostic import Diagnostic
from ptx_lsp.hosts.site_index import SiteIndex
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.documents.diagnostic_json import JsonTemplate, making_template
from ptx_lsp.server.documents.document import TextChange
from ptx_lsp.server.documents.lines import DocumentLines
from ptx_lsp.server.documents.text_parts import TextParts
from ptx_lsp.settings import Settings
from ptx_lsp.text import Span

if TYPE_CHECKING:
    from ptx_lsp.server.embedded.host_tokens import HostTokens

log = logging.getLogger(__name__)

_AT_ONCE = 0.25
"""Seconds of processor time for the statements of a new text before its first findings are published."""
_EDITING_SECONDS = 0.02
"""Seconds of work on a change before the next message is read; few need more."""
_PER_EDIT = 0.003
"""Seconds of work on the statements that an edit replaced; the rest follows when the client is idle."""


class ShownFindings(NamedTuple):
    """Findings as the client gets them."""

    template: JsonTemplate
    json: str
    """An array of LSP diagnostics."""
    names_lines: bool
    """Whether a message names a line."""

    def moved(self, first: int, last: int, added: int) -> ShownFindings | None:
        """The findings after an edit of the lines from ``first`` to ``last`` that adds so many lines.

        None if they can be others: one is in the edited lines, or names a line.
        """
        lines = self.template.lines
        if any(first <= line <= last for line in lines):
            return None
        if not added:
            return self
        if self.names_lines:
            return None
        template = JsonTemplate(self.template.text, [line + added if line > last else line for line in lines])
        return ShownFindings(template, f"[{template.filled()}]", names_lines=False)


class HostDocument:
    """A document with inline assembly; as :class:`~ptx_lsp.server.documents.document.OpenDocument` for its publisher.

    Its statements are found at once, and judged one by one: those that an edit touches first.

    Args:
        uri: the document's URI, in the client's spelling.
        version: the client's version number of the text.
        settings: the settings of the checks.
        encoding: the position encoding.
        file: the whole text, its language, and its targets.
        targets_of: the targets of a URI with other settings.

    """

    def __init__(
        self,
        uri: str,
        version: int | None,
        settings: Settings,
        encoding: Encoding,
        file: HostText,
        targets_of: Callable[[str, Settings], tuple[str, ...]],
    ) -> None:
        self.uri = uri
        self.version = version
        self.encoding = encoding
        self.settings = settings
        self._file = file._replace(text="", line_of=self._line_of)
        self._targets_of = targets_of
        self.incomplete_views: set[str] = set()
        """Views that were sent before all statements were judged: none."""
        self.tokens: HostTokens | None = None
        self.revision = 0
        """Increases with every change of the text or of its settings."""
        self._unread: str | None = file.text
        self._editing: Iterator[None] | None = None
        """Applies a change of the text; most changes are applied without a pause."""
        self._changes: deque[TextChange] = deque()
        """Changes that wait."""
        self._parts = TextParts("")
        self._lines = DocumentLines([], encoding)
        self.index = SiteIndex("", file.host)
        self.checker = self._new_checker()
        self._judging: Iterator[None] | None = None
        self._reading: Iterator[None] | None = None
        """Finds the statements of a new text."""
        self._shown: ShownFindings | None = None
        """The findings as the client gets them; None if they have to be made."""
        self._is_outdated = False
        """Whether statements were judged since."""
        self._listing: Iterator[None] | None = None
        """Selects the findings that are shown."""
        self._spent = 0.0

    @property
    def is_ready(self) -> bool:
        """Whether the text has been read, and its statements found."""
        return self._unread is None and self._editing is None and not self._changes

    @property
    def lines(self) -> DocumentLines:
        """Positions of the present text."""
        return self._lines

    def work(self, seconds: float) -> bool:
        """Find the statements of a new text, and judge them for a while; whether the document is ready."""
        text = self._unread
        end = perf_counter() + seconds
        if text is None:
            return self._edit(end)
        if self._judging is None:
            if self._reading is None:
                self._reading = self._read(text)
                self._spent = 0.0
            for _ in self._reading:
                if perf_counter() >= end:
                    return False
            self._reading = None
            if perf_counter() >= end:
                return False
        begin, spent = perf_counter(), thread_time()
        is_over = self._judge(max(end, begin + seconds / 2))
        self._spent += thread_time() - spent
        if not is_over and self._spent < _AT_ONCE:
            return False
        if self.index.sites:
            self._judging = chain(self._judging or (), importing())
        self._unread = None
        return self._edit(end)

    def closing(self) -> Iterator[None]:
        """Nothing is freed in steps: the statements of a host are few."""
        self.revision += 1  # answers in progress are refused
        return iter(())

    def change(self, change: TextChange) -> None:
        """Apply one change; positions past the end mean the end."""
        self.revision += 1
        if change.start is None or change.end is None:
            self._changes.clear()
            self._unread, self._judging, self._reading, self._editing = change.text, None, None, None
            self._forget()
            return
        was_ready = self.is_ready
        self._changes.append(change)
        if was_ready:
            self._edit(perf_counter() + _EDITING_SECONDS)

    def _edit(self, end: float) -> bool:
        """Apply the changes that wait until ``end``; whether none is left."""
        while self._editing is not None or self._changes:
            if self._editing is None:
                self._editing = self._applying(self._changes.popleft())
            try:
                next(self._editing)
            except StopIteration:
                self._editing = None
            except Exception:
                log.exception("an edit of %s failed; the whole text is checked again", self.uri)
                self._start_again()
                return False
            if perf_counter() >= end:
                break
        return self.is_ready

    def recheck(self, settings: Settings) -> bool:
        """Check the text again if other settings, or a build that has changed, can have other findings."""
        targets = self._targets_of(self.uri, settings)
        is_outdated = settings.checking != self.settings.checking or targets != self._file.targets
        self.settings = settings
        if is_outdated:
            self._file = self._file._replace(targets=targets)
            self._start_again()
        return is_outdated

    def _start_again(self) -> None:
        self.revision += 1
        if self._unread is None:
            self._unread = self.index.text
        self._judging = self._reading = self._editing = None
        self._forget()

    @property
    def is_complete(self) -> bool:
        """Whether all statements are judged."""
        return not self.is_ready or self._judging is None

    def follow(self, seconds: float) -> bool:
        """Judge more statements for about ``seconds``; whether all are judged."""
        is_over = self._judge(perf_counter() + seconds)
        if is_over:
            self._forget()
        return is_over

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The findings in the statements that are judged, limited to the maximum to send."""
        return self.checker.selected().shown

    def list_findings(self, seconds: float) -> bool:
        """Make the list of the findings for about ``seconds``; whether it is made."""
        if self._shown is not None:
            return True
        end = perf_counter() + seconds
        if self._listing is None:
            self._listing = self._showing()
        return all(perf_counter() < end for _ in self._listing)

    @property
    def findings(self) -> str:
        """The findings as a JSON array of LSP diagnostics; computed once."""
        if self._shown is None:
            for _ in self._showing():
                pass
        assert self._shown is not None
        return self._shown.json

    def _showing(self) -> Iterator[None]:
        """Make the list of the findings, in steps."""
        selection = yield from self.checker.selecting()
        template = yield from making_template(selection.shown, self.uri, self._lines)
        names_lines = any(one.named_line for one in selection.shown)
        self._shown = ShownFindings(template, f"[{template.filled()}]", names_lines)
        self._listing = None

    def _forget(self) -> None:
        self._shown = self._listing = None
        self._is_outdated = False

    def _line_of(self, offset: int) -> int:
        return self._lines.position(offset).line + 1

    def _new_checker(self) -> HostChecker:
        file = self._file._replace(text=self.index.text)
        return HostChecker(file, self.index.sites, self.settings, is_at_once=False)

    def _read(self, text: str) -> Iterator[None]:
        index = SiteIndex(text, self._file.host, is_at_once=False)
        yield from index.reading()
        self.index = index
        self._parts = TextParts(text)
        self._lines = DocumentLines(self._parts.parts, self.encoding)
        self.checker = self._new_checker()
        self._judging = self.checker.judging()
        self._forget()

    def _applying(self, change: TextChange) -> Iterator[None]:
        """Apply a change, in steps of some milliseconds."""
        assert change.start is not None
        assert change.end is not None
        start, end = self._lines.span(change.start, change.end)
        replaced = yield from self.index.editing(start, end, change.text)
        before, self._lines = self._lines, self._lines.edited(*self._parts.replace(start, end, change.text))
        around = Span(start, start + len(change.text))
        had_marks = self.checker.has_marks
        self.checker = yield from self.checker.editing(self.index.text, self.index.sites, replaced, around)
        is_elsewhere = not (replaced.removed or replaced.added or had_marks or self.checker.has_marks)
        shown = self._shown if is_elsewhere and not self._is_outdated else None
        self._forget()
        if shown is not None:
            first = before.position(start).line
            last = before.position(end).line if end > start else first
            self._shown = shown.moved(first, last, self._lines.count - before.count)
        end_of_work = perf_counter() + _PER_EDIT
        judging = self.checker.judging(again=False)
        for _ in judging:
            self._shown = None
            if perf_counter() >= end_of_work:
                break
        # What is begun is not done again.
        self._judging = chain(judging, self.checker.judging()) if self.checker.is_incomplete else None

    def _judge(self, end: float) -> bool:
        """Judge statements until ``end``; whether all are judged."""
        judging = self._judging
        if judging is None:
            return True
        for _ in judging:
            self._is_outdated = True
            if perf_counter() >= end:
                return False
        self._judging = None
        return True
