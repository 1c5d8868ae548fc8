"""A keystroke costs what it touches: the steps that it takes are the same in a text eight times as long."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from called import calls

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.documents.document import OpenDocument, TextChange
from ptx_lsp.server.documents.lines import Position
from ptx_lsp.settings import Settings
from ptx_lsp.text import Span

HEADER = """.version 8.0
.target sm_90
.address_size 64
"""
KERNEL = """.func inner{one}() {{ ret; }}
.visible .entry kernel{one}(.param .u64 out{one})
{{
    .reg .pred %p<4>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    .loc 1 {line} 5
    ld.param.u64 %rd1, [out{one}];
    mov.u32 %r2, %tid.x;
    .reg .b32 late{one};
    setp.ge.u32 %p1, %r2, 7;
    @%p1 bra DONE;
    .loc 1 9 9, function_name name, inlined_at 1 {line} 5
    st.global.u32 [%rd1+4], %r2;
    mov.u32 late{one}, %r2;
    st.global.u32 [%rd1+8], late{one};
    call inner{one};
DONE:
    ret;
}}
.file {file} "kernel{one}.cu"
"""
FEW = 24
MANY = 8 * FEW


def kernels(count: int) -> str:
    """A module of kernels without a mistake."""
    return HEADER + "".join(KERNEL.format(one=one, line=100 + one, file=1 + one) for one in range(count))


def one_long(count: int) -> str:
    """A module of one long kernel."""
    lines = "".join(f"    add.s32 %r2, %r2, {one};\n" for one in range(20 * count))
    begin = "    .reg .b32 %r<8>;\n    .reg .b64 %rd<2>;\n    mov.u32 %r2, %tid.x;\n    ld.param.u64 %rd1, [out];\n"
    end = "    st.global.u32 [%rd1], %r2;\n    ret;\n}\n"
    return f"{HEADER}.visible .entry kernel(.param .u64 out)\n{{\n{begin}{lines}{end}"


def typing_steps(text: str) -> int:
    """The steps of a keystroke in the middle of a text, from the change to the JSON of all findings."""
    document = OpenDocument("file:///a.ptx", 1, text, Settings(), Encoding.UTF_16)
    while not document.work(10):
        pass
    while not document.follow(10):
        pass
    assert document.findings == "[]"
    lines = text.split("\n")
    line = next(at for at in range(len(lines) // 2, len(lines)) if lines[at].startswith(("    st.", "    add.")))
    column = lines[line].index(";") - 1

    def type_digit() -> None:
        document.change(TextChange("1", Position(line, column), Position(line, column)))
        _ = document.findings

    for _ in range(3):
        type_digit()  # what is new the first time is new in any text
    return calls(type_digit)


@pytest.mark.parametrize("text", [kernels, one_long], ids=lambda one: one.__name__)
def test_a_keystroke_takes_as_many_steps_in_a_long_text(text: Callable[[int], str]) -> None:
    few, many = typing_steps(text(FEW)), typing_steps(text(MANY))
    assert many < 1.2 * few + 100


def examined_by(checker: Checker, place: int, new: str) -> int:
    """The chunks that are examined for an edit."""
    checker.diagnostics()
    before = checker.statements.of_chunks.examined
    checker.edit(Span(place, place), new)
    checker.diagnostics(at_once=False)
    return checker.statements.of_chunks.examined - before


@pytest.mark.parametrize("count", [FEW, MANY])
@pytest.mark.parametrize("text", [kernels, one_long], ids=lambda one: one.__name__)
def test_an_edit_examines_its_own_chunk(text: Callable[[int], str], count: int) -> None:
    """In the middle of it; at its ends one chunk more is split again."""
    made = text(count)
    place = [found.start() for found in re.finditer(";", made)][made.count(";") // 2]
    assert examined_by(Checker(made), place, " ") <= 3


PLAIN = "    add.s32 %r2, %r1, %r1;\n"
LATE = f"""{HEADER}.visible .entry kernel()
{{
    .reg .b32 %r<4>;
    mov.u32 %r1, %tid.x;
{PLAIN * 700}    // here
    add.s32 %r2, %r1, late;
{PLAIN * 700}    // there
    ret;
}}
"""


@pytest.mark.parametrize("order", [("here", "there"), ("there", "here"), ("here", ""), ("", "there")])
def test_it_counts_on_which_side_of_a_chunk_a_late_declaration_is(order: tuple[str, str]) -> None:
    """Also if it moves past the chunk by edits between which no one asked for findings."""
    checker = Checker(LATE)
    for where in (*order, order[0]):
        text = checker.document.text
        declared = re.search(r"\.reg \.b32 late; ", text)
        if declared is not None:
            checker.edit(Span(*declared.span()), "")
        if where:
            place = checker.document.text.index(f"// {where}")
            checker.edit(Span(place, place), ".reg .b32 late; ")
        assert checker.diagnostics(at_once=False) == Checker(checker.document.text).diagnostics(at_once=False)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (".u64 out3)", ".u64 outer3)"),
        (".reg .b32 late3;", ".reg .f32 late3;"),
        (".reg .b32 %r<8>;", ".reg .b32 %r<2>;"),
        (".target sm_90", ".target sm_30"),
        (".func inner3()", ".func inner3(.reg .b32 value)"),
        ('.file 4 "kernel3.cu"', '.file 5 "kernel3.cu"'),
        ("inlined_at 1 103 5", "inlined_at 1 203 5"),
        (".loc 1 103 5", ".loc 1 303 5"),
        ("DONE:", "GONE:"),
        ("%tid.x;", "%tid.x; // ptx-lsp: ignore"),
        (".func inner2() {", ".func inner2() {{"),
        ("call inner3", "call inner"),
    ],
)
def test_what_other_chunks_depend_on_is_examined_again(before: str, after: str) -> None:
    text = kernels(12) + ".func last() { .reg .b32 %r<2>; mov.u32 %r1, 1; call inner3; ret; }\n"
    checker = Checker(text)
    checker.diagnostics()
    place = text.index(before)
    for new, length in ((after, len(before)), (before, len(after))):
        checker.edit(Span(place, place + length), new)
        assert checker.diagnostics() == Checker(checker.document.text).diagnostics()


@pytest.mark.parametrize("is_undone", [True, False], ids=["undone", "closed"])
def test_what_a_comment_gives_back_is_not_examined_again(is_undone: bool) -> None:
    text = kernels(MANY) + "// */\n"
    checker = Checker(text)
    checker.diagnostics()
    place = text.index(".func inner2()")
    checker.edit(Span(place, place), "/*")
    assert checker.diagnostics(at_once=False) == Checker(checker.document.text).diagnostics(at_once=False)
    before = checker.statements.of_chunks.examined
    checker.edit(*(Span(place, place + 2), "") if is_undone else (Span(place + 2, place + 2), "*/"))
    checker.diagnostics(at_once=False)
    assert checker.statements.of_chunks.examined - before < 10
    assert checker.diagnostics() == Checker(checker.document.text).diagnostics()


@pytest.mark.parametrize(
    ("before", "after"),
    [(".target sm_90", ".target sm_30"), (".version 8.0", ".version 3.0"), ("inner0()", "inner5()")],
)
def test_what_a_comment_gives_back_is_examined_if_the_module_changed_meanwhile(before: str, after: str) -> None:
    text = kernels(12) + "// */\n"
    checker = Checker(text)
    checker.diagnostics()
    place = text.index(".func inner2()")
    checker.edit(Span(place, place), "/*")
    checker.diagnostics()
    changed = text.index(before)
    checker.edit(Span(changed, changed + len(before)), after)
    place += len(after) - len(before)
    checker.edit(Span(place, place + 2), "")
    assert checker.diagnostics() == Checker(checker.document.text).diagnostics()
