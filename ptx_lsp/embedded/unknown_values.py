"""Constants of unknown value in expressions: PTX has numbers there, and no names."""

from __future__ import annotations

import re
from collections.abc import Container, Generator

_ANY_NAME = re.compile(r"(?<![\w$%])[%$]?[\w$]++", re.ASCII)
_UNARY = re.compile(r"(?:[,{(\[]|(?:^|[;{}\s])[A-Za-z][\w.:]*\s)\s*-\s*$", re.ASCII)
_OPERAND = re.compile(r"\[[^\[\];]*\]|[^,;{}\[\]]++")
"""An address, or another operand; a part of it if it has some."""
_VALUE = r"[\s(~!+\-]*+(?:[0-9]\w*+|WARP_SZ\b)[\s)]*+"
_EXPRESSION = re.compile(
    rf"(?:\s*+(?:@!?[\w%$]++\s++)?+[A-Za-z][\w.:]*+\s)?+{_VALUE}(?:[-+*/%&|^<>?:=!]++{_VALUE})*+", re.ASCII
).fullmatch
"""An operand without names, perhaps with the opcode before it."""
_NUMBER = re.compile(r"(?<![\w$%.:])[1-9]\d*+(?![\w$.])", re.ASCII)
_MANY = "9999"
"""The number of registers that a declaration with an unknown number declares: ``%r<9999>``."""
_BEFORE = frozenset("+-*/~(<>&^?")
_AFTER = frozenset("+-*/<>&^?")
_FAR = 80
_WORDS_IN_A_STEP = 2048


def with_digits(text: str, names: Container[str]) -> Generator[None, None, str]:
    """A text with digits for ``names`` in expressions, and zero for the numbers beside them, but in addresses.

    In steps. All places stay.
    """
    changed = yield from _with_digits_for_names(text, names)
    if changed == text:
        return text
    parts: list[str] = []
    done = 0
    for number, operand in enumerate(_OPERAND.finditer(changed), 1):
        if not number % _WORDS_IN_A_STEP:
            yield
        found = operand[0]
        if not text.startswith(found, operand.start()):
            parts += changed[done : operand.start()], _without_numbers(found)
            done = operand.end()
    return "".join([*parts, changed[done:]])


def _without_numbers(operand: str) -> str:
    """An operand with zero for its numbers, if it is an expression."""
    if operand[0] == "[" or _EXPRESSION(operand) is None or operand.count("(") != operand.count(")"):
        return operand
    return _NUMBER.sub(lambda number: "0" * len(number[0]), operand)


def _with_digits_for_names(text: str, names: Container[str]) -> Generator[None, None, str]:
    parts: list[str] = []
    done = 0
    for number, match in enumerate(_ANY_NAME.finditer(text), 1):
        if not number % _WORDS_IN_A_STEP:
            yield
        if match[0] not in names:
            continue
        start, end = match.span()
        before, after = _before(text, start), _after(text, end)
        if _is_in_expression(text, start, before, after):
            is_count = before == "<" and after == ">"
            digits = _MANY.ljust(end - start)[: end - start] if is_count else "0" * (end - start)
            parts += text[done:start], digits
            done = end
    return "".join([*parts, text[done:]])


def _is_in_expression(text: str, start: int, before: str, after: str) -> bool:
    """Whether the name that starts at a place is in an expression, by the characters around it."""
    if before == "-" and after not in _AFTER and _UNARY.search(text[max(start - _FAR, 0) : start]) is not None:
        return False  # a sign
    return before in _BEFORE or after in _AFTER


def _before(text: str, at: int) -> str:
    """The character before a place, without white space; empty if there is none near."""
    character = text[max(at - 1, 0) : at]
    return text[max(at - _FAR, 0) : at].rstrip()[-1:] if character.isspace() else character


def _after(text: str, at: int) -> str:
    """The character after a place, without white space; empty if there is none near."""
    character = text[at : at + 1]
    return text[at : at + _FAR].lstrip()[:1] if character.isspace() else character
