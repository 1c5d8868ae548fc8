"""The words of a fixed list that are most like a misspelt one.

The answers are those of ``difflib.get_close_matches``, in a small part of its time for a list of some hundred words:
how many letters two words share bounds their similarity, and is counted for all words of the list at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress
from operator import ge

from ptx_lsp.compared_words import most_similar
from ptx_lsp.process_cache import ProcessCache


class SimilarWords:
    """A list of words to compare with others."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = list(dict.fromkeys(words))
        self._longest = max(map(len, self._words), default=0)
        self._sharing: dict[tuple[str, int], int] = {}
        """By letter and number: a byte for each word, 1 if the letter stands in it so many times or more."""
        self._needed: dict[tuple[int, float], bytes] = {}
        """By the length of a word and the similarity: how many letters each word of the list must share with it."""
        self._known: ProcessCache[tuple[str, int, float], list[str]] = ProcessCache(_KEPT)
        """The answers: the same slip is often in many places."""
        for index, word in enumerate(self._words):
            for key in _numbered(word):
                self._sharing[key] = self._sharing.get(key, 0) | 1 << 8 * index

    def near(self, word: str, count: int = 3, similarity: float = 0.6) -> list[str]:
        """At most ``count`` words with at least this ``similarity`` (of 0 to 1) to ``word``, best first."""
        # A word that is so much longer shares too little with all of them. Of 200 letters on difflib leaves out some.
        if not self._words or len(word) > min(self._longest * (2 / similarity - 1), _LONGEST):
            return []
        key = word, count, similarity
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._compared(word, count, similarity)
        return [*found]

    def _compared(self, word: str, count: int, similarity: float) -> list[str]:
        shared = sum(self._sharing.get(key, 0) for key in _numbered(word)).to_bytes(len(self._words), "little")
        enough = map(ge, shared, self._needed_with(len(word), similarity))
        return most_similar(word, list(compress(self._words, enough)), count, similarity)

    def _needed_with(self, length: int, similarity: float) -> bytes:
        key = length, similarity
        if key not in self._needed:
            self._needed[key] = bytes(_letters(len(one) + length, similarity) for one in self._words)
        return self._needed[key]


_LONGEST = 199
_KEPT = 64


class Spellings:
    """A list of words, by their length and their ends: those that a misspelt one can mean are found without the others.

    Slips keep the length within two characters, and one of the ends; a function can have thousands of labels.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._alike: dict[tuple[int, str], list[str]] = {}
        """By length and the first or last two letters, ``xy…`` or ``…xy``, or ``…``; in order once it was asked for."""
        self._sorted: set[tuple[int, str]] = set()
        for word in words:
            for ends in (f"{word[:2]}…", f"…{word[-2:]}", "…"):
                self._alike.setdefault((len(word), ends), []).append(word)

    def likely(self, word: str, most: int) -> set[str]:
        """The words that ``word`` can stand for: of those, at least the first ``most`` in alphabetical order."""
        ends = ("…",) if len(word) <= _SHORT else (f"{word[:2]}…", f"…{word[-2:]}")
        found: set[str] = set()
        for length in range(len(word) - _SLIP, len(word) + _SLIP + 1):
            for key in [(length, end) for end in ends]:
                words = self._alike.get(key)
                if words is None:
                    continue
                if key not in self._sorted:
                    words.sort()
                    self._sorted.add(key)
                found.update(words[:most])
        return found


_SLIP = 2
_SHORT = 6


def _numbered(word: str) -> Iterable[tuple[str, int]]:
    """Each letter with how many of it stand up to it in the word."""
    counts: dict[str, int] = {}
    for letter in word:
        counts[letter] = counts.get(letter, 0) + 1
        yield letter, counts[letter]


def _letters(total: int, similarity: float) -> int:
    """The letters that two words of a ``total`` length must share to be so similar; 255 if they cannot be."""
    return next((count for count in range(min(total, 254) + 1) if 2.0 * count / max(total, 1) >= similarity), 255)
