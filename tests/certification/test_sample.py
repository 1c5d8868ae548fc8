"""The pages and completion agree with both pinned releases of ptxas: a sample of benchmarks/certification."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

from benchmarks import assembler
from benchmarks.certification.completions import ask_completions
from benchmarks.certification.gates import ask_gates
from benchmarks.certification.neighbours import ask_neighbours
from benchmarks.certification.plan import NEWEST
from benchmarks.certification.releases import taken_elsewhere
from benchmarks.certification.table import Table
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.version import Version

SEED = 7
SHOWN = 10


class Release(NamedTuple):
    """A ptxas to ask, and the other one: what either takes is right."""

    path: str
    other: str
    newest: Version


@pytest.fixture(params=["13.5", "12.9"])
def release(request, ptxas_13, ptxas_12):
    paths = [str(ptxas_13), str(ptxas_12)]
    path, other = paths if request.param == "13.5" else reversed(paths)
    return Release(path, other, NEWEST[assembler.release(path)])


def assert_agreement(table: Table, release: Release, bar: float) -> None:
    """Of the answers so many percent are those of ptxas."""
    table.settle(taken_elsewhere(table.disagreements, [release.other]))
    shown = [
        f"{'only we accept' if question.ours else 'only ptxas accepts'}, PTX {version} {target}, "
        f"{question.page} ({question.kind}): {question.statement}"
        for question, version, target in table.disagreements[:SHOWN]
    ]
    assert table.total.agreement >= bar, "\n".join(shown)


def test_gates(release):
    """Parts of the language begin and end where ptxas lets them."""
    pages = random.Random(SEED).sample(catalogue().instructions, 20)
    table = ask_gates(pages, release.path, release.newest, per_form=2, seed=SEED, jobs=2)
    assert_agreement(table, release, 99.5)


def test_neighbours(release):
    """Statements one small change away from right ones are right or wrong as ptxas says."""
    table = ask_neighbours(
        catalogue().instructions, release.path, release.newest, per_page=2, each=3, seed=SEED, jobs=2
    )
    assert_agreement(table, release, 98.0)


def test_completions(release):
    """Each offer leads to a statement that ptxas takes, and each that ptxas takes is led to."""
    table = ask_completions(catalogue().instructions, release.path, release.newest, prefixes=300, seed=SEED, jobs=2)
    assert table.prefixes.total() == 300
    assert_agreement(table, release, 99.9)
