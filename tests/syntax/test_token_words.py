"""The texts of tokens, which are found without the tokens."""

from __future__ import annotations

from random import Random

from ptx_lsp.syntax.tokens import token_words, tokenize

_PIECES = (
    *("/*", "*/", "//", "\n", " ", "\t", "\r", "\x0b", "\0", "é", '"', "x y", '#line 1 "f"', '# 2 "f"', "$asm{", "}"),
    *("a", "%r1", "$L", "_", ".b32", ".5", ".", "::", "1", "12abc", "1.", "e3", "0f00000000"),
    *(";", ",", "<<", "@", "|+"),
)


def test_the_words_are_those_of_the_tokens():
    random = Random(18)
    for _ in range(20_000):
        text = "".join(random.choices(_PIECES, k=random.randrange(12)))
        assert token_words(text) == [text[token.start : token.end] for token in tokenize(text)], text
