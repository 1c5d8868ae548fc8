"""A sample of the runs of ``python -m tests.load.fuzz``."""

from __future__ import annotations

import pytest

from .fuzz import differences


@pytest.mark.parametrize("number", range(8))
def test_all_ways_to_check_a_broken_program_agree(number: int) -> None:
    assert [what for what, _ in differences(f"sample.{number}") if what] == []
