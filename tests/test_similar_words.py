"""Words that are most like a misspelt one: the answers of ``difflib`` in less time."""

from __future__ import annotations

import random
from difflib import get_close_matches

import pytest

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.similar_words import SimilarWords

WORDS = sorted({*catalogue().names, *catalogue().mnemonics})


@pytest.mark.parametrize("seed", range(4))
def test_the_answers_are_those_of_difflib(seed: int) -> None:
    numbers = random.Random(seed)
    similar = SimilarWords(WORDS)
    for _ in range(200):
        word = numbers.choice(WORDS)
        for _ in range(numbers.randrange(4)):
            at = numbers.randrange(len(word) + 1)
            word = word[:at] + numbers.choice(["", "a", ".", "o", "é"]) + word[at + numbers.randrange(2) :]
        for count, similarity in ((1, 0.6), (3, 0.7), (2, 0.9)):
            assert similar.near(word, count, similarity) == get_close_matches(word, WORDS, count, similarity)


@pytest.mark.parametrize("word", ["", "a" * 1000, "add" * 80, "é", "\0"])
def test_unusual_words(word: str) -> None:
    assert SimilarWords(WORDS).near(word) == get_close_matches(word, WORDS)


def test_no_words() -> None:
    assert SimilarWords([]).near("add") == []
