"""Declarations are right or wrong as both pinned releases of ptxas say: a sample of benchmarks/declarations."""

from __future__ import annotations

import pytest

from benchmarks.declarations.asking import MODULES, ask
from benchmarks.declarations.writing import Writer

SEED = 11
EACH = 60
BAR = 0.99


@pytest.mark.parametrize("release", ["13.5", "12.9"])
def test_generated_declarations(release: str, request: pytest.FixtureRequest) -> None:
    """Of the verdicts 99 in 100 are those of ptxas, and what it takes is never an error."""
    ptxas = str(request.getfixturevalue("ptxas_13" if release == "13.5" else "ptxas_12"))
    answers = [
        answer
        for number, (version, target) in enumerate(MODULES)
        for answer in ask(list(Writer(SEED + number).cases(EACH)), version, target, ptxas)
    ]
    shown = [(one.version, one.target, one.case, one.message, one.ours) for one in answers if not one.agrees]
    assert not [one for one in answers if one.is_false], shown
    assert len(shown) <= (1 - BAR) * len(answers), shown
