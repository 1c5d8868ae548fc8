"""What a client asks about a long hostile document takes a number of steps in proportion to it, or to what is shown."""

from __future__ import annotations

import inspect
from types import SimpleNamespace
from typing import Any

import pytest
from called import calls
from lsprotocol import types

from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.documents.document import OpenDocument
from ptx_lsp.server.handlers import HANDLERS
from ptx_lsp.server.server import Server
from ptx_lsp.settings import Settings

from .features import CASES, CURSOR

CAPABILITIES = {
    "textDocument": {
        "completion": {"completionItem": {"snippetSupport": True}},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
    }
}


def asked(name: str, size: int) -> tuple[int, int]:
    """The calls of functions for a request of :data:`CASES`: all, and most between two pauses."""
    case = CASES[name]
    text = case.document(size)
    offset = text.index(CURSOR)
    document = OpenDocument("file:///a.ptx", 1, text.replace(CURSOR, "", 1), Settings(), Encoding.UTF_16)
    while not document.work(1) or not document.list_findings(1) or not document.follow(1):
        pass
    server = Server({"capabilities": CAPABILITIES})
    server.documents.find_any = lambda uri: document  # type: ignore[method-assign]
    server.documents.ahead.show = lambda *_: None  # type: ignore[method-assign]
    line, character = document.lines.position(offset)
    cursor = types.Position(line, character)
    params: Any = SimpleNamespace(
        text_document=types.TextDocumentIdentifier(document.uri),
        position=cursor,
        positions=[cursor],
        range=types.Range(cursor, cursor),
        options=types.FormattingOptions(4, True),
        context=SimpleNamespace(
            include_declaration=True, diagnostics=[], only=None, trigger_kind=None, trigger_character=None
        ),
        new_name="other",
    )
    counted: list[int] = []
    found: list[Any] = []
    counted.append(calls(lambda: found.append(HANDLERS[f"textDocument/{case.method}"](server, params))))
    if inspect.isawaitable(found[0]):
        steps = found[0].__await__()
        ended: list[bool] = []
        while not ended:
            counted.append(calls(lambda: ended.append(True) if next(steps, steps) is steps else None))
    return sum(counted), max(counted)


@pytest.mark.parametrize("name", CASES)
def test_an_answer_takes_time_in_proportion_to_the_document(name: str):
    asked(name, 1000)  # imports count once
    (small, _), (large, _) = asked(name, 10_000), asked(name, 40_000)
    assert large < 6 * small


@pytest.mark.parametrize(
    "name", ["highlights of a name on one long line", "lenses of kernels without parameters, beside shared variables"]
)
def test_a_long_answer_is_made_in_slices(name: str):
    asked(name, 1000)
    every, most = asked(name, 200_000)
    assert most < every / 3
