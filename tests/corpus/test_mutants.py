"""What ptxas rejects is an error on the same line, and what it accepts is none: a sample of benchmarks/mutants.py."""

from __future__ import annotations

import pytest

from benchmarks import kept, mutants
from benchmarks.mutations.bases import handwritten
from benchmarks.mutations.compare import compare
from benchmarks.mutations.kind import KINDS
from benchmarks.mutations.mutants import CATALOGUE

COMPILED = ("atomics.sm_80.plain.ptx", "calls.sm_75.plain.ptx", "llvm_calls.sm_86.llvm.ptx")
WRITTEN = ("calls_and_tables.ptx", "hopper_pipeline.ptx", "storage_and_linkage.ptx", "tensor_memory.ptx")


def test_kinds():
    """All fifty, each said in words."""
    assert CATALOGUE
    assert len(KINDS) == 50
    assert all(kind.mutate.__doc__ for kind in KINDS.values())


@pytest.mark.parametrize("name", [*COMPILED, *WRITTEN])
def test_sample(name, ptxas_13):
    text = handwritten().get(name) or kept.read(name)
    compared = compare(name, text, [str(ptxas_13)], count=30, seed=7)
    false = [comparison for comparison in compared if comparison.is_false]
    assert not false, "\n".join(map(str, false))
    row = mutants.tabulate(compared)["all"]
    assert mutants.is_good(row), "\n".join(str(comparison) for comparison in compared if comparison.is_missed)
