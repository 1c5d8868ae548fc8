"""What the checker offers to delete changes no machine code: a sample of benchmarks/certification."""

from __future__ import annotations

import random

import pytest

from benchmarks.certification.kernels import compiled, empty
from benchmarks.certification.meaningless import ask_meaningless
from benchmarks.certification.releases import Release, release_of
from ptx_lsp.isa.catalogue import catalogue

SEED = 7
PRODUCT = "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64{} {{%fd1, %fd2}}, {{%fd3}}, {{%fd4}}, {{%fd5, %fd6}};"


@pytest.fixture(params=["13.5", "12.9"])
def release(request, ptxas_13, ptxas_12):
    return release_of(str(ptxas_13 if request.param == "13.5" else ptxas_12))


def codes_of(release: Release, *statements: str) -> list[bytes | None]:
    """The machine code of statements, None for what ptxas refuses."""
    found = compiled(statements, "8.0", "sm_80", release.path)
    return [found.get(statement) for statement in statements]


def test_words_change_the_code_or_not(release):
    """Rounding does, a foreign type does not, and what ptxas refuses has no code."""
    plain, toward_zero, foreign, refused, nothing = codes_of(
        release, *(PRODUCT.format(word) for word in ("", ".rz", ".b2", ".wrap")), empty(PRODUCT.format(""))
    )
    assert plain is not None
    assert toward_zero not in (plain, None)
    assert foreign == plain
    assert refused is None
    assert nothing not in (plain, None)


def test_words_without_meaning(release):
    """Without a word that ptxas is said to ignore it makes the same machine code."""
    chance = random.Random(SEED)
    double = next(page for page in catalogue().instructions if page.names[0] == "mma")
    pages = [double, *chance.sample(catalogue().instructions, 6)]
    table = ask_meaningless(pages, release, per_form=1, seed=SEED, jobs=2, targets=["sm_90a"])
    assert table.total.verdicts.total() > 300
    assert [(one.target, one.question.statement) for one in table.disagreements] == []
