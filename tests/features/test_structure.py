"""Folding and selection ranges."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.folding import folding, folding_with_loops
from ptx_lsp.features.folding.fold import FoldKind
from ptx_lsp.features.selection_ranges import INNERMOST, OUTERMOST, selection
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.text import Span

from ..annotated import read, snippets
from .cursor import opened


def check_folds(source: str, *expected: str) -> None:
    """Fail unless a module has these folds: ``first … last: kind``, the first and last lines without blanks around."""
    module = Checker(source.strip("\n") + "\n").module
    text = module.document.text
    found = []
    for fold in folding(module):
        first = text[fold.start :].split("\n", 1)[0].strip()
        last = text[: fold.end].rsplit("\n", 1)[-1].strip()
        found.append(f"{first} … {last}: {fold.what.value}")
        assert fold.inside is None or text[fold.inside.start - 1] + text[fold.inside.end] == "{}"
    assert found == list(expected)


def test_folds_of_a_module() -> None:
    check_folds(
        """
// one
// two
// three
.global .u32 a;
.global .u32 b;
.global .u32 c;
.visible .entry k(
    .param .u64 p)
{
    .reg .b32 %r<4>;
    /* a comment
       of two lines */
    {
        mov.b32 %r1, {%r2, %r3};
    }
    ret;
}
""",
        "// one … // three: comment",
        ".global .u32 a; … .global .u32 c;: declarations",
        ".visible .entry k( … }: block",
        "/* a comment … of two lines */: comment",
        "{ … }: block",
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("}\n.func f()\n{\nret;\n{\n", []),
        (".func f() { ret; }\n", []),
        (".func f()\n{ ret; }\n", [".func f() … { ret; }: block"]),
        (".section .debug_str\n{\n.b8 1\n}\n", [".section .debug_str … }: block"]),
        ('.file 1 "a"\n.file 2 "b"\n.file 3 "c"\n', ['.file 1 "a" … .file 3 "c": declarations']),
        ('.file 1 "a"\n.global .u32 a;\n.file 2 "b"\n', []),
        (".global .u32 t[3] = {\n1,\n2};\n", [".global .u32 t[3] = { … 2};: declarations"]),
        ("// a\n// b\n\n// c\n", []),
        ("// a\n// b\n// c\n\n// d\n// e\n// f\n", ["// a … // c: comment", "// d … // f: comment"]),
        (".global .u32 a; // a\n// b\n// c\n.func f();\n", []),
        (".global .u32 a; // x\n// a\n// b\n// c\n.func f();\n", ["// a … // c: comment"]),
        ('"no comment: //\n// a\n// b\n// c\n', ["// a … // c: comment"]),
        ("/* one */ /* two\n*/ /* three\n*/\n", ["/* two … */ /* three: comment", "/* three … */: comment"]),
        ("/* open\nand not closed\n", []),
    ],
)
def test_folds(source: str, expected: list[str]) -> None:
    found = [one for one in expected if one.startswith("/* two")]
    if found:  # told by its last line, on which the next comment begins
        expected = [one.replace(" /* three: comment", ": comment") for one in expected]
    check_folds(source, *expected)


def test_the_statements_of_a_source_line_fold_under_their_loc() -> None:
    check_folds(
        """
.func f()
{
    .loc 1 10 3
    add.s32 %r1, %r1, 1;
    .loc 1 10 9
    add.s32 %r1, %r1, 2;
    add.s32 %r1, %r1, 3;

    .loc 1 11 1
    add.s32 %r1, %r1, 4;
    .loc 1 12 3, function_name $L, inlined_at 1 5 1
    add.s32 %r1, %r1, 5;
    .loc 1 12 3, function_name $M, inlined_at 1 5 1
    add.s32 %r1, %r1, 6;
    add.s32 %r1, %r1, 7;
    add.s32 %r1, %r1, 8;
    {
    .loc 1 13 1
    add.s32 %r1, %r1, 9;
    add.s32 %r1, %r1, 10;
    add.s32 %r1, %r1, 11;
    }
    ret;
}
""",
        ".func f() … }: block",
        ".loc 1 10 3 … add.s32 %r1, %r1, 3;: location",
        ".loc 1 12 3, function_name $M, inlined_at 1 5 1 … add.s32 %r1, %r1, 8;: location",
        "{ … }: block",
        ".loc 1 13 1 … add.s32 %r1, %r1, 11;: location",
    )


def test_regions_that_comments_mark() -> None:
    check_folds(
        """
