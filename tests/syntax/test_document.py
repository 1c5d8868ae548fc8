"""Edits: after any sequence of them a document equals one built from its text."""

from __future__ import annotations

import random

import pytest

from ptx_lsp.syntax import chunk as chunk_module
from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.split import split
from ptx_lsp.text import Span

SEEDS = range(300)
EDITS = 40  # per seed: 12,000 in all

_MODULE = """
.version 8.5
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p) // a kernel
{
	.reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<3>;
	ld.param.u64 %rd1, [p];
	mov.b64 {%r1, %r2}, %rd1;
$L__BB0_1:
	{ .reg .b32 t; add.s32 t, %r1, -4; /* inner */ }
	@%p1 bra $L__BB0_1;
	call (_), f, (%r1, %r2);
	ret;
}
.func f(.param .b32 a,
	.param .b32 b)
{ ret; }
.global .align 4 .b8 table[4] = {1, 2,
	3, 4};
.section .debug_str { info: .b8 1, 2
	.b32 info+4 }
"""
_PIECES = [
    *'{ } ( ) [ ] /* */ // " ; : , . @ # = < > \\ \n \r\n \0 \x0b é 😀 \ud800 /*/ */* @@ ::'.split(" "),
    *"L1: .entry .func .visible .section .reg .loc .b8 .pragma .global .param .version .target mov.u32 ret".split(),
    *"%r1 0x 1.5 x call".split(),
    *["\n", "\n\n", " ", "\t", ".entry k() {\n", ".func f(.param .b32 a,\n .param .b32 b)\n", "mov.u32 %r1, %r2;\n"],
    *[" = {1,2\n", "ret\n", '# 1 "a"\n', "\nL:", ".b32 L+4\n", "{a, {b", '"a /* b"'],
]


def statements(document: Document) -> list[tuple[str, int, int]]:
    """Text, kind and shape of every statement."""
    return [item for chunk in document.chunks for item in zip(chunk.parts(), chunk.kinds, chunk.shapes, strict=True)]


@pytest.mark.parametrize("seed", SEEDS)
def test_edits_equal_a_fresh_document(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # Small chunks make the borders between chunks, where errors hide, as frequent as statements.
    monkeypatch.setattr(chunk_module, "CHUNK_SIZE", 5)
    chance = random.Random(seed)
    text = _MODULE if seed % 2 else "".join(chance.choices(_PIECES, k=chance.randrange(60)))
    document = Document(text)
    for edit in range(EDITS):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice([0, 0, 0, 1, 3, 12]))
        new = "".join(chance.choices(_PIECES, k=chance.choice([0, 1, 1, 1, 2, 3])))
        before = document.chunks.copy()
        change = document.edit(Span(start, end), new)
        text = text[:start] + new + text[end:]
        assert document.text == text, (seed, edit)
        fresh = Document(text)
        assert statements(document) == statements(fresh), (seed, edit)
        assert document.length == len(text)
        assert document.line_count == text.count("\n") + 1
        assert all(Kind.FUNCTION not in chunk.kinds[1:] for chunk in document.chunks), "a head begins its chunk"
        kept = before[: change.first] + before[change.first + len(change.removed) :]
        added = document.chunks[change.first : change.first + change.added]
        assert document.chunks == before[: change.first] + added + kept[change.first :], "a change tells what it did"


def test_positions_and_offsets_are_inverse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunk_module, "CHUNK_SIZE", 3)
    document = Document(_MODULE)
    for offset in range(len(_MODULE) + 1):
        line, column = document.position(offset)
        assert (line, column) == (_MODULE.count("\n", 0, offset), offset - _MODULE.rfind("\n", 0, offset) - 1)
        assert document.offset(line, column) == offset
        place = document.locate(offset)
        start = document.chunk_start(place.chunk) + document.chunks[place.chunk].starts()[place.statement]
        assert start + place.offset == offset
    assert [document.line_text(line) for line in range(document.line_count)] == _MODULE.split("\n")
    assert document.offset(4, 999) == document.offset(5, 0) - 1
    assert document.offset(999, 0) == len(_MODULE)
    assert document.slice(Span(5, 70)) == _MODULE[5:70]


def test_an_empty_document() -> None:
    document = Document("")
    assert (document.text, document.length, document.line_count, document.chunks) == ("", 0, 1, [])
    assert document.position(5) == (0, 0)
    assert document.offset(3, 3) == 0
    document.edit(Span(0, 0), "ret;")
    assert statements(document) == statements(Document("ret;"))
    document.edit(Span(0, 4), "")
    assert document.text == ""


def test_an_unclosed_comment_spoils_only_its_line() -> None:
    document = Document("ret;\n/* open\nret;\n.entry k() { ret; }\n")
    assert [Kind(kind).name for _, kind, _ in statements(document)][:3] == ["INSTRUCTION", "INSTRUCTION", "FUNCTION"]
    document.edit(Span(document.length, document.length), "*/")
    assert [Kind(kind).name for _, kind, _ in statements(document)] == ["INSTRUCTION", "EMPTY"]


def test_chunks_end_before_functions() -> None:
    document = Document("ret;\n" * 600 + ".entry k()\n{\n" + "ret;\n" * 300 + "}\n.func f;\n.func g;\n")
    assert [len(chunk) for chunk in document.chunks] == [256, 344, 303, 1, 2]


@pytest.mark.parametrize("end", ["", " ", "  // a comment"])
def test_lines_that_end_in_two_characters_are_split_like_others(end: str) -> None:
    text = f".global .b32 a[2]{end}\nret;\nadd.u32 %r1, %r2, %r3{end}\nret;\nmov.b64 {{%r1, %r2}}{end}\nret;\n"
    parts = [part.replace("\n", "\r\n").strip() for part in split(text)]
    assert [part.strip() for part in split(text.replace("\n", "\r\n"))] == parts


@pytest.mark.parametrize(
    ("text", "at", "typed"),
    [
        ("mov a, {1234567", 13, "}"),  # what is before the brace becomes part of a vector
        ("{1234567,};<<", 0, "mov a, "),  # and what is after it
    ],
)
def test_a_vector_that_was_a_block_of_digits(text: str, at: int, typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each digit is a statement as long as no vector is around them; they are in many chunks."""
    monkeypatch.setattr(chunk_module, "CHUNK_SIZE", 2)
    document = Document(text)
    document.edit(Span(at, at), typed)
    parts = [part for chunk in document.chunks for part in chunk.parts()]
    assert parts == split(text[:at] + typed + text[at:])
