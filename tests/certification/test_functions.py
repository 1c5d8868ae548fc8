"""Functions made at random are judged as ptxas judges them: a sample of benchmarks/functions."""

from __future__ import annotations

import pytest

from benchmarks.functions import MODULES, ask, made

SEED = 11
COUNT = 40
BAR = 97.0
"""Percent of the verdicts, in a sample of this size."""


@pytest.mark.parametrize(("version", "target"), MODULES, ids=lambda word: word)
def test_functions_at_random(version, target, ptxas_13):
    answers = list(ask(made(version, target, SEED, COUNT), [str(ptxas_13)]))
    false = [answer for answer in answers if answer.is_false]
    assert not false, "\n".join(f"{answer.ours[0].message}\n{answer.text}" for answer in false[:3])
    assert 100 * sum(answer.agrees for answer in answers) >= BAR * len(answers)
