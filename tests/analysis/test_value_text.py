"""Values as text: the order of terms does not depend on which was found first."""

from __future__ import annotations

from itertools import permutations

import pytest
from called import calls

from ptx_lsp.analysis.symbolic.arithmetic import product
from ptx_lsp.analysis.symbolic.atoms import Atom, AtomKind, Atoms
from ptx_lsp.analysis.symbolic.linear_values import combined
from ptx_lsp.analysis.symbolic.value_text import ValueWriter

ROW = Atom(AtomKind.SPECIAL, "%tid.y", 0, 63)
COLUMN = Atom(AtomKind.SPECIAL, "%tid.x", 0, 15)
INNER = Atom(AtomKind.ITERATION, 7, 0, 1 << 20)
OUTER = Atom(AtomKind.ITERATION, 3, 0, 1 << 20)
LOADED = Atom(AtomKind.RESULT, "%rd2", 0, 1 << 40)
ATOMS = ROW, COLUMN, INNER, OUTER, LOADED


@pytest.mark.parametrize("order", list(permutations(ATOMS)))
def test_a_text_does_not_depend_on_which_atom_was_found_first(order: tuple[Atom, ...]) -> None:
    """A pointer comes first, then the terms with the largest factors; ``i`` counts the loop that begins first."""
    atoms = Atoms()
    row, column, inner, outer, loaded = map({atom: atoms.value(atom) for atom in order}.__getitem__, ATOMS)
    for value, text, loops in [
        (combined(combined(loaded, column, 4), row, 64), "%rd2 + 64 * tid.y + 4 * tid.x", ()),
        (combined(row, column, 1), "tid.x + tid.y", ()),
        (combined(inner, outer, 1), "i + j", (OUTER.key, INNER.key)),
        (combined(product(atoms, inner, row), column, 4), "tid.y * i + 4 * tid.x", (INNER.key,)),
        (product(atoms, combined(row, column, 2), loaded), "%rd2 * (2 * tid.x + tid.y)", ()),
    ]:
        assert ValueWriter(atoms, lambda token: str(atoms.atom(token).key)).write(value) == (text, loops)


def test_the_text_of_sums_of_products_of_sums_takes_few_steps() -> None:
    """Each sum has eight times the one before: written out, the last one has more than a hundred thousand terms."""
    atoms = Atoms()
    factors = [atoms.value(Atom(AtomKind.RESULT, f"%r{number}", 0, 1 << 20)) for number in range(8)]
    value = factors[0]
    for _ in range(7):
        value, before = combined(factors[0], factors[0], -1), value
        for factor in factors:
            value = combined(value, product(atoms, before, factor), 1)
    writer = ValueWriter(atoms, lambda token: str(atoms.atom(token).key))
    assert calls(lambda: writer.write(value)) < 10_000
    assert calls(lambda: writer.shortened(value)) < 40_000
