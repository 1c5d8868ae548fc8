"""Three overrides of pygls's protocol.

* Every request gets one response. Malformed JSON, invalid parameters and a result
  that cannot be serialized are answered with an error; pygls would only log them.
* Text synchronization goes to :class:`~ptx_lsp.server.documents.open_documents.OpenDocuments`;
  pygls's documents split the whole text into lines at every change.
* ``exit`` and the end of the input stop the loop with the status that LSP specifies.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
from collections.abc import Callable, Generator
from concurrent.futures import Future
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol, lsp_method

from ptx_lsp.server.capabilities import STATUS, capabilities
from ptx_lsp.server.client.client import Client
from ptx_lsp.server.client.lookup import lookup
from ptx_lsp.server.documents.document import TextChange
from ptx_lsp.server.documents.lines import Position
from ptx_lsp.server.documents.text_changes import changes_in
from ptx_lsp.server.transport.framing import encode, frame
from ptx_lsp.server.transport.raw_json import RawJson
from ptx_lsp.server.transport.slow_slices import note_slice

if TYPE_CHECKING:
    from ptx_lsp.server.documents.open_documents import OpenDocuments
    from ptx_lsp.server.transport.activity import ClientActivity

log = logging.getLogger(__name__)


_OPTIONS: dict[str, type] = {
    types.TEXT_DOCUMENT_REFERENCES: types.ReferenceOptions,
    types.WORKSPACE_SYMBOL: types.WorkspaceSymbolOptions,
    types.TEXT_DOCUMENT_DIAGNOSTIC: types.DiagnosticOptions,
    types.TEXT_DOCUMENT_CODE_ACTION: types.CodeActionOptions,
    types.TEXT_DOCUMENT_SIGNATURE_HELP: types.SignatureHelpOptions,
    types.TEXT_DOCUMENT_COMPLETION: types.CompletionOptions,
    types.TEXT_DOCUMENT_RENAME: types.RenameOptions,
    types.TEXT_DOCUMENT_DOCUMENT_LINK: types.DocumentLinkOptions,
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: types.SemanticTokensRegistrationOptions,
    types.TEXT_DOCUMENT_INLAY_HINT: types.InlayHintOptions,
    types.TEXT_DOCUMENT_CODE_LENS: types.CodeLensOptions,
    types.TEXT_DOCUMENT_RANGE_FORMATTING: types.DocumentRangeFormattingOptions,
    types.TEXT_DOCUMENT_RANGES_FORMATTING: types.DocumentRangeFormattingOptions,
    types.TEXT_DOCUMENT_ON_TYPE_FORMATTING: types.DocumentOnTypeFormattingOptions,
}
"""Options class of each method whose capability is more than a boolean."""

_PLACES = ("position", "positions", "range", "ranges", "item")
"""Parameters of requests about places in a document."""


class Session(Protocol):
    """The parts of the server that the protocol uses."""

    documents: OpenDocuments
    activity: ClientActivity

    def opened(self, uri: str, language: str, version: int | None, text: str) -> None:
        """Handle ``textDocument/didOpen``."""

    def closed(self, uri: str) -> None:
        """Handle ``textDocument/didClose``."""

    def stop(self, status: int) -> None:
        """End the event loop with an exit status."""


class ServerProtocol(LanguageServerProtocol):
    """The protocol of one connection."""

    session: Session
    """Set before the first message."""

    def receive(self, body: bytes) -> None:
        """Handle the body of one message; never raises for a mistake of the client."""
        self.session.activity.record_message()
        begin = perf_counter()
        try:
            message = json.loads(body)
        except (ValueError, RecursionError) as error:
            self._refuse(None, types.ErrorCodes.ParseError, f"not JSON: {error}")
            return
        if not isinstance(message, dict) or message.get("jsonrpc") != self.VERSION:
            self._refuse(None, types.ErrorCodes.InvalidRequest, "a message is an object with 'jsonrpc': '2.0'")
            return
        method, is_request = message.get("method"), "id" in message
        if method is not None and (reason := self._reason_to_refuse(method)):
            if is_request:
                self._refuse(message["id"], *reason)
            return
        if method is None and self._shutdown:
            return  # the client had not read the shutdown's answer when it responded
        if method == types.TEXT_DOCUMENT_DID_CHANGE and (changed := changes_in(message)) is not None:
            self.session.documents.change(*changed)
            note_slice(method, begin)
            return
        try:
            structured = self.structure_message(message)
        except (JsonRpcException, RecursionError) as error:
            cause = error.__cause__ or error
            if method is not None and is_request:
                self._refuse(message["id"], types.ErrorCodes.InvalidParams, f"bad parameters for '{method}'")
            log.error("a message for %r was dropped, its parameters are invalid: %s", method, cause)
            return
        if method == types.CANCEL_REQUEST:
            request = lookup(message, "params", "id")
            if isinstance(request, str | int) and self.session.documents.cancel(request):
                self._refuse(request, types.LSPErrorCodes.RequestCancelled, "the request was cancelled")
                return
            if request not in self._request_futures:
                return  # already answered
        if is_request and method is not None:
            refuse = None
            if any(lookup(message, "params", name) is not None for name in _PLACES):
                modified = types.LSPErrorCodes.ContentModified
                refuse = partial(self._refuse, message["id"], modified, "the text has changed")
            action = partial(self.handle_message, structured)
            if self.session.documents.defer(message["id"], _document_of(message), action, refuse):
                return
        self.handle_message(structured)
        note_slice(method, begin)

    def replay_initialize(self, message: dict[str, Any]) -> None:
        """Put pygls into the state after an ``initialize`` that has already been answered.

        Parameters that pygls cannot read are replaced by empty ones.
        """
        try:
            structured = self.structure_message(message)
        except (JsonRpcException, RecursionError):
            bare: dict[str, object] = {"processId": None, "rootUri": None, "capabilities": {}}
            structured = self.structure_message({**message, "id": 0, "params": bare})
        writer, self.writer = self.writer, _NullWriter()
        self.handle_message(structured)
        self.writer = writer
        client = Client(lookup(message, "params", "capabilities"))
        announced = lookup(capabilities(client), "workspace", "textDocumentContent")
        if isinstance(announced, dict) and self.server_capabilities.workspace is not None:  # unknown to pygls
            self.server_capabilities.workspace.text_document_content = types.TextDocumentContentOptions(**announced)

    def response_to(self, request: str, method: str) -> Future[Any]:
        """The response to a request that was sent already, without pygls."""
        answer: Future[Any] = Future()
        self._request_futures[request] = answer
        self._result_types[request] = self.get_result_type(method)
        return answer

    def options(self, method: str, value: object) -> object:
        """The value of a method's capability as pygls expects it; None for a method without options."""
        kind = _OPTIONS.get(method)
        return self._converter.structure(value, kind) if kind is not None else None

    def write(self, data: bytes) -> None:
        """Send a framed notification or request, unless the client has asked for a shutdown.

        From then on it waits for the exit, and may read no more: a pipe full of findings would keep the server from it.
        """
        if not self._shutdown:
            self._respond(data)

    def _send_data(self, data: Any) -> None:
        """Send a notification or request of pygls, unless the client has asked for a shutdown."""
        if not self._shutdown:
            super()._send_data(data)

    def _respond(self, data: bytes) -> None:
        """Send a framed response."""
        if self.writer is not None:
            self.writer.write(data)

    def _execute_handler(
        self,
        msg_id: str | int,
        handler: Callable[..., Any],
        callback: Callable[..., None],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """Call a handler at once; a coroutine that it returns runs in slices and can be cancelled.

        So a handler reads the present text of a document before the next message is handled.
        """
        if inspect.iscoroutinefunction(handler) or inspect.isgeneratorfunction(handler):
            super()._execute_handler(msg_id, handler, callback, args, kwargs)
            return
        future: Future[Any] = Future()
        future.add_done_callback(callback)
        try:
            result = handler(*(args or ()), **(kwargs or {}))
        except Exception as error:  # noqa: BLE001  # it becomes the response
            future.set_exception(error)
            return
        if not asyncio.iscoroutine(result):
            future.set_result(result)
            return
        task = asyncio.ensure_future(result)
        self._request_futures[msg_id] = task  # type: ignore[assignment]  # has the methods of a Future that pygls uses
        task.add_done_callback(callback)

    def _send_response(
        self, msg_id: str | int, result: object = None, error: types.ResponseError | None = None
    ) -> None:
        """Send the response to a request; an error if the result cannot be serialized, which pygls would only log."""
        try:
            body = self._response(msg_id, result, error)
        except Exception as cause:
            log.exception("the answer to request %r cannot be put into JSON", msg_id)
            reason = f"the answer cannot be put into JSON: {type(cause).__name__}: {cause}"
            self._refuse(msg_id, types.ErrorCodes.InternalError, reason)
            return
        self._respond(frame(body))

    def _response(self, msg_id: str | int, result: object, error: types.ResponseError | None) -> bytes:
        """The response to a request as JSON; a :class:`RawJson` result is inserted as it is."""
        if error is None and isinstance(result, RawJson):
            return f'{{"jsonrpc":"2.0","id":{json.dumps(msg_id)},"result":{result.json}}}'.encode("ascii")
        answer = {"result": result} if error is None else {"error": error}
        message = {"jsonrpc": self.VERSION, "id": msg_id, **answer}
        return json.dumps(message, default=self._serialize_message).encode("ascii")

    def _reason_to_refuse(self, method: object) -> tuple[types.ErrorCodes, str] | None:
        """The error code and reason to refuse a message for ``method``; None if it is handled."""
        if not isinstance(method, str):
            return types.ErrorCodes.InvalidRequest, "'method' is a string"
        if self._shutdown and method != types.EXIT:
            return types.ErrorCodes.InvalidRequest, "the server is shutting down"
        if method == types.INITIALIZE:
            return types.ErrorCodes.InvalidRequest, "'initialize' was sent already"
        if method in self.fm.builtin_features or method in self.fm.features or method == types.CANCEL_REQUEST:
            return None
        return types.ErrorCodes.MethodNotFound, f"'{method}' is not known here"

    def _refuse(self, request: object, code: types.ErrorCodes | types.LSPErrorCodes, reason: str) -> None:
        self._respond(encode({"jsonrpc": "2.0", "id": request, "error": {"code": code.value, "message": reason}}))

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: object) -> Generator[Any, Any, None]:
        """``exit``: 0 after ``shutdown``, else 1."""
        self.session.stop(0 if self._shutdown else 1)
        yield from ()

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    def lsp_workspace__execute_command(self, params: types.ExecuteCommandParams) -> Generator[Any, Any, object]:
        """Execute a command, which checks its arguments itself."""
        command = self.fm.commands.get(params.command)
        if command is None:
            raise JsonRpcException(f"there is no command '{params.command}'", types.ErrorCodes.InvalidParams)
        result = yield command, (params.arguments,), None  # a coroutine that it returns runs in slices
        return result

    @property
    def has_shut_down(self) -> bool:
        """Whether ``shutdown`` was requested."""
        return self._shutdown

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """Open a document; a second text replaces the first."""
        document = params.text_document
        self.session.opened(document.uri, document.language_id, document.version, document.text)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Apply changes to a document, each to the result of the one before."""
        document = params.text_document
        changes = [_text_change(change) for change in params.content_changes]
        self.session.documents.change(document.uri, document.version, changes)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """Close a document."""
        self.session.closed(params.text_document.uri)


def _text_change(change: types.TextDocumentContentChangeEvent) -> TextChange:
    if isinstance(change, types.TextDocumentContentChangePartial):
        start, end = change.range.start, change.range.end
        return TextChange(change.text, Position(start.line, start.character), Position(end.line, end.character))
    return TextChange(change.text)


def _document_of(message: object) -> object:
    """The URI of the document that a request is about, from its parameters.

    It may stand in an item or ``data`` of an answer, and in the address of a page.
    """
    for path in (("textDocument", "uri"), ("item", "uri"), ("data", "uri")):
        found = lookup(message, "params", *path)
        if found is not None:
            return found
    page = lookup(message, "params", "uri")
    if isinstance(page, str):
        from ptx_lsp.features.flow_pages import address  # imported late: few sessions ask for such a page

        parts = address(page)
        return parts.uri if parts is not None else None
    if lookup(message, "params", "command") == STATUS:
        return None
    arguments = lookup(message, "params", "arguments")
    return arguments[0] if isinstance(arguments, list) and arguments else None


class _NullWriter:
    """A writer that drops everything: the response was already sent."""

    def write(self, data: bytes) -> None:
        """Drop ``data``."""

    def close(self) -> None:
        """Nothing to close."""
