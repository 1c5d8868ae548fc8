"""lop3: all tables against the truth."""

from __future__ import annotations

import pytest

from ptx_lsp.layouts import lop3


@pytest.mark.parametrize("table", range(256))
def test_an_expression_has_its_table(table: int) -> None:
    text = lop3.expression(table)
    plain = lop3.in_operators(text)
    for row in range(8):
        inputs = {name: -(row >> at & 1) for at, name in ((2, "a"), (1, "b"), (0, "c"))}
        assert eval(plain, {}, inputs) & 1 == table >> row & 1
    assert lop3.table(text) == table


@pytest.mark.parametrize(
    ("text", "table"),
    [("a & b & c", 0x80), ("a | b | c", 0xFE), ("a & b & ~c", 0x40), ("(a & b | c) ^ a", 0x1A), ("a ? b : c", 0xCA)],
)
def test_tables_of_the_manual(text: str, table: int) -> None:
    assert lop3.table(text) == table


def test_expressions_read_well() -> None:
    assert lop3.expression(0xE8) == "majority of a, b, c"
    assert lop3.expression(0x96) == "a ^ b ^ c"
    assert max(len(lop3.expression(table)) for table in range(256)) < 30


@pytest.mark.parametrize("text", ["a & d", "a + b", "", "a &", "f(a)", "a ? b", "2"])
def test_what_is_no_expression(text: str) -> None:
    with pytest.raises(ValueError, match=r"expression of a, b, c"):
        lop3.table(text)
