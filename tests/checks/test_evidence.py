"""The kernels that show mistakes on a GPU: the rule reports the mistake, and nothing in the right kernel."""

from __future__ import annotations

from pathlib import Path

import pytest
from asked import ask

from benchmarks.evidence.kernels import Kernel, kernels
from ptx_lsp.checks.engine.checker import check_text

KERNELS = kernels()
BY_NAME = pytest.mark.parametrize("kernel", KERNELS, ids=lambda one: one.name)


@BY_NAME
def test_the_rule_reports_the_mistake(kernel: Kernel) -> None:
    assert kernel.code in {one.code for one in check_text(kernel.wrong)}


@BY_NAME
def test_the_right_kernel_has_no_finding(kernel: Kernel) -> None:
    assert check_text(kernel.right) == []


@BY_NAME
def test_ptxas_accepts_both(kernel: Kernel, ptxas_13: Path) -> None:
    assert ask(ptxas_13, kernel.wrong).errors == {}
    assert ask(ptxas_13, kernel.right).errors == {}


def test_the_document_has_a_row_for_each_kernel() -> None:
    document = (Path(__file__).parent.parent.parent / "docs" / "synchronization.md").read_text("utf-8")
    assert [one.name for one in KERNELS if f"| `{one.name}` |" not in document] == []
