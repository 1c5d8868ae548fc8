"""Requests about a long document are answered in slices between messages, in steps in proportion to what is shown."""

from __future__ import annotations

import inspect
from types import SimpleNamespace
from typing import Any

import pytest
from called import calls
from lsprotocol import types

from ptx_lsp.checks.embedded import verdicts
from ptx_lsp.checks.embedded.host_checker import HostChecker, HostText
from ptx_lsp.diagnostic import Severity
from ptx_lsp.hosts.site_index import SiteIndex
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.documents.document import OpenDocument
from ptx_lsp.server.handlers import HANDLERS
from ptx_lsp.server.handlers.commands import COMMANDS
from ptx_lsp.server.server import Server
from ptx_lsp.settings import Settings

from .features import CURSOR
from .requests import CASES, WRONG_ASSEMBLY

CAPABILITIES = {"textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}}}
RESOLVING = {"textDocument": {"inlayHint": {"resolveSupport": {"properties": ["tooltip", "label.location"]}}}}

IN_SLICES = [name for name in CASES if CASES[name].method not in ("formatting", "codeLens", "completion")]


def asked(name: str, size: int, capabilities: dict[str, Any] | None = None) -> tuple[int, int]:
    """The calls of functions for a request of :data:`CASES` about a range from the cursor on: all, and most at once."""
    case = CASES[name]
    text = case.document(size)
    offset = text.index(CURSOR)
    document = OpenDocument("file:///a.ptx", 1, text.replace(CURSOR, "", 1), Settings(), Encoding.UTF_16)
    while not document.work(1) or not document.list_findings(1) or not document.follow(1):
        pass
    server = Server({"capabilities": capabilities or CAPABILITIES})
    server.documents.find_any = lambda uri: document  # type: ignore[method-assign]
    server.documents.ahead.show = lambda *_: None  # type: ignore[method-assign]
    line, character = document.lines.position(offset)
    cursor, end = types.Position(line, character), types.Position(*document.lines.position(len(text)))
    params: Any = SimpleNamespace(
        text_document=types.TextDocumentIdentifier(document.uri),
        position=cursor,
        range=types.Range(cursor, end),
        context=SimpleNamespace(diagnostics=[], only=None, trigger_kind=None, trigger_character=None),
        new_name="other",
        ch=";",
        options=types.FormattingOptions(4, True),
    )

    def answer() -> Any:
        if case.method in COMMANDS:
            return COMMANDS[case.method](server, [document.uri, {"line": line, "character": character}])
        return HANDLERS[f"textDocument/{case.method}"](server, params)

    found: list[Any] = []
    counted = [calls(lambda: found.append(answer()))]
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


@pytest.mark.parametrize("name", IN_SLICES)
def test_a_long_answer_is_made_in_slices(name: str):
    asked(name, 1000)
    every, most = asked(name, 100_000)
    assert most < every / 3


def test_hints_with_tooltips_take_a_small_factor_of_those_without():
    name = "hints of many branches"
    asked(name, 1000)
    (with_tooltips, _), (without, _) = asked(name, 20_000), asked(name, 20_000, RESOLVING)
    assert with_tooltips < 6 * without


@pytest.mark.parametrize("statement", WRONG_ASSEMBLY)
def test_a_wrong_statement_of_inline_assembly_is_checked_for_one_target_in_each_reading(
    monkeypatch: pytest.MonkeyPatch, statement: str
):
    made: list[str] = []

    class Counted(verdicts.Checker):
        def __init__(self, *args: Any, **others: Any) -> None:
            made.append("a check")
            super().__init__(*args, **others)

    monkeypatch.setattr(verdicts, "Checker", Counted)
    text = f"__device__ void f() {{ int a, b; float x; {statement} }}"
    found = HostChecker(HostText(text, "cuda-cpp"), SiteIndex(text, "cuda-cpp").sites, Settings()).findings()
    assert any(one.severity is Severity.ERROR for one in found)
    assert len(made) <= 2
