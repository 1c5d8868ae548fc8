"""Results of the search for the nearest spelling of a form: see :mod:`repair`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ptx_lsp.isa.matching.assign import Assignment
from ptx_lsp.isa.model.form_conditions import SlotValues
from ptx_lsp.isa.model.match_result import Mismatch
from ptx_lsp.isa.model.prepared_form import PreparedForm
from ptx_lsp.named_tuples import NamedTuple

FOREIGN, FOREIGN_NAME, RETYPED, CHANGED, MISPLACED, MISSING, DUPLICATE = 10, 20, 12, 9, 9, 8, 6
"""The distance by which each kind of mistake moves a statement away from a form."""
IMPOSSIBLE = 3 * CHANGED
"""The distance of a form that no few changes lead to."""


class SpellingChange(NamedTuple):
    """A way to change the places of a form."""

    cost: int
    mismatch: Mismatch | None
    spellings: list[SlotValues]
    """Values of the places after the change; several if several words are right."""


@dataclass
class Repair:
    """The qualifiers of a statement fitted to a form."""

    form: PreparedForm
    placed: Assignment
    cost: int = 0
    mismatches: list[Mismatch] = field(default_factory=list)
    changes: list[SpellingChange] = field(default_factory=list)
    """The equally good ways to change the places so that rules and tables hold; one without a mismatch if they do."""


def cost_of_filling(count: int) -> int:
    """The least cost of a change that fills so many places."""
    return min(MISSING * count, IMPOSSIBLE)


def cost_of_changing(form: PreparedForm, values: SlotValues, places: Iterable[int]) -> int:
    """The cost of a change of what stands in some places."""
    return sum(
        MISSING if values[place] is None else RETYPED if form.order.get(values[place] or "") == "type" else CHANGED
        for place in places
    )
