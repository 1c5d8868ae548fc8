"""After any sequence of edits the findings are those of the text as it stands.

A failure prints the seed; ``pytest tests/checks/test_incremental.py -k "seed-17"`` replays it.
"""

from __future__ import annotations

import random
from time import perf_counter

import pytest

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.settings import Settings
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

DEBUG = (
    MODULE
    + """
.file 1 "kernel.cu"
.global .texref picture;
.entry debugged()
{
    .reg .f32 %f<5>;
    .loc 1 10 5
    tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [picture, {%f1, %f2}];
    .loc 1 3 9, function_name name, inlined_at 1 10 5
    .pragma "frequency 4";
    ret;
}
.section .debug_str
{
name:
    .b8 1, 2, 255
    .b32 name
}
.nv_intermediate_source_section
{
.code_block
{
.ir_name: "TileIR"
.sourceFileName: 1
.source_begin
entry @kernel { "/* } .func (
    .source_end
}
}
"""
)
PIECES = [
    *'{};"/*%.@:,[]()<>=!-+ \n',
    "/*",
    "*/",
    "//",
    "\r\n",
    "\0",
    "é",
    "😀",
    "\ud800",
    "DONE:",
    "AGAIN:",
    "L1: ",
    "bra DONE;\n",
    ".reg .b32 %r<3>;\n",
    ".reg .f32 %r7;\n",
    ".reg .b32 extra;\n",
    "mov.u32 extra, 1;\n",
    "add.s64 %rd1, %rd2, %r3;\n",
    ".version 7.0\n",
    ".target sm_80\n",
    ".func other()\n{\n",
    ".visible .entry more() {\n",
    "ret;\n}\n",
    "call other;\n",
    ".global .u32 counter;\n",
    ".section .debug_str {\n",
    "bar.sync 17;\n",
    "%r99",
    "%f1",
    "1.0",
    "08",
    "add.f32x2 ",
    "// ptx-lsp: ignore\n",
    "ld.global.u32 %r1, [counter+4];\n",
    "shl.b32 %r1, %r2, 32;\n",
    "// ptx-lsp: ignore\n",
    "add.s32 %x1, %x2, %r1;\n",
    "mov.u32 %x3, %x1; // ptx-lsp: ignore[E201]\n",
    "bra GONE;\n",
]
STRUCTURE = [
    ".func more(.reg .b32 x)\n{\nret;\n}\n",
    ".visible .entry third()\n{\n",
    ".func twice(.reg .b32 value);\n",
    ".extern .func (.reg .b32 r) outside(.reg .b32 a);\n",
    "call (%r3), outside, (%r2);\n",
    "}\n.global .u32 later;\n",
    "mov.u32 %r2, later;\n",
    ".global .b32 %g<4>;\n",
    "mov.b32 %r1, %g2;\n",
    ".reg .b32 %g3;\n",
    ".const .f32 counter;\n",
    ".global .b8 counter[2];\n",
    ".global .align 2 .b8 counter[64];\n",
    ".version 7.8\n.target sm_70\n",
    ".target sm_100a\n",
    "{" * 70 + "\n",
    "}" * 70 + "\n",
    "{}" * 80 + "\n",
    "}{" * 80 + "\n",
    ".extern .func stop() .noreturn;\n",
    "call stop;\n",
    ".noreturn ",
    ", debug",
    ".shared .b32 pool[4];\n",
    ".global .b32 pool[4];\n",
    "mov.u64 %rd1, pool;\nld.u32 %r1, [%rd1];\n",
    ".func stop() { ret; }\n",
    "mov.u32 %r1, %laneid;\nsetp.eq.u32 %p1, %r1, 3;\n@%p1 bar.sync 0;\n",
    "ret;\n",
    "@%p1 bra DONE;\n",
    "}\n}\n",
    ".func\n",
    "twice",
    "kernel",
    "counter",
    "value",
    "tile",
    ".func (.param .b32 r) outside(.param .align 8 .b8 a[8]);\n",
    ".visible .func twice(.reg .b32 value);\n",
    ".func (.reg .f32 result) twice(.reg .f32 value);\n",
    ".entry twice();\n",
    ".weak .func outside()\n{\nret;\n}\n",
    ".alias other, outside;\n",
    ".alias twice, other;\n",
    ".func other() .noreturn;\n",
    ".func other();\n",
    ".func inner(.reg .b32 counter);\ncall inner, (%r1);\n",
    ".param .b32 passed;\n",
    ".param .align 8 .b8 passed[8];\n",
    "st.param.b32 [passed], %r2;\n",
    "@%p1 ld.param.b32 %r2, [passed];\n",
    "call (passed), outside, (passed);\n",
    "mov.u64 %rd1, passed;\n",
    "LIST: ",
    ".calltargets twice, outside;\n",
    ".callprototype (.reg .b32 _) _ (.reg .b32 _);\n",
    ".branchtargets DONE, AGAIN;\n",
    "call (%r3), %rd1, (%r2), LIST;\n",
    "brx.idx %r1, LIST;\n",
    "bra LIST;\n",
    ".global .u64 table[2] = {twice, outside};\n",
    ".global .u64 table[1] = {other};\n",
    "{twice, twice}",
    "call (%r3), %rd1, (%r2), table;\n",
    ".maxntid 0 ",
    ".minnctapersm 2 ",
    ".maxntid 8 .reqntid 8 ",
    ".noreturn ",
    ".extern ",
    ".func wide(.param .b8 a[]);\n",
    "call wide, ();\n",
    ".entry big(.param .b8 a[5000])\n{\n",
    "mov.u64 %rd1, kernel;\n",
]
"""Heads, globals and headers that come, go and move; braces by the hundred."""
DEBUG_PIECES = [
    ".target sm_90, texmode_independent\n",
    ".target sm_90, debug\n",
    ".source_begin\n",
    "\n.source_end\n",
    ".source_end",
    ".loc 1 3 9\n",
    ".loc 1 10 5\n",
    ".loc 2 1 1, function_name n, inlined_at 1 3 9\n",
    '.file 1 "x"\n',
    '.file 2 "x"\n',
    ".section .debug_info\n{\n",
    ".b8 256\n",
    "name:\n",
    "@@DWARF .byte 1\n",
    '.pragma "frequency";\n',
    ".code_block {\n",
    ".sourceFileName: 2\n",
    ".nv_intermediate_source_section {\n",
    "inlined_at 1 1 1",
    ".global .samplerref s;\n",
    ".version 6.4\n",
    ".global .u32 %tid;\n",
]
"""What debuggers want, and what depends on the header."""
SEEDS = range(40)
EDITS = 60
LIMIT = 6
"""How many findings are asked for where not all are."""


