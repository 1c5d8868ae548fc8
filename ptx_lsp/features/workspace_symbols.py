"""Symbols of a workspace: the functions and variables of all its files by a part of their names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from heapq import nsmallest
from typing import Generic, NamedTuple

from ptx_lsp.analysis.module.interface import ExportedSymbol, Interface, PlaceT
from ptx_lsp.analysis.symbols.symbols import SymbolKind

MOST = 1000
"""How many are found at most; whoever wants others types more letters."""


_FUNCTION = SymbolKind.FUNCTION


class SymbolMatch(NamedTuple, Generic[PlaceT]):
    """An entry and the file that it stands in."""

    file: str
    number: int
    """Which of the file's entries it is."""
    entry: ExportedSymbol[PlaceT]


def workspace_symbols(
    files: Mapping[str, Interface[PlaceT]], query: str, most: int = MOST
) -> list[SymbolMatch[PlaceT]]:
    """The entries whose names hold the letters of ``query`` in their order, the best first.

    Better than letters here and there is a part of the name, better than that its beginning, best the name. Among
    equals functions come before variables, definitions before declarations, short names before long ones. Case does
    not count, blanks neither. The query that is empty finds everything.
    """
    letters = "".join(query.split())
    rank = _ranking(letters)
    levels: dict[tuple[int, bool, bool], list[tuple[int, str, str, int]]] = defaultdict(list)
    for file, interface in files.items():
        for number, entry in enumerate(interface.entries):
            name = entry.name
            quality = rank(name.lower()) if letters else 0
            if quality is not None:
                level = (quality, entry.kind is not _FUNCTION, not entry.is_definition)
                levels[level].append((len(name), name, file, number))
    best: list[tuple[int, str, str, int]] = []
    for level in sorted(levels):
        if len(best) < most:
            best += nsmallest(most - len(best), levels[level])
    return [SymbolMatch(file, number, files[file].entries[number]) for _, _, file, number in best]


def _ranking(letters: str) -> Callable[[str], int | None]:
    """How well a name in small letters fits, 0 being best; None if it does not."""
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
