"""The findings of the documents that are opened first, published before the full server runs.

pygls and the types of the protocol take longer to import than a file of a thousand lines takes to check, rules
included. So the messages that wait are examined here while the rest is still to be imported: :class:`FirstFindings`
reads the documents that they open, with the classes of the full server, and publishes what it finds. The full server
then handles all messages again, from the first one, and takes over what is done already:

* the documents, with their checkers, read or half read,
* the settings, and the requests for them.

Whatever this module does not know ends its work, and is left to the full server: a change of a document, a request
that would not wait for a document, invalid messages.

Nothing here imports pygls or lsprotocol.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from time import process_time
from typing import Any

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.server.client.client import Client
from ptx_lsp.server.client.lookup import lookup
from ptx_lsp.server.client_requests import registration, settings_in, settings_request
from ptx_lsp.server.documents.diagnostic_json import publish_message
from ptx_lsp.server.documents.document import OpenDocument
from ptx_lsp.server.documents.early_document import EarlyDocument
from ptx_lsp.server.embedded.host_language import host_language
from ptx_lsp.server.first_work import FirstWork
from ptx_lsp.server.transport.incoming import Incoming

LONGEST = 2.0
"""Seconds of CPU time that may be spent on reading documents, about twice what 100,000 lines take. Whatever the full
server has to do waits meanwhile, though requests about other things end the work at once. With more to read, half a
second for imports matters little. A document that is half read is handed over as it is, so that nothing is lost."""

_SHORT = 0.05
"""Seconds of CPU time for one document if a request about another one waits that is read: some thousand lines."""

_SLICE = 0.010
"""Seconds of reading between two looks at the messages that have arrived."""

_WITHOUT_EFFECT = frozenset({"$/setTrace"})
"""Notifications that change neither documents nor settings nor requests."""


class _Opened(NamedTuple):
    """The parameters of ``textDocument/didOpen``."""

    uri: str
    version: int
    text: str


class FirstFindings:
    """Works for one client until the full server runs.

    Args:
        params: the parameters of ``initialize``.
        incoming: the messages after it.
        write: sends a framed message.

    """

    def __init__(self, params: object, incoming: Incoming, write: Callable[[bytes], object]) -> None:
        self._client = Client.of(params)
        self.done = FirstWork(self._client.options)
        """The work that the full server takes over."""
        self._incoming = incoming
        self._write = write
        self._seen = 0
        """Number of messages that were looked at."""
        self._unanswered: set[str] = set()
        """Requests for settings without a response; until they have one, nothing is read."""
        self._opened: deque[_Opened] = deque()
        """Documents that are not begun."""
        self._requested: set[str] = set()
        """The documents that requests are about."""
        self._end: float | None = None
        """When the reading of documents ends, in seconds of CPU time."""
        self._is_over = not self._client.pushes

    def work(self) -> None:
        """Read the documents that are open by now, and publish their findings."""
        self._look()
        while self._opened and not self._unanswered and not self._is_over:
            self._publish(self._opened.popleft())

    def _publish(self, opened: _Opened) -> None:
        """Read one document; publish its findings unless something else has to be done first."""
        begin = process_time()
        if self._end is None:
            self._end = begin + LONGEST
        settings = self.done.configurations.settings_for(opened.uri)
        self._show_problems()
        document = OpenDocument(*opened, settings, self._client.encoding)
        self.done.documents[opened.uri] = early = EarlyDocument(document, opened.text)
        while not (document.work(_SLICE) and document.list_findings(_SLICE)):
            self._look()
            end = min(self._end, begin + _SHORT) if self._can_answer else self._end
            if self._is_over or process_time() >= end:
                self._is_over = True
                return
        try:
            message = publish_message(document.uri, document.version, document.findings)
        except Exception:  # noqa: BLE001  # the full server checks again and logs it
            self._is_over = True
            return
        self._look()
        if not self._is_over:
            early.is_published = True
            self._write(message)

    def _look(self) -> None:
        """Look at the messages that have arrived since."""
        for body in self._incoming.waiting(self._seen) if not self._is_over else ():
            self._seen += 1
            try:
                message = json.loads(body)
            except (ValueError, RecursionError):
                message = None
            if not self._is_understood(message):
                self._is_over = True
                return

    def _is_understood(self, message: Any) -> bool:
        """Do what a message says, if it is one of those that are handled here."""
        if lookup(message, "jsonrpc") != "2.0":
            return False
        match message:
            case {"id": _, "method": str()}:
                uri = lookup(message, "params", "textDocument", "uri")
                return isinstance(uri, str) and self._is_requested(uri)
            case {"id": number}:
                self._answered(number, lookup(message, "result"))
                return True
            case {"method": "initialized", "params": dict()}:
                self._initialized()
                return True
            case {"method": "workspace/didChangeConfiguration", "params": {"settings": settings}}:
                return self._settings_changed(settings)
            case {"method": "textDocument/didOpen", "params": {"textDocument": dict(document)}}:
                return self._was_opened(document)
            case {"method": str(method)}:
                return method in _WITHOUT_EFFECT
        return False

    @property
    def _uris(self) -> set[str]:
        return {*self.done.documents, *(one.uri for one in self._opened)}

    def _is_requested(self, uri: str) -> bool:
        self._requested.add(uri)
        return uri in self._uris

    @property
    def _can_answer(self) -> bool:
        """Whether a request waits for the full server only."""
        return any(early.is_published for uri, early in self.done.documents.items() if uri in self._requested)

    def _was_opened(self, document: dict[str, Any]) -> bool:
        match document:
            case {"uri": str(uri), "languageId": str(language), "version": int(version), "text": str(text)}:
                if uri in self._uris or isinstance(version, bool) or host_language(uri, language) is not None:
                    return False
                self._opened.append(_Opened(uri, version, text))
                return True
        return False

    def _initialized(self) -> None:
        """Do what the full server does."""
        self._show_problems()
        changes = registration(self._client)
        if changes is not None:
            self.done.requests.send_early(changes, self._write)
        self._request_settings()

    def _settings_changed(self, settings: object) -> bool:
        if self.done.documents:
            return False
        if not self._request_settings():
            self.done.configurations.update(settings)
            self._show_problems()
        return True

    def _request_settings(self) -> bool:
        """Request the settings; False if the client does not support that."""
        request = settings_request(self._client)
        if request is None:
            return False
        self._unanswered.add(self.done.requests.send_early(request, self._write))
        return True

    def _answered(self, number: object, result: object) -> None:
        if not isinstance(number, str) or number not in self._unanswered:
            return
        self._unanswered.discard(number)
        settings = settings_in(result)
        if settings is not None:
            self.done.configurations.update(settings)
            self._show_problems()

    def _show_problems(self) -> None:
        self.done.configurations.show_problems(self._write)
