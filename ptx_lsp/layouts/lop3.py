"""Conversion between the truth table of ``lop3`` and expressions of a, b, c.

The immediate is the value of the expression for a = 0xF0, b = 0xCC, c = 0xAA. Source: Logic and Shift
Instructions: lop3.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import product

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.value_text import truncated

TABLES = {"a": 0xF0, "b": 0xCC, "c": 0xAA}
"""The truth table of each input."""
_ALL = 0xFF
_CHOSEN = 4
"""The cost of a choice or a majority."""


@cache
def _expressions() -> list[str]:
    return _shortest()


def expression(table: int) -> str:
    """The shortest expression with this truth table.

    >>> expression(0x80), expression(0x96), expression(0xCA)
    ('a & b & c', 'a ^ b ^ c', 'a ? b : c')
    """
    return _expressions()[table & _ALL]


def expression_of(table: int, operands: Sequence[str]) -> str:
    """The shortest expression for a table over given operands; simplified for equal operands, 0 and -1.

    >>> expression_of(0x6A, ["%r1", "%r2", "%r3"]), expression_of(0x6A, ["%r1", "%r2", "%r1"])
    ('(%r1 & %r2) ^ %r3', '%r1 & ~%r2')
    """
    first = [operands.index(text) for text in operands]
    constants = {at: _CONSTANTS[text.lower()] for at, text in enumerate(operands) if text.lower() in _CONSTANTS}
    simplified = 0
    for row in range(_ALL.bit_length()):
        bits = [row >> 2 - at & 1 for at in range(3)]
        known = [constants.get(at, bits[first[at]]) for at in range(3)]
        simplified |= (table >> (known[0] << 2 | known[1] << 1 | known[2]) & 1) << row
    return _NAME.sub(lambda found: operands["abc".index(found[0])], expression(simplified))


_CONSTANTS = {"0": 0, "0x0": 0, "-1": 1, "0xffffffff": 1, "4294967295": 1}
"""Operands whose bits are all equal, with that bit."""
_NAME = re.compile(r"\b[abc]\b")


@cache
def common_tables() -> tuple[int, ...]:
    """The common tables of three inputs: two operators and no ``~``, and choices and majority without it."""
    found = [number for number in range(_ALL + 1) if "~" not in expression(number)]
    ranked = [("majority" not in expression(number), len(expression(number)), number) for number in found]
    wanted = (number for _, _, number in sorted(ranked))
    return tuple(number for number in wanted if _is_common(expression(number)))


def _is_common(text: str) -> bool:
    if not all(re.search(rf"\b{name}\b", text) for name in TABLES):
        return False
    return "?" in text or "majority" in text or sum(map(text.count, "&|^")) == 2


_MAX_LENGTH = 1000
"""Maximum length of an expression; Python's parser raises MemoryError on much longer ones."""


def table(text: str) -> int:
    """The truth table of an expression with ``~ & ^ |``, parentheses, ``a ? b : c`` and ``majority of a, b, c``.

    >>> hex(table("(a & b) | ~c")), hex(table("a ? b : c"))
    ('0xd5', '0xca')

    Raises:
        ValueError: for anything else.
    """
    if len(text) > _MAX_LENGTH:
        raise ValueError(f"'{truncated(text)}' is too long for an expression of a, b, c")
    try:
        return _value(ast.parse(in_operators(text.strip()), mode="eval").body)
    except (SyntaxError, RecursionError) as error:
        raise ValueError(f"'{text}' is not an expression of a, b, c with ~ & ^ |") from error


def in_letters(text: str, operands: Sequence[str]) -> str:
    """Replace the operands in an expression by the letters a, b and c; of equal operands the first counts.

    >>> in_letters("%r4 | ~%r2", ["%r2", "%r3", "%r4"])
    'c | ~a'
    """
    letters: dict[str, str] = {}
    for letter, operand in zip("abc", operands, strict=False):
        letters.setdefault(operand.strip(), letter)
    return _WORD.sub(lambda found: letters.get(found[0], found[0]), text)


_WORD = re.compile(r"[%$\w]+")


def in_operators(text: str) -> str:
    """An expression with choices and majorities written out; ``?:`` binds as in C, looser than all operators.

    >>> in_operators("a ? b : c & a")
    '((a) & (b) | ~(a) & (c & a))'
    """
    return _without_choices(_MAJORITY.sub(r"(\1 & \2 | \1 & \3 | \2 & \3)", text))


