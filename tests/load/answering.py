"""Requests about a long document, and the number of functions that their answers call."""

from __future__ import annotations

import inspect
from types import SimpleNamespace
from typing import Any

from called import calls
from lsprotocol import types

from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.documents.document import OpenDocument
from ptx_lsp.server.handlers import HANDLERS
from ptx_lsp.server.handlers.commands import COMMANDS
from ptx_lsp.server.server import Server
from ptx_lsp.settings import Settings

from .texts.requests import CURSOR, Case

CAPABILITIES = {
    "textDocument": {
        "completion": {"completionItem": {"snippetSupport": True}},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
    }
}


def asked(
    case: Case, size: int, capabilities: dict[str, Any] = CAPABILITIES, *, to_end: bool = False
) -> tuple[int, int]:
    """The calls of functions for a request: all, and most between two pauses.

    Args:
        case: the document and the request.
        size: about the number of characters of the document.
        capabilities: those of the client.
        to_end: whether the range goes from the cursor to the end of the document; else it is empty.

    """
    text = case.document(size)
    offset = text.index(CURSOR)
    document = OpenDocument("file:///a.ptx", 1, text.replace(CURSOR, "", 1), Settings(), Encoding.UTF_16)
    while not document.work(1) or not document.list_findings(1) or not document.follow(1):
        pass
    server = serving(document, capabilities)
    line, character = document.lines.position(offset)
    end = types.Position(*document.lines.position(len(text))) if to_end else None

    def answer() -> Any:
        return answered(server, document, case.method, types.Position(line, character), end)

    found: list[Any] = []
    counted = [calls(lambda: found.append(answer()))]
    if inspect.isawaitable(found[0]):
        steps = found[0].__await__()
        ended: list[bool] = []
        while not ended:
            counted.append(calls(lambda: ended.append(True) if next(steps, steps) is steps else None))
    return sum(counted), max(counted)


def serving(document: OpenDocument, capabilities: dict[str, Any] = CAPABILITIES) -> Server:
    """A server whose only document is this."""
    server = Server({"capabilities": capabilities})
    server.documents.find_any = lambda uri: document  # type: ignore[method-assign]
    server.documents.ahead.show = lambda *_: None  # type: ignore[method-assign]
    return server


def answered(
    server: Server, document: OpenDocument, method: str, cursor: types.Position, end: types.Position | None = None
) -> Any:
    """What a handler or command returns for a request about a place: an answer, or an awaitable that makes it.

    Args:
        server: the server that has the document.
        document: the document.
        method: that of LSP without ``textDocument/``, or the name of a command.
        cursor: the place, and the beginning of a range.
        end: the end of the range; the same place if it is None.

    """
    if method in COMMANDS:
        place = {"line": cursor.line, "character": cursor.character}
        return COMMANDS[method](server, [document.uri, place])
    params: Any = SimpleNamespace(
        text_document=types.TextDocumentIdentifier(document.uri),
        position=cursor,
        positions=[cursor],
        range=types.Range(cursor, end or cursor),
        options=types.FormattingOptions(4, True),
        context=SimpleNamespace(
            include_declaration=True,
            diagnostics=[],
            only=None,
            trigger_kind=None,
            trigger_character=None,
            active_signature_help=None,
        ),
        new_name="other",
        ch=";",
    )
    return HANDLERS[f"textDocument/{method}"](server, params)
