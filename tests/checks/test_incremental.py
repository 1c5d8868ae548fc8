"""After any sequence of edits the findings are those of the text as it stands.

A failure prints the seed; ``pytest tests/checks/test_incremental.py -k "seed-17"`` replays it.
"""

from __future__ import annotations

import random

import pytest

from ptx_lsp.checks.checker import Checker
from ptx_lsp.text import Span

MODULE = """.version 8.0
.target sm_90
.address_size 64

.extern .shared .align 16 .b8 tile[];
.global .u32 counter;

.func (.reg .b32 result) twice(.reg .b32 value)
{
    add.s32 result, value, value;
    ret;
}

.visible .entry kernel(.param .u64 out, .param .u32 n)
{
    .reg .pred %p<4>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    .reg .f32 %f<4>;

    ld.param.u64 %rd1, [out];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %tid.x;
    setp.ge.u32 %p1, %r2, %r1;
    @%p1 bra DONE;
    {
        .reg .b32 local;
        mov.u32 local, counter;
    AGAIN:
        add.s32 local, local, %r2;
        bra AGAIN;
    }
    call (%r3), twice, (%r2);
    bar.sync 1;
    st.global.u32 [%rd1+4], %r3;
DONE:
    ret;
}
"""

PIECES = [
    *'{};"/*%.@:,[]()<>=!-+ \n',
    "/*", "*/", "//", "\r\n", "\0", "é", "😀", "\ud800", "DONE:", "AGAIN:", "L1: ", "bra DONE;\n",
    ".reg .b32 %r<3>;\n", ".reg .f32 %r7;\n", ".reg .b32 extra;\n", "mov.u32 extra, 1;\n", "add.s64 %rd1, %rd2, %r3;\n",
    ".version 7.0\n", ".target sm_80\n", ".func other()\n{\n", ".visible .entry more() {\n", "ret;\n}\n",
    "call other;\n",
    ".global .u32 counter;\n", ".section .debug_str {\n", "bar.sync 17;\n", "%r99", "%f1", "1.0", "08", "add.f32x2 ",
    "// ptx-lsp: ignore\n",
]
SEEDS = range(40)
EDITS = 60


def edits(seed: int, text: str):
    """Random edits as (span, text); they follow the text that they change."""
    choose = random.Random(seed)
    for _ in range(EDITS):
        start = choose.randrange(len(text) + 1)
        end = min(len(text), start + choose.choice([0, 0, 0, 1, 1, 2, 5, 20, 200]))
        new = "".join(choose.choice(PIECES) for _ in range(choose.choice([0, 1, 1, 1, 2, 4])))
        yield Span(start, end), new
        text = text[:start] + new + text[end:]


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: f"seed-{seed}")
def test_findings_follow_edits(seed: int) -> None:
    text = MODULE * 3 if seed % 2 else MODULE
    checker = Checker(text)
    for span, new in edits(seed, text):
        checker.edit(span, new)
        text = text[: span.start] + new + text[span.end :]
        assert checker.document.text == text
        assert checker.diagnostics() == Checker(text).diagnostics()


def test_an_edit_examines_only_what_it_touches() -> None:
    kernel = MODULE[MODULE.index(".visible") :]
    text = MODULE.replace("kernel", "first") + "".join(kernel.replace("kernel", f"kernel{one}") for one in range(50))
    checker = Checker(text)
    checker.diagnostics()
    before = list(checker.module.functions)
    at = text.index("kernel20")
    place = text.index("bar.sync 1", at)
    checker.edit(Span(place, place + len("bar.sync 1")), "bar.sync 17")
    (found,) = [one for one in checker.diagnostics() if one.code == "E404"]
    assert text[found.span.start : found.span.start + 1] == "1"
    scanned_again = [function for function in checker.module.functions if function not in before]
    assert len(scanned_again) == 1
