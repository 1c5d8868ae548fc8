"""Long statements and long lists are read once, whatever is asked of their parts."""

from __future__ import annotations

import sys
from time import process_time
from types import FrameType

import pytest
from called import calls

from ptx_lsp.analysis.module.chunk_summary import summarise
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols import storage
from ptx_lsp.analysis.symbols.symbols import Scope, Symbol
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.settings import Settings
from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.tokens import token_words

from .hostile import module
from .statements import GENERATORS


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


def test_a_declaration_of_many_arrays_is_read_once(monkeypatch: pytest.MonkeyPatch):
    texts = []

    def words(text: str) -> list[str]:
        texts.append(text)
        return token_words(text)

    monkeypatch.setattr(storage, "token_words", words)
    check("one declaration of many arrays", 1000)
    assert len(texts) == 1


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


def test_a_function_that_only_returns_is_asked_few_questions():
    text = GENERATORS["calls inlined at a place of the first function"](30_000)
    checker = Checker(text, Settings())
    assert calls(lambda: checker.findings(100)) / text.count(".func") < 500


def test_functions_with_the_same_few_shapes_are_followed_once():
    text = module(lambda n: f".func t{n}() {{ ret; }}\n", 30_000)
    Checker(text[:1000], Settings()).findings(100)
    checker = Checker(text, Settings())
    assert calls(lambda: checker.findings(100)) / text.count(".func") < 230


def test_the_labels_of_numbered_entries_are_looked_up_once(monkeypatch: pytest.MonkeyPatch):
    looked_up = []

    def lookup(scope: Scope, name: str) -> Symbol | None:
        looked_up.append(name)
        return found(scope, name)

    found = Scope.lookup
    monkeypatch.setattr(Scope, "lookup", lookup)
    check("lists of numbered labels that are missing", 4000)
    assert len(looked_up) < 2000  # some for each of 60 lists, where each list has 3000 entries
