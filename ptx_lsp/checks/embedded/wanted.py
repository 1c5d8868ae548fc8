"""The findings in a statement that can be shown or counted, when many are known from the statements before it."""

from __future__ import annotations

from ptx_lsp.diagnostic import Severity
from ptx_lsp.named_tuples import NamedTuple


class Wanted(NamedTuple):
    """The findings that are wanted; others may be left out."""

    least: int = Severity.HINT
    """The least severe ones that are."""
    most: int | None = None
    """From how many on less severe and later ones are not; None: all are."""


ALL = Wanted()
