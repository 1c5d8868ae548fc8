"""A lens, as plain data."""

from __future__ import annotations

from typing import NamedTuple

from ptx_lsp.text import Span


class Lens(NamedTuple):
    """One part of the line above a declaration."""

    offset: int
    """Where the declaration begins in the document."""
    name: str
    """What it declares."""
    kind: str
    """The setting that it goes by."""


class Title(NamedTuple):
    """What a lens says."""

    text: str
    places: tuple[Span, ...] = ()
    """Where to go from it, if the editor can list places."""
