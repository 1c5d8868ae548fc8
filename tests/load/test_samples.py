"""A sample of the runs of ``python -m tests.load.fuzz``."""

from __future__ import annotations

import pytest

from .fuzz import differences


@pytest.mark.parametrize("seed", range(8), ids=lambda seed: f"seed-{seed}")
def test_all_ways_to_check_a_broken_program_agree(seed: int) -> None:
    assert [what for what, _ in differences(seed) if what] == []
