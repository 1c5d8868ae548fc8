"""The tokens of ordinary statements, read by their first characters, and places found by words: as by the tokenizer."""

from __future__ import annotations

import random

import pytest

from ptx_lsp.syntax.exact_keys import exact_key
from ptx_lsp.syntax.shape import SHAPES, shape_of
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tokens import plain_words, token_spans, tokenize
from ptx_lsp.text import Span

_PIECES = """% $ . _ a b 0 1 9 10 007 : :: " / # @ @@ < << = .5 .b32 é ٣ ² ` ' %r1 0x1 1. U && | \\ sp .sp::2:4
.L2::128B .2d 1e5 .entry call bra , ; ( ) { } [ ] + - * ! ~ ? ^ WARP_SZ function_name""".split()


@pytest.mark.parametrize("seed", range(20))
def test_as_by_the_tokenizer(seed: int) -> None:
    choose = random.Random(seed)
    read = 0
    for _ in range(500):
        pieces = choose.choices([*_PIECES, " ", "\n", "\t", "\0", "// x\n"], k=choose.randrange(1, 8))
        text = choose.choice(["", " "]).join(pieces)
        tokens = tokenize(text)
        found = plain_words(text)
        if found is not None:
            read += 1
            assert found == ([text[one.start : one.end] for one in tokens], [one.kind for one in tokens])
        if "/*" not in text:
            assert token_spans(text) == [(one.start, one.end) for one in tokens]
    assert read > 50


@pytest.mark.parametrize("text", ["\n @!%p1 bra  END;", "add.s32 %r1,%r1 , 1;", "mov.b32 %r1, %r1; // %r1", "  "])
def test_the_place_of_a_token_found_by_the_words(text: str) -> None:
    tokens = tokenize(text)
    statement = Statement(text)
    for index, token in enumerate(tokens):
        assert statement.word(index) == text[token.start : token.end]
        assert statement.span(index) == Span(token.start, token.end)
        assert statement.span(0, index + 1) == Span(tokens[0].start, token.end)


def test_the_shape_of_an_ordinary_statement_is_that_of_its_tokens() -> None:
    for number in range(200):
        text = f"call helper{number}, (%r1, x{number}), P{number};"
        shape = shape_of(text)
        assert SHAPES.by_exact_key[exact_key(text, tokenize(text))] == shape.id
