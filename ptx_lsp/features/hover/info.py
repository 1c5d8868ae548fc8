"""What a hover says, as plain data. It is rendered last, for the client at hand (see ``render``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ptx_lsp.text import Span


class Row(NamedTuple):
    """One line of the table: a name and what it is here. The text may hold code spans."""

    name: str
    text: str


class Link(NamedTuple):
    """Where to read on."""

    title: str
    url: str


@dataclass(frozen=True, slots=True)
class HoverInfo:
    """One hover, answer first.

    Prose is a small subset of Markdown: code spans in backticks and bold, nothing
    else. Every part can be empty.
    """

    span: Span
    """What was pointed at, in the document."""
    code: tuple[str, ...] = ()
    """Lines of PTX: the declaration, or the instruction with its operands by name."""
    title: str = ""
    """A few words in bold, where there is no code to open with."""
    lead: tuple[str, ...] = ()
    """What it is or does, a paragraph each."""
    rows: tuple[Row, ...] = ()
    """Its parts."""
    notes: tuple[str, ...] = ()
    """Where it holds, how often it is used, what is wrong with it; a line each."""
    link: Link | None = None
