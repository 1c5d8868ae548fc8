"""A computation about a document is refused as soon as the text has changed."""

from __future__ import annotations

import pytest
from pygls.exceptions import JsonRpcException

from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.convert import while_unchanged
from ptx_lsp.server.documents.document import OpenDocument, TextChange
from ptx_lsp.settings import Settings
from ptx_lsp.stepwise import run_to_completion


def test_a_change_before_the_first_step_counts_too() -> None:
    document = OpenDocument("file:///a.ptx", 1, ".version 8.0\n", Settings(), Encoding.UTF_16)
    while not document.work(1):
        pass
    steps = while_unchanged((_ for _ in ()), document)
    document.change(TextChange(".version 8.1\n", None, None))
    while not document.work(1):
        pass
    with pytest.raises(JsonRpcException):
        run_to_completion(steps)
