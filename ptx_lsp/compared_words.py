"""The similarity of words, as ``difflib`` measures it, in a small part of its time.

It counts what two words share in blocks: the longest text that stands in both, then the longest before it and after it,
and so on. The blocks are a common subsequence. The length of the longest one is found for many words at once, in the
bits of one number, and bounds their similarity: few words need another look.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def most_similar(
    word: str, others: Sequence[str], count: int, similarity: float, work: float = float("inf")
) -> list[str]:
    """The result of ``difflib.get_close_matches``, for words of fewer than 200 characters.

    ``work`` bounds the sum of the products of the lengths of words that are compared in full; those that share the
    longest subsequences come first.
    """
    best: list[tuple[float, str]] = []
    for bound in sorted(_bounds(word, others, similarity), reverse=True):
        one = bound[1]
        work -= len(word) * len(one)
        if len(best) == count and bound < best[-1] or work < 0:
            break
        least = best[-1][0] if len(best) == count else similarity
        ratio = _ratio(in_blocks(one, word, int(least * (len(one) + len(word)) / 2)), one, word)
        if ratio >= similarity:
            best = sorted([*best, (ratio, one)], reverse=True)[:count]
    return [one for _, one in best]


def _bounds(word: str, others: Sequence[str], similarity: float) -> Iterator[tuple[float, str]]:
    """The words that may be so similar, each with the most that its similarity can be."""
    for one, letters in zip(others, in_order(word, others), strict=True):
        bound = _ratio(letters, one, word)
        if bound >= similarity:
            yield bound, one


def _ratio(shared: int, one: str, other: str) -> float:
    return 2.0 * shared / ((len(one) + len(other)) or 1)


def in_order(word: str, others: Sequence[str]) -> list[int]:
    """The number of letters that each of the others shares with the word in order, anything between them.

    All characters beyond Latin-1 count as the same one.
    """
    joined = "\n".join(["", *others, ""]).encode("latin-1", "replace")
    letters = word.encode("latin-1", "replace")
    places = {letter: int(joined.translate(_only(letter)), 2) for letter in set(letters)}
    # A bit for each letter of the others, the first one highest, and a zero between words, which ends a carry. It is
    # cleared if the longest subsequence with the letters of the word so far is longer from this letter on.
    everywhere = left = int(joined.translate(_LETTERS), 2)
    for letter in reversed(letters):
        met = left & places[letter]
        left = (left + met | left ^ met) & everywhere
    cleared = f"{everywhere ^ left:0{len(joined)}b}"
    counts, begin = [], 1
    for one in others:
        end = begin + len(one)
        counts.append(cleared.count("1", begin, end))
        begin = end + 1
    return counts


def _only(letter: int) -> bytes:
    """A table that translates a letter to 1, all others to 0."""
    return b"0" * letter + b"1" + b"0" * (255 - letter)


_LETTERS = b"1" * 10 + b"0" + b"1" * 245
"""A table that translates the ends of words to 0, all else to 1."""


def in_blocks(one: str, other: str, least: int = 0) -> int:
    """The number of letters that two words share in blocks; 0 if it is less than ``least``."""
    shared, possible = 0, min(len(one), len(other))
    waiting = [(one, other)]
    while waiting and possible >= least:
        one, other = waiting.pop()
        begin, size = _longest(one, other)
        possible -= min(len(one), len(other))
        if not size:
            continue
        shared += size
        at = other.index(one[begin : begin + size])
        parts = (one[:begin], other[:at]), (one[begin + size :], other[at + size :])
        waiting += [part for part in parts if all(part)]
        possible += size + sum(min(map(len, part)) for part in parts)
    return shared if possible >= least else 0


def _longest(one: str, other: str) -> tuple[int, int]:
    """The begin in ``one`` and the size of the longest text that stands in both, the first of these in ``one``."""
    best = size = begin = 0
    length = len(one)
    while begin + size < length:
        while one[begin : begin + size + 1] in other and begin + size < length:
            size += 1
            best = begin
        begin += 1
    return best, size
