"""An inlay hint as plain data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from ptx_lsp.analysis.symbols.symbols import Place

LONGEST = 25
"""The maximum width of a label in columns; clients truncate longer ones."""


class HintPosition(Enum):
    """The position of a hint relative to the text that it annotates."""

    BEFORE = "before"
    """Before it, separated by a blank: ``x: %r1``."""
    AFTER = "after"
    """After it, separated by a blank: ``0f3F800000 = 1.0``."""
    ADJACENT = "adjacent"
    """Directly after it: ``total: .f32``."""


@dataclass(frozen=True, slots=True)
class Hint:
    """An inlay hint."""

    offset: int
    """Its offset in the document."""
    label: str
    kind: str
    """The setting that enables it."""
    placement: HintPosition
    tooltip: Callable[[], str]
    """Computes the tooltip: lines of prose with code spans in backticks and no other markup."""
    declared: Place | None = None
    """The declaration that it refers to."""


def shortened(label: str) -> str:
    """Truncate a label to :data:`LONGEST` columns.

    >>> shortened("a_parameter_with_a_very_long_name:")
    'a_parameter_with_a_very_…'
    """
    return label if len(label) <= LONGEST else label[: LONGEST - 1] + "…"
