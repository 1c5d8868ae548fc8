"""What every word of a line is.

Under a line of PTX stands what its tokens are, in their order, on as many lines as it takes::

    add.s32 %r1, %r2, 5;
    //= add opcode | .s32 type | %r1 register modification bits32 | %r2 register bits32 | 5 number
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.semantic_tokens.legend import MODIFIERS, Modifier, TokenType
from ptx_lsp.features.semantic_tokens.tokens import SemanticToken, document_tokens
from ptx_lsp.isa.catalogue import catalogue

from ..annotated import read, snippets

MARK = "//= "
DOCUMENTATION = Path(__file__).parents[2] / "docs" / "semantic-tokens.md"


def check_tokens(source: str) -> None:
    """Fail unless each line with a note under it has the tokens that the note tells."""
    lines = source.strip("\n").split("\n")
    notes = {number: line for number, line in enumerate(lines) if line.lstrip().startswith(MARK)}
    text = read("\n".join("" if number in notes else line for number, line in enumerate(lines)))
    by_line = told(text.text)
    wanted: dict[int, list[str]] = {}
    at = 0
    for number, line in enumerate(lines):
        if number in notes:
            wanted.setdefault(at, []).extend(part.strip() for part in line.strip().removeprefix(MARK).split(" | "))
        else:
            at = number
    assert wanted
    for number, told_of_line in wanted.items():
        assert by_line.get(text.first_line + number, []) == told_of_line, lines[number]


def told(text: str) -> dict[int, list[str]]:
    """The tokens of each line as notes write them."""
    found: dict[int, list[str]] = {}
    for token in document_tokens(Checker(text).module):
        words = [name for modifier, (name, _) in MODIFIERS.items() if modifier in token.modifiers]
        line = text.count("\n", 0, token.start)
        found.setdefault(line, []).append(" ".join([text[token.start : token.end], token.type.label, *words]))
    return found


@pytest.mark.parametrize(
    "source",
    [
        """
add.s32 %r1, %r2, 5;
//= add opcode | .s32 type | %r1 register modification bits32 | %r2 register bits32 | 5 number
""",
        """
@!%p1 bra done;
//= %p1 predicate | bra opcode | done label
done: ret;
//= done label declaration | ret opcode
""",
        """
ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1+16];
//= ld opcode | .global space | .v4 shape | .f32 type | %f1 register modification float bits32
//= %f2 register modification float bits32 | %f3 register modification float bits32
//= %f4 register modification float bits32 | %rd1 register bits64 | 16 number
""",
        """
ld.relaxed.gpu.global.u32 %r1, [%rd1];
//= ld opcode | .relaxed order | .gpu scope | .global space | .u32 type | %r1 register modification bits32
//= %rd1 register bits64
""",
        """
cvt.rni.ftz.f32.f32 %f1, %f2;
//= cvt opcode | .rni rounding | .ftz qualifier | .f32 type | .f32 type | %f1 register modification float bits32
//= %f2 register float bits32
""",
        """
ld.global.cg.L2::128B.u32 %r1, [%rd1];
//= ld opcode | .global space | .cg cache | .L2::128B cache | .u32 type | %r1 register modification bits32
//= %rd1 register bits64
""",
        """
mov.u32 %r1, %tid.x;
//= mov opcode | .u32 type | %r1 register modification bits32 | %tid specialRegister readonly defaultLibrary
//= .x property
""",
        """
mov.u32 %r1, WARP_SZ;
//= mov opcode | .u32 type | %r1 register modification bits32 | WARP_SZ enumMember readonly defaultLibrary
""",
        """
ld.param.u64 %rd1, [parameter];
//= ld opcode | .param space | .u64 type | %rd1 register modification bits64 | parameter parameter readonly
""",
        """
.shared .align 16 .b8 tile[1024];
//= .shared space | .align directive | 16 number | .b8 type | tile variable declaration shared | 1024 number
st.shared.f64 [tile+8], %fd1;
//= st opcode | .shared space | .f64 type | tile variable shared | 8 number | %fd1 register float bits64
""",
        """
.reg .pred p, q; .reg .v2 .f16 h<4>;
//= .reg space | .pred type | p predicate declaration | q predicate declaration | .reg space | .v2 shape
//= .f16 type | h register declaration float bits16 | 4 number
""",
        """
