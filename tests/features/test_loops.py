"""Loops and basic blocks in outline, folding ranges, selection ranges and hovers of labels."""

from __future__ import annotations

import pytest

from ptx_lsp.analysis.semantics.text_sections import is_ready, preparing
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.folding import all_folds, folding_with_loops
from ptx_lsp.features.folding.fold import FoldKind
from ptx_lsp.features.hover import hover
from ptx_lsp.features.hover import preparing as preparing_hover
from ptx_lsp.features.hover.parts.render import plain
from ptx_lsp.features.outline import OutlineItem, outline_with_loops
from ptx_lsp.features.selection_ranges import selection_with_loops
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax import chunk
from ptx_lsp.text import Span

from .cursor import opened

NESTED = """//- sm_90 ptx 8.0 module
.visible .entry kernel(.param .u64 a)
{
.reg .b32 %r<9>; .reg .pred %p<9>; .reg .b64 %rd<9>;
mov.u32 %r1, 0;
outer:
mov.u32 %r2, 8;
inner:
ld.global.u32 %r3, [%rd1];
st.global.u32 [%rd1], %r3;
sub.s32 %r2, %r2, 1;
setp.ne.s32 %p1, %r2, 0;
@%p1 bra inner;
add.s32 %r1, %r1, 4;
setp.lt.s32 %p2, %r1, 64;
@!%p2 bra done;
bra outer;
dead:
add.s32 %r4, %r4, 1;
done:
bar.sync 0;
ret;
}
"""
"""A loop in a loop, dead code, and a last block."""


def checker_of(source: str) -> Checker:
    """A checker of a module whose loops are found."""
    checker, _, _ = opened(source.rstrip("\n") + "<|>\n")
    for _ in preparing(checker.semantics):
        pass
    return checker


def _lines(item: OutlineItem, checker: Checker, depth: int = 0) -> list[str]:
    first, last = (checker.document.position(offset)[0] for offset in item.span)
    text = f"{'  ' * depth}{item.name} {last - first + 1}: {item.detail}"
    inner = [one for one in item.children if one.name not in ("a", "%r<9>", "%p<9>", "%rd<9>")]
    return [text, *(line for child in inner for line in _lines(child, checker, depth + 1))]


def test_loops_are_entries_of_the_outline_around_their_labels() -> None:
    checker = checker_of(NESTED)
    (kernel,) = run_to_completion(outline_with_loops(checker.semantics))
    assert _lines(kernel, checker) == [
        "kernel 22: .entry",
        "  loop over %r1 12: outer · 10 instructions: 1 ld, 1 st",
        "    outer 2: 1 instruction",
        "    loop over %r2 · inner 6: 5 instructions: 1 ld, 1 st",
        "  dead 2: unreachable, 1 instruction",
        "  done 3: 2 instructions: 1 bar",
    ]


def test_loops_and_blocks_fold() -> None:
    checker = checker_of(NESTED)
    found = [
        (checker.document.position(one.start)[0], checker.document.position(one.end)[0], one.summary)
        for one in all_folds(run_to_completion(folding_with_loops(checker.semantics)))
        if one.what in (FoldKind.LOOP, FoldKind.BASIC_BLOCK)
    ]
    head = checker.document.text[: checker.document.text.index("outer:")].count("\n")
    assert [(first - head, last - head, summary) for first, last, summary in found] == [
        (0, 11, "loop over %r1: 10 instructions: 1 ld, 1 st"),
        (2, 7, "loop over %r2: 5 instructions: 1 ld, 1 st"),
        (12, 13, "1 instruction"),
        (14, 16, "2 instructions: 1 bar"),
    ]


def test_a_loop_that_braces_cross_does_not_fold() -> None:
    checker = checker_of("//- sm_90 ptx 8.0 module\n.func f()\n{\n{\nagain:\nbar.sync 0;\n}\nbra again;\n}\n")
    assert [one.what for one in all_folds(run_to_completion(folding_with_loops(checker.semantics)))] == [
        FoldKind.BLOCK,
        FoldKind.BLOCK,
    ]