def edits(seed: int, text: str, count: int = EDITS):
    """Random edits as (span, text); they follow the text that they change. Every third seed moves text about."""
    choose = random.Random(seed)
    pieces = [*PIECES, *STRUCTURE * 2] if seed % 3 == 0 else PIECES
    if seed % 4 == 2:
        pieces = [*pieces, *DEBUG_PIECES * 2]
    for _ in range(count):
        start = choose.randrange(len(text) + 1)
        end = min(len(text), start + choose.choice([0, 0, 0, 1, 1, 2, 5, 20, 200]))
        new = "".join(choose.choice(pieces) for _ in range(choose.choice([0, 1, 1, 1, 2, 4])))
        if seed % 3 == 0 and choose.random() < 0.1:  # a piece of the text itself, from elsewhere
            source = choose.randrange(len(text) + 1)
            new = text[source : source + choose.choice([20, 100, 400])]
        yield Span(start, end), new
        text = text[:start] + new + text[end:]


def check_edits(seed: int, count: int = EDITS) -> None:
    """Carry out ``count`` edits; after each the findings must be those of the text."""
    text = MODULE * 3 if seed % 2 else DEBUG if seed % 4 == 2 else MODULE
    settings = Settings(max_diagnostics=LIMIT) if seed % 2 else Settings()
    checker = Checker(text, settings)
    for span, new in edits(seed, text, count):
        checker.edit(span, new)
        text = text[: span.start] + new + text[span.end :]
        assert checker.document.text == text
        fresh = Checker(text, settings)
        checker.diagnostics(at_once=False)  # what an editor gets meanwhile: former findings whose places may be gone
        if seed % 2:
            assert checker.findings(LIMIT) == fresh.findings(LIMIT)
        assert checker.diagnostics() == fresh.diagnostics()


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: f"seed-{seed}")
def test_findings_follow_edits(seed: int) -> None:
    check_edits(seed)


