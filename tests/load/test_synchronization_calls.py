"""What checks of hostile synchronization cost: calls, whose number does not vary with the machine."""

from __future__ import annotations

import pytest
from called import calls

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.settings import Settings

from .synchronization import GENERATORS

SIZE = 12_000
MOST = 2.8
"""The most by which the calls may grow if the text has twice the length."""


def cost(text: str) -> int:
    """The calls of a check."""
    checker = Checker(text, Settings())
    return calls(lambda: checker.findings(100))


@pytest.mark.parametrize("name", GENERATORS)
def test_calls_grow_with_the_text(name: str) -> None:
    generator = GENERATORS[name]
    cost(generator(SIZE // 4))
    assert cost(generator(2 * SIZE)) < MOST * cost(generator(SIZE))
