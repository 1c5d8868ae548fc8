"""Long statements, and edits that make many statements of one, are looked at in short steps."""

from __future__ import annotations

import pytest
from called import calls

from ptx_lsp.analysis.statements import function_heads, register_names
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.settings import Settings
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.text import Span

from .test_slices import most_steps
from .texts import GENERATORS

MOST = 250_000
"""Functions that may be called at once: some 60 ms. Each of these texts once took more."""
SIZE = 200_000


def test_a_table_that_falls_apart_is_summarised_in_short_steps():
    text = GENERATORS["initial values, nested braces"](SIZE)
    checker = Checker(text, Settings())
    at = text.rfind(".const")
    assert most_steps(checker.editing(Span(at, at), "x")) < MOST


@pytest.mark.parametrize(
    "name",
    [
        "one declaration of many names of each kind",
        "parameters of a kernel, each read",
        "parameters of a function and a call with all of them",
        "initial values, a long list",
        "initial values, nested braces",
    ],
)
def test_a_long_declaration_is_read_in_short_steps(name: str):
    run_to_completion(Checker.reading(GENERATORS[name](2000), Settings(), 1000))  # imports count once
    text = GENERATORS[name](SIZE)
    steps = most_steps(Checker.reading(text, Settings(), 1000))
    assert steps < MOST


def test_the_faults_of_a_head_are_found_once_for_all_rules(monkeypatch: pytest.MonkeyPatch):
    count = 0
    original = function_heads._parameter

    def counted(*arguments):
        nonlocal count
        count += 1
        return original(*arguments)

    monkeypatch.setattr(function_heads, "_parameter", counted)
    text = GENERATORS["parameters of a kernel, each read"](100_000)
    Checker(text, Settings()).findings(10_000)
    assert count == text.count("\t.param .align")


def test_a_name_of_the_outermost_scope_is_not_sought_with_sets_in_each_block(monkeypatch: pytest.MonkeyPatch):
    count = 0
    original = register_names._common_count

    def counted(number: int) -> int:
        nonlocal count
        count += 1
        return original(number)

    monkeypatch.setattr(register_names, "_common_count", counted)
    text = GENERATORS["blocks that are opened and not closed"](30_000)
    Checker(text, Settings()).findings(10)
    assert count < 10 * text.count("{")


def test_lists_of_functions_and_calls_through_them_are_judged_once():
    text = GENERATORS["a table of call targets, used again and again"](40_000)
    checker = Checker(text, Settings())
    assert calls(lambda: checker.findings(10)) < 12 * len(text)
