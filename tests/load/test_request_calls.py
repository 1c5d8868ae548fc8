"""Requests about a long document take steps in proportion to what is shown, and are answered between messages."""

from __future__ import annotations

from typing import Any

import pytest

from . import answering
from .answering import CAPABILITIES
from .texts.requests import CASES, FROM_THE_CURSOR

RESOLVING = {"textDocument": {"inlayHint": {"resolveSupport": {"properties": ["tooltip", "label.location"]}}}}

IN_SLICES = {
    "highlights of a name on one long line": 100_000,
    "lenses of kernels without parameters, beside shared variables": 100_000,
    **{
        name: 50_000
        for name, case in FROM_THE_CURSOR.items()
        if case.method not in ("formatting", "codeLens", "completion")
    },
}
"""Requests that are answered in slices, each with the size of a document that needs many."""


def asked(name: str, size: int, capabilities: dict[str, Any] = CAPABILITIES) -> tuple[int, int]:
    """The calls of functions for a request of :data:`CASES`: all, and most between two pauses."""
    return answering.asked(CASES[name], size, capabilities, to_end=name in FROM_THE_CURSOR)


@pytest.mark.parametrize("name", CASES)
def test_an_answer_takes_time_in_proportion_to_the_document(name: str):
    asked(name, 1000)  # imports count once
    (small, _), (large, _) = asked(name, 10_000), asked(name, 40_000)
    assert large < 6 * small


@pytest.mark.parametrize("name", IN_SLICES)
def test_a_long_answer_is_made_in_slices(name: str):
    asked(name, 1000)
    every, most = asked(name, IN_SLICES[name])
    assert most < every / 3


def test_hints_with_tooltips_take_a_small_factor_of_those_without():
    name = "hints of many branches"
    asked(name, 1000)
    (with_tooltips, _), (without, _) = asked(name, 20_000), asked(name, 20_000, RESOLVING)
    assert with_tooltips < 6 * without