def test_selection_grows_over_blocks_and_loops() -> None:
    checker = checker_of(NESTED)
    text = checker.document.text
    spans = selection_with_loops(checker.semantics, text.index("ld.global") + 1)
    found = [text[span.start : span.end].splitlines() for span in spans]
    assert [(lines[0], len(lines)) for lines in found] == [
        ("ld", 1),
        ("ld.global.u32", 1),
        ("ld.global.u32 %r3, [%rd1];", 1),
        ("inner:", 6),
        ("outer:", 12),
        ("{", 21),
        (".visible .entry kernel(.param .u64 a)", 22),
        (text.splitlines()[0], len(text.splitlines())),
    ]


def test_selection_grows_to_a_block_that_begins_and_ends_far_away() -> None:
    """The text is kept in chunks of some hundred statements: in most of them no block begins."""
    middle = "mul.lo.s32 %r1, %r1, 2;\n"
    code = 2000 * "add.s32 %r1, %r1, 1;\n" + middle + 2000 * "sub.s32 %r1, %r1, 1;\n"
    head = "//- sm_90 ptx 8.0 module\n.func f()\n{\n.reg .b32 %r<2>;\n.reg .pred %p;\n@%p bra end;\n"
    checker = checker_of(f"{head}{code}end:\nret;\n}}\n")
    text = checker.document.text
    spans = selection_with_loops(checker.semantics, text.index("mul") + 1)
    assert code.strip() in [text[span.start : span.end].strip() for span in spans]


def test_a_body_whose_head_and_brace_are_broken_has_blocks() -> None:
    """Whatever stands before the head in the same chunk of text."""
    code = "mov.b32 %r1, 1;\nmov.b32 %r2, %r1;\n"
    checker = checker_of(f"//- sm_90 ptx 8.0 module\n{code}.entry~;\n{code}}}\n")
    text = checker.document.text
    spans = selection_with_loops(checker.semantics, text.rindex("%r2"))
    assert code.rstrip() in [text[span.start : span.end].strip() for span in spans]


def check_label(source: str, *wanted: str) -> None:
    """The hover of the label at the cursor says these sentences."""
    checker, offset, _ = opened(source)
    found = hover(checker.semantics, offset)
    assert found is not None
    text = " ".join(plain(found).split())
    for one in wanted:
        assert one in text, text


def test_a_label_shows_its_loop_and_its_block() -> None:
    check_label(
        NESTED.replace("outer:", "<|>outer:"),
        "loop header over %r1: back edge from line 20; 12 lines, 10 instructions: 1 ld, 1 st",
        "control falls in from line 8",
        "block of 2 lines, then inner",
    )
    check_label(NESTED.replace("inner:", "<|>inner:"), "loop header over %r2, depth 2: back edge from line 16")
    check_label(NESTED.replace("dead:", "<|>dead:"), "unreachable: control never comes here")


TABLE = """//- sm_90 ptx 8.0 module
.visible .entry kernel()
{
.reg .b32 %r<9>;
ts: .branchtargets one, two;
brx.idx %r1, ts;
one:
ret;
two:
ret;
}
"""


def test_a_table_of_branches_says_where_its_labels_are() -> None:
    check_label(TABLE.replace("brx", "b<|>rx"), "0: one (line 10), 1: two (line 12)")
    check_label(TABLE.replace("%r1, ts", "%r1, t<|>s"), "0: one (line 10), 1: two (line 12)")


def test_what_is_not_entered_by_one_block_alone_is_no_loop() -> None:
    checker = checker_of(
        "//- sm_90 ptx 8.0 module\n.func f()\n{\n.reg .pred p;\n@p bra two;\n"
        "one:\nbar.sync 0;\ntwo:\nbar.sync 1;\nbra one;\n}\n"
    )
    (function,) = run_to_completion(outline_with_loops(checker.semantics))
    assert [one.name for one in function.children] == ["p", "one", "two"]


