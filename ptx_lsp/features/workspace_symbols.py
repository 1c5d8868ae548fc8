"""Workspace symbols: fuzzy search for functions and variables of all files, in an index by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Mapping
from itertools import islice
from operator import attrgetter
from typing import Generic, NamedTuple

from ptx_lsp.analysis.module.interface import ExportedSymbol, Interface, PlaceT
from ptx_lsp.analysis.symbols.symbols import SymbolKind
from ptx_lsp.names.demangle import demangled
from ptx_lsp.stepwise import run_to_completion

MOST = 1000
"""The maximum number of results."""

_STEP = 64
"""Number of files that are compared before the next pause."""
_BITS = 63
"""The letters of a name are a set of this many bits and one: each is the bit of its code modulo 64."""
_SCATTERED = 3
"""The lowest of the four qualities of a match."""
_CLASSES = 4
"""Defined functions, declared functions, defined variables, declared variables: the order of equally good names."""


class SymbolMatch(NamedTuple, Generic[PlaceT]):
    """A matching entry and its file."""

    file: str
    number: int
    """The index of the entry in the file's interface."""
    entry: ExportedSymbol[PlaceT]
    name: str
    """The name that matched: that in the file, or the demangled one, perhaps with the part of it that matched."""


class _Name:
    """All entries of one name."""

    __slots__ = ("classes", "is_mangled", "key", "letters", "lower", "text")

    def __init__(self, name: str, *, is_mangled: bool) -> None:
        self.text = name
        self.is_mangled = is_mangled
        """Whether there is a demangled name too. Scattered letters are not looked for in it: it has nearly all."""
        self.key = f"{len(name):07}{name}"
        self.lower = name.lower()
        self.letters = _letters(self.lower)
        self.classes: tuple[dict[tuple[str, int], None], ...] = tuple({} for _ in range(_CLASSES))
        """For each class the files and numbers of its entries."""


class SymbolIndex(Generic[PlaceT]):
    """The entries of files by name."""

    def __init__(self) -> None:
        self._files: dict[str, Interface[PlaceT]] = {}
        self._names: dict[str, _Name] = {}
        self._ordered: list[_Name] = []
        """The names by length, then alphabetically."""
        self._is_ordered = True

    def update(self, files: Mapping[str, Interface[PlaceT]]) -> None:
        """Bring the index up to date with the interfaces of all files."""
        run_to_completion(self.updating(files))

    def updating(self, files: Mapping[str, Interface[PlaceT]]) -> Generator[None, None, None]:
        """Bring the index up to date, in steps.

        ``files`` may change meanwhile: then the index misses some changes, but holds no file that is gone.
        """
        for number, file in enumerate([*files, *(self._files.keys() - files.keys())], 1):
            interface = files.get(file)
            if self._files.get(file) is not interface:
                self._replace(file, interface)
                self._is_ordered = False
                yield
            elif number % _STEP == 0:
                yield
        for file in self._files.keys() - files.keys():  # those that went meanwhile
            self._replace(file, None)
            self._is_ordered = False
        if not self._is_ordered:
            self._is_ordered = True
            self._ordered = sorted(self._names.values(), key=attrgetter("key"))

    def find(self, query: str, most: int = MOST, *, demangles: bool = True) -> list[SymbolMatch[PlaceT]]:
        """Return the entries whose names contain the letters of ``query`` in order, best match first.

        Ranking: exact name, then prefix, then substring, then scattered letters. Among equals, functions precede
        variables, definitions precede declarations, and short names precede long ones. Case and white space are
        ignored. An empty query matches all entries. Of a mangled name the demangled one is found too, unless
        ``demangles`` is false; by what the short name leaves out, which follows it then in brackets; by the mangled one
        itself if that is how the query begins.
        """
        return list(islice(self._once("".join(query.split()).lower(), demangles), most))

    def _once(self, letters: str, demangles: bool) -> Iterator[SymbolMatch[PlaceT]]:
        """Yield what is found; an entry that both of its names match is found by the better one."""
        seen: set[tuple[str, int]] = set()
        left = _MOST_DEMANGLED if demangles and not letters.startswith(_MANGLED) else 0
        for one in self._found(letters, demangles):
            if not one.entry.brief:
                yield one
            elif (demangles or one.name == one.entry.name) and (one.file, one.number) not in seen:
                seen.add((one.file, one.number))
                if one.name == one.entry.name and left:
                    left -= 1
                    part = _part_with(one.entry.name, letters)
                    if part:
                        yield one._replace(name=f"{one.entry.brief} [{part}]")
                else:
                    yield one

    def _found(self, letters: str, demangles: bool) -> Iterator[SymbolMatch[PlaceT]]:
        qualities: list[list[_Name]] = [[], [], [], []]
        if letters:
            wanted, rank = _letters(letters), _ranking(letters)
            for name in self._ordered:
                if name.letters & wanted == wanted and (quality := rank(name.lower)) is not None:
                    if demangles and name.is_mangled and quality == _SCATTERED:
                        continue
                    qualities[quality].append(name)
        else:
            qualities[0] = self._ordered
        for names in qualities:
            for number in range(_CLASSES):
                for name in names:
                    for file, at in sorted(name.classes[number]):
                        yield SymbolMatch(file, at, self._files[file].entries[at], name.text)

    def _replace(self, file: str, interface: Interface[PlaceT] | None) -> None:
        before = self._files.pop(file, None)
        for number, entry in enumerate(before.entries if before is not None else ()):
            for text in _texts(entry):
                name = self._names[text]
                del name.classes[_class(entry)][file, number]
                if not any(name.classes):
                    del self._names[text]
        if interface is not None:
            self._files[file] = interface
            for number, entry in enumerate(interface.entries):
                for text in _texts(entry):
                    found = self._names.get(text)
                    if found is None:
                        is_mangled = text is entry.name and text != entry.brief and bool(entry.brief)
                        found = self._names[text] = _Name(text, is_mangled=is_mangled)
                    found.classes[_class(entry)][file, number] = None


