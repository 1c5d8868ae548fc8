"""Surroundings of chunks: equal while what a chunk depends on is, and those of former texts are forgotten."""

from __future__ import annotations

from ptx_lsp.analysis.semantics.surroundings import _MOST_UNUSED, Surroundings
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.text import Span

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"


def kernel(name: str, registers: int) -> str:
    declared = "".join(f".reg .b32 %{name}{number};\n" for number in range(registers))
    return f".entry {name}() {{\n{declared}ret;\n}}\n"


def content(checker: Checker, surroundings: Surroundings, function: int) -> object:
    one = checker.semantics.module.functions[function]
    return run_to_completion(surroundings.finding(one, one.chunks[0]))


def test_a_function_that_is_declared_as_before_has_the_same_surroundings() -> None:
    checker = Checker(HEAD + kernel("first", 600) + kernel("second", 600))
    surroundings = Surroundings(checker.semantics.module)
    before = [content(checker, surroundings, function) for function in range(2)]
    again = Surroundings(checker.semantics.module)
    again._numbers = surroundings._numbers
    assert [content(checker, again, function) for function in range(2)] == before
    assert before[0] != before[1]


def test_contents_of_former_texts_are_forgotten() -> None:
    checker = Checker(HEAD + kernel("edited", 1000) + kernel("other", 600))
    surroundings = Surroundings(checker.semantics.module)
    sizes = []
    for number in range(40):
        at = checker.document.text.index("%edited500")
        checker.edit(Span(at + 1, at + 7), f"{number:06}")
        checker.edit(Span(at + 1, at + 7), "edited")
        at = checker.document.text.index(";\nret")
        checker.edit(Span(at, at), "0")
        surroundings._known.clear()
        for function in range(2):
            content(checker, surroundings, function)
        sizes.append(sum(map(len, surroundings._numbers)))
    assert sizes[-1] == surroundings._held
    assert max(sizes) < 10 * sizes[0]


def test_contents_that_no_function_has_are_few() -> None:
    filler = "add.s32 %edited0, %edited1, 1;\n" * 600  # so that the function has several chunks
    checker = Checker(HEAD + kernel("edited", 40).replace("ret;", filler + "ret;"))
    surroundings = checker.semantics.surroundings
    at = checker.document.text.index("ret;")
    sizes = []
    for number in range(40):
        declared = f".reg .b32 %typed{number};\n"
        checker.edit(Span(at, at), declared)
        checker.findings()
        sizes.append(surroundings._held)
        checker.edit(Span(at, at + len(declared)), "")
    assert sizes[0] > 0
    assert max(sizes) < 3 * (sizes[0] + _MOST_UNUSED)
    assert checker.findings() == Checker(checker.document.text).findings()
