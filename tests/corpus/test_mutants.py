"""What ptxas rejects is an error on the same line, and what it accepts is none: a sample of benchmarks/mutants.py."""

from __future__ import annotations

import pytest

from benchmarks import kept, mutants
from benchmarks.mutations.compare import compare

FILES = ("atomics.sm_80.plain.ptx", "calls.sm_75.plain.ptx", "scoped_asm.sm_90a.plain.ptx")


@pytest.mark.parametrize("name", FILES)
def test_sample(name, ptxas_13):
    compared = compare(name, kept.read(name), str(ptxas_13), count=76, seed=7)
    false = [comparison for comparison in compared if comparison.is_false]
    assert not false, "\n".join(map(str, false))
    rejected = [comparison for comparison in compared if not comparison.verdict.accepted]
    missed = [comparison for comparison in compared if comparison.is_missed]
    assert 100 * len(missed) <= (100 - mutants.BAR) * len(rejected), "\n".join(map(str, missed))
