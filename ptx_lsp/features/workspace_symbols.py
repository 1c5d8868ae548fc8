"""Workspace symbols: fuzzy search for functions and variables of all files."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from heapq import nsmallest
from typing import Generic, NamedTuple

from ptx_lsp.analysis.module.interface import ExportedSymbol, Interface, PlaceT
from ptx_lsp.analysis.symbols.symbols import SymbolKind

MOST = 1000
"""The maximum number of results."""


_FUNCTION = SymbolKind.FUNCTION


class SymbolMatch(NamedTuple, Generic[PlaceT]):
    """A matching entry and its file."""

    file: str
    number: int
    """The index of the entry in the file's interface."""
    entry: ExportedSymbol[PlaceT]
    name: str
    """The name that matched: the demangled one if it did, else that in the file."""


def workspace_symbols(
    files: Mapping[str, Interface[PlaceT]], query: str, most: int = MOST, *, demangles: bool = True
) -> list[SymbolMatch[PlaceT]]:
    """Return the entries whose names contain the letters of ``query`` in order, best match first.

    Ranking: exact name, then prefix, then substring, then scattered letters. Among equals, functions precede variables,
    definitions precede declarations, and short names precede long ones. Case and white space are ignored. An empty
    query matches all entries. Of a mangled name the demangled one is searched first.
    """
    letters = "".join(query.split())
    rank = _ranking(letters)
    levels: dict[tuple[int, bool, bool], list[tuple[int, str, str, int, str]]] = defaultdict(list)
    for file, interface in files.items():
        for number, entry in enumerate(interface.entries):
            name = shown_name(entry) if demangles else entry.name
            quality = rank(name.lower()) if letters else 0
            if quality is None and name is not entry.name:
                name = entry.name
                quality = rank(name.lower())
            if quality is not None:
                level = (quality, entry.kind is not _FUNCTION, not entry.is_definition)
                levels[level].append((len(name), name, file, number, name))
    best: list[tuple[int, str, str, int, str]] = []
    for level in sorted(levels):
        if len(best) < most:
            best += nsmallest(most - len(best), levels[level])
    return [SymbolMatch(file, number, files[file].entries[number], name) for _, _, file, number, name in best]


def shown_name(entry: ExportedSymbol[PlaceT]) -> str:
    """The demangled, shortened name of an entry; its own name if it is not mangled."""
    return entry.brief or entry.name


def _ranking(letters: str) -> Callable[[str], int | None]:
    """Return a function that ranks a lower-case name, 0 being best, None for no match."""
    folded = letters.lower()
    pattern = "".join(f"[^{re.escape(letter)}]*+{re.escape(letter)}" for letter in folded)
    holds = re.compile(pattern).match

    def rank(name: str) -> int | None:
        if not holds(name):
            return None
        if name == folded:
            return 0
        if name.startswith(folded):
            return 1
        return 2 if folded in name else 3

    return rank
