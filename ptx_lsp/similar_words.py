"""The words of a fixed list that are most like a misspelt one.

The answers are those of ``difflib.get_close_matches``, in a small part of its time for a list of some hundred words:
how many letters two words share bounds their similarity, and is counted for all words of the list at once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import compress
from operator import ge, itemgetter

from ptx_lsp.compared_words import most_similar
from ptx_lsp.derived_values import once
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
        self._by_length: dict[int, list[str]] = {}
        for word in words:
            self._by_length.setdefault(len(word), []).append(word)
        self._sorted: dict[int, _SortedWords] = {}
        """The words of the lengths that were asked for."""

    def likely(self, word: str, most: int) -> set[str]:
        """The words that ``word`` can stand for: of those, at least the first ``most`` in alphabetical order."""
        found: set[str] = set()
        for length in range(len(word) - _SLIP, len(word) + _SLIP + 1):
            if length not in self._by_length:
                continue
            same = self._sorted.get(length)
            if same is None:
                same = self._sorted[length] = _SortedWords(self._by_length[length])
            if len(word) <= _SHORT:
                found.update(same.words[:most])
            else:
                found.update(same.with_start(word[:2], most), same.with_end(word[-2:], most))
        return found


class _SortedWords:
    """Words of one length, in alphabetical order, and by their last two letters."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = sorted(words)

    @once
    def _by_end(self) -> list[str]:
        return sorted(self.words, key=_LAST)  # those with one end stay in order

    def with_start(self, start: str, most: int) -> list[str]:
        """The first ``most`` words that begin with two letters."""
        first = bisect_left(self.words, start)
        return [one for one in self.words[first : first + most] if one.startswith(start)]

    def with_end(self, end: str, most: int) -> list[str]:
        """The first ``most`` words that end with two letters."""
        first = bisect_left(self._by_end, end, key=_LAST)
        return [one for one in self._by_end[first : first + most] if one.endswith(end)]


_LAST = itemgetter(slice(-2, None))
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
