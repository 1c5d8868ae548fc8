"""Divisions that compilers write as products by a reciprocal: they are taken for divisions only if they are ones."""

from __future__ import annotations

import random

import pytest

from ptx_lsp.analysis.symbolic.arithmetic import divided_by_reciprocal
from ptx_lsp.analysis.symbolic.atoms import Atom, AtomKind, Atoms
from ptx_lsp.analysis.symbolic.linear_values import LinearValue, combined


def check_division(reciprocal: int, places: int, least: int, most: int) -> int | None:
    """The divisor that is found for a product and a shift, which is right for all numbers in an interval."""
    atoms = Atoms()
    number = atoms.value(Atom(AtomKind.PARAMETER, "number", least, most))
    found = divided_by_reciprocal(atoms, combined(LinearValue(0, ()), number, reciprocal), places)
    if found is None:
        return None
    dividend, divisor = found
    assert dividend == number
    assert not divisor.terms
    for times in (0, 1, 2, most // divisor.number, most // divisor.number - 1):
        for one in (times * divisor.number, times * divisor.number - 1, most - times):
            if 0 <= one <= most:
                assert one * reciprocal >> places == one // divisor.number, one
            if least <= -one < 0:
                assert (-one * reciprocal >> places) + 1 == -(one // divisor.number), -one
    return divisor.number


@pytest.mark.parametrize("divisor", [3, 5, 6, 10, 25, 100, 125, 641, 1000])
def test_divisions_of_compilers(divisor: int) -> None:
    places = 32 + (divisor - 1).bit_length() - 1
    reciprocal = -(-(1 << places) // divisor)
    assert check_division(reciprocal, places, 0, (1 << 32) - 1) in (divisor, None)
    assert check_division(reciprocal, places, 0, (1 << 31) - 1) == divisor
    assert check_division(reciprocal, places, -(1 << 31), (1 << 31) - 1) == divisor


def test_of_larger_numbers_the_product_is_no_quotient() -> None:
    assert check_division(1431655766, 32, 0, (1 << 31) - 1) == 3
    assert check_division(1431655766, 32, 0, (1 << 32) - 1) is None


def test_any_product() -> None:
    source = random.Random(5)
    for _ in range(2000):
        places = source.randrange(4, 40)
        check_division(source.randrange(1, 1 << source.randrange(2, 34)), places, 0, source.randrange(1, 1 << 32))


def test_a_shift_is_no_division() -> None:
    assert check_division(1, 5, 0, 1023) is None
