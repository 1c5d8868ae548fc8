"""Values as text: what is known of a value does not say in which order its parts were found."""

from __future__ import annotations

from itertools import permutations

import pytest

from ptx_lsp.analysis.symbolic.arithmetic import product
from ptx_lsp.analysis.symbolic.atoms import Atom, AtomKind, Atoms
from ptx_lsp.analysis.symbolic.linear_values import LinearValue, combined, constant
from ptx_lsp.analysis.symbolic.value_text import ValueWriter

ROW = Atom(AtomKind.SPECIAL, "%tid.y", 0, 63)
COLUMN = Atom(AtomKind.SPECIAL, "%tid.x", 0, 15)
INNER = Atom(AtomKind.ITERATION, 7, 0, 1 << 20)
OUTER = Atom(AtomKind.ITERATION, 3, 0, 1 << 20)
LOADED = Atom(AtomKind.RESULT, "%rd2", 0, 1 << 40)
ATOMS = ROW, COLUMN, INNER, OUTER, LOADED


def sum_of(values: dict[Atom, LinearValue], **factors: int) -> LinearValue:
    found = constant(0)
    for name, factor in factors.items():
        found = combined(found, values[globals()[name.upper()]], factor)
    return found


@pytest.mark.parametrize("order", list(permutations(ATOMS)))
def test_a_text_does_not_depend_on_which_atom_was_found_first(order: tuple[Atom, ...]) -> None:
    """A pointer comes first, then the terms with the largest factors; ``i`` counts the loop that begins first."""
    atoms = Atoms()
    values = {atom: atoms.value(atom) for atom in order}
    writer = ValueWriter(atoms, lambda token: str(atoms.atom(token).key))
    scaled = product(atoms, values[INNER], values[ROW])
    for value, text in [
        (sum_of(values, row=64, column=4, loaded=1), "%rd2 + 64 * tid.y + 4 * tid.x"),
        (sum_of(values, row=1, column=1), "tid.x + tid.y"),
        (sum_of(values, inner=8, outer=8), "8 * i + 8 * j"),
        (combined(scaled, values[COLUMN], 4), "tid.y * i + 4 * tid.x"),
        (product(atoms, sum_of(values, row=1, column=2), values[LOADED]), "%rd2 * (2 * tid.x + tid.y)"),
    ]:
        written = writer.write(value)
        assert written is not None
        assert written.text == text
    assert written.loops == ()
    both = writer.write(sum_of(values, inner=8, outer=8))
    assert both is not None
    assert both.loops == (OUTER.key, INNER.key)
