"""The iteration in which a comparison changes, by a division, is the one that all iterations show."""

from __future__ import annotations

import random

import pytest

from ptx_lsp.analysis.symbolic.atoms import Atom, AtomKind, Atoms
from ptx_lsp.analysis.symbolic.linear_values import LinearValue, combined, constant
from ptx_lsp.analysis.symbolic.predicates import IntegerComparison
from ptx_lsp.analysis.symbolic.trip_counts import ComparedLines

_LOOP = 7
_THREAD = "%tid.x"
_WORDS = {".eq": "==", ".ne": "!=", ".lt": "<", ".le": "<=", ".gt": ">", ".ge": ">="}
_UNSIGNED = {".lo": "<", ".ls": "<=", ".hi": ">", ".hs": ">="}


def read(value: int, width: int, *, is_signed: bool) -> int:
    value %= 1 << width
    return value - (1 << width) if is_signed and value >> width - 1 else value


@pytest.mark.parametrize("seed", range(20))
def test_it_is_the_first_of_all_iterations(seed: int) -> None:
    draw = random.Random(seed)
    atoms = Atoms()
    thread = atoms.value(Atom(AtomKind.SPECIAL, _THREAD, 0, 1023, is_fixed=True))
    iteration = atoms.value(Atom(AtomKind.ITERATION, _LOOP, 0, 1 << 63))

    def value() -> tuple[LinearValue, tuple[int, int, int]]:
        parts = (
            draw.choice([0, 1, 5, -3, draw.randrange(-99, 99), draw.randrange(1 << 32)]),
            draw.choice([0, 0, 1, -1, 4]),
            draw.choice([0, 0, 1, -1, 2, 3, -7, 32]),
        )
        return combined(combined(constant(parts[0]), thread, parts[1]), iteration, parts[2]), parts

    known = 0
    for _ in range(100):
        word = draw.choice([*_WORDS, *_UNSIGNED])
        is_signed, width = word in _WORDS and draw.random() < 0.5, draw.choice([16, 32, 64])
        (one, parts), (other, others) = value(), value()
        number, count, result = draw.randrange(512), draw.choice([1, 5, 64]), draw.random() < 0.5
        lines = ComparedLines.of(IntegerComparison(word, is_signed, width, one, other), atoms)
        assert lines is not None
        found = lines.first(_LOOP, {_THREAD: number}, count, result=result)
        if found is None:
            continue
        known += 1
        sides = (
            tuple(
                read(start + factor * number + step * at, width, is_signed=is_signed)
                for start, factor, step in (parts, others)
            )
            for at in range(count)
        )
        holds = {
            "==": int.__eq__,
            "!=": int.__ne__,
            "<": int.__lt__,
            "<=": int.__le__,
            ">": int.__gt__,
            ">=": int.__ge__,
        }
        compare = holds[(_WORDS | _UNSIGNED)[word]]
        expected = next((at for at, (left, right) in enumerate(sides) if compare(left, right) is result), None)
        assert (found if found < count else None) == expected
    assert known > 40


def test_other_operands_are_no_lines() -> None:
    atoms = Atoms()
    product = atoms.value(Atom(AtomKind.PRODUCT, "a * b", 0, 9, (constant(1), constant(2))))
    assert (
        ComparedLines.of(IntegerComparison(".lt", is_signed=False, width=32, one=product, other=constant(1)), atoms)
        is None
    )
