"""Long statements and long lists are read once, whatever is asked of their parts."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from time import process_time
from types import FrameType
from typing import Any

import pytest
from called import calls

from ptx_lsp.analysis.module.chunk_summary import summarise
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols import storage
from ptx_lsp.analysis.symbols.symbols import Scope, Symbol
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.checks.rules.names import duplicate_name
from ptx_lsp.checks.support.deletion import deletion
from ptx_lsp.diagnostic import Edit
from ptx_lsp.settings import Settings
from ptx_lsp.syntax import errors, statement, token_columns, tokens
from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.tokens import Token, token_words, tokenize

from .texts import GENERATORS
from .texts.shapes import module


def check(name: str, size: int) -> None:
    """Read and check a generated text."""
    Checker(GENERATORS[name](size), Settings()).findings(10_000)


def lines(name: str, size: int) -> int:
    """The number of lines that run in a check."""
    count = 0

    def counted(_frame: FrameType, event: str, _argument: object) -> object:
        nonlocal count
        count += event == "line"
        return counted

    sys.settrace(counted)
    try:
        check(name, size)
    finally:
        sys.settrace(None)
    return count


@pytest.mark.parametrize(
    "name",
    [
        "one declaration of one name again and again",
        "one declaration of many names, twice",
        "a long table, declared again and again",
        "one function of many performance directives",
        "groups of registers with the prefixes of single names",
        "one call of many undeclared arguments",
    ],
)
def test_twice_the_text_takes_twice_the_calls(name: str):
    check(name, 500)
    assert calls(lambda: check(name, 4000)) < 2.5 * calls(lambda: check(name, 2000))


@pytest.mark.parametrize(
    "name",
    [
        "one kernel of many performance directives",
        "one group of registers again and again, after one of its members",
        "one vector of many undeclared names",
        "one opcode of one qualifier again and again",
        "one opcode of qualifiers that conflict",
        "one opcode of parts of its name",
        "one opcode of types",
    ],
)
def test_twice_the_text_takes_twice_the_steps(name: str):
    check(name, 500)
    assert lines(name, 8000) < 2.5 * lines(name, 4000)


def test_a_declaration_of_many_arrays_is_read_once(monkeypatch: pytest.MonkeyPatch):
    read = []

    def words(one: statement.Statement) -> list[str]:
        read.append(one)
        return one.words

    monkeypatch.setattr(storage, "_words_before_initializer", words)
    check("one declaration of many arrays", 1000)
    assert len(read) == 1


def test_a_directive_is_divided_into_words_once_for_all_versions(monkeypatch: pytest.MonkeyPatch):
    long = []

    def counted(read: Callable[[str], list[Any]], text: str) -> list[Any]:
        long.extend([text] if len(text) > 10_000 else ())
        return read(text)

    monkeypatch.setattr(statement, "token_words", partial(counted, token_words))
    monkeypatch.setattr(statement, "tokenize", partial(counted, tokenize))
    check("one function of many performance directives", 20_000)
    assert len(long) < 6  # once for the header that it needs, not for each version and target


def test_the_removal_of_a_long_declaration_is_made_once(monkeypatch: pytest.MonkeyPatch):
    made = []

    def counted(*place: object) -> Edit:
        made.append(place)
        return deletion(*place)

    monkeypatch.setattr(duplicate_name, "deletion", counted)
    check("one declaration of many names, twice", 2000)
    assert len(made) == 1


def test_no_tokens_of_a_long_table_are_made(monkeypatch: pytest.MonkeyPatch):
    lengths = [0]

    def counted(text: str) -> list[Token]:
        lengths.append(len(text))
        return tokenize(text)

    for caller in (errors, statement, token_columns, tokens):
        monkeypatch.setattr(caller, "tokenize", counted)
    text = GENERATORS["references to a name in one long statement with a comment"](20_000)
    Checker(text, Settings()).findings(10_000)
    assert max(lengths) < 5000  # words suffice; tokens take several times as long


def test_the_stem_of_a_long_word_is_found_in_one_pass():
    text = GENERATORS["a long name in a broken declaration"](1 << 17)
    began = process_time()
    assert summarise(Document(text).chunks[-1]).half_declared
    assert process_time() - began < 5  # a pattern that tried each place took ten times as long


def test_the_call_sites_of_inlined_functions_are_found_in_one_pass():
    def cost(size: int) -> int:
        module = Module(Document(GENERATORS["calls inlined at a place of the first function"](size)))
        return calls(lambda: [*module.call_sites.unknown(module.document.chunks)])

    cost(1000)
    assert cost(40_000) < 2.5 * cost(20_000)


def test_a_few_missing_labels_of_an_entry_are_reported():
    text = GENERATORS["lists of numbered labels that are missing"](100)
    findings = Checker(text, Settings()).findings(10_000).shown
    assert sum(one.code == "E203" for one in findings) == 4


def test_the_labels_of_numbered_entries_are_looked_up_once(monkeypatch: pytest.MonkeyPatch):
    looked_up = []

    def lookup(scope: Scope, name: str) -> Symbol | None:
        looked_up.append(name)
        return found(scope, name)

    found = Scope.lookup
    monkeypatch.setattr(Scope, "lookup", lookup)
    check("lists of numbered labels that are missing", 4000)
    assert len(looked_up) < 2000  # some for each of 60 lists, where each list has 3000 entries


@pytest.mark.parametrize(
    "name",
    [
        "one opcode of one qualifier again and again",
        "one opcode of qualifiers that conflict",
        "one opcode of parts of its name",
        "one opcode of types",
    ],
)
def test_the_words_of_a_long_opcode_are_not_compared_with_all_forms(name: str):
    text = GENERATORS[name](60_000)
    check(name, 500)
    assert calls(lambda: Checker(text, Settings()).findings(1000)) < 12 * len(text)


def test_a_function_that_only_returns_is_asked_few_questions():
    text = GENERATORS["calls inlined at a place of the first function"](30_000)
    checker = Checker(text, Settings())
    assert calls(lambda: checker.findings(100)) / text.count(".func") < 500


def test_functions_with_the_same_few_shapes_are_followed_once():
    text = module(lambda n: f".func t{n}() {{ ret; }}\n", 30_000)
    Checker(text[:1000], Settings()).findings(100)
    checker = Checker(text, Settings())
    assert calls(lambda: checker.findings(100)) / text.count(".func") < 230
