"""Positions: every way to cut a text into chunks, every encoding, every kind of line end, against a plain reference."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

import pytest

from ptx_lsp.server.client.columns import Encoding, choose
from ptx_lsp.server.documents.lines import DocumentLines, Position

PIECES = ["a", "b", " ", "\n", "\r", "\r\n", "é", "😀", "\ud800", "漢"]


@dataclass(frozen=True)
class Piece:
    """A chunk that is nothing but its text."""

    text: str


def lines_of(*texts: str, encoding: Encoding = Encoding.UTF_16) -> DocumentLines:
    return DocumentLines([Piece(text) for text in texts], encoding)


def reference(text: str, offset: int, encoding: Encoding) -> Position:
    """The position by the letter of the protocol, slowly; inside a line end it is the end of the line."""
    offset -= text[max(offset - 1, 0) : offset + 1] == "\r\n"
    starts = [0, *(end.end() for end in re.finditer(r"\r\n|\n|\r", text))]
    line = max(number for number, start in enumerate(starts) if start <= offset)
    return Position(line, encoding.units(text[starts[line] : offset]))


@pytest.mark.parametrize("encoding", Encoding)
def test_positions_agree_with_the_protocol_however_the_text_is_cut(encoding: Encoding) -> None:
    draw = random.Random(7)
    for _ in range(300):
        text = "".join(draw.choices(PIECES, k=draw.randrange(40)))
        cuts = sorted(draw.randrange(len(text) + 1) for _ in range(draw.randrange(5)))
        chunks = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True) if start < end]
        lines = lines_of(*chunks, encoding=encoding)
        assert lines.length == len(text)
        assert lines.count == len(re.findall(r"\r\n|\n|\r", text)) + 1
        at_once = lines.positions(range(len(text) + 1))
        for offset in range(len(text) + 1):
            expected = reference(text, offset, encoding)
            assert at_once[offset] == expected, (text, chunks, offset)
            assert lines.position(offset) == expected, (text, chunks, offset)
            inside_of_line_end = text[offset - 1 : offset + 1] == "\r\n" and offset > 0
            assert lines.offset(expected) == (offset - 1 if inside_of_line_end else offset), (text, chunks, offset)


def test_a_column_past_the_end_of_its_line_is_the_end_of_the_line() -> None:
    assert lines_of("ab\r\ncd").offset(Position(0, 99)) == 2


def test_a_column_past_the_end_is_found_across_chunks() -> None:
    assert lines_of("ab", "cd", "ef\nx").offset(Position(0, 99)) == 6


def test_a_line_past_the_end_is_the_end_of_the_document() -> None:
    assert lines_of("ab\n").offset(Position(5, 3)) == 3


def test_an_empty_document_has_one_empty_line() -> None:
    empty = lines_of()
    assert empty.count == 1
    assert (empty.offset(Position(0, 0)), empty.offset(Position(3, 3))) == (0, 0)
    assert empty.position(7) == (0, 0)


def test_a_range_written_backwards_is_turned_round() -> None:
    assert lines_of("abcdef").span(Position(0, 4), Position(0, 1)) == (1, 4)


def test_a_position_between_the_halves_of_a_surrogate_pair_is_the_one_before() -> None:
    assert lines_of("a😀b").offset(Position(0, 2)) == 1


def test_counts_of_unchanged_chunks_are_taken_over() -> None:
    kept, old, new = Piece("a\n"), Piece("b\n"), Piece("b\nc\n")
    before = DocumentLines([kept, old], Encoding.UTF_16)
    after = before.edited(1, 1, [new])
    assert (before.count, after.count) == (3, 4)
    assert after._parts[0] is before._parts[0]


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        ([], Encoding.UTF_16),
        (["utf-8", "utf-16"], Encoding.UTF_8),
        (["utf-7", "utf-32"], Encoding.UTF_32),
        ([None, 5, {}], Encoding.UTF_16),
    ],
)
def test_the_first_encoding_that_both_know_is_chosen(offered: list[object], chosen: Encoding) -> None:
    assert choose(offered) is chosen
