"""What is known of the declarations of a chunk is kept when another is edited, and long work on many has pauses."""

from __future__ import annotations

import re

import pytest

from ptx_lsp.analysis.dataflow.unused_declarations import unused_in
from ptx_lsp.analysis.symbols import storage
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.checks.rules.declarations import constant_memory
from ptx_lsp.checks.rules.names import undefined_function
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.text import Span

HEADER = ".version 8.8\n.target sm_100a\n.address_size 64\n"
COUNT = 5000


def edited(checker: Checker) -> None:
    """Type a letter in the middle, and list the findings."""
    text = checker.document.text
    at = text.rfind("\n", 0, len(text) // 2) + 1
    checker.edit(Span(at, at), "x")
    checker.findings(1000)


def test_an_edit_reads_the_aliases_of_few_chunks_again(monkeypatch: pytest.MonkeyPatch):
    checker = Checker(HEADER + "".join(f".alias a{n}, a{n + 1};\n" for n in range(COUNT)))
    checker.findings(1000)
    read = []
    original = Chunk.statement
    monkeypatch.setattr(Chunk, "statement", lambda chunk, index: read.append(index) or original(chunk, index))
    function = checker.module.functions[0]
    function.forget_derived()
    assert len(undefined_function.module_facts(function)[1]) == COUNT
    assert not read


def test_the_sizes_of_variables_are_found_once(monkeypatch: pytest.MonkeyPatch):
    found = []
    original = storage._layouts
    monkeypatch.setattr(storage, "_layouts", lambda *given: found.append(given) or original(*given))
    checker = Checker(HEADER + "".join(f".const .u8 t{n}[2] = {{ {n}, 1, 2 }};\n" for n in range(COUNT)))
    checker.findings(1000)
    assert len(found) <= COUNT
    edited(checker)
    assert len(found) < COUNT * 1.3


def test_pauses_are_made_between_variables():
    checker = Checker(HEADER + "".join(f".const .u8 t{n}[2] = {{ {n}, 1, 2 }};\n" for n in range(COUNT)))
    assert list(constant_memory.check_module(checker.module)).count(None) > COUNT / 50


def test_pauses_are_made_between_names_that_may_be_unused():
    names = "".join(f".reg .b32 a{n};\n" for n in range(COUNT))
    checker = Checker(f"{HEADER}.entry k()\n{{\n{names}ret;\n}}\n")
    found = list(unused_in(checker.semantics.flow(checker.module.functions[1]).sets, re.compile("a7")))
    assert found.count(None) > COUNT / 1000
    assert [one.name for one in found if one is not None] == [f"a{n}" for n in range(COUNT) if n != 7]
