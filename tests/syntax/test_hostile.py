"""Nothing crashes the layer, loses text or takes more than linear time."""

from __future__ import annotations

import random

import pytest

from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.errors import syntax_errors
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tokens import is_too_deep
from tests.timed import cpu_seconds

_PIECES = [
    *'a { } [ ( " /* */ / @ \\ # . , ; : :: < % $ 0 - // L: \0 é \x0b \r \n x= 1, 1+ +1 a< @! @@'.split(" "),
    *["/*\n", "#\n", '# 1 "', "mov.u32 ", "mov\n", "mov {", "mov {a,", "mov {a,{", ".section x {", ".section x\n{"],
    *[".entry k(", ".func f(.param .b32 a,", '.pragma "', '.func .pragma "a",', ".visible ", ".attribute(", "= {"],
    *[
        ".global .b32 x = {",
        ".b8 1,",
        ".loc 1 ",
        ".loc 1 2 3, function_name ",
        '.file 1 "a", ',
        ".target a, ",
        "call (",
    ],
]
_BEFORE = ["", ".entry k() {\nmov.u32 %r1, ", ".global .b32 x[] = {", ".section .d {\n.b8 "]


def _seconds(text: str) -> float:
    made: list[Document] = []
    seconds = cpu_seconds(lambda: made.append(Document(text)))
    (document,) = made
    assert document.text == text
    for chunk in document.chunks[:2]:
        for index in chunk.flawed()[:20]:
            syntax_errors(chunk.statement(index))
    return seconds


@pytest.mark.parametrize("before", _BEFORE)
@pytest.mark.parametrize("piece", _PIECES)
def test_repetitions_are_linear(before: str, piece: str) -> None:
    def text(size: int) -> str:
        return before + piece * (size // len(piece))

    small, large = _seconds(text(4_000)), _seconds(text(32_000))
    # Eight times the text; quadratic time would be 64 times as much.
    assert large < 24 * small + 0.2


@pytest.mark.parametrize("character", ["`", "'", "é", "\0", "\x01", "\x7f", "`\x01"])
def test_a_run_of_characters_that_ptx_does_not_use_is_one_statement(character: str) -> None:
    chunk = Document(f"ret; {character * 10_000} ret;").chunks[0]
    assert chunk.parts()[1:-1] == [" " + character * 10_000]
    assert len(chunk.statement(1).tokens) == 1
    assert len(list(syntax_errors(chunk.statement(1)))) == 1


def test_a_line_of_ten_megabytes() -> None:
    assert _seconds("a" * 10_000_000) < 2
    assert _seconds("mov.u32 %r1, %r2; " * 550_000) < 5


def test_a_table_of_a_million_numbers_is_a_declaration() -> None:
    document = Document(".global .align 1 .b8 table[1000000] = {" + "1, " * 999_999 + "1};\n")
    assert document.chunks[0].statement(0).kind is Kind.VARIABLE
    assert not document.chunks[0].flawed()


def _syntax_errors(text: str) -> list[str]:
    document = Document(text)
    assert document.text == text
    return [
        error.message
        for chunk in document.chunks
        for index in chunk.flawed()[:1]
        for error in syntax_errors(chunk.statement(index))
    ]


@pytest.mark.parametrize("depth", [201, 4000, 9000])
def test_brackets_can_be_nested_as_deep_as_ptxas_reads_them(depth: int) -> None:
    for text in (
        f"mov.u32 %r1, {'(' * depth}1{')' * depth};",
        f".global .b32 x = {'(' * depth}1{')' * depth};",
        f".global .b32 x = {'(.s64)(' * (depth // 3)}1{')' * (depth // 3)};",
        f".global .b32 x{'[1]' * depth} = {'{' * depth}1{'}' * depth};",
    ):
        assert not _syntax_errors(text)


def test_wrong_brackets_nested_deep_are_errors() -> None:
    for text in (f"mov.u32 %r1, {'[' * 9000}1{']' * 9000};", f".global .b32 x = {'[' * 9000}1{']' * 9000};"):
        assert _syntax_errors(text)


def test_what_is_nested_deeper_is_not_looked_at() -> None:
    text = f".global .b32 x = {'(.s64)(' * 6000}{')' * 6000};"
    assert is_too_deep(text)
    assert not is_too_deep(".global .b32 x[9000] = {" + "{1}, " * 9000 + "{1}};")
    assert not _syntax_errors(text)
    statement = Document(text).chunks[0].statement(0)
    assert statement.kind is Kind.VARIABLE
    assert len(statement.tokens) == 4


def test_binary_files() -> None:
    chance = random.Random(3)
    for encoding in ("latin-1", "utf-8"):
        text = chance.randbytes(200_000).decode(encoding, "surrogateescape")
        document = Document(text)
        assert document.text == text
        for chunk in document.chunks:
            for index in chunk.flawed()[:3]:
                assert syntax_errors(chunk.statement(index))
