"""pygls's protocol, bent in three places.

* Every request gets one answer: one whose JSON or parameters make no sense is
  refused by name, and so is one whose result cannot be put into JSON, where
  pygls would only log it.
* Text synchronisation goes to our own :class:`~ptx_lsp.server.server.Server`;
  pygls's documents split the whole text into lines at every change.
* ``exit`` and the end of the input stop the loop with the status that LSP asks for.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
from collections.abc import Callable, Generator
from concurrent.futures import Future
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol, lsp_method

from ptx_lsp.server.capabilities import STATUS, capabilities, lookup
from ptx_lsp.server.transport.framing import encode, frame
from ptx_lsp.server.transport.raw_json import RawJson

if TYPE_CHECKING:
    from ptx_lsp.server.server import Server

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
"""The classes of the capabilities that are more than true."""


class Protocol(LanguageServerProtocol):
    """The protocol of one client."""

    _server: Server

    def receive(self, body: bytes) -> None:
        """Handle one message as it came; never raises for what the client did wrong."""
        self._server.heard = monotonic()
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
        try:
            structured = self.structure_message(message)
        except (JsonRpcException, RecursionError) as error:
            cause = error.__cause__ or error
            if method is not None and is_request:
                self._refuse(message["id"], types.ErrorCodes.InvalidParams, f"bad parameters for '{method}'")
            log.error("a message for %r was dropped, its parameters make no sense: %s", method, cause)
            return
        if method == types.CANCEL_REQUEST:
            request = lookup(message, "params", "id")
            if isinstance(request, str | int) and self._server.cancel(request):
                self._refuse(request, types.LSPErrorCodes.RequestCancelled, "the request was cancelled")
                return
            if request not in self._request_futures:
                return  # it is answered already
        if is_request and method is not None:
            refuse = None
            if lookup(message, "params", "position") is not None:
                modified = types.LSPErrorCodes.ContentModified
                refuse = partial(self._refuse, message["id"], modified, "the text has changed meanwhile")
            action = partial(self.handle_message, structured)
            if self._server.hold(message["id"], _document_of(message), action, refuse):
                return
        self.handle_message(structured)

    def replay_initialize(self, message: dict[str, Any]) -> None:
        """Put pygls into the state after an ``initialize`` that was answered already.

        One with parameters that pygls cannot read counts as one without any.
        """
        try:
            structured = self.structure_message(message)
        except (JsonRpcException, RecursionError):
            bare: dict[str, object] = {"processId": None, "rootUri": None, "capabilities": {}}
            structured = self.structure_message({**message, "id": 0, "params": bare})
        writer, self.writer = self.writer, _Nowhere()
        self.handle_message(structured)
        self.writer = writer
        announced = lookup(capabilities(lookup(message, "params", "capabilities")), "workspace", "textDocumentContent")
        if isinstance(announced, dict) and self.server_capabilities.workspace is not None:  # unknown to pygls
            self.server_capabilities.workspace.text_document_content = types.TextDocumentContentOptions(**announced)

    def options(self, method: str, value: object) -> object:
        """The value of a method's capability as pygls wants it; None for one without options."""
        kind = _OPTIONS.get(method)
        return self._converter.structure(value, kind) if kind is not None else None

    def write(self, data: bytes) -> None:
        """Send a framed message that is bytes already."""
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
        """Call a handler at once; where it answers with a coroutine, that goes on in slices and can be cancelled.

        What a handler takes from the document's present text it takes before the next message is looked at.
        """
        if inspect.iscoroutinefunction(handler) or inspect.isgeneratorfunction(handler):
            super()._execute_handler(msg_id, handler, callback, args, kwargs)
            return
        future: Future[Any] = Future()
        future.add_done_callback(callback)
        try:
            result = handler(*(args or ()), **(kwargs or {}))
        except Exception as error:  # noqa: BLE001  # it becomes the answer
            future.set_exception(error)
            return
        if not asyncio.iscoroutine(result):
            future.set_result(result)
            return
        task = asyncio.ensure_future(result)
        self._request_futures[msg_id] = task  # type: ignore[assignment]  # it has what is used of a Future
        task.add_done_callback(callback)

    def _send_response(
        self, msg_id: str | int, result: object = None, error: types.ResponseError | None = None
    ) -> None:
        """Answer a request, with an error where the result cannot be put into JSON; pygls would only log that."""
        try:
            body = self._response(msg_id, result, error)
        except Exception as cause:
            log.exception("the answer to request %r cannot be put into JSON", msg_id)
            reason = f"the answer cannot be put into JSON: {type(cause).__name__}: {cause}"
            self._refuse(msg_id, types.ErrorCodes.InternalError, reason)
            return
        self.write(frame(body))

    def _response(self, msg_id: str | int, result: object, error: types.ResponseError | None) -> bytes:
        """The answer to a request as JSON; a :class:`RawJson` result is JSON already."""
        if error is None and isinstance(result, RawJson):
            return f'{{"jsonrpc":"2.0","id":{json.dumps(msg_id)},"result":{result.json}}}'.encode("ascii")
        answer = {"result": result} if error is None else {"error": error}
        message = {"jsonrpc": self.VERSION, "id": msg_id, **answer}
        return json.dumps(message, default=self._serialize_message).encode("ascii")

    def _reason_to_refuse(self, method: object) -> tuple[types.ErrorCodes, str] | None:
        """Why a message for ``method`` is not even looked at; None if it is."""
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
        self.write(encode({"jsonrpc": "2.0", "id": request, "error": {"code": code.value, "message": reason}}))

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: object) -> Generator[Any, Any, None]:
        """``exit``: 0 after ``shutdown``, else 1."""
        self._server.stop(0 if self._shutdown else 1)
        yield from ()

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    def lsp_workspace__execute_command(self, params: types.ExecuteCommandParams) -> Generator[Any, Any, object]:
        """Carry out a command, which looks at its arguments itself."""
        command = self.fm.commands.get(params.command)
        if command is None:
            raise JsonRpcException(f"there is no command '{params.command}'", types.ErrorCodes.InvalidParams)
        yield from ()
        return command(params.arguments)

    @property
    def has_shut_down(self) -> bool:
        """Whether ``shutdown`` was asked for."""
        return self._shutdown

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """A document was opened; opened twice, the second text holds."""
        document = params.text_document
        self._server.opened(document.uri, document.version, document.text)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """A document changed: each change applies to what the one before it left."""
        self._server.changed(params.text_document.uri, params.text_document.version, params.content_changes)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """A document was closed."""
        self._server.closed(params.text_document.uri)


def _document_of(message: object) -> object:
    """The address of the document that a request is about, by itself or through what it was answered before."""
    for path in (("textDocument", "uri"), ("data", "uri")):
        found = lookup(message, "params", *path)
        if found is not None:
            return found
    if lookup(message, "params", "command") == STATUS:
        return None
    arguments = lookup(message, "params", "arguments")
    return arguments[0] if isinstance(arguments, list) and arguments else None


class _Nowhere:
    """A writer for answers that were given already."""

    def write(self, data: bytes) -> None:
        """Drop ``data``."""

    def close(self) -> None:
        """Nothing to close."""
