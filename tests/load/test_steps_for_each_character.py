"""Generators whose cost was brought down stay cheap: the steps of a check for each character of their texts.

The bounds are between the steps before and after a repair. They are far from those of an ordinary file, so that other
changes of the checks do not meet them.
"""

from __future__ import annotations

import pytest

from benchmarks.steps.counting import steps
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.settings import Settings

from .texts import GENERATORS

SIZE = 40_000
MOST = {
    "races in loops, of lanes": 140,
    "races in loops, under an unknown condition": 140,
    "races in loops, of the first threads": 100,
    "loops with more iterations for each thread": 75,
    "arrivals of single lanes": 75,
    "loads of tensor memory by all warps": 50,
    "mbarriers initialized by one thread, each used by all": 75,
    "mbarriers of this CTA, stages of others, relaxed arrivals": 60,
    "products of one loop, and the last before it": 115,
    "rings of stages with phases": 55,
}
"""The most steps for each character."""


def cost(text: str) -> int:
    checker = Checker(text, Settings())
    return steps(lambda: checker.findings(100))


@pytest.mark.parametrize("name", MOST)
def test_a_check_takes_few_steps_for_each_character(name):
    generator = GENERATORS[name]
    cost(generator(SIZE // 20))
    text = generator(SIZE)
    assert cost(text) < MOST[name] * len(text)