// #region outer
.global .u32 a;
//region inner
.global .u32 b;
// #endregion
// #endregion of outer
// #endregion too many
.global .u32 c; // #region at the end of a line is none
/* // #region in a comment
*/
// regional
// #region never closed
""",
        "// #region outer … // #endregion of outer: region",
        "//region inner … // #endregion: region",
        "/* // #region in a comment … */: comment",
    )


def test_runs_go_on_over_the_chunks_of_a_long_function() -> None:
    body = "add.s32 %r1, %r1, 1;\n" * 2000
    check_folds(
        f".func f()\n{{\n.loc 1 1 1\n{body}ret;\n}}",
        ".func f() … }: block",
        ".loc 1 1 1 … ret;: location",
    )


def test_folds_say_how_much_they_hold() -> None:
    text = ".global .u32 a;\n.global .u32 b, c;\n.global .u32 d;\n.func f() {\n.loc 1 1 1\nret;\nret;\nret;\n}\n"
    counts = {fold.what: fold.amount for fold in folding(Checker(text).module)}
    assert counts == {FoldKind.DECLARATIONS: 3, FoldKind.BLOCK: 0, FoldKind.LOCATION: 3}


# -------------------------------------------------------------------- selection


def test_an_edit_reads_one_function_again() -> None:
    header = ".version 8.0\n.target sm_90\n.address_size 64\n"
    text = header + "".join(f".func f{number}()\n{{\n    ret;\n}}\n" for number in range(5))
    checker = Checker(text)
    before = run_to_completion(folding_with_loops(checker.semantics))
    at = text.index("ret", text.index("f2"))
    checker.edit(Span(at, at), "ret;\n    ")
    after = run_to_completion(folding_with_loops(checker.semantics))
    # The text before it may be divided into other chunks.
    kept = [one is other for one, other in zip(before, after, strict=True)]
    assert kept == [True, True, kept[2], False, True, True]


def check_selection(source: str, *expected: str) -> None:
    """Fail unless the selection grows from the cursor as told; ``a…b`` stands for what begins and ends so."""
    checker, offset, _ = opened(source)
    text = checker.document.text
    spans = selection(checker.module, offset)
    assert spans[-1] == Span(0, len(text))
    for inner, outer in pairwise(spans):
        assert outer.start <= inner.start <= inner.end <= outer.end
        assert outer != inner
    found = [text[span.start : span.end] for span in spans]
    assert len(found) > len(expected)
    for one, wanted in zip(found, expected, strict=False):
        begin, dots, end = wanted.partition("…")
        assert one == wanted if not dots else one.startswith(begin) and one.endswith(end)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("mov.b32 %r1, {%r2, %r<|>3};", ["%r3", "{%r2, %r3}", "mov.b32 %r1, {%r2, %r3};", "{ .reg…}", ".entry…}"]),
        ("ld.glo<|>bal.u32 %r1, [%rd1];", [".global", "ld.global.u32", "ld.global.u32 %r1, [%rd1];"]),
        ("ld.global.u32 %r1, [%rd1+<|>4];", ["4", "%rd1+4", "[%rd1+4]", "ld.global.u32 %r1, [%rd1+4];"]),
        ("ld.global.u32 %r1, [%rd1+1<|>6];", ["16", "%rd1+16", "[%rd1+16]", "ld.global.u32 %r1, [%rd1+16];"]),
        ("@%p<|>1 bra done; done: ret;", ["%p1", "@%p1 bra done;"]),
        (
            "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5,%f<|>6}];",
            ["%f6", "{%f5,%f6}", "[%rd1, {%f5,%f6}]", "tex…;"],
        ),
        ("{ add.s32 %r1, %r1, <|>1; }", ["1", "add.s32 %r1, %r1, 1;", "{ add…}", "{ .reg…}"]),
        ("{ { ret<|>; } }", ["ret", "ret;", "{ ret; }", "{ { ret; } }", "{ .reg…}", ".entry…}"]),
        ("do<|>ne: ret;", ["done", "done:"]),
        (".reg .b32 a<|>, b;", ["a", ".reg .b32 a, b;"]),
        ("//- module\n.version 8.<|>0\n.target sm_90\n", ["8.0", ".version 8.0"]),
        (
            "//- module\n.func f(.param .b32 <|>a)\n{ ret; }\n",
            [
                "a",
                ".param .b32 a",
                "(.param .b32 a)",
                ".func f(.param .b32 a)",
            ],
        ),
        (".global .b32 a[2] = {1, <|>2};", ["2", "{1, 2}", ".global .b32 a[2] = {1, 2};"]),
        ("@<|>%p1 bra done; done: ret;", ["%p1", "@%p1 bra done;"]),
        ("call (%r1), f, (%r<|>2, %r3);", ["%r2", "(%r2, %r3)", "call (%r1), f, (%r2, %r3);"]),
        ("// a com<|>ment\nret;", ["// a comment", "{ .reg…}"]),
        (
            "//- module\n.section .debug_str { .b8 <|>0 }\n",
            ["0", ".b8 0", "{ .b8 0 }", ".section .debug_str { .b8 0 }"],
        ),
        ("//- module\n.func f()\n<|>{ ret; }\n", ["{", "{ ret; }", ".func f()\n{ ret; }"]),
        ("//- module\n.func f()\n{ ret; <|>}\n", ["}", "{ ret; }", ".func f()\n{ ret; }"]),
        ("//- module\n.func f()\n{ re<|>t; \n", ["ret", "ret;", "{ ret;…"]),
        ("add.s32 %r1, <|> ; // a comment", []),
        ("//- module\n<|>", []),
    ],
)
def test_selection_grows_from_the_token_to_the_file(source: str, expected: list[str]) -> None:
    check_selection(source, *expected)


def test_of_many_nested_blocks_the_innermost_and_the_outermost_are_selected() -> None:
    text = ".entry k()\n" + "{\n" * 500 + "ret;\n" + "}\n" * 500
    start = text.index("ret;")
    spans = selection(Checker(text).module, start)
    found = [text[span.start : span.end] for span in spans]
    assert len(found) == INNERMOST + OUTERMOST
    assert found[:4] == ["ret", "ret;", "{\nret;\n}", "{\n{\nret;\n}\n}"]
    assert found[-1] == text
    assert found[-2] == text.rstrip("\n")
    assert found[-3] == text.removeprefix(".entry k()\n").rstrip("\n")


BROKEN = sorted((Path(__file__).parents[1] / "diagnostics").glob("*.ptx"))


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_broken_files_have_folds_and_selections(path: Path) -> None:
    for source in snippets(path.read_text("utf-8")):
        text = read(source).text
        module = Checker(text).module
        for fold in folding(module):
            assert "\n" in text[fold.start : fold.end]
        for offset in range(0, len(text) + 1, 13):
            spans = selection(module, offset)
            assert spans[-1] == Span(0, len(text))
            assert all(span.start <= offset <= span.end for span in spans)