def test_half_a_kernel_has_what_is_there() -> None:
    text = NESTED.removeprefix("//- sm_90 ptx 8.0 module\n")
    for length in range(0, len(text), 37):
        checker = Checker(f".version 8.0\n.target sm_90\n{text[:length]}")
        for _ in preparing(checker.semantics):
            pass
        run_to_completion(outline_with_loops(checker.semantics))
        all_folds(run_to_completion(folding_with_loops(checker.semantics)))
        selection_with_loops(checker.semantics, length)


def test_a_branch_to_thousands_of_labels() -> None:
    labels = ", ".join(f"L{number}" for number in range(5000))
    code = "".join(f"L{number}:\nadd.s32 r, r, 1;\nbrx.idx r, T;\n" for number in range(5000))
    checker = Checker(
        f".version 8.0\n.target sm_90\n.entry k()\n{{\n.reg .b32 r;\nT: .branchtargets {labels};\n"
        f"brx.idx r, T;\n{code}}}\n"
    )
    assert not is_ready(checker.semantics)
    for _ in preparing(checker.semantics):
        pass
    (function,) = run_to_completion(outline_with_loops(checker.semantics))
    assert len(function.children) == 5002


def test_loops_are_found_again_only_in_the_function_that_is_edited() -> None:
    second = NESTED.replace("kernel", "second").removeprefix("//- sm_90 ptx 8.0 module\n")
    checker = checker_of(NESTED + second)
    first, last = [one for one in checker.module.functions if one.has_body]
    held = checker.semantics.structure(first)
    offset = checker.document.text.rindex("bar.sync 0")
    checker.edit(Span(offset, offset), "again: bra again;\n")
    assert checker.semantics.structure(first) is held
    (edited,) = [one for one in checker.module.functions if one.has_body and one is not first]
    assert edited is not last
    assert checker.semantics.structure(edited) is None


def test_registers_of_one_declaration_are_side_by_side() -> None:
    """Their spans are that of the declaration, or begin one after the other in it: none contains the next one."""
    text = (
        ".version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n{\n.reg .b32 a, b, c;\nL:\nmov.b32 a, 1;\n"
        ".reg .pred p;\n@p bra L;\nret;\n}\n"
    )
    (kernel,) = run_to_completion(outline_with_loops(Checker(text).semantics))
    assert [one.name for one in kernel.children][:3] == ["a", "b", "c"]
    assert all(not one.children for one in kernel.children[:3])


COMPILED = """//- sm_90 ptx 8.0 module
.visible .entry kernel(.param .u64 a)
{
.reg .b32 %r<9>; .reg .pred %p<9>; .reg .b64 %rd<9>;
$L__func_begin0:
.loc 1 1 1
mov.u32 %r1, 0;
$L__BB0_1:
add.s32 %r1, %r1, 4;
$L__tmp0:
.loc 1 2 1
mov.b32 %r2, 0;
mov.b32 %r3, 0;
{
.reg .pred done;
.loc 1 2 1
mov.b32 %r4, 0;
waiting:
mbarrier.try_wait.parity.shared::cta.b64 done, [%r2], %r3;
@!done bra.uni waiting;
}
.loc 1 3 1
mov.b32 %r5, 0;
mov.b32 %r6, 0;
setp.lt.s32 %p1, %r1, 64;
@%p1 bra $L__BB0_1;
bar.sync 0;
ret;
$L__tmp1:
$L__func_end0:
}
"""
"""A loop with labels that only debug information names, and inline assembly that waits."""


def test_labels_of_debug_information_begin_no_blocks() -> None:
    checker = checker_of(COMPILED)
    (kernel,) = run_to_completion(outline_with_loops(checker.semantics))
    assert _lines(kernel, checker) == [
        "kernel 30: .entry",
        "  loop over %r1 19: $L__BB0_1 · 10 instructions: 1 bar",
        "    $L__BB0_1 10: 4 instructions",
        "    { mbarrier.try_wait.parity } 8: ",
        "      done 1: .reg .pred",
        "      loop waiting 3: 2 instructions: 1 bar",
    ]


