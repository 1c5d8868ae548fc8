"""Fixes never make more errors than they remove: those that are offered in hundreds of broken programs."""

from __future__ import annotations

import pytest

from benchmarks.fixes import applied_fixes
from benchmarks.mutations.bases import handwritten
from benchmarks.mutations.kind import KINDS
from benchmarks.mutations.mutants import mutants
from benchmarks.mutations.scan import read

MUTANTS, SEED = 240, 9
SHOWS_MORE = {
    "insert ';'": "the text after the missing semicolon is looked at",
}
"""Fixes after which more is wrong in some programs, and why that is no fault of theirs."""
SHOWS_MORE_ONCE = {
    "warp_reduction.ptx:84: replace with '.u32'": "'.b32' and '.u32' are as similar: the uses expect '.b32'",
}
"""The same for one program."""


@pytest.mark.parametrize("name", sorted(handwritten()))
def test_fixes_of_mutants(name: str) -> None:
    text = handwritten()[name]
    share = -(-MUTANTS // len(handwritten()))
    wrong = {
        f"{name}:{mutant.line}: {fix.title}": f"{mutant.kind.name}: {fix.before} errors, then {fix.after} {fix.added}"
        for mutant in mutants(read(text), share, SEED, list(KINDS.values()))
        for fix in applied_fixes(mutant)
        if fix.after > fix.before and fix.title not in SHOWS_MORE
    }
    assert wrong.keys() == {place for place in SHOWS_MORE_ONCE if place.startswith(f"{name}:")}, wrong
