"""Requests about a long document are answered in slices between messages, in steps in proportion to what is shown."""

from __future__ import annotations

from typing import Any

import pytest

from ptx_lsp.checks.embedded import verdicts
from ptx_lsp.checks.embedded.host_checker import HostChecker, HostText
from ptx_lsp.diagnostic import Severity
from ptx_lsp.hosts.site_index import SiteIndex
from ptx_lsp.settings import Settings

from . import answering
from .answering import CAPABILITIES
from .requests import CASES, WRONG_ASSEMBLY

RESOLVING = {"textDocument": {"inlayHint": {"resolveSupport": {"properties": ["tooltip", "label.location"]}}}}

IN_SLICES = [name for name in CASES if CASES[name].method not in ("formatting", "codeLens", "completion")]


def asked(name: str, size: int, capabilities: dict[str, Any] = CAPABILITIES) -> tuple[int, int]:
    """The calls of functions for a request of :data:`CASES` about a range from the cursor on: all, and most at once."""
    return answering.asked(CASES[name], size, capabilities, to_end=True)


@pytest.mark.parametrize("name", CASES)
def test_an_answer_takes_time_in_proportion_to_the_document(name: str):
    asked(name, 1000)  # imports count once
    (small, _), (large, _) = asked(name, 10_000), asked(name, 40_000)
    assert large < 6 * small


@pytest.mark.parametrize("name", IN_SLICES)
def test_a_long_answer_is_made_in_slices(name: str):
    asked(name, 1000)
    every, most = asked(name, 50_000)
    assert most < every / 3


def test_hints_with_tooltips_take_a_small_factor_of_those_without():
    name = "hints of many branches"
    asked(name, 1000)
    (with_tooltips, _), (without, _) = asked(name, 20_000), asked(name, 20_000, RESOLVING)
    assert with_tooltips < 6 * without


@pytest.mark.parametrize("statement", WRONG_ASSEMBLY)
def test_a_wrong_statement_of_inline_assembly_is_checked_for_one_target_in_each_reading(
    monkeypatch: pytest.MonkeyPatch, statement: str
):
    made: list[str] = []

    class Counted(verdicts.Checker):
        def __init__(self, *args: Any, **others: Any) -> None:
            made.append("a check")
            super().__init__(*args, **others)

    monkeypatch.setattr(verdicts, "Checker", Counted)
    text = f"__device__ void f() {{ int a, b; float x; {statement} }}"
    found = HostChecker(HostText(text, "cuda-cpp"), SiteIndex(text, "cuda-cpp").sites, Settings()).findings()
    assert any(one.severity is Severity.ERROR for one in found)
    assert len(made) <= 2