def test_a_short_block_of_inline_assembly_is_one_entry_if_it_has_a_label() -> None:
    """Compilers write hundreds of them: those without a label say nothing of the structure of a function."""
    convert = (
        "// begin inline asm\n{\n.reg .b16 low;\nmov.b16 low, 0;\nmov.b32 %r7, {low, low};\n}\n// end inline asm\n"
    )
    text = COMPILED.replace("{\n.reg .pred done", convert + "\t// begin inline asm\n\t\n{\n.reg .pred done")
    checker = checker_of(text)
    (kernel,) = run_to_completion(outline_with_loops(checker.semantics))
    assert _lines(kernel, checker) == [
        "kernel 39: .entry",
        "  loop over %r1 28: $L__BB0_1 · 12 instructions: 1 bar",
        "    $L__BB0_1 19: 6 instructions",
        "    mbarrier.try_wait.parity [%r2] 8: inline assembly",
    ]


def test_a_short_block_of_a_compiler_is_no_entry() -> None:
    """nvcc converts addresses in blocks with a register of their own."""
    block = "{ .reg .b64 %tmp;\ncvt.u64.u32 %tmp, %r1;\n}\nret;"
    for head, count in (("", 1), ("//\n// Generated by NVIDIA NVVM Compiler\n//\n", 0)):
        text = f"{head}.version 8.0\n.target sm_90\n.address_size 64\n.entry k()\n{{\n.reg .b32 %r<2>;\n{block}\n}}\n"
        (kernel,) = run_to_completion(outline_with_loops(Checker(text).semantics))
        assert len([one for one in kernel.children if one.kind is None]) == count


def test_a_long_block_of_inline_assembly_has_its_entries() -> None:
    text = COMPILED.replace(
        "{\n.reg .pred done;\n", "// begin inline asm\n{\n.reg .pred done;\n" + "mov.b32 %r4, 0;\n" * 40
    )
    (kernel,) = run_to_completion(outline_with_loops(checker_of(text).semantics))
    (inside,) = [one for one in kernel.children[-1].children if one.kind is None]
    assert [one.name for one in inside.children] == ["done", "loop waiting"]


def test_labels_of_the_debug_sections_are_no_entries() -> None:
    text = COMPILED + ".section .debug_str\n{\n$L__info_string0:\n.b8 107, 0\n}\n"
    assert [one.name for one in run_to_completion(outline_with_loops(checker_of(text).semantics))] == ["kernel"]


def test_the_head_of_a_loop_in_a_long_function_is_known_some_steps_later() -> None:
    source = NESTED.replace("outer:", "mov.b32 %r1, 0;\n" * 2000 + "<|>outer:")
    checker, offset, _ = opened(source)
    steps = preparing_hover(checker.semantics, offset)
    assert steps is not None
    run_to_completion(steps)
    found = hover(checker.semantics, offset)
    assert found is not None
    assert "loop header over %r1" in plain(found)


def test_the_loops_are_found_for_a_label_also_if_the_flow_is_known() -> None:
    """The last block of this loop stands before its head, and falls through into it."""
    source = """//- sm_90 ptx 8.0 module
.visible .entry kernel()
{
.reg .b32 %r<9>; .reg .pred %p<9>;
PADDING
bra head;
last: add.s32 %r1, %r1, 1;
<|>head:
setp.lt.s32 %p1, %r1, 64;
@%p1 bra last;
ret;
}
""".replace("PADDING", "mov.b32 %r1, 0;\n" * 2000)
    checker, offset, _ = opened(source)
    checker.semantics.flow(checker.module.function_of(checker.document.chunks[-1]))
    run_to_completion(preparing_hover(checker.semantics, offset) or iter(()))
    for place, says in ((offset, "loop header"), (checker.document.text.index("last:"), "block of 1 line, then head")):
        found = hover(checker.semantics, place)
        assert found is not None
        assert says in plain(found), plain(found)


