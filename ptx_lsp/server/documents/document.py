"""One open document: its text and findings, in the client's terms."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import TYPE_CHECKING

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.diagnostic import Diagnostic
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.documents.findings_json import FindingsJson
from ptx_lsp.server.documents.lines import DocumentLines, Position
from ptx_lsp.server.documents.listed_findings import ListedFindings
from ptx_lsp.settings import Settings
from ptx_lsp.text import Span

if TYPE_CHECKING:
    from ptx_lsp.server.documents.tokens import DocumentTokens

log = logging.getLogger(__name__)

PAUSE = 0.2
"""Seconds between two steps of the checks while somebody waits for an answer."""
_LONG = 1 << 16
"""The findings of a text of more characters may be many."""
_EDITING_AT_ONCE = 16
"""Steps of an edit that are made before the next message is read; few need any."""
_EDITING_SECONDS = 0.02
"""CPU time after which none is begun: a long string is read in a single step."""


@dataclass(frozen=True, slots=True)
class TextChange:
    """Replacement of the text between two positions, or of the whole text if there are none."""

    text: str
    start: Position | None = None
    end: Position | None = None


class OpenDocument:
    """A document as the client sees it, with an incremental checker.

    :meth:`work` reads a new text, a few milliseconds at a time; changes that arrive before it is read are
    applied afterwards. Until then the document is not *ready*: its checker has no text. So it is after a change that
    needs a long scan, as of a brace in a function with many thousands.

    Args:
        uri: the document's URI, in the client's spelling.
        version: the client's version number of the text.
        text: the whole text.
        settings: the settings of the checks.
        encoding: the position encoding.

    """

    def __init__(self, uri: str, version: int | None, text: str, settings: Settings, encoding: Encoding) -> None:
        self.uri = uri
        self.version = version
        self._encoding = encoding
        self.settings = settings
        self.checker = Checker("", settings)
        self.tokens: DocumentTokens | None = None
        """Semantic tokens, once the client has requested them."""
        self.incomplete_views: set[str] = set()
        """Views that were sent without data-flow results, by the name of the client's capability."""
        self.revision = 0
        """Increases with every change of the text or of its settings."""
        self.answers = 0
        """Long answers about the document that are being made: the checks pause for them, see :meth:`follow`."""
        self._next_step = 0.0
        self._lines: DocumentLines | None = None
        self._json = FindingsJson(uri)
        self._listed: ListedFindings | None = None
        """The findings of the present text, as far as they are listed."""
        self._unread: str | None = None
        """Text that is being read."""
        self._current_edit: tuple[Span, str, int] | None = None
        """An edit that is being made, and the length of the text after it: the checker may have the one before it."""
        self._pending_changes: deque[TextChange] = deque()
        """Changes that arrived while it is being read."""
        self._reading: Iterator[None] | None = None
        self._flow_steps: Iterator[None] | None = None
        self._start(text)

    @property
    def is_ready(self) -> bool:
        """Whether the whole text has been read and examined."""
        return self._reading is None

    def work(self, seconds: float) -> bool:
        """Continue reading the text for about ``seconds``; whether the document is ready."""
        end = perf_counter() + seconds
        while not self.is_ready and perf_counter() < end:
            self._step()
        return self.is_ready

    def _step(self) -> None:
        """Make a step of reading the text, if one is left."""
        reading = self._reading
        if reading is None:
            return
        try:
            next(reading)
        except StopIteration:
            pass
        except Exception:
            log.exception("%s could not be read", self.uri)
        else:
            return
        if self._reading is reading:
            self._reading = self._unread = None

    @property
    def text(self) -> str:
        """The whole text; takes time in proportion to it."""
        return self.checker.document.text

    @property
    def lines(self) -> DocumentLines:
        """Positions of the present text."""
        if self._lines is None:
            self._lines = DocumentLines(self.checker.document.chunks, self._encoding)
        return self._lines

    def list_findings(self, seconds: float) -> bool:
        """Make the list of the findings for about ``seconds``; whether it is made.

        It is of the present text: a change ends the work on it.
        """
        return self._list().json.work(seconds)

    @property
    def findings(self) -> str:
        """The findings of the present text as a JSON array of LSP diagnostics; what of it is not made is made at once.

        While :meth:`follow` makes another list, the one before it.
        """
        return self._list().json.result

    def listing(self) -> Generator[None, None, list[Diagnostic]]:
        """The findings of the present text, limited to the maximum to send; to be given up when the text changes."""
        while not self._list().diagnostics.is_done:
            self._list().diagnostics.step()
            yield
        return self._list().diagnostics.result

    def _list(self) -> ListedFindings:
        if self._listed is None:
            self._listed = self._new_list()
        return self._listed

    def _new_list(self) -> ListedFindings:
        return ListedFindings(self.uri, self.checker, self.lines, self._json)

    def _forget_findings(self) -> None:
        self._listed = None

    @property
    def is_complete(self) -> bool:
        """Whether :meth:`follow` has nothing left to do."""
        return not self.is_ready or self.checker.is_followed and self._flow_steps is None

    def follow(self, seconds: float) -> bool:
        """Continue data-flow analysis, and list what is found, for about ``seconds``; whether all is done.

        While a long answer is being made the analysis continues only every :data:`PAUSE` seconds.
        """
        if self.answers and perf_counter() < self._next_step:
            return False
        end = perf_counter() + seconds
        self._next_step = end + PAUSE
        if self._flow_steps is None:
            self._flow_steps = self._follow()
        for _ in self._flow_steps:
            if perf_counter() >= end:
                return False
        self._flow_steps = None
        return True

    def _follow(self) -> Iterator[None]:
        yield from self._list().settling()
        yield from self.checker.follow()
        listed = self._new_list()
        yield from listed.settling()
        self._listed = listed

    def change(self, change: TextChange) -> None:
        """Apply one change; positions past the end mean the end."""
        self._flow_steps = None
        self.revision += 1
        self._forget_findings()
        if change.start is None or change.end is None:
            self._pending_changes.clear()
            self._start(change.text)
        else:
            self._pending_changes.append(change)
            if self.is_ready:
                self._reading = self._apply_changes()
                end = process_time() + _EDITING_SECONDS
                for _ in range(_EDITING_AT_ONCE):
                    self._step()
                    if process_time() > end:
                        break

    def recheck(self, settings: Settings) -> bool:
        """Check the text again with other settings, if they can have other findings; whether they can."""
        is_outdated = settings.checking != self.settings.checking
        self.settings = settings
        if is_outdated:
            self._start(self._edited_text() if self._unread is None else self._unread)
        return is_outdated

    def _start(self, text: str) -> None:
        """Begin to read ``text`` as the document's new text."""
        self._flow_steps = self._current_edit = None
        self.revision += 1
        self._forget_findings()
        self._unread = text
        self._reading = self._read(text)

    def closing(self) -> Iterator[None]:
        """Free the memory of the document, in steps of a few milliseconds; nothing else may be asked then."""
        self.revision += 1  # answers in progress are refused
        self._flow_steps = self._reading = None
        self._forget_findings()
        return self.checker.closing()

    def _read(self, text: str) -> Iterator[None]:
        yield from self.checker.closing()
        self.checker = yield from Checker.reading(text, self.settings, self.settings.max_diagnostics)
        self._forget_findings()  # who asked meanwhile got a list of the former text
        self._lines = None
        del text
        self._lines = yield from DocumentLines.reading(self.checker.document.chunks, self._encoding)
        self._unread = None
        yield
        yield from self._apply_changes()

    def _apply_changes(self) -> Iterator[None]:
        while self._pending_changes and self._unread is None:
            change = self._pending_changes.popleft()
            if change.start is not None and change.end is not None:
                yield from self._edit(change.text, change.start, change.end)
            if self._pending_changes:
                yield

    def _edit(self, text: str, start: Position, end: Position) -> Iterator[None]:
        lines = self.lines
        span = lines.span(start, end)
        self._current_edit = span, text, lines.length - (span.end - span.start) + len(text)
        self._lines = None
        try:
            change = yield from self.checker.editing(span, text)
        except Exception:
            log.exception("an edit of %s failed; the whole text is checked again", self.uri)
            self._start(self._edited_text())
            return
        if lines.length > _LONG:
            yield  # what the edit has given up may be much
        self._current_edit = None
        listed = self._listed  # which who asked during the edit got of the former text
        self._forget_findings()
        added = self.checker.document.chunks[change.first : change.first + change.added]
        self._lines = lines.edited(change.first, len(change.removed), added)
        if lines.length > _LONG:
            yield
        del listed  # which takes long if it is long

    def _edited_text(self) -> str:
        """The text with the edit that is being made, which the checker has taken over already or not."""
        whole = self.text
        if self._current_edit is None:
            return whole
        span, text, length = self._current_edit
        if len(whole) == length and len(text) != span.end - span.start:
            return whole
        return whole[: span.start] + text + whole[span.end :]
