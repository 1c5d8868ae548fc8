"""Constant expressions: the manual's rules of precedence and of 64-bit arithmetic."""

from __future__ import annotations

import math

import pytest

from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Instruction


def value(expression: str) -> int | float | None:
    """The value of an expression as an operand of ``mov``."""
    statement = Statement(f"mov.b64 %rd1, {expression};")
    tree = statement.shape.tree
    assert isinstance(tree, Instruction)
    return evaluate(statement, tree.operands[1])


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("42", 42),
        ("0x1F", 31),
        ("0X1fU", 31),
        ("017", 15),
        ("0b101", 5),
        ("0", 0),
        ("-1", -1),
        ("0xFFFFFFFFFFFFFFFF", 2**64 - 1),  # does not fit a signed integer: unsigned
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("10 - 4 - 3", 3),
        ("-7 / 2", -3),
        ("-7 % 4", 1),  # the remainder is unsigned
        ("1 << 4 | 3", 19),
        ("-8 >> 1", -4),
        ("(.u64)-8 >> 1", 2**63 - 4),
        ("(.s64)0xFFFFFFFFFFFFFFFF", -1),
        ("~0", 2**64 - 1),
        ("!0 + !5", 1),
        ("-1 < 0", 1),
        ("-1 < 0U", 0),  # unsigned as soon as one side is
        ("1 == 1.0 - 1.0", None),
        ("6 & 3 ^ 1 | 8", 11),
        ("2 && 0 || 3", 1),
        ("1 ? 2 : 3", 2),
        ("0 ? 1 : 0 ? 2 : 3", 3),
        ("1 ? 0 ? 4 : 5 : 6", 5),
        ("WARP_SZ * 2", 64),
        ("1 / 0", None),
        ("1 % 0", None),
        ("0x7FFFFFFFFFFFFFFF + 1", -(2**63)),
        ("1.5 * 2.0", 3.0),
        (".5 < 1.", 1),
        ("0f3F800000", 1.0),
        ("0d4000000000000000", 2.0),
        ("-1.5e1", -15.0),
        ("1 + 1.0", None),
        ("1 << 64", 1),  # six bits of the count count
        ("-1 >> -4", -1),
        ("(64 ^ 16) > -1", 1),  # two signed numbers make a signed one
        ("(64 ^ 16U) > -1", 0),
        ("(7 % 3) > -1", 0),
        ("(1 ? -1 : 1U) > 0", 0),
        ("1 ? 1.0 : 2.0", None),
    ],
)
def test_values(expression: str, expected: int | float | None) -> None:
    found = value(expression)
    assert found == expected
    assert type(found) is type(expected)


def test_special_floats() -> None:
    assert value("0f7F800000") == math.inf
    nan = value("0f7FC00000")
    assert nan is not None
    assert math.isnan(nan)


def test_names_have_no_value() -> None:
    assert value("%rd2") is None
    assert value("table + 4") is None
