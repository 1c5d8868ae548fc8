"""Preparation for the next mistake, and for hovers in the function that the client shows, while it is quiet.

The first mistake that someone types needs modules that right statements never do. The first hover in a long function
needs its graph and its barriers. A client that shows a function sends requests for what is visible, so they can be made
before somebody points at something.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from itertools import chain
from time import perf_counter
from typing import TYPE_CHECKING
from weakref import ref

from ptx_lsp.checks import importing
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.server.documents.background_checker import SLICE
from ptx_lsp.server.documents.checked_document import CheckedDocument
from ptx_lsp.server.documents.document import OpenDocument
from ptx_lsp.server.documents.round_robin import RoundRobin

if TYPE_CHECKING:
    from ptx_lsp.analysis.module.function import Function
    from ptx_lsp.analysis.semantics.semantics import Semantics

log = logging.getLogger(__name__)


class _Ahead(NamedTuple):
    """The preparation of a document, or of a function of it."""

    revision: int
    """The text for which it is."""
    function: Function | None
    steps: Iterator[None]


class ReadingAhead:
    """Prepares each document, and the function of it that was shown last, after the checks.

    Args:
        call_when_quiet: calls its argument when the client waits for nothing.
        on_prepared: called when a function of a document is prepared.

    """

    def __init__(
        self,
        call_when_quiet: Callable[[Callable[[], None]], object],
        on_prepared: Callable[[CheckedDocument], None] = lambda _: None,
    ) -> None:
        self._on_prepared = on_prepared
        self._queue = RoundRobin(call_when_quiet, self._work)
        self._ahead: dict[str, _Ahead] = {}
        self._shown: dict[str, int] = {}
        """The offset that each document shows whose checks are not complete."""
        self._long: list[tuple[ref[Semantics], ref[Function]]] = []
        """The long functions that are prepared, with what keeps their flow, in the order in which they were shown."""

    def show(self, document: OpenDocument, offset: int) -> None:
        """The client shows a place."""
        if not document.is_ready:
            return
        if not document.is_complete:
            self._shown[document.uri] = offset
            return
        module = document.checker.module
        if not module.document.chunks:
            return
        function = module.function_of(module.document.chunks[module.document.locate(offset).chunk])
        before = self._ahead.get(document.uri)
        if before is not None and before.revision == document.revision and before.function is function:
            return
        from ptx_lsp.analysis.references.synchronization import preparing_answers

        steps = chain(importing(), preparing_answers(document.checker.semantics, function))
        self._make_room(document, function)
        self._begin(document, function, steps)

    def resume(self, document: CheckedDocument) -> None:
        """The checks of a document are complete."""
        offset = self._shown.pop(document.uri, None)
        if not isinstance(document, OpenDocument):
            return
        if offset is not None:
            self.show(document, min(offset, document.lines.length))
        else:
            self._begin(document, None, importing())

    def _begin(self, document: OpenDocument, function: Function | None, steps: Iterator[None]) -> None:
        self._ahead[document.uri] = _Ahead(document.revision, function, steps)
        self._queue.add(document)

    def drop(self, document: CheckedDocument) -> None:
        """Stop work on a document that was changed or closed."""
        self._queue.drop(document)
        self._ahead.pop(document.uri, None)
        self._shown.pop(document.uri, None)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is left to prepare."""
        return not self._queue

    def _work(self, document: CheckedDocument) -> bool:
        ahead = self._ahead.get(document.uri)
        if ahead is None or ahead.revision != document.revision:
            return True
        end = perf_counter() + SLICE
        try:
            for _ in ahead.steps:
                if perf_counter() >= end:
                    return False
        except Exception:
            log.exception("a function of %s could not be prepared", document.uri)
        if ahead.function is not None:
            self._on_prepared(document)
        return True

    def _make_room(self, document: OpenDocument, function: Function) -> None:
        """Forget the flow of other long functions if too much would be kept."""
        from ptx_lsp.analysis.module.function import statement_count
        from ptx_lsp.analysis.references.reaching_definitions import MOST_IN_SLICES

        if statement_count(function) <= MOST_IN_SLICES:
            return
        left = _MOST_KEPT - statement_count(function)
        kept = [(ref(document.checker.semantics), ref(function))]
        for one in reversed(self._long):
            semantics, other = one[0](), one[1]()
            if semantics is None or other is None or other is function or not semantics.has_flow(other):
                continue
            left -= statement_count(other)
            if left < 0:
                semantics.forget_flow(other)
            else:
                kept.append(one)
        self._long = kept[::-1]


_MOST_KEPT = 200_000
"""The flow of long functions that have so many statements together is kept; it takes about a kilobyte each."""
