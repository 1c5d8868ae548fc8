"""A computation about a document is refused as soon as the text has changed."""

from __future__ import annotations

import asyncio
from collections.abc import Generator

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.convert import while_unchanged
from ptx_lsp.server.documents.document import OpenDocument, TextChange
from ptx_lsp.server.documents.lines import Position
from ptx_lsp.settings import Settings
from ptx_lsp.stepwise import run_to_completion
from tests.load.answering import answered, serving

LONG = "\n".join(
    [
        ".version 8.0",
        ".target sm_90",
        ".visible .entry kernel()",
        "{",
        "    .reg .f32 %f<4>;",
        "    .reg .pred %p;",
        "again:",
        "    barrier.sync 0;",
        *["    add.f32 %f1, %f1, %f2;"] * 20_000,
        "    @%p bra again;",
        "    ret;",
        "}",
        "",
    ]
)
BARRIER, REGISTER = types.Position(7, 6), types.Position(8, 18)


def opened(text: str) -> OpenDocument:
    document = OpenDocument("file:///a.ptx", 1, text, Settings(), Encoding.UTF_16)
    while not document.work(1):
        pass
    return document


def test_a_change_before_the_first_step_counts_too() -> None:
    document = opened(".version 8.0\n")
    steps = while_unchanged((_ for _ in ()), document)
    document.change(TextChange(".version 8.1\n", None, None))
    while not document.work(1):
        pass
    with pytest.raises(JsonRpcException):
        run_to_completion(steps)


def test_no_step_is_run_after_a_change() -> None:
    document = opened(".version 8.0\n")
    ran: list[int] = []

    def steps() -> Generator[None, None, None]:
        for number in range(3):
            ran.append(number)
            yield

    work = while_unchanged(steps(), document)
    next(work)
    document.change(TextChange(".version 8.1\n", None, None))
    with pytest.raises(JsonRpcException, match="the text has changed"):
        next(work)
    assert ran == [0]


LATE_ANSWERS = pytest.mark.parametrize(
    ("method", "place"),
    [
        ("hover", BARRIER),
        ("references", BARRIER),
        ("implementation", BARRIER),
        ("definition", REGISTER),
        ("prepareTypeHierarchy", REGISTER),
        ("foldingRange", BARRIER),
        ("selectionRange", BARRIER),
        ("documentSymbol", BARRIER),
        ("codeLens", BARRIER),
        ("formatting", BARRIER),
        ("semanticTokens/full", BARRIER),
        ("ptx-lsp.flowAt", BARRIER),
        ("ptx-lsp.barriersAt", BARRIER),
        ("ptx-lsp.originAt", REGISTER),
        ("ptx-lsp.usesAt", REGISTER),
    ],
)


@LATE_ANSWERS
def test_a_late_answer_is_about_the_text_at_the_request(method: str, place: types.Position) -> None:
    """A coroutine begins to run after messages that have arrived together with its request."""
    document = opened(LONG)
    late = answered(serving(document), document, method, place)
    assert asyncio.iscoroutine(late)
    document.change(TextChange("// a line more\n", Position(0, 0), Position(0, 0)))
    with pytest.raises(JsonRpcException, match="the text has changed"):
        asyncio.run(late)


@LATE_ANSWERS
def test_a_late_answer_is_refused_if_the_document_is_closed(method: str, place: types.Position) -> None:
    """What is derived from the text of a closed document is given up in steps, between those of the answer."""
    document = opened(LONG)
    late = answered(serving(document), document, method, place)
    assert asyncio.iscoroutine(late)
    run_to_completion(document.closing())
    with pytest.raises(JsonRpcException, match="the text has changed"):
        asyncio.run(late)
