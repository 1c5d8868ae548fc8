"""Evaluation of constant expressions.

Source: PTX ISA, "Constants", "Constant Expressions", "Integer Constant Expression
Evaluation". Integers have 64 bits and are signed unless they do not fit or have
the suffix ``U``; integers and floats do not mix. Where the manual is ambiguous, and where
ptxas differs from it (``&``, ``|`` and ``^`` of signed numbers are signed, the selected
side of ``?:`` keeps its signedness, a shift uses six bits of its count), the behavior is as measured.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from enum import IntEnum
from functools import lru_cache

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tokens import TokenKind, kind_of
from ptx_lsp.syntax.tree import Operand

WARP_SZ = 32
"""The value of the predefined constant; 32 on every target so far."""
_MASK = (1 << 64) - 1
_SIGN = 1 << 63
_SHIFT = 63
"""Mask of the bits of a shift count that are significant."""


class _Value(NamedTuple):
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


class _NoValueError(Exception):
    """The expression has no value: it contains a name, is malformed, or has a fault."""

    def __init__(self, fault: ConstantFault | None = None) -> None:
        super().__init__(fault)
        self.fault = fault


_PRECEDENCE = {
    **dict.fromkeys("* / %".split(), 10),
    **dict.fromkeys("+ -".split(), 9),
    **dict.fromkeys("<< >>".split(), 8),
    **dict.fromkeys("< > <= >=".split(), 7),
    **dict.fromkeys("== !=".split(), 6),
    "&": 5,
    "^": 4,
    "|": 3,
    "&&": 2,
    "||": 1,
}
_UNARY = {"+", "-", "!", "~"}
_FIRST_OF_NUMBER = frozenset(".0123456789")
MAX_DIGITS = 4000
"""Maximum length of a number that is converted; Python rejects slightly longer decimal numbers."""


def integer(word: str) -> int:
    """The value of an INTEGER token of at most ``MAX_DIGITS`` characters.

    >>> integer("0x1F"), integer("017"), integer("0b11U"), integer("42")
    (31, 15, 3, 42)
    """
    digits = word.removesuffix("U").lower()
    if digits.startswith(("0x", "0b")):
        return int(digits, 0)
    return int(digits, 8 if digits.startswith("0") else 10)


def integer_or_none(text: str) -> int | None:
    """The value of an integer literal; None for any other text and for more than ``MAX_DIGITS`` digits.

    >>> integer_or_none("8U"), integer_or_none("WARP_SZ")
    (8, None)
    """
    try:
        return integer(text) if len(text) <= MAX_DIGITS else None
    except ValueError:
        return None


def evaluate(statement: Statement, operand: Operand) -> int | float | None:
    """The value of a constant operand; None if it contains names other than ``WARP_SZ`` or has no value.

    >>> from ptx_lsp.syntax.tree import Instruction
    >>> def value(text):
    ...     statement = Statement(f"mov.u64 %rd1, {text};")
    ...     return evaluate(statement, statement.shape.tree.operands[1])
    >>> value("-1"), value("~0"), value("1 ? 2 : 3"), value("0f3F800000"), value("1 / 0")
    (-1, 18446744073709551615, 2, 1.0, None)
    """
    value = _value(statement, operand)
    return value.number if isinstance(value, _Value) else None


def fault_of(statement: Statement, operand: Operand) -> ConstantFault | None:
    """The fault of a constant operand that ptxas cannot evaluate; None without one."""
    value = _value(statement, operand)
    return None if isinstance(value, _Value) else value


def _value(statement: Statement, operand: Operand) -> _Value | ConstantFault | None:
    """The value of an operand, or its fault; None if it has neither."""
    place = operand.first, operand.last
    if place[1] - place[0] == 1:  # mostly a register, or a number
        return _evaluated([statement.word(place[0])])
    known = statement.derived(_Values)
    if place not in known:
        known[place] = _evaluated([statement.word(index) for index in range(*place)])
    return known[place]


def _evaluated(words: list[str]) -> _Value | ConstantFault | None:
    try:
        return _literal(words[0]) if len(words) == 1 else _Evaluator().run(words)
    except _NoValueError as error:
        return error.fault


class _Values(dict[tuple[int, int], "_Value | ConstantFault | None"]):
    """The values of the expressions of a statement, by their tokens: several checks ask for each."""

    def __init__(self, _: Statement) -> None:
        super().__init__()


class _Evaluator:
    """The shunting-yard algorithm: a value stack and an operator stack, no recursion."""

    def __init__(self) -> None:
        self.values: list[_Value] = []
        self.operators: list[str] = []

    def run(self, words: list[str]) -> _Value:
        """The value of the whole expression."""
        wants_value = True
        index = 0
        while index < len(words):
            word = words[index]
            if wants_value:
                if word == "(" and index + 1 < len(words) and kind_of(words[index + 1]) is TokenKind.DOT:
                    self.operators.append(f"({words[index + 1]})")
                    index += 2
                elif word == "(":
                    self.operators.append("(")
                elif word in _UNARY:
                    self.operators.append(f"unary {word}")
                else:
                    self.values.append(_literal(word))
                    wants_value = False
            else:
                wants_value = self._operator(word)
            index += 1
        while self.operators:
            self._apply(self.operators.pop())
        if len(self.values) != 1:
            raise _NoValueError
        return self.values[0]

    def _operator(self, word: str) -> bool:
        """Process an operator or closing mark; return whether a value must follow."""
        if word == ")":
            self._apply_down_to("(")
            return False
        if word == ":":
            self._apply_down_to("?")
            self.operators.append("?:")
            return True
        precedence = 0 if word == "?" else _PRECEDENCE.get(word)
        if precedence is None:
            raise _NoValueError
        while self.operators and self._binds(self.operators[-1]) >= precedence:
            if word == "?" and self.operators[-1] == "?:":
                break  # associates to the right
            self._apply(self.operators.pop())
        self.operators.append(word)
        return True

    def _binds(self, operator: str) -> int:
        if operator in ("(", "?"):
            return -1
        return 0 if operator == "?:" else _PRECEDENCE.get(operator, 11)

    def _apply_down_to(self, opener: str) -> None:
        while self.operators and self.operators[-1] != opener:
            self._apply(self.operators.pop())
        if not self.operators:
            raise _NoValueError
        self.operators.pop()

    def _apply(self, operator: str) -> None:
        if operator in ("(", "?"):
            raise _NoValueError
        count = 3 if operator == "?:" else 2 if operator in _PRECEDENCE else 1
        if len(self.values) < count:
            raise _NoValueError
        arguments = self.values[-count:]
        del self.values[-count:]
        if count == 1:
            self.values.append(_unary(operator, arguments[0]))
        elif count == 2:
            self.values.append(_binary(operator, arguments[0], arguments[1]))
        else:
            self.values.append(_choose(*arguments))


@lru_cache(maxsize=1 << 12)
def _literal(word: str) -> _Value:
    if word == "WARP_SZ":
        return _Value(WARP_SZ)
    if not word or word[0] not in _FIRST_OF_NUMBER:
        raise _NoValueError
    kind = kind_of(word)
    if kind is TokenKind.FLOAT:
        prefix = word[:2].lower()
        if prefix == "0f":
            return _Value(struct.unpack(">f", bytes.fromhex(word[2:]))[0])
        return _Value(struct.unpack(">d", bytes.fromhex(word[2:]))[0] if prefix == "0d" else float(word))
    if kind is not TokenKind.INTEGER:
        raise _NoValueError
    if len(word) > MAX_DIGITS:
        raise _NoValueError
    number = integer(word)
    return _integer(number, word.endswith("U") or number >= _SIGN)


def _integer(number: int, unsigned: bool = False) -> _Value:
    """Truncate to 64 bits and interpret as signed or unsigned."""
    number &= _MASK
    return _Value(number if unsigned or number < _SIGN else number - (1 << 64), unsigned)


def _unary(operator: str, value: _Value) -> _Value:
    number = value.number
    if isinstance(number, float):
        if operator not in ("unary +", "unary -"):
            raise _NoValueError(ConstantFault.FLOAT)
        return _Value(-number if operator == "unary -" else number)
    match operator:
        case "unary +":
            return value
        case "unary -":
            return _integer(-number, value.unsigned)
        case "unary !":
            return _Value(int(number == 0))
        case "unary ~":
            return _integer(~number, unsigned=True)
        case "(.s64)":
            return _integer(number)
        case "(.u64)":
            return _integer(number, unsigned=True)
        case _:
            raise _NoValueError(ConstantFault.CAST)


_COMPARE: dict[str, Callable[[int | float, int | float], bool]] = {
    "<": lambda one, other: one < other,
    ">": lambda one, other: one > other,
    "<=": lambda one, other: one <= other,
    ">=": lambda one, other: one >= other,
    "==": lambda one, other: one == other,
    "!=": lambda one, other: one != other,
}


def _binary(operator: str, one: _Value, other: _Value) -> _Value:
    left, right = one.number, other.number
    if isinstance(left, float) or isinstance(right, float):
        if operator in "/%" and not right:
            raise _NoValueError(ConstantFault.DIVISION)
        if not (isinstance(left, float) and isinstance(right, float)):
            raise _NoValueError(ConstantFault.MIXED)
        return _floats(operator, left, right)
    unsigned = one.unsigned or other.unsigned
    if operator in "/%" and not right:
        raise _NoValueError(ConstantFault.DIVISION)
    if operator in _COMPARE:
        # The usual conversions: unsigned if either side is.
        return _Value(int(_COMPARE[operator](_integer(left, unsigned).number, _integer(right, unsigned).number)))
    low, high = left & _MASK, right & _MASK
    match operator:
        case "*":
            return _integer(left * right, unsigned)
        case "+":
            return _integer(left + right, unsigned)
        case "-":
            return _integer(left - right, unsigned)
        case "/":
            if unsigned:
                return _integer(low // high, unsigned=True)
            return _integer(abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1))
        case "%":
            return _integer(low % high, unsigned=True)
        case "<<":
            return _integer(left << (high & _SHIFT), one.unsigned)
        case ">>":
            return _integer(left >> (high & _SHIFT), one.unsigned)
        case "&":
            return _integer(low & high, unsigned)
        case "^":
            return _integer(low ^ high, unsigned)
        case "|":
            return _integer(low | high, unsigned)
        case "&&":
            return _Value(int(bool(left) and bool(right)))
        case "||":
            return _Value(int(bool(left) or bool(right)))
        case _:
            raise _NoValueError


def _floats(operator: str, left: float, right: float) -> _Value:
    if operator in _COMPARE:
        return _Value(int(_COMPARE[operator](left, right)))
    match operator:
        case "*":
            return _Value(left * right)
        case "+":
            return _Value(left + right)
        case "-":
            return _Value(left - right)
        case "/":
            return _Value(left / right)
        case _:
            raise _NoValueError(ConstantFault.FLOAT)


def _choose(condition: _Value, one: _Value, other: _Value) -> _Value:
    """``condition ? one : other``."""
    if any(isinstance(value.number, float) for value in (condition, one, other)):
        raise _NoValueError(ConstantFault.FLOAT)
    return one if condition.number else other
