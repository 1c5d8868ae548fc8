"""Counts of steps, not times: a commit that makes something slow is seen on any machine, however busy."""

from __future__ import annotations

import pytest

from benchmarks.steps import figures
from benchmarks.steps.counting import steps
from benchmarks.steps.measurements import (
    CHECK_AGAIN,
    CHECK_OF_COPIES,
    COPIES,
    EDITS,
    EDITS_IN_COPIES,
    KEYS,
    KEYS_IN_COPIES,
    MEASUREMENTS,
    measure,
)

GROWTH_OF_EDITS = 1.36
"""How many times the steps an edit may need in a text of ten times the length, and of ten times the findings. To be
lowered: 1 is the aim."""


@pytest.fixture(scope="module")
def counted():
    """What is counted now."""
    return {name: count for one in MEASUREMENTS for name, count in measure(one.__name__).items()}


def test_nothing_needs_many_more_steps_than_before(counted):
    kept = figures.read()
    if not kept:
        pytest.skip(f"the figures were counted with another release of Python than {figures.PYTHON}")
    assert kept.keys() == counted.keys(), f"other measurements: {figures.RENEW}"
    problems = figures.exceeded(counted, kept)
    assert not problems, "\n".join([*problems, f"where it is worth it: {figures.RENEW}, and why in the commit message"])


def test_a_check_grows_with_the_text_and_not_faster(counted):
    assert counted[CHECK_OF_COPIES] <= 1.05 * COPIES * counted[CHECK_AGAIN]


def test_an_edit_hardly_grows_with_the_text(counted):
    assert counted[EDITS_IN_COPIES] <= GROWTH_OF_EDITS * counted[EDITS]
    assert counted[KEYS_IN_COPIES] <= GROWTH_OF_EDITS * counted[KEYS]


# ---------------------------------------------------------------- tests of the tests


def test_steps_are_lines_and_calls():
    def twice():
        for _ in range(2):
            pass

    assert steps(twice) == steps(twice) > steps(lambda: None) > 0


def test_too_many_steps_are_found():
    assert figures.exceeded({"check": 110}, {"check": 100}) == []
    assert figures.exceeded({"check": 111}, {"check": 100}) != []