def test_the_region_of_a_source_line_ends_with_its_block() -> None:
    """Editors drop the second of two crossing ranges, here it would be the loop."""
    checker = checker_of(COMPILED)
    found = all_folds(run_to_completion(folding_with_loops(checker.semantics)))
    assert [one.what.value for one in found] == ["block", "loop", "block", "loop", "location"]
    assert all(
        second.start >= first.end or second.end <= first.end
        for at, first in enumerate(found)
        for second in found[at + 1 :]
    )
    text = checker.document.text
    assert [text[one.start : one.end].count("\n") for one in found if one.what is FoldKind.LOCATION] == [4]


def test_a_basic_block_without_a_label_is_selected() -> None:
    checker = checker_of(COMPILED)
    text = checker.document.text
    spans = selection_with_loops(checker.semantics, text.index("%r5, 0") + 1)
    assert "mov.b32 %r5, 0;\nmov.b32 %r6, 0;\nsetp.lt.s32 %p1, %r1, 64;\n@%p1 bra $L__BB0_1;" in [
        text[span.start : span.end].partition("\n")[2] for span in spans
    ]


FAR_APART = """//- sm_90 ptx 8.0 module
.visible .entry kernel(.param .u64 a)
{
.reg .b32 %r<9>; .reg .pred %p<9>;
bra head;
above:
add.s32 %r2, %r2, 1;
add.s32 %r3, %r3, 1;
head:
add.s32 %r1, %r1, 1;
setp.lt.s32 %p1, %r1, 9;
@%p1 bra far;
setp.lt.s32 %p2, %r1, 64;
@%p2 bra above;
ret;
far:
add.s32 %r4, %r4, 1;
bra above;
}
"""
"""A loop with a block above its header, and one far below it."""


def test_a_loop_begins_with_the_blocks_above_its_header() -> None:
    checker = checker_of(FAR_APART)
    (fold,) = [
        one for one in all_folds(run_to_completion(folding_with_loops(checker.semantics))) if one.what is FoldKind.LOOP
    ]
    lines = checker.document.text.split("\n")
    first, last = (checker.document.position(offset)[0] for offset in (fold.start, fold.end))
    assert (lines[first], lines[last]) == ("above:", "@%p2 bra above;")


def test_a_row_of_a_loop_in_pieces_says_how_much_of_it_is_there() -> None:
    checker = checker_of(FAR_APART)
    (kernel,) = run_to_completion(outline_with_loops(checker.semantics))
    (row,) = [line for line in _lines(kernel, checker) if "loop" in line]
    assert "7 of 9 instructions" in row


def test_a_label_of_debug_information_names_no_block() -> None:
    text = COMPILED.replace("bar.sync 0;", "$L__tmp9:\nbar.sync 0;")
    (kernel,) = run_to_completion(outline_with_loops(checker_of(text).semantics))
    assert not [line for line in _lines(kernel, checker_of(text)) if "tmp9" in line]
    jumped = text.replace("ret;", "@%p1 bra $L__tmp9;\nret;")
    (kernel,) = run_to_completion(outline_with_loops(checker_of(jumped).semantics))
    assert [line for line in _lines(kernel, checker_of(jumped)) if "tmp9" in line]


def test_the_labels_of_debug_information_after_the_last_jump_are_in_no_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever chunks end between them and what follows."""
    text = (
        ".visible .entry k()\n{\n.reg .b32 %r<3>;\nadd.s32 %r1, %r1, 1;\nret;\n$L__tmp1:\n"
        ".loc 1 2 3\n.loc 1 2 4\n.loc 1 2 5\n}\n"
    )
    for size in range(1, 12):
        monkeypatch.setattr(chunk, "CHUNK_SIZE", size)
        checker = Checker(text)
        (block,) = run_to_completion(checker.semantics.structuring(checker.module.functions[0])).blocks
        assert block.end.chunk.part(block.end.statement).strip() == "ret;", size
