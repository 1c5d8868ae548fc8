"""Which nodes lead to which: answers equal those of a plain search, on random graphs."""

from __future__ import annotations

import random

import pytest

from ptx_lsp.analysis.dataflow.paths import Dominance, Reachability


def random_graph(seed: int) -> list[list[int]]:
    rng = random.Random(seed)
    count = rng.randrange(1, 25)
    return [
        sorted({rng.randrange(count) if rng.random() < 0.3 else min(number + 1, count - 1) for _ in range(2)})
        for number in range(count)
    ]


def led_to(successors: list[list[int]], first: int, without: int = -1) -> set[int]:
    found: set[int] = set()
    waiting = [first]
    while waiting:
        for number in successors[waiting.pop()]:
            if number not in found and number != without:
                found.add(number)
                waiting.append(number)
    return found


@pytest.mark.parametrize("seed", range(60))
def test_leads_as_a_search_says(seed: int) -> None:
    successors = random_graph(seed)
    reachability = Reachability(successors)
    for first in range(len(successors)):
        found = led_to(successors, first)
        for second in range(len(successors)):
            assert reachability.leads(first, second) is (second in found), (first, second, successors)


@pytest.mark.parametrize("seed", range(60))
def test_dominates_as_a_search_says(seed: int) -> None:
    successors = random_graph(seed)
    predecessors = [
        [one for one, after in enumerate(successors) if number in after] for number in range(len(successors))
    ]
    dominance = Dominance(0, successors, predecessors)
    reached = led_to(successors, 0) | {0}
    for number in reached:
        avoiding = (led_to(successors, 0, without=number) | {0}) if number else set()
        for other in reached:
            expected = other == number or other not in avoiding
            assert dominance.dominates(number, other) is expected, (number, other, successors)


def test_the_walk_through_a_long_function_is_made_in_steps() -> None:
    successors = [[number + 1] for number in range(20_000)] + [[0]]
    steps = Reachability.solving(successors)
    assert sum(1 for _ in steps) > 20
