"""The name that a misspelt one means: found as among all names, in time that does not grow with their number."""

from __future__ import annotations

import random
from difflib import get_close_matches

import pytest

from benchmarks.steps.counting import steps
from ptx_lsp.checks.support.wording import nearest, nearest_of
from ptx_lsp.similar_words import Spellings


def nearest_by_comparing_all(word: str, names: list[str]) -> str | None:
    likely = {
        one
        for one in names
        if abs(len(one) - len(word)) <= 2 and (one[:2] == word[:2] or one[-2:] == word[-2:] or len(word) <= 6)
    }
    found = get_close_matches(word, sorted(likely)[:200])
    return min(found, key=lambda one: sorted(one) != sorted(word), default=None)


@pytest.mark.parametrize("seed", range(40))
def test_as_by_comparing_all(seed: int) -> None:
    choose = random.Random(seed)

    def name() -> str:
        letters = choose.choices("abL_%12", k=choose.randrange(1, 9))
        return choose.choice(["", "LABEL_", "%r"]) + "".join(letters)

    names = [name() for _ in range(choose.choice([3, 50, 2000]))]
    parts = [Spellings(names[: len(names) // 2]), Spellings(names[len(names) // 2 :])]
    for word in [name() for _ in range(20)]:
        expected = nearest_by_comparing_all(word, names)
        assert nearest(word, names) == nearest_of(word, parts) == expected


def test_many_names_cost_no_more_than_some() -> None:
    def cost(count: int) -> int:
        names = (Spellings(f"LABEL_{one}" for one in range(count)),)
        nearest_of("LABEL_100000", names)  # puts the names in order
        return steps(lambda: nearest_of("LABEL_123456", names))

    assert cost(200_000) < 1.5 * cost(20_000)


LONG = "name_of_a_template_with_arguments_" * 9


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        (f"{LONG}7_", f"{LONG}7"),
        (f"{LONG}7", f"{LONG}7"),
        (f"x{LONG}", LONG),
        (f"{LONG[:50]}{LONG[51:]}31", f"{LONG}31"),
        ("y" * len(LONG), None),
    ],
)
def test_long_names_are_compared_by_their_ends(word: str, meant: str | None) -> None:
    assert nearest(word, [LONG, *(f"{LONG}{one}" for one in range(40))]) == meant


def test_the_length_of_names_costs_little() -> None:
    def cost(length: int) -> int:
        names = (Spellings("n" * length + str(one) for one in range(200)),)
        return steps(lambda: nearest_of("n" * length + "7_", names))

    assert cost(2000) < 2 * cost(90)
