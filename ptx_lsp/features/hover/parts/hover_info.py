"""What a hover says, as plain data. It is rendered last, for the client at hand (see ``render``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ptx_lsp.text import Span

LONGEST_NAME = 18
"""Columns of a name of a row that others are aligned with; text begins right behind a longer one."""


class HoverRow(NamedTuple):
    """One line of the table: a name and what it is here. The text may hold code spans."""

    name: str
    text: str


class FurtherReading(NamedTuple):
    """Where to read on."""

    title: str
    url: str


class CodeExcerpt(NamedTuple):
    """Lines of a file in another language."""

    language: str
    """What Markdown calls it: ``cpp``, ``python``; ``text`` where it is unknown."""
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HoverInfo:
    """One hover, answer first.

    Prose is a small subset of Markdown: code spans in backticks, bold, and what
    :func:`line_link` makes. Every part can be empty.
    """

    span: Span
    """What was pointed at, in the document."""
    code: tuple[str, ...] = ()
    """Lines of PTX: the declaration, or the instruction with its operands by name."""
    title: str = ""
    """A few words in bold, where there is no code to open with."""
    lead: tuple[str, ...] = ()
    """What it is or does, a paragraph each."""
    rows: tuple[HoverRow, ...] = ()
    """Its parts."""
    notes: tuple[str, ...] = ()
    """Where it holds, how often it is used, what is wrong with it; a line each."""
    link: FurtherReading | None = None
    excerpt: CodeExcerpt | None = None
    """What the text says it was made of; stands before the rows."""
    picture: tuple[str, ...] = ()
    """Lines whose columns matter: decoded fields, a tile. Stands before the rows."""


def line_link(line: int) -> str:
    """``line 11``, which leads there in editors that can: the document's address is filled in by the renderer."""
    return f"[line {line}](#L{line})"


def lines_linked(lines: Sequence[int], limit: int = 3) -> str:
    """Some lines in words, each once: ``line 3``, ``lines 3, 5 and 8``, ``lines 3, 5, 8 and 4 more``.

    >>> lines_linked([3]), lines_linked([3, 5, 5])
    ('[line 3](#L3)', 'lines [3](#L3) and [5](#L5)')
    """
    unique = list(dict.fromkeys(lines))
    if len(unique) == 1:
        return line_link(unique[0])
    shown = [f"[{line}](#L{line})" for line in unique[:limit]]
    if len(unique) > limit:
        return f"lines {', '.join(shown)} and {len(unique) - limit} more"
    return f"lines {', '.join(shown[:-1])} and {shown[-1]}"
