"""lop3: all tables against the truth."""

from __future__ import annotations

import random
from itertools import product

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


FIRST, SECOND, THIRD = ("%r1", "%r2", "0", "-1"), ("%r1", "%r2", "%r3"), ("%r1", "%r3", "0")


@pytest.mark.parametrize("operands", list(product(FIRST, SECOND, THIRD)))
def test_equal_operands_and_constants_are_made_use_of(operands: tuple[str, str, str]) -> None:
    registers = ("%r1", "%r2", "%r3")
    for table in range(256):
        text = lop3.expression_of(table, operands)
        assert all(name in operands for name in registers if name in text)
        found = lop3.table(lop3.in_letters(text, registers))
        for row in range(8):
            held = {name: row >> 2 - at & 1 for at, name in enumerate(registers)} | {"0": 0, "-1": 1}
            assert found >> row & 1 == table >> sum(held[one] << 2 - at for at, one in enumerate(operands)) & 1


def test_what_does_not_matter_is_not_mentioned() -> None:
    assert lop3.expression_of(0xEA, ["%r2", "%r3", "%r2"]) == "%r2"
    assert lop3.expression_of(0x96, ["%r2", "%r3", "%r3"]) == "%r2"
    assert lop3.expression_of(0x96, ["%r2", "%r3", "0"]) == "%r2 ^ %r3"
    assert lop3.expression_of(0x80, ["%r2", "%r3", "-1"]) == "%r2 & %r3"
    assert lop3.expression_of(0xE8, ["%r2", "%r3", "%r4"]) == "majority of %r2, %r3, %r4"
    assert lop3.expression_of(0x6A, ["%r5", "%r5", "%r5"]) == "0"


def in_c(text: str, a: int, b: int, c: int) -> int:
    """The value of a random expression, made by ``grown`` as a pair of C and Python."""
    return int(eval(text, {}, {"a": a, "b": b, "c": c})) & 1


def grown(chance: random.Random, depth: int, level: int) -> tuple[str, str]:
    """A random expression in C with few parentheses, and the same in Python with all of them.

    Levels: 0 ``?:``, 1 ``|``, 2 ``^``, 3 ``&``, 4 what binds tightest.
    """
    kind = chance.randrange(5) if depth else 4
    if kind == 4:
        if depth and chance.random() < 0.4:
            c, python = grown(chance, depth - 1, 4)
            return f"~{c}", f"(~{python})"
        name = chance.choice("abc")
        return name, name
    if kind == 0:
        one, two, three = grown(chance, depth - 1, 1), grown(chance, depth - 1, 0), grown(chance, depth - 1, 0)
        c, python = f"{one[0]} ? {two[0]} : {three[0]}", f"({two[1]} if {one[1]} & 1 else {three[1]})"
    else:
        sign = "|^&"[kind - 1]
        one, two = grown(chance, depth - 1, kind), grown(chance, depth - 1, kind + 1)
        c, python = f"{one[0]} {sign} {two[0]}", f"({one[1]} {sign} {two[1]})"
    return (f"({c})", python) if kind < level else (c, python)


def test_expressions_bind_as_in_c() -> None:
    chance = random.Random(3)
    for _ in range(500):
        text, python = grown(chance, 4, 0)
        right = sum(in_c(python, -(row >> 2 & 1), -(row >> 1 & 1), -(row & 1)) << row for row in range(8))
        assert lop3.table(text) == right, text


@pytest.mark.parametrize(
    "text", ["a ?", "a : b", "(a", "a)", "a ? : b", "a && b", "!a", "a ? b : c : a", "a ? b ? c", "?", "a ?? b"]
)
def test_half_an_expression_is_none(text: str) -> None:
    with pytest.raises(ValueError, match="expression of a, b, c"):
        lop3.table(text)


def test_usual_tables_have_all_three_inputs_and_no_negation() -> None:
    assert len(lop3.common_tables()) == len(set(lop3.common_tables())) > 20
    for table in lop3.common_tables():
        assert all(name in lop3.expression(table) for name in "abc")
        assert "~" not in lop3.expression(table)
