"""The functions that the tables of ``lop3`` stand for, as expressions.

Source: PTX ISA, "Logic and Shift Instructions: lop3": the table is the function
applied to ``0xF0``, ``0xCC``, ``0xAA``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import permutations, product
from operator import and_, or_, xor
from typing import NamedTuple

_ALL = 0xFF
_INPUTS = {"a": 0xF0, "b": 0xCC, "c": 0xAA}
_OPERATORS = {"&": and_, "^": xor, "|": or_}


class _Term(NamedTuple):
    """An expression, its table, and its outermost operator."""

    text: str
    table: int
    operator: str = ""


def logic_function(table: int) -> str | None:
    """The plainest expression in ``a``, ``b`` and ``c`` for a table; None for one that takes more than three operators.

    >>> logic_function(0xCA), logic_function(0x96), logic_function(0xE8), logic_function(0xC0)
    ('a ? b : c', 'a ^ b ^ c', 'majority of a, b, c', 'a & b')
    """
    return _functions().get(table)


@cache
def _functions() -> dict[int, str]:
    """The plainest expression for each table that has one."""
    found = {0: "0", _ALL: "~0"}
    for term in _terms():
        found.setdefault(term.table, term.text)
    return found


def _terms() -> Iterator[_Term]:
    """Expressions, plain ones first."""
    leaves = [_Term(name, table) for name, table in _INPUTS.items()]
    negated = [_Term(f"~{leaf.text}", leaf.table ^ _ALL) for leaf in leaves]
    yield from leaves
    yield from negated
    either = list(zip(leaves, negated, strict=True))
    pairs = [
        _joined(operator, one, other)
        for first, second in ((0, 1), (0, 2), (1, 2))
        for one, other in product(either[first], either[second])
        for operator in _OPERATORS
    ]
    yield from pairs
    majorities = [_majority(*terms) for terms in product(*either)]
    yield majorities[0]
    triples = [
        _joined(operator, _joined(inner, one, other), last)
        for at, with_, third in ((0, 1, 2), (0, 2, 1), (1, 2, 0))
        for one, other, last in product(either[at], either[with_], either[third])
        for inner, operator in product(_OPERATORS, repeat=2)
    ]
    yield from sorted(triples, key=lambda term: (term.text.count("~"), term.text.count("(")))
    choices = [
        _Term(f"{one.text} ? {two.text} : {three.text}", one.table & two.table | ~one.table & _ALL & three.table)
        for first, second, third in permutations(range(3))
        for one, two, three in product(leaves[first : first + 1], either[second], either[third])
    ]
    yield from sorted(choices, key=lambda term: term.text.count("~"))
    yield from sorted(majorities, key=lambda term: term.text.count("~"))
    yield from (_Term(f"~({term.text})", term.table ^ _ALL) for term in (*triples, *choices))


def _majority(one: _Term, two: _Term, three: _Term) -> _Term:
    table = one.table & two.table | one.table & three.table | two.table & three.table
    return _Term(f"majority of {one.text}, {two.text}, {three.text}", table)


def _joined(operator: str, one: _Term, other: _Term) -> _Term:
    """Two terms under an operator; nobody has to remember which one binds tighter."""
    parts = [f"({term.text})" if term.operator not in ("", operator) else term.text for term in (one, other)]
    return _Term(f"{parts[0]} {operator} {parts[1]}", _OPERATORS[operator](one.table, other.table), operator)
