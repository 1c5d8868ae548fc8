"""Arithmetic of constants as in PTX: integers of 64 bits, signed or unsigned, and floats, which do not mix."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

from ptx_lsp.named_tuples import NamedTuple

_MASK = (1 << 64) - 1
SIGN = 1 << 63
"""The least integer that is unsigned because it does not fit."""
_SHIFT = 63
"""Mask of the bits of a shift count that are significant."""


class Value(NamedTuple):
    """A 64-bit integer or a float."""

    number: int | float
    unsigned: bool = False


class ConstantFault(IntEnum):
    """The reason why an expression of valid constants has no value."""

    DIVISION = 1
    """Division by zero, even in the branch of ``?:`` that is not selected."""
    MIXED = 2
    """An integer and a float are operands of one operator."""
    FLOAT = 3
    """A float in an integer context: bitwise, logical, remainder, cast, any part of ``a ? b : c``."""
    CAST = 4
    """A cast to a type other than ``.s64`` and ``.u64``."""


class NoValueError(Exception):
    """The expression has no value: it contains a name, is malformed, or has a fault."""

    def __init__(self, fault: ConstantFault | None = None) -> None:
        super().__init__(fault)
        self.fault = fault


def truncated(number: int, unsigned: bool = False) -> Value:
    """Truncate to 64 bits and interpret as signed or unsigned."""
    number &= _MASK
    return Value(number if unsigned or number < SIGN else number - (1 << 64), unsigned)


def unary(operator: str, value: Value) -> Value:
    """The value of ``unary -`` and others, or of a cast such as ``(.s64)``."""
    number = value.number
    if isinstance(number, float):
        if operator not in ("unary +", "unary -"):
            raise NoValueError(ConstantFault.FLOAT)
        return Value(-number if operator == "unary -" else number)
    match operator:
        case "unary +":
            return value
        case "unary -":
            return truncated(-number, value.unsigned)
        case "unary !":
            return Value(int(number == 0))
        case "unary ~":
            return truncated(~number, unsigned=True)
        case "(.s64)":
            return truncated(number)
        case "(.u64)":
            return truncated(number, unsigned=True)
        case _:
            raise NoValueError(ConstantFault.CAST)


_COMPARE: dict[str, Callable[[int | float, int | float], bool]] = {
    "<": lambda one, other: one < other,
    ">": lambda one, other: one > other,
    "<=": lambda one, other: one <= other,
    ">=": lambda one, other: one >= other,
    "==": lambda one, other: one == other,
    "!=": lambda one, other: one != other,
}


def binary(operator: str, one: Value, other: Value) -> Value:
    """The value of an operator with two operands."""
    left, right = one.number, other.number
    if isinstance(left, float) or isinstance(right, float):
        if operator in "/%" and not right:
            raise NoValueError(ConstantFault.DIVISION)
        if not (isinstance(left, float) and isinstance(right, float)):
            raise NoValueError(ConstantFault.MIXED)
        return _floats(operator, left, right)
    unsigned = one.unsigned or other.unsigned
    if operator in "/%" and not right:
        raise NoValueError(ConstantFault.DIVISION)
    if operator in _COMPARE:
        # The usual conversions: unsigned if either side is.
        return Value(int(_COMPARE[operator](truncated(left, unsigned).number, truncated(right, unsigned).number)))
    low, high = left & _MASK, right & _MASK
    match operator:
        case "*":
            return truncated(left * right, unsigned)
        case "+":
            return truncated(left + right, unsigned)
        case "-":
            return truncated(left - right, unsigned)
        case "/":
            if unsigned:
                return truncated(low // high, unsigned=True)
            return truncated(abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1))
        case "%":
            return truncated(low % high, unsigned=True)
        case "<<":
            return truncated(left << (high & _SHIFT), one.unsigned)
        case ">>":
            return truncated(left >> (high & _SHIFT), one.unsigned)
        case "&":
            return truncated(low & high, unsigned)
        case "^":
            return truncated(low ^ high, unsigned)
        case "|":
            return truncated(low | high, unsigned)
        case "&&":
            return Value(int(bool(left) and bool(right)))
        case "||":
            return Value(int(bool(left) or bool(right)))
        case _:
            raise NoValueError


def _floats(operator: str, left: float, right: float) -> Value:
    if operator in _COMPARE:
        return Value(int(_COMPARE[operator](left, right)))
    match operator:
        case "*":
            return Value(left * right)
        case "+":
            return Value(left + right)
        case "-":
            return Value(left - right)
        case "/":
            return Value(left / right)
        case _:
            raise NoValueError(ConstantFault.FLOAT)


def choose(condition: Value, one: Value, other: Value) -> Value:
    """``condition ? one : other``."""
    if any(isinstance(value.number, float) for value in (condition, one, other)):
        raise NoValueError(ConstantFault.FLOAT)
    return one if condition.number else other
