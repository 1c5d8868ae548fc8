"""Constants of unknown value in expressions, where PTX has no names."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import partial

from ptx_lsp.text import Span

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


def with_digits(text: str, names: Collection[str]) -> str:
    """A text with digits for ``names`` in expressions, and zero for the numbers beside them, but in addresses."""

    def digits(match: re.Match[str]) -> str:
        span = Span(*match.span())
        if match[0] not in names or not _is_in_expression(text, span):
            return match[0]
        before = text[max(span.start - 80, 0) : span.start].rstrip()[-1:]
        is_count = before == "<" and text[span.end : span.end + 80].lstrip()[:1] == ">"
        return _MANY.ljust(len(match[0]))[: len(match[0])] if is_count else "0" * len(match[0])

    changed = _ANY_NAME.sub(digits, text)
    return changed if changed == text else _OPERAND.sub(partial(_without_numbers, text), changed)


def _without_numbers(text: str, operand: re.Match[str]) -> str:
    """An operand with zero for its numbers, if it is an expression that is changed from a text."""
    changed = operand[0]
    if changed[0] == "[" or text.startswith(changed, operand.start()):
        return changed
    if _EXPRESSION(changed) is None or changed.count("(") != changed.count(")"):
        return changed
    return _NUMBER.sub(lambda number: "0" * len(number[0]), changed)


def _is_in_expression(text: str, span: Span) -> bool:
    head = text[max(span.start - 80, 0) : span.start]
    before = head.rstrip()[-1:]
    after = text[span.end : span.end + 80].lstrip()[:1]
    if before == "-" and after not in _AFTER and _UNARY.search(head) is not None:
        return False  # a sign
    return before in _BEFORE and before != "" or after in _AFTER and after != ""
