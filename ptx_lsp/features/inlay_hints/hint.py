"""One hint, as plain data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from ptx_lsp.analysis.symbols.symbols import Place

LONGEST = 25
"""Columns of a label: editors cut longer ones."""


class HintPosition(Enum):
    """How a hint stands to what it is about."""

    BEFORE = "before"
    """Before it, with a blank between: ``x: %r1``."""
    AFTER = "after"
    """Behind it, with a blank between: ``0f3F800000 = 1.0``."""
    ADJACENT = "adjacent"
    """Right behind it: ``total: .f32``."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A few words between those of the text."""

    offset: int
    """Where in the document."""
    label: str
    kind: str
    """The setting that it goes by."""
    placement: HintPosition
    tooltip: Callable[[], str]
    """More about it: lines of prose with code spans in backticks, nothing else."""
    declared: Place | None = None
    """The declaration that it is taken from."""


def shortened(label: str) -> str:
    """A label cut to what editors show.

    >>> shortened("a_parameter_with_a_very_long_name:")
    'a_parameter_with_a_very_…'
    """
    return label if len(label) <= LONGEST else label[: LONGEST - 1] + "…"
