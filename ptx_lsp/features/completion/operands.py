"""Operands; a stub until they are merged."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.unfinished import Unfinished
from ptx_lsp.features.completion.item import Item


def operands(place: Unfinished) -> Iterator[Item]:
    """Nothing yet."""
    del place
    yield from ()
