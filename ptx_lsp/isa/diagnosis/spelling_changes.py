"""What the search for the nearest spelling of a form finds: see :mod:`repair`."""

from __future__ import annotations

from dataclasses import dataclass, field

from ptx_lsp.isa.matching.assign import Assignment
from ptx_lsp.isa.model.form_conditions import SlotValues
from ptx_lsp.isa.model.match_result import Mismatch
from ptx_lsp.isa.model.prepared_form import PreparedForm
from ptx_lsp.named_tuples import NamedTuple


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
