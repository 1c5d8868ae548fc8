"""A code lens as plain data."""

from __future__ import annotations

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.text import Span


class Lens(NamedTuple):
    """One entry in the line above a declaration."""

    offset: int
    """The start of the declaration in the document."""
    name: str
    """The declared name."""
    kind: str
    """The setting that enables it."""


class Title(NamedTuple):
    """The title of a lens."""

    text: str
    places: tuple[Span, ...] = ()
    """The spans to show on click, if the client can list places."""
