"""The pages and completion agree with both pinned releases of ptxas: a sample of benchmarks/certification."""

from __future__ import annotations

import random

import pytest

from benchmarks.certification.completions import ask_completions
from benchmarks.certification.gates import ask_gates
from benchmarks.certification.neighbours import ask_neighbours
from benchmarks.certification.releases import release_of
from benchmarks.certification.table import Table
from ptx_lsp.isa.catalogue import catalogue

SEED = 7
SHOWN = 10


@pytest.fixture(params=["13.5", "12.9"])
def release(request, ptxas_13, ptxas_12):
    return release_of(str(ptxas_13 if request.param == "13.5" else ptxas_12))


def assert_agreement(table: Table, bar: float) -> None:
    """Of the answers so many percent are those of ptxas."""
    shown = [
        f"{'only we accept' if question.ours else 'only ptxas accepts'}, PTX {version} {target}, "
        f"{question.page} ({question.kind}): {question.statement}"
        for question, version, target in table.disagreements[:SHOWN]
    ]
    assert table.total.agreement >= bar, "\n".join(shown)


def test_gates(release):
    """Parts of the language begin and end where ptxas lets them."""
    pages = random.Random(SEED).sample(catalogue().instructions, 12)
    table = ask_gates(pages, release, per_form=2, seed=SEED, jobs=2)
    assert_agreement(table, 99.9)


def test_neighbours(release):
    """Statements one small change away from right ones are right or wrong as ptxas says."""
    table = ask_neighbours(catalogue().instructions, release, per_page=1, each=2, seed=SEED, jobs=2)
    assert_agreement(table, 99.5)


def test_completions(release):
    """Each offer leads to a statement that ptxas takes, and each that ptxas takes is led to."""
    table = ask_completions(catalogue().instructions, release, prefixes=90, seed=SEED, jobs=2)
    assert table.prefixes.total() == 90
    assert_agreement(table, 99.9)
