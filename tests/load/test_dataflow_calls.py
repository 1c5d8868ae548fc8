"""The flow of values and control takes steps in proportion to a function, in whatever order its blocks stand."""

from __future__ import annotations

import pytest

from benchmarks.steps.counting import steps
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.settings import Settings

from .dataflow import GENERATORS

SMALL = 6_000
"""Characters; the large text has four times as many."""


@pytest.mark.parametrize("name", GENERATORS)
def test_steps_grow_with_the_function(name):
    def cost(size: int) -> int:
        checker = Checker(GENERATORS[name](size), Settings())
        return steps(lambda: checker.findings(100))

    cost(SMALL // 4)
    assert cost(4 * SMALL) < 5.5 * cost(SMALL)
