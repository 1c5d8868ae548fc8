"""The server of one client: settings, open documents, files of the workspace, shutdown."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import FeatureNotificationError, JsonRpcException, PyglsError
from pygls.lsp.server import LanguageServer

from ptx_lsp import __version__
from ptx_lsp.server.capabilities import SERVER_NAME
from ptx_lsp.server.client.client import Client
from ptx_lsp.server.client.progress import Progress
from ptx_lsp.server.client.refresh import RefreshRequests
from ptx_lsp.server.client_requests import Request
from ptx_lsp.server.documents.document import OpenDocument
from ptx_lsp.server.documents.lines import Position
from ptx_lsp.server.documents.open_documents import OpenDocuments
from ptx_lsp.server.embedded.host_language import host_language
from ptx_lsp.server.embedded.host_sources import OpenedSources
from ptx_lsp.server.first_work import FirstWork
from ptx_lsp.server.protocol import ServerProtocol
from ptx_lsp.server.transport.activity import ClientActivity
from ptx_lsp.server.transport.event_loop import call_later
from ptx_lsp.server.workspace.file_table import FileTable, folders_of
from ptx_lsp.server.workspace.workspace_files import START_DELAY, WorkspaceFiles
from ptx_lsp.settings import Settings

if TYPE_CHECKING:
    from ptx_lsp.server.embedded.fragment_view import FragmentView

log = logging.getLogger(__name__)


class Server(LanguageServer):
    """The state of one connection. Handlers get it as their first argument.

    Args:
        params: the parameters of ``initialize``, as received.
        first: what was done for the client before this server ran.

    """

    protocol: ServerProtocol

    def __init__(self, params: object, first: FirstWork | None = None) -> None:
        super().__init__(
            SERVER_NAME,
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            protocol_cls=ServerProtocol,
        )
        self.client = Client.of(params)
        self.activity = ClientActivity()
        first = first or FirstWork(self.client.options)
        self.configurations = first.configurations
        self._requests = first.requests
        self.refresh = RefreshRequests(self.client, self.protocol.send_request)
        self.sources = OpenedSources(self.client.encoding, self.configurations.folder_of, self._folders)
        self.documents = OpenDocuments(
            self.client,
            self.activity,
            self._settings_for,
            self.protocol.write,
            self.refresh,
            first.documents,
            self.sources.open,
        )
        self.files = WorkspaceFiles(
            FileTable(folders_of(params)),
            self.documents,
            self.client,
            self.activity,
            lambda: Progress.initiated_by_server(self.protocol.progress, self.client, self._create_progress),
        )
        self.protocol.session = self
        self._status: asyncio.Future[int] | None = None

    def find(self, uri: str) -> OpenDocument | None:
        """The open document at ``uri``; None if it is not open."""
        return self.documents.find(uri)

    def find_at(self, uri: str, position: types.Position) -> OpenDocument | FragmentView | None:
        """The open document of PTX at ``uri``, or the fragment of PTX at a position of one of another language."""
        document = self.documents.find_any(uri)
        if document is None or isinstance(document, OpenDocument):
            return document
        from ptx_lsp.server.embedded.fragment_view import FragmentView
        from ptx_lsp.server.embedded.host_document import HostDocument

        if not isinstance(document, HostDocument):
            return None
        return FragmentView.at(document, Position(position.line, position.character))

    def opened(self, uri: str, language: str, version: int | None, text: str) -> None:
        """Handle ``textDocument/didOpen``."""
        host = host_language(uri, language)
        if host is None:
            self.files.opened(uri)
        self.documents.open(uri, version, text, host)

    def closed(self, uri: str) -> None:
        """Handle ``textDocument/didClose``."""
        document = self.documents.close(uri)
        if isinstance(document, OpenDocument):
            self.files.closed(document.uri)

    def read_workspace(self) -> None:
        """Read the files of the workspace after a delay: open documents come first."""
        call_later(START_DELAY, self.files.update)

    def configure(self, options: object) -> None:
        """Apply settings from the editor, and check documents again whose settings changed."""
        self.configurations.update(options)
        self.recheck()

    def recheck(self) -> None:
        """Check documents again whose settings changed, and refresh what the client shows of them."""
        outdated = self.documents.recheck()
        self.show_problems()
        if not self.client.pushes:
            self.refresh.diagnostics()
        self.refresh.views(outdated)

    def show_problems(self) -> None:
        """Show the user the problems of the settings, each once."""
        self.configurations.show_problems(self.protocol.write)

    def ask(self, request: Request) -> Future[Any]:
        """Send a request, unless it was sent before this server ran; its response."""
        number = self._requests.sent_early(request) or self._requests.send(request, self.protocol.write)
        return self.protocol.response_to(number, request.method)

    async def run_until_stopped(self) -> int:
        """Wait for :meth:`stop`; the exit status."""
        self._status = asyncio.get_running_loop().create_future()
        return await self._status

    def stop(self, status: int) -> None:
        """End the event loop; the first status given counts."""
        if self._status is not None and not self._status.done():
            self._status.set_result(status)

    def report_server_error(self, error: Exception, source: type[PyglsError] | type[JsonRpcException]) -> None:
        """Log an exception of a notification's handler without a pop-up; pygls logs the other errors itself."""
        if source is FeatureNotificationError:
            log.error("a notification could not be handled: %s", error)

    def _folders(self) -> list[str]:
        return self.files.table.folders

    def _create_progress(self, token: str) -> None:
        self.ask(Request(types.WINDOW_WORK_DONE_PROGRESS_CREATE, {"token": token}))

    def _settings_for(self, uri: str) -> Settings:
        settings = self.configurations.settings_for(uri)
        self.show_problems()
        return settings
