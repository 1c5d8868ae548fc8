"""The checks in the background pause while a long answer about their document is made."""

from __future__ import annotations

import pytest

from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.documents import document as documents
from ptx_lsp.server.documents.document import OpenDocument
from ptx_lsp.settings import Settings

KERNELS = "\n".join(
    f".visible .entry k{number}() {{ .reg .b32 %r<9>; add.s32 %r1, %r2, 1; bar.sync 0; ret; }}" for number in range(50)
)


def test_the_checks_pause_for_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "PAUSE", 3600)
    text = f".version 8.0\n.target sm_90\n.address_size 64\n{KERNELS}\n"
    document = OpenDocument("file:///a.ptx", 1, text, Settings(), Encoding.UTF_16)
    while not document.work(1):
        pass
    document.answers = 1
    assert not document.follow(0)
    assert not document.follow(3600), "the next step comes later"
    document.answers = 0
    while not document.follow(3600):
        pass
    assert document.is_complete
