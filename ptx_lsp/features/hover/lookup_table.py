"""What the table of ``lop3`` computes, as a formula: eight bits, one for each combination of three input bits.

Source: PTX ISA, "Logic and Shift Instructions: lop3".
"""

from __future__ import annotations

from functools import cache
from itertools import permutations, product

_INPUTS = {"a": 0xF0, "b": 0xCC, "c": 0xAA}
_ALL = 0xFF


def formula(table: int) -> str:
    """A formula of ``a``, ``b`` and ``c`` for a table of 8 bits; empty if there is no short one.

    >>> formula(0x96), formula(0xE8), formula(0xCA), formula(0x6A), formula(0x30), formula(0xFF)
    ('a ^ b ^ c', 'majority of a, b, c', 'a ? b : c', '(a & b) ^ c', 'a & ~b', '1')
    """
    return _formulas().get(table & _ALL, "")


@cache
def _formulas() -> dict[int, str]:
    """The simplest formula of each table: no operator, one, two; few negations first."""
    found = {0: "0", _ALL: "1"}
    found |= {table: name for name, table in _INPUTS.items()}
    found |= {~table & _ALL: f"~{name}" for name, table in _INPUTS.items()}
    signs = sorted(product((0, 1), repeat=3), key=sum)
    for negated in signs:
        for (x, i), (y, j) in permutations(_signed(negated), 2):
            for operator, table in (("&", i & j), ("|", i | j), ("^", i ^ j)):
                found.setdefault(table, f"{x} {operator} {y}")
    for negated in signs:
        values = _signed(negated)
        (x, i), (y, j), (z, k) = values
        for operator, table in (("&", i & j & k), ("|", i | j | k), ("^", i ^ j ^ k)):
            found.setdefault(table, f"{x} {operator} {y} {operator} {z}")
        found.setdefault(i & j | j & k | i & k, f"majority of {x}, {y}, {z}")
        for (x, i), (y, j), (z, k) in permutations(values, 3):
            pairs = {"&": i & j, "|": i | j, "^": i ^ j}
            for inner, pair in pairs.items():
                for outer, table in (("&", pair & k), ("|", pair | k), ("^", pair ^ k)):
                    if inner != outer:
                        found.setdefault(table, f"({x} {inner} {y}) {outer} {z}")
        for (x, i), (y, j), (z, k) in permutations(values, 3):
            found.setdefault(i & j | ~i & _ALL & k, f"{x} ? {y} : {z}")
    for table, text in list(found.items()):
        found.setdefault(~table & _ALL, f"~({text})" if " of " not in text else f"not the {text}")
    return found


def _signed(negated: tuple[int, ...]) -> list[tuple[str, int]]:
    """The inputs, some of them negated, with their tables."""
    pairs = zip(negated, _INPUTS.items(), strict=True)
    return [(f"~{name}" if sign else name, table ^ _ALL * sign) for sign, (name, table) in pairs]
