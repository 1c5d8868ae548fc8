"""The content of a hover as plain data; ``render`` converts it to text for the client."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.text import Span

LONGEST_NAME = 18
"""The maximum width of a row name in the name column; after a longer name, the text follows directly."""


class HoverRow(NamedTuple):
    """One row of the table: a name and its description, which may contain code spans."""

    name: str
    text: str


class Hazard(NamedTuple):
    """A mistake of the statement, or what goes wrong with such instructions."""

    text: str
    short: str = ""
    """A shorter text, for hovers that are too long; empty if nothing can be left out."""


class FurtherReading(NamedTuple):
    """A link to the manual or to a page of the server."""

    title: str
    url: str


class CodeExcerpt(NamedTuple):
    """Lines of a file in another language."""

    language: str
    """The language identifier of Markdown: ``cpp``, ``python``; ``text`` if unknown."""
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HoverInfo:
    """The content of a hover, most important facts first.

    Prose is a small subset of Markdown: code spans in backticks, bold, and the links of
    :func:`line_link`. Every part can be empty.
    """

    span: Span
    """The span in the document that it describes."""
    code: tuple[str, ...] = ()
    """Lines of PTX: the declaration, or the instruction with its operands by name."""
    title: str = ""
    """A bold title, for hovers that do not open with code."""
    availability: str = ""
    """The versions and targets that have it; shown beside the title, or directly below the code."""
    link: FurtherReading | None = None
    """The section of the manual; shown with the availability."""
    pages: tuple[FurtherReading, ...] = ()
    """Pages of the server about concepts of the instruction; shown after the manual's link if the client opens them."""
    places: tuple[FurtherReading, ...] = ()
    """Lines of other files, one below the other; an empty address: text without a link."""
    lead: tuple[str, ...] = ()
    """The description, one paragraph each."""
    mistakes: tuple[str, ...] = ()
    """The mistakes of the statement, directly below the code."""
    rows_first: bool = False
    """Whether rows and notes, which are about this statement, precede the description, which is about all such."""
    hazards: tuple[Hazard, ...] = ()
    """The most urgent one first; none is ever left out."""
    rows: tuple[HoverRow, ...] = ()
    """The table of parts."""
    notes: tuple[str, ...] = ()
    """Uses, roles, legends; one line each."""
    excerpt: CodeExcerpt | None = None
    """The source code that the statement was compiled from; shown before the rows."""
    picture: tuple[str, ...] = ()
    """Preformatted lines: decoded fields, a tile; shown before the rows."""


def with_lines(info: HoverInfo, line_of: Callable[[int], int]) -> HoverInfo:
    """The content with other numbers in the links to lines."""

    def renumbered(found: re.Match[str]) -> str:
        line = line_of(int(found[2]))
        return f"[{found[1] or ''}{line}](#L{line})"

    def linked(text: str) -> str:
        return _LINE_LINK.sub(
            lambda found: f"[{found[1] or ''}{line_of(int(found[2]))}](#L{line_of(int(found[2]))})", text
        )

    return replace(
        info,
        lead=tuple(map(linked, info.lead)),
        hazards=tuple(Hazard(linked(one.text), linked(one.short)) for one in info.hazards),
        rows=tuple(HoverRow(one.name, linked(one.text)) for one in info.rows),
        notes=tuple(map(linked, info.notes)),
    )


_LINE_LINK = re.compile(r"\[(line )?(\d+)\]\(#L\d+\)")


def line_link(line: int) -> str:
    """Return ``line 11`` as a link within the document; the renderer fills in the document's address."""
    return f"[line {line}](#L{line})"


def lines_linked(lines: Sequence[int], limit: int = 3) -> str:
    """Return distinct lines as text: ``line 3``, ``lines 3, 5 and 8``, ``lines 3, 5, 8 and 4 more``.

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
