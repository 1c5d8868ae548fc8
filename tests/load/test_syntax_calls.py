"""Long hostile statements, and sources of other languages, take steps in proportion to their length."""

from __future__ import annotations

from typing import Any

import pytest
from called import calls

from ptx_lsp.analysis.module.chunk_summary import summarise
from ptx_lsp.checks.embedded.host_checker import HostChecker, HostText
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.hosts.find import find_sites
from ptx_lsp.hosts.target_conditions import condition
from ptx_lsp.settings import Settings
from ptx_lsp.syntax import parse_statement
from ptx_lsp.syntax.automaton.parser import parsing
from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.shape import shape_of

from .sources import HOSTS
from .texts import GENERATORS
from .texts.shapes import body


def checked(name: str, size: int) -> int:
    """The calls of a check of a source."""
    host, generator = HOSTS[name]
    text = generator(size)
    return calls(lambda: HostChecker(HostText(text, host), find_sites(text, host), Settings()).selected())


def found(name: str, size: int) -> int:
    """The calls to find the statements of a source."""
    host, generator = HOSTS[name]
    text = generator(size)
    return calls(lambda: find_sites(text, host))


@pytest.mark.parametrize("row", ["1+", "a||", "-1-"])
def test_a_condition_with_very_many_operators_is_unknown(row: str):
    text = row * (3900 // len(row)) + "1"
    assert condition(text).holds is condition(text).fails is condition(text).is_constant is None


def test_a_condition_that_does_not_concern_the_target_is_evaluated_once():
    condition("a||b")
    assert calls(lambda: condition("b||" * 200 + "b")) < 200 * 50


@pytest.mark.parametrize(
    "name",
    [
        "cpp: a long macro again and again in a statement",
        "cpp: many statements with a long macro",
        "python: a long constant in many calls",
    ],
)
def test_a_long_macro_does_not_make_many_long_templates(name: str):
    host, generator = HOSTS[name]
    sites = find_sites(generator(40_000), host)
    assert sum(len(piece.text) for site in sites for piece in site.pieces) < 1 << 20


def test_values_in_few_statements_are_known():
    sites = find_sites('#define M "' + "add.s32 a, b, c; " * 100 + '"\nasm(M);' * 20, "cuda-cpp")
    assert all(site.pieces[0].text for site in sites)


@pytest.mark.parametrize(
    "name",
    ["cpp: statements in braces on one line", "cpp: many statement ends on one line"],
)
def test_the_head_of_a_block_is_not_sought_beyond_the_last_brace(name: str):
    found(name, 1000)
    assert found(name, 8000) < 2.5 * found(name, 4000)


def test_conditions_around_a_statement_are_bounded():
    host, generator = HOSTS["cpp: statements under nested conditions"]
    assert max(len(site.guards) for site in find_sites(generator(2000), host)) <= 64


def test_a_value_that_nothing_closes_ends_before_the_next_name():
    name = "python: values that nothing closes"
    found(name, 1000)
    assert found(name, 8000) < 2.5 * found(name, 4000)


@pytest.mark.parametrize(
    "name",
    [
        "cpp: errors under conditions",
        "cpp: errors between literals",
        "cpp: bare names",
        "cpp: unique labels",
        "python: fields as statements",
    ],
)
def test_findings_are_not_compared_with_each_other(name: str):
    checked(name, 1000)
    assert checked(name, 40_000) < 2.5 * checked(name, 20_000)


@pytest.mark.parametrize(
    "name",
    [
        "signs in an initializer",
        "one global declaration of many arrays",
        "one declaration of many initial values",
        "one head of many directives",
        "comments of ASCII, then others",
    ],
)
def test_a_long_statement_is_read_in_proportion(name: str):
    def cost(size: int) -> int:
        text = GENERATORS[name](size)
        return calls(lambda: Checker(text, Settings()).findings(100))

    cost(1000)
    assert cost(20_000) < 2.5 * cost(10_000)


def test_a_statement_with_many_open_brackets_is_parsed_once(monkeypatch: pytest.MonkeyPatch):
    parses = 0

    def counted(*arguments: Any) -> Any:
        nonlocal parses
        parses += 1
        return parsing(*arguments)

    monkeypatch.setattr(parse_statement, "parsing", counted)
    text = f".global .b32 y[] = {'{1,' * 97};"  # no other test has one with as many
    assert shape_of(text).errors
    assert parses == 1


def test_rules_that_end_together_are_reduced_in_steps():
    names = ["SPACE", "DOT", "NAME", "EQUAL", *["MINUS"] * 20_000, "INTEGER", "SEMICOLON"]
    assert sum(1 for _ in parsing(names, lambda *_: None, frozenset(), drop=False)) > 60  # half of them for the signs


def test_empty_statements_are_no_broken_heads_or_declarations():
    chunks = Document(body(lambda n: ";" * (1 + n % 7) + "\n", 20_000)).chunks
    assert calls(lambda: [summarise(chunk) for chunk in chunks]) < 4 * sum(len(chunk.text) for chunk in chunks)
