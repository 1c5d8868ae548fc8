"""A sample of the texts and edits of ``python -m tests.model.borders``."""

from __future__ import annotations

import pytest

from .borders import differences

_SAMPLE = range(60)


@pytest.mark.parametrize("first", _SAMPLE[::20])
def test_no_answer_depends_on_where_chunks_end(first: int) -> None:
    assert {seed: found for seed in range(first, first + 20) if (found := differences(seed))} == {}
