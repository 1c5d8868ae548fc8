"""Counts of the writes, reads and mentions of a name, up to a bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.references.occurrences import Access, Occurrence, occurrences
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.symbols.symbols import Symbol

MOST = 200
"""Places that are looked at: each takes some microseconds, and no list shows so many."""


@dataclass(slots=True)
class Tally:
    """The places of a name in the order of the text, by what they do. What is read and written is in both lists."""

    writes: list[Occurrence] = field(default_factory=list)
    reads: list[Occurrence] = field(default_factory=list)
    mentions: list[Occurrence] = field(default_factory=list)
    is_complete: bool = True
    """Whether these are all; else the first :data:`MOST`."""

    @property
    def count(self) -> int:
        """The number of places, declarations aside."""
        both = sum(one.access is Access.BOTH for one in self.writes)
        return len(self.writes) + len(self.reads) + len(self.mentions) - both


def tally(semantics: Semantics, symbol: Symbol, name: str | None = None, most: int = MOST) -> Tally:
    """Count the places of a name that means ``symbol``; of a group one register if ``name`` gives one."""
    found = Tally()
    for one in occurrences(semantics, symbol, name):
        if len(found.writes) + len(found.reads) + len(found.mentions) >= most:
            found.is_complete = False
            break
        if one.access in (Access.WRITE, Access.BOTH):
            found.writes.append(one)
        if one.access in (Access.READ, Access.BOTH):
            found.reads.append(one)
        if one.access is Access.MENTION:
            found.mentions.append(one)
    return found


def lines(module: Module, places: Sequence[Occurrence], limit: int = 8) -> list[int]:
    """The lines of the first places, counted from 1."""
    return [module.document.position(one.span(module).start)[0] + 1 for one in places[:limit]]