setp.lt.and.f32 %p1|%p2, %f1, 0f3F800000, !%p3;
//= setp opcode | .lt qualifier | .and qualifier | .f32 type | %p1 predicate modification
//= %p2 predicate modification | %f1 register float bits32 | 0f3F800000 number | %p3 predicate
""",
        """
cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%rd1], [%rd2, {%r1, %r2}], [%rd3];
//= cp opcode | .async opcode | .bulk opcode | .tensor opcode | .2d shape | .shared::cluster space | .global space
//= .mbarrier::complete_tx::bytes qualifier | %rd1 register bits64 | %rd2 register bits64 | %r1 register bits32
//= %r2 register bits32 | %rd3 register bits64
""",
        """
mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f0,%f1,%f2,%f3},{%r0,%r1,%r2,%r3},{%r4,%r5},{%f0,%f1,%f2,%f3}; // D
//= mma opcode | .sync qualifier | .aligned qualifier | .m16n8k8 shape | .row shape | .col shape | .f32 type
//= .tf32 type | .tf32 type | .f32 type | %f0 register modification float bits32
//= %f1 register modification float bits32 | %f2 register modification float bits32
//= %f3 register modification float bits32 | %r0 register bits32 | %r1 register bits32 | %r2 register bits32
//= %r3 register bits32 | %r4 register bits32 | %r5 register bits32 | %f0 register float bits32
//= %f1 register float bits32 | %f2 register float bits32 | %f3 register float bits32 | // D comment
""",
        """
.pragma "nounroll";
//= .pragma directive | "nounroll" string
""",
        """
add.s32 %r1, nowhere, %r2; /* a */ /* b
//= add opcode | .s32 type | %r1 register modification bits32 | %r2 register bits32 | /* a */ comment | /* b comment
c */ add.s32 %r3, %r4, %r5;
//= c */ comment | add opcode | .s32 type | %r3 register modification bits32 | %r4 register bits32
//= %r5 register bits32
""",
        """
//- sm_60 ptx 6.0
shfl.idx.b32 %r1, %r2, 0, 31;
//= shfl opcode deprecated | .idx qualifier | .b32 type | %r1 register modification bits32 | %r2 register bits32
//= 0 number | 31 number
""",
        """
//- sm_80 ptx 7.8
mbarrier.try_wait.shared.b64 %p1, [%r1], %rd2;
//= mbarrier opcode unavailable | .try_wait opcode unavailable | .shared space | .b64 type | %p1 predicate
//= %r1 register bits32 | %rd2 register bits64
""",
        """
//- sm_80 ptx 8.0
ld.global.relaxed.cluster.u32 %r1, [%rd1];
//= ld opcode | .global space | .relaxed order | .cluster scope unavailable | .u32 type | %r1 register bits32
//= %rd1 register bits64
mov.u32 %r1, %cluster_ctarank;
//= mov opcode | .u32 type | %r1 register modification bits32
//= %cluster_ctarank specialRegister readonly defaultLibrary unavailable
""",
        """
//- sm_80 ptx 7.0 module
.visible .entry k(.param .u64 .ptr .global .align 8 p) .maxntid 128, 1, 1 .reqnctapercluster 2
//= .visible directive | .entry directive | k function declaration definition | .param space | .u64 type
//= .ptr directive | .global space | .align directive | 8 number | p parameter declaration readonly
//= .maxntid directive | 128 number | 1 number | 1 number | .reqnctapercluster directive unavailable | 2 number
{ ret; }
""",
        """
//- sm_80 ptx 7.0 module
.func (.param .b32 r) f(.param .b32 a);
//= .func directive | .param space | .b32 type | r parameter declaration | f function declaration | .param space
//= .b32 type | a parameter declaration
.func g() {
.param .b32 x; .param .b32 y;
//= .param space | .b32 type | x parameter declaration | .param space | .b32 type | y parameter declaration
call (y), f, (x);
//= call opcode | y parameter | f function | x parameter
ret; }
""",
        """
