"""The columns of tokens have what the tokens have."""

from __future__ import annotations

from random import Random

import pytest

from ptx_lsp.syntax.exact_keys import exact_key
from ptx_lsp.syntax.terminals import terminals
from ptx_lsp.syntax.token_columns import columns
from ptx_lsp.syntax.tokens import token_words, tokenize, words_and_kinds

PIECES = (
    *"a b1 %r1 % $ $L _ .u32 .2d .2e5 .2e5$ 1.5e3 .5 0 017 08 0x1F 12abc 1. 1.2.3 0f3F800000 <<".split(),
    *('"a b"', '"a/*b"', '"open', "/* a */", "/*", "*/", "// a\n", '# 1 "f" 2\n', "#", "é", "\0", "\v", "`", "'"),
    *(" ", "\n", "\t", ",", ";", "{", "}", "(", ")", "[", "]", "+", "-", "::", ".", "@@", "WARP_SZ", ".unified", "="),
    *(".global ", ".b32 ", ".section", ".source_begin\n", "\n.source_end\n"),
)


def check(text: str) -> None:
    found, tokens = columns(text), tokenize(text)
    assert [*found] == tokens
    assert [found[at] for at in range(len(found))] == tokens == found[:]
    assert (found.words, found.kinds) == words_and_kinds(text, tokens)
    assert token_words(text) == found.words


@pytest.mark.parametrize("seed", range(40))
def test_random_texts(seed: int) -> None:
    random = Random(seed)
    for _ in range(50):
        check("".join(random.choices(PIECES, k=random.randint(1, 30))))


def test_long_texts() -> None:
    check(".global .b32 a[] = { /* é */ " + "s, -1, 0x10, 1.5, .2e5,\n" * 3000 + "s };")
    check(".global .b32 a[] = { /* open " + "s, " * 3000 + "\n s };" + "// a" * 8000)


KINDS = ["FLOAT", "DOT"]


def test_a_word_that_is_a_number_or_a_qualifier() -> None:
    """``.2e5`` is a float, but a qualifier before another character of words."""
    found = columns(".global .2e5 a, .2e5$b;")
    assert [kind.name for kind, word in zip(found.kinds, found.words, strict=True) if word == ".2e5"] == [
        "FLOAT",
        "DOT",
    ]
    one, other = ".global .2e5 a = 1;", ".global .2e5$a = 1;"
    assert terminals(*words_and_kinds(one, tokenize(one))).names[:3] == ["SPACE", "FLOAT", "NAME"]
    assert terminals(*words_and_kinds(other, tokenize(other))).names[:3] == ["SPACE", "DOT", "NAME"]
    assert exact_key(one, tokenize(one)) != exact_key(other, tokenize(other))
