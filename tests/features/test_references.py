"""References: a cursor, and below each line a mark under each place of the name: ``r``, ``w``, ``b``, ``d``, ``m``."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ptx_lsp.analysis.cursor.linkage import shared_name
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.references.occurrences import Access
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.features.definition import declaration, definition, implementation
from ptx_lsp.features.references import references, references_of
from ptx_lsp.syntax.document import Document

from .cursor import opened

BROKEN = sorted((Path(__file__).parent.parent / "diagnostics").glob("*.ptx"))

_MARKS = {"r": Access.READ, "w": Access.WRITE, "b": Access.BOTH, "d": Access.DECLARE, "m": Access.MENTION}
_MARKED = re.compile(r"//[ rwbdm]*[rwbdm]")


def check_references(source: str) -> None:
    """The marked places are those of the name under the cursor; a mark stands under its first letter."""
    checker, offset, _ = opened(source)
    text = checker.document.text
    expected = []
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for number, line in enumerate(lines):
        if _MARKED.fullmatch(line):
            code = next(at for at in range(number - 1, -1, -1) if not _MARKED.fullmatch(lines[at]))
            expected += [(starts[code] + at, _MARKS[mark]) for at, mark in enumerate(line) if mark in _MARKS]
    found = [(one.span.start, one.access) for one in references(checker.semantics, offset)]
    assert found == sorted(expected)


def test_a_register_is_read_and_written() -> None:
    check_references("""
{ .reg .b32 mine;
//          d
mov.b32 mine, 1;
//      w
add.s32 m<|>ine, mine, mine;
//      w     r     r
@%p1 bra OUT; OUT: }
""")


def test_one_register_of_a_group() -> None:
    check_references("""
{ .reg .b32 %mine<20>;
//          d
mov.b32 %mine1, %mine10;
//      w
st.global.b32 [%rd1], %min<|>e1; }
//                    r
""")


def test_a_whole_group() -> None:
    check_references("""
{ .reg .b32 %mi<|>ne<20>;
//          d
mov.b32 %mine1, %mine10;
//      w       r
}
""")


def test_a_predicate_in_a_guard() -> None:
    check_references("""
{ .reg .pred go;
//           d
setp.eq.s32 g<|>o|%p1, %r1, 0;
//          w
@!go mov.b32 %r1, 2; }
//r
""")


def test_elements_of_vectors_and_addresses() -> None:
    check_references("""
{ .reg .b32 a; .reg .b64 b;
//                       d
mov.b64 b, {a, a};
//      w
ld.global.v2.b32 {a, %r1}, [<|>b+8]; }
//                          r
""")


def test_a_label_and_its_jumps() -> None:
    check_references("""
bra AGAIN;
//  m
  AGA<|>IN:
//d
@%p1 bra AGAIN;
//       m
""")


def test_inner_blocks_have_names_of_their_own() -> None:
    check_references("""
{ .reg .b32 x;
//          d
mov.b32 x, 1;
//      w
{ .reg .b32 x; mov.b32 x, 2; }
mov.b32 %r1, <|>x; }
//           r
""")


def test_a_function_all_over_the_module() -> None:
    check_references("""
//- sm_90 ptx 8.0 module
.func help(.reg .b32 a);
//    d
.entry k() { call he<|>lp, (1); ret; }
//                m
.func help(.reg .b32 a) { ret; }
//    d
""")


def test_a_parameter() -> None:
    check_references("""
//- sm_90 ptx 8.0 module
.entry k(.param .u64 input) {
//                   d
.reg .b64 %rd<2>;
ld.param.u64 %rd1, [inp<|>ut]; }
//                  r
""")


def test_comments_and_strings_name_nothing() -> None:
    check_references("""
{ .reg .b32 mine; // mine
//          d
mov.b32 /* mine */ m<|>ine, 1; }
//                 w
""")


def test_accumulators_are_read_and_written() -> None:
    check_references("""
//- sm_90a ptx 8.0
{ .reg .f32 %f<8>;
//          d
.reg .b64 da, db;
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, <|>%f4}, da, db, 1, 1, 1, 0, 0; }
//                                                                b
""")


def test_a_numbered_name_that_stands_alone() -> None:
    check_references("""
{ .reg .b32 x1, x10;
//          d
mov.b32 x<|>1, x10; }
//      w
""")


def test_what_is_no_declared_name_has_none() -> None:
    check_references("mov.u32 %r1, %ti<|>d.x;")
    check_references("add.s32 %r1, undecl<|>ared, 1;")
    check_references("ad<|>d.s32 %r1, %r2, 1;")
    check_references("// com<|>ment")


def test_on_a_group_that_an_inner_block_declares_again() -> None:
    check_references("""
{ .reg .b32 %x<4>;
mov.b32 %x1, 1;
{ .reg .b32 %x<2>;
//          d
mov.b32 %<|>x1, %x3; }
//      w
}
""")


def test_lines_with_errors_count_as_well() -> None:
    check_references("""
{ .reg .b32 mine;
//          d
add.s32 m<|>ine, mine;
//      b     b
}
""")


def test_a_table_of_targets() -> None:
    check_references("""
  TAB<|>LE: .branchtargets A, B;
//d
brx.idx %r1, TABLE;
//           m
A: ret;
B: ret;
""")


def test_a_parameter_of_a_call() -> None:
    check_references("""
//- sm_90 ptx 8.0 module
.func f(.param .b32 a) { ret; }
.entry k() {
{ .param .b32 mine;
//            d
st.param.b32 [mine], 1;
//            m
call f, (mi<|>ne); }
//       m
ret; }
""")


def test_a_function_in_a_table_and_as_an_address() -> None:
    check_references("""
//- sm_90 ptx 8.0 module
.func he<|>lp() { ret; }
//    d
.global .u64 table[1] = {help};
//                       m
.entry k() { .reg .u64 r; mov.u64 r, help; ret; }
//                                   m
""")


def test_a_name_in_an_address_with_an_offset() -> None:
    check_references("""
//- sm_90 ptx 8.0 module
.shared .b32 tile[64];
//           d
.entry k() { .reg .b32 r; ld.shared.b32 r, [ti<|>le+16]; st.shared.b32 [tile], r; ret; }
//                                          m                        m
""")


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_no_text_is_too_broken(path: Path) -> None:
    document = Document(path.read_text("utf-8"))
    semantics = Semantics(Module(document))
    for offset in range(0, document.length + 1, 13):
        found = references(semantics, offset)
        assert found == sorted(found)
        definition(semantics, offset)
        declaration(semantics, offset)
        implementation(semantics, offset)
        name = shared_name(semantics, offset)
        assert name is None or references_of(semantics, name)