//- module
.version 8.0
//= .version directive | 8.0 number
.target sm_90a, texmode_independent
//= .target directive | sm_90a enumMember | texmode_independent enumMember
.address_size 64
.global .samplerref s = { addr_mode_0 = wrap, filter_mode = linear };
//= .global space | .samplerref type | s variable declaration global | addr_mode_0 property | wrap enumMember
//= filter_mode property | linear enumMember
.const .f32 one = 1.0; .extern .shared .b8 more[];
//= .const space | .f32 type | one variable declaration readonly const | 1.0 number | .extern directive
//= .shared space | .b8 type | more variable declaration shared
.file 1 "a.cu"
//= .file directive | 1 number | "a.cu" string
.section .debug_str { .b8 0 }
//= .section directive | .debug_str namespace | .b8 type | 0 number
# 12 "b.cu"
//= # 12 "b.cu" directive
.entry k() {
.loc 1 5 0, function_name $L, inlined_at 1 2 3
//= .loc directive | 1 number | 5 number | 0 number | function_name directive | inlined_at directive | 1 number
//= 2 number | 3 number
ret; }
""",
        """
//- module
.version 8.0
.target sm_90
.entry k() {
    .reg .b32 r;
    add.s32 r, r
//= add opcode | .s32 type | r register bits32 | r register bits32
    ld.global.u32 r, [r
//= ld opcode | .global space | .u32 type | r register bits32 | r register bits32
}
""",
    ],
)
def test_tokens(source: str) -> None:
    check_tokens(source)


def test_registers_of_an_inner_block_are_those_of_the_block() -> None:
    check_tokens("""
{ .reg .f64 %r1; neg.f64 %r1, %r1; }
//= .reg space | .f64 type | %r1 register declaration float bits64 | neg opcode | .f64 type
//= %r1 register modification float bits64 | %r1 register float bits64
neg.s32 %r1, %r1;
//= neg opcode | .s32 type | %r1 register modification bits32 | %r1 register bits32
""")


def test_a_long_table_is_not_coloured_to_its_end() -> None:
    table = ", ".join(["12345678"] * 10_000)
    source = f".version 8.0\n.target sm_90\n.global .u32 t[10000] = {{{table}}};\n.global .u32 u;"
    found = list(document_tokens(Checker(source).module))
    assert len(found) < 2000
    assert [token.type for token in found[-3:]] == [TokenType.SPACE, TokenType.TYPE, TokenType.VARIABLE]


BROKEN = sorted((Path(__file__).parents[1] / "diagnostics").glob("*.ptx"))


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_tokens_of_broken_files_stand_in_order_in_their_lines(path: Path) -> None:
    for source in snippets(path.read_text("utf-8")):
        text = read(source).text
        for cut in (len(text), len(text) // 2, len(text) // 3):
            orderly(text[:cut], list(document_tokens(Checker(text[:cut]).module)))


def orderly(text: str, found: list[SemanticToken]) -> None:
    """Fail unless tokens stand in the text, one after the other, each in one line."""
    for token in found:
        assert 0 <= token.start < token.end <= len(text)
        assert "\n" not in text[token.start : token.end]
        assert "\r" not in text[token.start : token.end]
    for one, following in pairwise(found):
        assert one.end <= following.start, text[one.start : following.end]


def test_every_role_of_a_qualifier_has_words_that_some_page_has() -> None:
    vocabulary = catalogue().vocabulary
    words = {
        word
        for instruction in catalogue().instructions
        for form in instruction.forms
        for slot in form.slots
        for word in slot.choices
        if word is not None
    }
    roles = {vocabulary.qualifier_role(word) for word in words}
    assert roles == {"rounding", "order", "scope", "cache", "shape", ""}
    from ptx_lsp.markdown_tables import vocabulary_table

    for row in vocabulary_table("qualifier_roles"):
        for word in row["qualifiers"].split():
            assert any(vocabulary.qualifier_role(one) == row["role"] for one in words if same(one, word)), word


def same(word: str, series: str) -> bool:
    """Whether a word is of a series such as ``.m#n#k#``."""
    import re

    return re.sub(r"\d+", "#", word) == re.sub(r"\d+", "#", series)


def test_the_legend_is_documented() -> None:
    text = DOCUMENTATION.read_text("utf-8")
    for kind in TokenType:
        assert f"| `{kind.label}` | `{kind.standard}` | {kind.words} |\n" in text
    for name, words in MODIFIERS.values():
        assert f"| `{name}` | {words} |\n" in text
    assert text.count("\n| `") == len(TokenType) + len(MODIFIERS)
    assert set(MODIFIERS) == set(Modifier)