def _without_choices(text: str) -> str:
    if "?" not in text:
        return text
    depth, opened, marks = 0, 0, []
    pieces: list[str] = []
    """The processed text, with parenthesized parts rewritten."""
    for at, letter in enumerate(text):
        if letter == "(":
            depth += 1
            if depth == 1:
                opened = at
                continue
        elif letter == ")":
            depth -= 1
            if depth == 0:
                pieces.append(f"({_without_choices(text[opened + 1 : at])})")
                continue
        if depth == 0:
            if letter in "?:":
                marks.append(len(pieces))
            pieces.append(letter)
    if depth or not marks or pieces[marks[0]] != "?":
        return "".join(pieces) if not depth else text
    nested = 0
    for mark in marks[1:]:
        if pieces[mark] == "?":
            nested += 1
        elif nested:
            nested -= 1
        else:
            parts = (pieces[: marks[0]], pieces[marks[0] + 1 : mark], pieces[mark + 1 :])
            condition, first, second = (_without_choices("".join(part)).strip() for part in parts)
            return f"(({condition}) & ({first}) | ~({condition}) & ({second}))"
    return "".join(pieces)


_MAJORITY = re.compile(r"majority of (~?[abc]), (~?[abc]), (~?[abc])")
_OPERATORS: dict[type, Callable[[int, int], int]] = {
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}


def _value(node: ast.expr) -> int:
    match node:
        case ast.Name() if node.id in TABLES:
            return TABLES[node.id]
        case ast.Constant(value=0):
            return 0
        case ast.UnaryOp(op=ast.Invert()):
            return ~_value(node.operand) & _ALL
        case ast.BinOp() if type(node.op) in _OPERATORS:
            return _OPERATORS[type(node.op)](_value(node.left), _value(node.right))
    raise ValueError(f"'{ast.unparse(node)}' is not allowed in an expression of a, b, c with ~ & ^ |")


class _Candidate(NamedTuple):
    """A candidate expression for a table."""

    cost: int
    text: str
    level: int
    """Precedence: 3 a name or ``~``, 2 ``&``, 1 ``^``, 0 ``|``, -1 ``?:``."""


_BINARY = (("&", 2, operator.and_), ("|", 0, operator.or_), ("^", 1, operator.xor))


def _shortest() -> list[str]:
    """The shortest expression of each table, by enumeration in order of cost (30 ms, once)."""
    found: dict[int, _Candidate] = {0: _Candidate(1, "0", 3), _ALL: _Candidate(1, "~0", 3)}
    by_cost: dict[int, list[int]] = {1: [0, _ALL]}
    for name, value in TABLES.items():
        found[value] = _Candidate(1, name, 3)
        by_cost[1].append(value)
    cost = 1
    while len(found) < _ALL + 1:
        cost += 1
        by_cost[cost] = []
        for candidate, value in sorted(_of_cost(cost, found, by_cost), key=_plainness):
            if value not in found:
                found[value] = candidate
                by_cost[cost].append(value)
    return [found[value].text for value in range(_ALL + 1)]


def _plainness(made: tuple[_Candidate, int]) -> tuple[int, int, int, str]:
    """Order of expressions of equal cost by readability: fewer ``^``, fewer ``~``, shorter."""
    text = made[0].text
    return text.count("^"), text.count("~"), len(text), text


def _of_cost(cost: int, found: dict[int, _Candidate], by_cost: dict[int, list[int]]) -> list[tuple[_Candidate, int]]:
    made = []
    for value in by_cost[cost - 1]:
        one = found[value]
        if one.level == 3 and not one.text.startswith(("~", "0")):
            made.append((_Candidate(cost, f"~{one.text}", 3), ~value & _ALL))
        elif one.level < 3:
            made.append((_Candidate(cost, f"~({one.text})", 3), ~value & _ALL))
    for left_cost in range(1, cost - 1):
        for left in by_cost[left_cost]:
            for right in by_cost[cost - 1 - left_cost]:
                one, two = found[left], found[right]
                if "0" in one.text + two.text or min(one.level, two.level) < 0:
                    continue
                for sign, level, apply in _BINARY:
                    text = f"{_parenthesized(one, level)} {sign} {_parenthesized(two, level)}"
                    made.append((_Candidate(cost, text, level), apply(left, right)))
    if cost == _CHOSEN:
        made += _selections()
    return made


def _parenthesized(one: _Candidate, level: int) -> str:
    """An operand, parenthesized if its operator differs, since the precedence is little known."""
    return one.text if one.level in (3, level) else f"({one.text})"


def _selections() -> list[tuple[_Candidate, int]]:
    made = []
    signed = [(f"~{name}" if sign else name, table ^ _ALL * sign) for name, table in TABLES.items() for sign in (0, 1)]
    for (one, i), (two, j), (three, k) in product(signed[:2], signed[2:4], signed[4:]):
        made.append((_Candidate(_CHOSEN, f"majority of {one}, {two}, {three}", -1), i & j | i & k | j & k))
    names = list(TABLES)
    for condition in names:
        yes, no = (name for name in names if name != condition)
        for first, second in ((yes, no), (no, yes)):
            chosen = TABLES[condition]
            value = chosen & TABLES[first] | ~chosen & TABLES[second] & _ALL
            made.append((_Candidate(_CHOSEN, f"{condition} ? {first} : {second}", -1), value))
    return made
