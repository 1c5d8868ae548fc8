"""Evaluation of constant expressions.

Source: PTX ISA, "Constants", "Constant Expressions", "Integer Constant Expression
Evaluation". Integers have 64 bits and are signed unless they do not fit or have
the suffix ``U``; integers and floats do not mix. Where the manual is ambiguous, and where
ptxas differs from it (``&``, ``|`` and ``^`` of signed numbers are signed, the selected
side of ``?:`` keeps its signedness, a shift uses six bits of its count), the behavior is as measured.
"""

from __future__ import annotations

import struct
from collections.abc import Generator, Iterator, Sequence

from ptx_lsp.constant_arithmetic import (
    SIGN,
    ConstantFault,
    NoValueError,
    Value,
    binary,
    choose,
    truncated,
    unary,
)
from ptx_lsp.process_cache import memoized
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tokens import TokenKind, kind_of
from ptx_lsp.syntax.tree import Operand

WARP_SZ = 32
"""The value of the predefined constant; 32 on every target so far."""
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
_END = ""
_OPENERS = {")": "(", ":": "?", _END: ""}
"""The operators down to which all are applied before a mark; none at the end of the expression."""
_IN_A_STEP = 4096
"""The number of words, or of operators that are applied, after which there is a pause."""
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
    return value.number if isinstance(value, Value) else None


def preparing_value(statement: Statement, operand: Operand) -> Iterator[None]:
    """Find the value of a constant operand in steps: an expression can be as long as a file."""
    place = operand.first, operand.last
    known = statement.derived(_Values)
    if place[1] - place[0] > _IN_A_STEP and place not in known:
        words = [statement.word(index) for index in range(*place)]
        yield
        known[place] = yield from _evaluating(words)


def fault_of(statement: Statement, operand: Operand) -> ConstantFault | None:
    """The fault of a constant operand that ptxas cannot evaluate; None without one."""
    value = _value(statement, operand)
    return None if isinstance(value, Value) else value


def _value(statement: Statement, operand: Operand) -> Value | ConstantFault | None:
    """The value of an operand, or its fault; None if it has neither."""
    place = operand.first, operand.last
    if place[1] - place[0] == 1:  # mostly a register, or a number
        return _evaluated([statement.word(place[0])])
    known = statement.derived(_Values)
    if place not in known:
        known[place] = _evaluated([statement.word(index) for index in range(*place)])
    return known[place]


def _evaluated(words: list[str]) -> Value | ConstantFault | None:
    return _evaluated_often(tuple(words)) if len(words) <= _FEW else run_to_completion(_evaluating(words))


@memoized(1 << 10)
def _evaluated_often(words: tuple[str, ...]) -> Value | ConstantFault | None:
    try:
        return _literal(words[0]) if len(words) == 1 else run_to_completion(_Evaluator().running(words))
    except NoValueError as error:
        return error.fault


_FEW = 64
"""The values of expressions of so many words are kept for all statements, which are made again by each check."""


def _evaluating(words: list[str]) -> Generator[None, None, Value | ConstantFault | None]:
    try:
        return (yield from _Evaluator().running(words))
    except NoValueError as error:
        return error.fault


class _Values(dict[tuple[int, int], "Value | ConstantFault | None"]):
    """The values of the expressions of a statement, by their tokens: several checks ask for each."""

    def __init__(self, _: Statement) -> None:
        super().__init__()


class _Evaluator:
    """The shunting-yard algorithm: a value stack and an operator stack, no recursion."""

    def __init__(self) -> None:
        self.values: list[Value] = []
        self.operators: list[str] = []

    def running(self, words: Sequence[str]) -> Generator[None, None, Value]:
        """The value of the whole expression, in steps of some thousand words."""
        wants_value = True
        index = applied = 0
        pause = _IN_A_STEP
        while index <= len(words):
            if index >= pause:
                pause = index + _IN_A_STEP
                yield
            word = words[index] if index < len(words) else _END
            if not wants_value or not word:
                for operator in self._due(word):
                    self._apply(operator)
                    applied += 1
                    if not applied % _IN_A_STEP:
                        yield
                wants_value = word != ")"
            elif word == "(" and index + 1 < len(words) and kind_of(words[index + 1]) is TokenKind.DOT:
                self.operators.append(f"({words[index + 1]})")
                index += 2
            elif word == "(":
                self.operators.append("(")
            elif word in _UNARY:
                self.operators.append(f"unary {word}")
            else:
                self.values.append(_literal(word))
                wants_value = False
            index += 1
        if len(self.values) != 1:
            raise NoValueError
        return self.values[0]

    def _due(self, word: str) -> Iterator[str]:
        """Take the operators that are applied before an operator or closing mark from the stack, and put it there."""
        operators = self.operators
        if word in _OPENERS:
            opener = _OPENERS[word]
            while operators and operators[-1] != opener:
                yield operators.pop()
            if operators:
                operators.pop()
            elif opener:
                raise NoValueError
            if word == ":":
                operators.append("?:")
            return
        precedence = 0 if word == "?" else _PRECEDENCE.get(word)
        if precedence is None:
            raise NoValueError
        while operators and self._binds(operators[-1]) >= precedence:
            if word == "?" and operators[-1] == "?:":
                break  # associates to the right
            yield operators.pop()
        operators.append(word)

    def _binds(self, operator: str) -> int:
        if operator in ("(", "?"):
            return -1
        return 0 if operator == "?:" else _PRECEDENCE.get(operator, 11)

    def _apply(self, operator: str) -> None:
        if operator in ("(", "?"):
            raise NoValueError
        count = 3 if operator == "?:" else 2 if operator in _PRECEDENCE else 1
        if len(self.values) < count:
            raise NoValueError
        arguments = self.values[-count:]
        del self.values[-count:]
        if count == 1:
            self.values.append(unary(operator, arguments[0]))
        elif count == 2:
            self.values.append(binary(operator, arguments[0], arguments[1]))
        else:
            self.values.append(choose(*arguments))


@memoized(1 << 12)
def _literal(word: str) -> Value:
    if word == "WARP_SZ":
        return Value(WARP_SZ)
    if not word or word[0] not in _FIRST_OF_NUMBER:
        raise NoValueError
    kind = kind_of(word)
    if kind is TokenKind.FLOAT:
        prefix = word[:2].lower()
        if prefix == "0f":
            return Value(struct.unpack(">f", bytes.fromhex(word[2:]))[0])
        return Value(struct.unpack(">d", bytes.fromhex(word[2:]))[0] if prefix == "0d" else float(word))
    if kind is not TokenKind.INTEGER:
        raise NoValueError
    if len(word) > MAX_DIGITS:
        raise NoValueError
    number = integer(word)
    return truncated(number, word.endswith("U") or number >= SIGN)
