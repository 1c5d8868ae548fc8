"""Values as text: the order of terms does not depend on which was found first."""

from __future__ import annotations

from itertools import permutations

import pytest

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
