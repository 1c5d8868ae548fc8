"""Folding and selection ranges."""

from __future__ import annotations

from ptx_lsp.features.folding import What, folding
from ptx_lsp.features.selection import selection

from .cursor import opened

MODULE = """
//- sm_90 ptx 8.0 module
<|>// one
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
"""


def test_folds() -> None:
    checker, _, _ = opened(MODULE)
    lines = checker.document.text.split("\n")
    found = [(lines[fold.first].strip(), lines[fold.last].strip(), fold.what) for fold in folding(checker.module)]
    assert found == [
        ("//- sm_90 ptx 8.0 module", "// three", What.COMMENT),
        (".global .u32 a;", ".global .u32 c;", What.DECLARATIONS),
        (".visible .entry k(", "}", What.BLOCK),
        ("/* a comment", "of two lines */", What.COMMENT),
        ("{", "}", What.BLOCK),
    ]


def test_unclosed_and_stray_braces_fold_nothing_wrong() -> None:
    checker, _, _ = opened("//- sm_90 ptx 8.0 module\n<|>}\n.func f()\n{\nret;\n{\n")
    assert [(fold.first, fold.last) for fold in folding(checker.module)] == []


def test_selection_grows_from_the_token_to_the_file() -> None:
    checker, offset, _ = opened(MODULE.replace("<|>", "").replace("%r2, %r3", "%r2, %r<|>3"))
    text = checker.document.text
    found = [text[span.start : span.end] for span in selection(checker.module, offset)]
    assert found[:3] == ["%r3", "{%r2, %r3}", "mov.b32 %r1, {%r2, %r3};"]
    assert found[3].startswith("{\n        mov")
    assert found[4].startswith("{\n    .reg")
    assert found[5].startswith(".visible .entry k(")
    assert found[6] == text


def test_selection_in_nothing_is_the_file() -> None:
    checker, offset, _ = opened("//- sm_90 ptx 8.0 module\n<|>")
    assert len(selection(checker.module, offset)) >= 1
