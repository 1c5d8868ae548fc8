"""Symbols of a workspace: the functions and variables of all its files by a part of their names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Generic, NamedTuple

from ptx_lsp.analysis.interface import At, Entry, Interface
from ptx_lsp.analysis.symbols import SymbolKind

MOST = 1000
"""How many are found at most; whoever wants others types more letters."""


class Found(NamedTuple, Generic[At]):
    """An entry and the file that it stands in."""

    file: str
    number: int
    """Which of the file's entries it is."""
    entry: Entry[At]


def workspace_symbols(files: Mapping[str, Interface[At]], query: str, most: int = MOST) -> list[Found[At]]:
    """The entries whose names hold the letters of ``query`` in their order, the best first.

    Better than letters here and there is a part of the name, better than that its beginning, best the name. Among
    equals functions come before variables, definitions before declarations, short names before long ones. Case does
    not count, blanks neither. The query that is empty finds everything.
    """
    letters = "".join(query.split())
    rank = _ranking(letters)
    found = []
    for file, interface in files.items():
        for number, entry in enumerate(interface.entries):
            quality = rank(entry.name)
            if quality is not None:
                is_variable = entry.kind is not SymbolKind.FUNCTION
                key = (quality, is_variable, not entry.is_definition, len(entry.name), entry.name, file, number)
                found.append((key, entry))
    found.sort(key=lambda one: one[0])
    return [Found(file, number, entry) for (*_, file, number), entry in found[:most]]


def _ranking(letters: str) -> Callable[[str], int | None]:
    """How well a name fits, 0 being best; None if it does not."""
    folded = letters.lower()
    pattern = "".join(f"[^{re.escape(letter)}]*+{re.escape(letter)}" for letter in folded)
    holds = re.compile(pattern).match

    def rank(name: str) -> int | None:
        name = name.lower()
        if not holds(name):
            return None
        if name == folded:
            return 0
        if name.startswith(folded):
            return 1
        return 2 if folded in name else 3

    return rank