def _texts(entry: ExportedSymbol[PlaceT]) -> tuple[str, ...]:
    """The names of an entry: that in the file, and the demangled one if there is one."""
    return (entry.name, entry.brief) if entry.brief and entry.brief != entry.name else (entry.name,)


def _part_with(name: str, letters: str) -> str:
    """The words of a mangled name, as it is meant, in which some letters stand; empty if they stand elsewhere in it."""
    found = demangled(name)
    text = _OF_FILE.sub("", "".join(found.name.split())) if found is not None else ""
    start = text.lower().find(letters)
    if start < 0:
        return ""
    end = start + len(letters)
    before, after = _WORD_BEFORE.search(text[:start]), _WORD.match(text, end)
    part = text[before.start() if before else start : after.end() if after else end]
    return part if len(part) <= _LONGEST_PART else f"{part[: _LONGEST_PART - 1]}…"


_OF_FILE = re.compile(r"\b_INTERNAL_\w*::")
"""Matches the namespace that nvcc adds to names of one file: the name of the file."""
_WORD_BEFORE, _WORD = re.compile(r"\w+\Z"), re.compile(r"\w+")
_LONGEST_PART = 60
_MANGLED = ("_z", "_r")
_MOST_DEMANGLED = 300
"""So many names that only match as they are mangled are looked at for one query: each takes up to a millisecond."""


def _class(entry: ExportedSymbol[PlaceT]) -> int:
    return 2 * (entry.kind is not SymbolKind.FUNCTION) + (not entry.is_definition)


def _letters(text: str) -> int:
    """The set of letters of a text, as bits."""
    found = 0
    for letter in set(text):
        found |= 1 << (ord(letter) & _BITS)
    return found


def _ranking(folded: str) -> Callable[[str], int | None]:
    """Return a function that ranks a lower-case name, 0 being best, None for no match."""
    pattern = "".join(f"[^{re.escape(letter)}]*+{re.escape(letter)}" for letter in folded)
    holds = re.compile(pattern).match

    def rank(name: str) -> int | None:
        if not holds(name):
            return None
        if name == folded:
            return 0
        if name.startswith(folded):
            return 1
        return 2 if folded in name else _SCATTERED

    return rank
