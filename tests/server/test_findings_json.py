"""The JSON of findings that is kept function by function is that of all findings."""

from __future__ import annotations

import random

import pytest

from ptx_lsp.checks.engine.truncation_notice import with_note
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.documents.diagnostic_json import diagnostics_template
from ptx_lsp.server.documents.document import OpenDocument, TextChange
from ptx_lsp.server.documents.lines import DocumentLines, Position
from ptx_lsp.settings import Settings
from ptx_lsp.stepwise import run_to_completion

HEADER = ".version 8.0\n.target sm_90\n.address_size 64\n.global .u32 counter%;\n"
KERNEL = """.visible .entry kernel{one}(.param .u64 out)
{{
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    .reg .pred unused{one};
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    add.s32 %r2, %rd1, %r3; // % 100%d
    st.global.u32 [counter%], %r2; bra GONE;
    add.f32 %undeclared1, %undeclared2, %r1;
    ret;
}}
"""
PIECES = [
    *"1;%{}/\n ",
    "\n\n",
    "\r",
    "\r\n",
    "/*",
    "*/",
    "é",
    "😀",
    "mov.u32 %r1, %r9;\n",
    ".reg .b32 x;\n",
    "}\n.func f() {\n",
]
PIECES += [".global .u32 counter%;\n", "ret;\n", ".func g();\n", '"', "(", "call f;\n"]


def edited(document: OpenDocument, choose: random.Random) -> None:
    """Replace some characters, mostly none, by a piece of text."""
    lines = document.lines
    start = lines.position(choose.randrange(lines.length + 1))
    end = Position(start.line, start.character + choose.choice([0, 0, 0, 1, 4]))
    document.change(TextChange(choose.choice(PIECES), start, end))


def check_edits(seed: int, count: int) -> int:
    """Carry out ``count`` edits; after each the JSON must be that of all findings.

    Returns:
        How often that of some function was kept.

    """
    choose = random.Random(seed)
    text = HEADER + "".join(KERNEL.format(one=one) for one in range(5))
    settings = Settings(max_diagnostics=choose.choice([20, 1000, 1000]))
    document = OpenDocument("file:///a%41.ptx", 1, text, settings, Encoding.UTF_16)
    while not document.work(1):
        pass
    kept = 0
    for _ in range(count):
        edited(document, choose)
        if choose.random() < 0.4:
            while not document.follow(1):
                pass
        found = document.findings
        all_found = run_to_completion(document.checker.selecting(settings.max_diagnostics))
        lines = DocumentLines(document.checker.document.chunks, Encoding.UTF_16)
        assert found == f"[{diagnostics_template(with_note(all_found), document.uri, lines).filled()}]"
        kept += bool(document._json._kept)
    return kept


@pytest.mark.parametrize("seed", range(12))
def test_the_findings_are_those_of_all_functions(seed: int) -> None:
    check_edits(seed, 40)


def test_findings_are_kept() -> None:
    assert sum(check_edits(seed, 20) for seed in range(100, 106)) > 40
