"""Statements of one shape have the same number of words before each operand."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ptx_lsp.analysis.dataflow.transfer_functions import transfer_function, words_of
from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.statement import Statement

GOLDEN = Path(__file__).parents[1] / "diagnostics"
OPERATORS = "mov.b32 %r1, 5%3; mov.b32 %r1, a%b+5 % 3; st.u8 [a+5%3], %r1; selp.b32 %r1, 0x1e+5, 1-2, %p1;"
BETWEEN = "", "", " ", "\n", "/* . */"


def test_a_number_with_an_exponent_is_one_word() -> None:
    chunk = Document("".join(f"\nselp.f64 %fd1, {number}, %fd2, %p1;" for number in ("1e+5", "1.5", "2.E-3"))).chunks[0]
    assert len(set(chunk.shapes)) == 1
    for index in range(3):
        known = transfer_function(chunk, index)
        assert known is not None
        words = words_of(chunk, index)
        assert [words[one.word] for one in known.operands if one.word >= 0] == ["%fd1", "%fd2", "%p1"]


def spread(statement: Statement, choose: random.Random) -> str:
    """The text of a statement with blanks and comments between its tokens."""
    starts = [token.start for token in statement.tokens]
    pieces = [statement.text[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]
    return "".join(choose.choice(BETWEEN) + piece for piece in pieces)


@pytest.mark.parametrize("text", [OPERATORS, *(path.read_text() for path in sorted(GOLDEN.glob("[a-f]*.ptx")))])
def test_blanks_and_comments_change_no_word(text: str) -> None:
    choose = random.Random(4)
    compared = 0
    for chunk in Document(text).chunks:
        for index, shape in enumerate(chunk.shapes):
            known = transfer_function(chunk, index)
            if known is None:
                continue
            other = Document(spread(chunk.statement(index), choose)).chunks[0]
            if other.shapes[0] == shape:
                words, others = words_of(chunk, index), words_of(other, 0)
                assert len(words) == len(others) == known.words, other.text
                for word in (operand.word for operand in known.operands if operand.word >= 0):
                    assert words[word] == "".join(others[word].split()), other.text
                compared += 1
    assert compared
