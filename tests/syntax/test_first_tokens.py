"""The first tokens of a long text are those of the whole text, wherever it is cut."""

from __future__ import annotations

from random import Random

import pytest

from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tokens import first_tokens, tokenize

_PIECES = (
    *("1", "0x1F", "0x", "017", "8U", "1.5", "1e+5", ".5", ".b8", ".global::cta:1", "name", "%r1", "foo-5"),
    *(", ", ",\n", " ", "<<", "::", "@@", "/", "*/", "/*", "*", "//", "// words 1\n", "\n", '"', '"words"', "#"),
    *('# 1 "file"', '# line 12 "file" 3\n', "\\", "'", "\0", "é", "{", "};", ".source_begin\n", ".source_end\n"),
)


@pytest.mark.parametrize("seed", range(40))
def test_a_cut_changes_no_token_before_it(seed: int) -> None:
    random = Random(seed)
    text = "".join(random.choices(random.sample(_PIECES, 12), k=200))
    tokens = tokenize(text)
    for length in range(0, len(text), 3):
        first = first_tokens(text, length)
        assert first == tokens[: len(first)], (text, length)


def test_the_first_words_of_a_table_need_only_its_beginning() -> None:
    text = f".global .b8 table[100000] = {{{', '.join(['17'] * 100_000)}}};"
    statement = Statement(text)
    assert statement.word(1) == ".b8"
    assert len(statement.tokens_before(text.rfind("."))) < 5000
    assert statement.tokens_before(len(text)) == statement.tokens == tokenize(text)
    assert statement.word(-1) == ";"
