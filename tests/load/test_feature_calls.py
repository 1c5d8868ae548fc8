"""What a client asks about a long hostile document takes a number of steps in proportion to it, or to what is shown."""

from __future__ import annotations

import pytest

from . import answering
from .features import CASES


def asked(name: str, size: int) -> tuple[int, int]:
    """The calls of functions for a request of :data:`CASES`: all, and most between two pauses."""
    return answering.asked(CASES[name], size)


@pytest.mark.parametrize("name", CASES)
def test_an_answer_takes_time_in_proportion_to_the_document(name: str):
    asked(name, 1000)  # imports count once
    (small, _), (large, _) = asked(name, 10_000), asked(name, 40_000)
    assert large < 6 * small


@pytest.mark.parametrize(
    "name", ["highlights of a name on one long line", "lenses of kernels without parameters, beside shared variables"]
)
def test_a_long_answer_is_made_in_slices(name: str):
    asked(name, 1000)
    every, most = asked(name, 100_000)
    assert most < every / 3
