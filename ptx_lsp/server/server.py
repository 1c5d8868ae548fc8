"""The server of one client: its open documents, its settings, its log."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import NamedTuple
from urllib.parse import unquote

from lsprotocol import types
from pygls.exceptions import FeatureNotificationError, JsonRpcException, PyglsError
from pygls.lsp.server import LanguageServer

from ptx_lsp import __version__
from ptx_lsp.server.capabilities import SERVER_NAME, lookup, position_encoding, uses_pull
from ptx_lsp.server.configuration import Configurations
from ptx_lsp.server.documents.background_checker import BackgroundChecker
from ptx_lsp.server.documents.columns import Encoding
from ptx_lsp.server.documents.document import OpenDocument, TextChange
from ptx_lsp.server.documents.legend import legend
from ptx_lsp.server.documents.lines import Position
from ptx_lsp.server.documents.publisher import Publisher
from ptx_lsp.server.documents.reader import DocumentReader
from ptx_lsp.server.protocol import Protocol
from ptx_lsp.server.refresh import SHOWN, refresh, refresh_diagnostics
from ptx_lsp.server.workspace.workspace_files import QUIET, Files
from ptx_lsp.settings import Settings

log = logging.getLogger(__name__)


class _Held(NamedTuple):
    """A request that waits for its document."""

    document: OpenDocument
    action: Callable[[], None]
    refuse: Callable[[], None] | None


class Server(LanguageServer):
    """Everything that is known about one client and its documents. Handlers get it as their first argument."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__(
            SERVER_NAME,
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            protocol_cls=Protocol,
        )
        self.client: object = {}
        """The client's capabilities, as it sent them."""
        self.options: object = None
        """Its ``initializationOptions``."""
        self.legend = legend(None, None)
        """The names of semantic tokens that it was told."""
        self.encoding = Encoding.UTF_16
        self.pushes = True
        """Whether findings are published; else the client fetches them."""
        self.commands_of_client: frozenset[str] = frozenset()
        """The commands that the client itself offers, from ``commands`` in its ``initializationOptions``."""
        self.documents: dict[str, OpenDocument] = {}
        self.heard = 0.0
        """When the last message came, by the monotonic clock."""
        self.configurations = Configurations()
        self.files = Files(self)
        self.watches_files = False
        """Whether the client tells which files change."""
        self._publisher = Publisher(self.protocol.write, self._soon)
        self._reader = DocumentReader(self._soon, self._ready)
        self._follower = BackgroundChecker(
            self._soon, self._later, self._found_more, self._followed, lambda: self.heard
        )
        self._held: dict[str | int, _Held] = {}
        """Requests by their id that wait for a document to be ready."""
        self._status: asyncio.Future[int] | None = None

    def introduce(self, client: object, options: object) -> None:
        """Take over the client's capabilities and its ``initializationOptions``."""
        self.client, self.options = client, options
        self.legend = legend(client, options)
        self.encoding = position_encoding(client)
        self.pushes = not uses_pull(client, options)
        self.configurations.start(options)
        commands = lookup(options, "commands")
        self.commands_of_client = frozenset(filter(_is_text, commands)) if isinstance(commands, list) else frozenset()

    def find(self, uri: str) -> OpenDocument | None:
        """The open document at ``uri``, however it is escaped; None if it is not open."""
        return self.documents.get(unquote(uri))

    def opened(self, uri: str, version: int | None, text: str) -> None:
        """The client opened a document."""
        document = OpenDocument(uri, version, text, self._settings_for(uri), self.encoding)
        before = self.documents.get(unquote(uri))
        self.documents[unquote(uri)] = document
        if before is not None:
            self._let_go(before)
        self.files.opened(uri)
        self._changed(document)

    def changed(self, uri: str, version: int | None, changes: Iterable[types.TextDocumentContentChangeEvent]) -> None:
        """The client changed a document; a change of one that is not open is dropped."""
        document = self.find(uri)
        if document is None:
            log.warning("a change of %s was dropped: it is not open", uri)
            return
        self._refuse_held(document)
        for change in changes:
            document.change(_text_change(change))
        document.version = version
        self._changed(document)

    def closed(self, uri: str) -> None:
        """The client closed a document."""
        document = self.documents.pop(unquote(uri), None)
        if document is None:
            return
        self._let_go(document)
        self.files.closed(document.uri)
        if self.pushes:
            self._publisher.closed(document.uri)

    def hold(
        self, request: str | int, uri: object, action: Callable[[], None], refuse: Callable[[], None] | None = None
    ) -> bool:
        """Whether ``action``, the answer to ``request``, has to wait until the document at ``uri`` is ready.

        If so it is called then, or when the document is closed; but ``refuse``, for a request about a place in the
        text, if that changes before.
        """
        document = self.find(uri) if isinstance(uri, str) else None
        if document is None or document.is_ready:
            return False
        self._held[request] = _Held(document, action, refuse)
        return True

    @property
    def is_reading(self) -> bool:
        """Whether a large document is being read."""
        return self._reader.is_busy

    def read_workspace(self) -> None:
        """Read the files of the workspace, a little later: what the user opened comes first."""
        self._later(QUIET, self.files.begin)

    def cancel(self, request: str | int) -> bool:
        """Forget a request that waits; False if it does not."""
        return self._held.pop(request, None) is not None

    def configure(self, options: object) -> None:
        """Take over settings from the editor, and check every open document again where they changed something."""
        self.configurations.update(options)
        self.recheck()

    def recheck(self) -> None:
        """Check the documents again whose settings are no longer those that they were checked by."""
        checked_again = False
        shown_again: set[str] = set()
        for document in self.documents.values():
            settings = self._settings_for(document.uri)
            if settings.checking != document.settings.checking:
                document.recheck(settings)
                self._changed(document)
                checked_again = True
            shown_again.update(name for name, of in SHOWN.items() if of(settings) != of(document.settings))
            document.settings = settings
        self.tell_problems()
        if not self.pushes:
            refresh_diagnostics(self)
        if checked_again:
            refresh(self)
        elif shown_again:
            refresh(self, *shown_again)

    def tell_problems(self) -> None:
        """Show the user what is wrong with the settings, each thing once."""
        problems = self.configurations.new_problems()
        if problems:
            message = "ptx-lsp: " + "\n".join(problems)
            self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))

    async def run_until_stopped(self) -> int:
        """Wait for :meth:`stop`; the exit status."""
        self._status = asyncio.get_running_loop().create_future()
        return await self._status

    def stop(self, status: int) -> None:
        """End the event loop; the first status given counts."""
        if self._status is not None and not self._status.done():
            self._status.set_result(status)

    def report_server_error(self, error: Exception, source: type[PyglsError] | type[JsonRpcException]) -> None:
        """Log what a notification's handler raised; pygls logs the others itself. Nobody is shown a pop-up."""
        if source is FeatureNotificationError:
            log.error("a notification could not be handled: %s", error)

    def _settings_for(self, uri: str) -> Settings:
        settings = self.configurations.settings_for(uri)
        self.tell_problems()
        return settings

    def _changed(self, document: OpenDocument) -> None:
        if not document.is_ready:
            self._reader.add(document)
            return
        if self.pushes:
            self._publisher.changed(document)
        self._follower.add(document)

    def _found_more(self, document: OpenDocument) -> None:
        """The findings of a document are complete, and others than those that the client has."""
        if self.pushes:
            self._publisher.changed(document)
        else:
            refresh_diagnostics(self)

    def _followed(self, document: OpenDocument) -> None:
        """The flow is known now: what was shown in part until then is asked for again."""
        waiting, document.waiting = document.waiting, set()
        if waiting:
            refresh(self, *waiting)

    def _ready(self, document: OpenDocument) -> None:
        """A document is read and examined: publish what was found, answer who asked meanwhile."""
        self._changed(document)
        self._answer_held(document)

    def _let_go(self, document: OpenDocument) -> None:
        """Stop work on a document that is no longer open."""
        self._reader.drop(document)
        self._follower.drop(document)
        self._answer_held(document)

    def _answer_held(self, document: OpenDocument) -> None:
        for request in [request for request, held in self._held.items() if held.document is document]:
            self._held.pop(request).action()

    def _refuse_held(self, document: OpenDocument) -> None:
        """Refuse requests about places in a text that is about to change before it was even read."""
        for request, held in list(self._held.items()):
            if held.document is document and held.refuse is not None:
                del self._held[request]
                held.refuse()

    def _soon(self, action: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_soon(self._guarded, action)

    def _later(self, seconds: float, action: Callable[[], None]) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(seconds, self._guarded, action)

    @staticmethod
    def _guarded(action: Callable[[], None]) -> None:
        try:
            action()
        except Exception:
            log.exception("an internal error; the server goes on")


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _text_change(change: types.TextDocumentContentChangeEvent) -> TextChange:
    if isinstance(change, types.TextDocumentContentChangePartial):
        start, end = change.range.start, change.range.end
        return TextChange(change.text, Position(start.line, start.character), Position(end.line, end.character))
    return TextChange(change.text)