@pytest.mark.parametrize("declared", ["u32 counter[2]", "u32 counter[1]", "u8 counter[8]", "align 8 .b8 counter[8]"])
def test_the_size_of_a_variable_counts_wherever_it_is_used(declared: str) -> None:
    text = MODULE.replace("mov.u32 local, counter;", "ld.global.u32 local, [counter+4];")
    checker = Checker(text)
    checker.diagnostics()
    at = text.index("u32 counter")
    checker.edit(Span(at, at + len("u32 counter")), declared)
    assert checker.diagnostics() == Checker(checker.document.text).diagnostics()


@pytest.mark.parametrize("brace", ["}", "{"])
def test_a_brace_decides_whether_a_function_is_declared_in_a_body(brace: str) -> None:
    text = ".entry k()\n{\n{\n\n.func f();\n.func g();\ncall g;\nret;\n}\n.entry last() { ret; }\n"
    checker = Checker(text)
    checker.diagnostics()
    at = text.index("\n.func f")
    for new in (brace, brace, ""):
        end = at + (not new) * 2
        checker.edit(Span(at, end), new)
        fresh = Checker(checker.document.text)
        assert checker.diagnostics() == fresh.diagnostics()
        assert [len(one.chunks) for one in checker.module.functions] == [
            len(one.chunks) for one in fresh.module.functions
        ]


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


def made_in_steps(text: str) -> Checker:
    """The checker that :meth:`Checker.reading` makes."""
    steps = Checker.reading(text, Settings(), 1000)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


@pytest.mark.parametrize("seed", range(6), ids=lambda seed: f"seed-{seed}")
def test_a_text_read_in_steps_is_the_same_as_at_once(seed: int) -> None:
    text = MODULE * 40
    for span, new in edits(seed, text, 30):
        text = text[: span.start] + new + text[span.end :]
    checker, expected = made_in_steps(text), Checker(text)
    assert checker.document.text == text
    assert [chunk.text for chunk in checker.document.chunks] == [chunk.text for chunk in expected.document.chunks]
    assert checker.diagnostics(1000) == expected.diagnostics(1000)
    for span, new in edits(seed, text, 5):
        checker.edit(span, new)
        text = text[: span.start] + new + text[span.end :]
    assert checker.diagnostics() == Checker(text).diagnostics()


@pytest.mark.parametrize("seed", range(12), ids=lambda seed: f"seed-{seed}")
def test_what_is_found_later_is_found_all_the_same(seed: int) -> None:
    text = MODULE * 3
    checker = Checker(text)
    choose = random.Random(seed)
    for span, new in edits(seed, text, 30):
        checker.edit(span, new)
        text = text[: span.start] + new + text[span.end :]
        length = len(text)
        assert all(0 <= one.span.start <= one.span.end <= length for one in checker.diagnostics(at_once=False))
        steps = checker.follow()
        for _ in range(choose.randrange(8)):
            next(steps, None)
    assert checker.diagnostics() == Checker(text).diagnostics()
    assert checker.is_followed
    assert checker.diagnostics(at_once=False) == checker.diagnostics()


def test_many_open_braces_are_edited_quickly() -> None:
    text = MODULE + "{" * 200_000
    begin = perf_counter()
    checker = Checker(text)
    checker.diagnostics()
    at_first = perf_counter() - begin
    begin = perf_counter()
    for offset in (len(MODULE) - 20, len(text) // 2, len(text)):
        checker.edit(Span(offset, offset), "}")
        assert "E104" in {one.code for one in checker.diagnostics()}
    assert perf_counter() - begin < 3 * 2 * at_first


def test_findings_about_the_flow_are_there_while_it_is_followed_again(examples) -> None:
    """Their fixes may be about other statements, which an edit has made anew."""
    text = (examples / "suspicious.ptx").read_text()
    for at in (place for place, character in enumerate(text) if character == ";"):
        checker = Checker(text)
        before = checker.diagnostics()
        checker.edit(Span(at, at), " ")
        meanwhile = checker.diagnostics(at_once=False)
        assert {one.code for one in meanwhile} <= {one.code for one in before}
        assert checker.diagnostics() == Checker(checker.document.text).diagnostics()
