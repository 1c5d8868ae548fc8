"""The unfinished statement up to the cursor."""

from __future__ import annotations

import pytest

from ptx_lsp.analysis.cursor.unfinished import CursorRegion, UnfinishedStatement, unfinished_at
from tests.features.cursor import opened

M = "//- module sm_90 ptx 8.0\n"


def at(source: str) -> UnfinishedStatement:
    checker, offset, _ = opened(source)
    found = unfinished_at(checker.module, offset)
    assert found is not None
    assert found.typed.start <= offset == found.offset <= found.typed.end
    return found


@pytest.mark.parametrize(
    ("source", "region"),
    [
        ("<|>", CursorRegion.START),
        ("  ad<|>", CursorRegion.START),
        ("next: <|>", CursorRegion.START),
        ("ret;\n<|>\n", CursorRegion.START),
        ("ret; <|>", CursorRegion.START),
        ("{ <|> }", CursorRegion.START),
        (".re<|>", CursorRegion.START),
        ("@<|>", CursorRegion.GUARD),
        ("@!<|>", CursorRegion.GUARD),
        ("@%p<|>", CursorRegion.GUARD),
        ("@%p1 <|>", CursorRegion.START),
        ("@%p1 b<|>", CursorRegion.START),
        ("@!%p1 bra.<|>", CursorRegion.OPCODE),
        ("ld.<|>", CursorRegion.OPCODE),
        ("ld.glo<|>", CursorRegion.OPCODE),
        ("ld.<|>.u32 %r1, [%rd1];", CursorRegion.OPCODE),
        ("ld.L2::<|>", CursorRegion.OPCODE),
        ("tex.2<|>", CursorRegion.OPCODE),
        ("tcgen05.ld.16x<|>", CursorRegion.OPCODE),
        ("ld.<|>\nadd.u32 %r1, %r2, %r3;", CursorRegion.OPCODE),
        ("ld.u32 <|>", CursorRegion.OPERAND),
        ("ld.u32 %r1, [%rd1<|>", CursorRegion.OPERAND),
        ("add.u32 %r1,\n    <|>", CursorRegion.OPERAND),
        ("mma.sync.aligned {%r1,\n%r2<|>", CursorRegion.OPERAND),
        (".reg <|>", CursorRegion.DIRECTIVE),
        (".reg .<|>", CursorRegion.DIRECTIVE),
        (".loc 1 2 <|>", CursorRegion.DIRECTIVE),
        (".loc 1 2 3, <|>", CursorRegion.DIRECTIVE),
        ('.pragma "no<|>', CursorRegion.STRING),
        (f"{M}.entry k(.param .u64 a,\n<|>)", CursorRegion.DIRECTIVE),
        (f"{M}.entry k()\n<|>\n{{ ret; }}", CursorRegion.DIRECTIVE),
        (f"{M}.entry k()\n.maxn<|>\n{{ ret; }}", CursorRegion.DIRECTIVE),
        (f"{M}.entry k() {{ ret; }}\n.en<|>", CursorRegion.START),
        ("//- module\n.version <|>", CursorRegion.DIRECTIVE),
        ("//- module\n.version 8.0\n.target <|>", CursorRegion.DIRECTIVE),
        ("//- module\n.version 8.0\n<|>", CursorRegion.START),
    ],
)
def test_the_part_of_the_statement(source: str, region: CursorRegion) -> None:
    assert at(source).region is region


@pytest.mark.parametrize("source", ["add.u32 %r1, %r2, %r3\n<|>", "add.u32 %r1, %r2, %r3\nsu<|>", "ld.global\n.<|>"])
def test_a_forgotten_semicolon_ends_with_its_line(source: str) -> None:
    assert at(source).region is CursorRegion.START


@pytest.mark.parametrize(
    ("source", "prefix", "word"),
    [
        ("ad<|>d.u32 %r1, %r2, %r3;", "ad", "add"),
        ("ld.glo<|>bal.u32 %r1, [%rd1];", ".glo", ".global"),
        ("ld.<|>.u32 %r1, [%rd1];", ".", "."),
        ("ld.L2::64<|>B.u32 %r1, [%rd1];", ".L2::64", ".L2::64B"),
        ("ld.L2::<|>", ".L2::", ".L2::"),
        ("ne<|>xt: ret;", "ne", "next"),
        ("mov.u32 %r1, %ti<|>d.x;", "%ti", "%tid"),
        ('.pragma "no<|>unroll";', "no", "nounroll"),
        ('.pragma "no<|>\nret;', "no", "no"),
        ("//- module\n.version 8<|>.1\n", "8", "8.1"),
        ("<|>", "", ""),
    ],
)
def test_the_word_at_the_cursor(source: str, prefix: str, word: str) -> None:
    checker, _, _ = opened(source)
    found = at(source)
    assert found.prefix == prefix
    assert checker.document.text[found.typed.start : found.typed.end] == word


def test_the_opcode_without_the_word_being_typed():
    assert at("ld.global.v2.<|>").opcode == ("ld", ".global", ".v2")
    assert at("ld.global.v<|>2.u32 %r1, [%rd1];").opcode == ("ld", ".global")
    assert at("@%p1 ld.global.u32 %r1, [<|>").opcode == ("ld", ".global", ".u32")


def test_the_words_behind_the_cursor():
    assert at("ld.<|>.v2.u32 {%r1, %r2}, [%rd1];").following == (".v2", ".u32")
    assert at("ld.glo<|>bal.L2::64B.u32 %r1, [%rd1];").following == (".L2::64B", ".u32")
    assert at("ld.<|> .u32").following == ()


def test_the_way_to_an_operand():
    assert at("mma.sync {%r1, %r2}, {%r3, <|>").path == (("", 1), ("{", 1))
    assert at("ld.u32 %r1, [<|>").path == (("", 1), ("[", 0))


def test_inside_a_body_and_not():
    assert at("<|>").is_inside
    assert at("{ <|> }").is_inside
    assert at(f"{M}.entry k()\n{{\n<|>\n}}").is_inside
    assert at(f"{M}.entry k()\n{{\nret;\n<|>\n}}").is_inside
    assert at(f"{M}.entry k() {{ ret;\n<|>").is_inside
    assert not at(f"{M}.entry k() {{ ret; }}\n<|>").is_inside
    assert not at(f"{M}<|>").is_inside
    assert not at(f"{M}.section .debug_str\n{{\n<|>\n}}").is_inside
    assert not at(f"{M}.section .debug_str\n{{\n.b8 1\n<|>\n}}").is_inside


@pytest.mark.parametrize("source", ["ret; // <|>", "ret; // a <|> b", "/* <|> */ ret;", "/* a\n<|>\n*/ ret;"])
def test_comments_hold_nothing(source: str) -> None:
    checker, offset, _ = opened(source)
    assert unfinished_at(checker.module, offset) is None


def test_behind_a_comment():
    assert at("/* a */ ad<|>").region is CursorRegion.START
    assert at("// a\n<|>").region is CursorRegion.START
