"""How similar words are: as difflib says, with few words compared in full."""

from __future__ import annotations

import random
from difflib import SequenceMatcher, get_close_matches
from unittest.mock import patch

import pytest

from ptx_lsp import compared_words
from ptx_lsp.compared_words import in_blocks, in_order, most_similar

ALPHABETS = ("ab", "abL_%12", "abcdefghijklmnopqrstuvwxyz", "aé")


def words(seed: int) -> list[str]:
    choose = random.Random(seed)
    alphabet = ALPHABETS[seed % len(ALPHABETS)]
    return ["".join(choose.choices(alphabet, k=choose.randrange(30))) for _ in range(60)]


def longest_subsequence(one: str, other: str) -> int:
    before = [0] * (len(other) + 1)
    for letter in one:
        line = [0]
        for at, its in enumerate(other):
            line.append(before[at] + 1 if letter == its else max(before[at + 1], line[at]))
        before = line
    return before[-1]


@pytest.mark.parametrize("seed", range(20))
def test_counts(seed: int) -> None:
    word, *others = words(seed)
    assert in_order(word, others) == [longest_subsequence(word, one) for one in others]
    blocks = [sum(block.size for block in SequenceMatcher(None, one, word).get_matching_blocks()) for one in others]
    assert [in_blocks(one, word) for one in others] == blocks
    assert [in_blocks(one, word, 9) for one in others] == [count if count >= 9 else 0 for count in blocks]
    for count, similarity in ((1, 0.6), (3, 0.3), (3, 0.6), (9, 0.5)):
        assert most_similar(word, others, count, similarity) == get_close_matches(word, others, count, similarity)


def test_characters_beyond_latin_1() -> None:
    assert most_similar("αβγ", ["αβ", "δεζ"], 3, 0.6) == get_close_matches("αβγ", ["αβ", "δεζ"])


def compared(word: str, others: list[str], work: float) -> int:
    """How many words are compared in full."""
    with patch.object(compared_words, "in_blocks", wraps=in_blocks) as count:
        most_similar(word, others, 3, 0.6, work)
    return count.call_count


def test_few_words_are_compared_in_full() -> None:
    choose = random.Random(1)
    anagrams = ["".join(choose.sample("abcdefghij", 10)) for _ in range(200)]
    assert compared("abcdefghij", anagrams, float("inf")) < 60
    assert compared("label_x", [f"label_{one:03}" for one in range(200)], float("inf")) == 3


def test_the_work_is_bounded() -> None:
    choose = random.Random(1)
    others = ["".join(choose.choices("ab", k=100)) for _ in range(200)]
    assert compared(others.pop(), others, 65536) == 6
