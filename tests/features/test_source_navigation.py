"""From PTX to its source and back."""

from __future__ import annotations

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.inlay_hints import inlay_hints
from ptx_lsp.features.source_navigation import generated_from, source_at
from ptx_lsp.preferences import InlayHints
from ptx_lsp.text import Span

from .cursor import opened
from .test_hover_locations import CHAIN


def check_generated(path: str, expected: dict[int, list[str]]) -> None:
    """By source line: the first instruction of each place that was generated from it."""
    checker, _, _ = opened(CHAIN + "<|>")
    found = generated_from(checker.module, lambda name: name == path)
    text = checker.document.text
    assert {
        line: [text[span.start : span.end].splitlines()[1] for span in places] for line, places in found.places.items()
    } == expected


def test_the_ptx_of_a_source_line() -> None:
    check_generated("copy.cuh", {30: ["add.s32 %r1, %r1, 2;"]})


def test_code_that_was_inlined_belongs_to_the_call() -> None:
    check_generated("gemm.cu", {10: ["add.s32 %r1, %r1, 1;", "add.s32 %r1, %r1, 1;", "add.s32 %r1, %r1, 2;"]})
    check_generated("other.cu", {})


def test_the_source_of_a_line() -> None:
    checker, offset, _ = opened(CHAIN.replace(".loc 3", ".loc <|>3"))
    found = source_at(checker.semantics, offset)
    assert found is not None
    assert [(frame.path, frame.line, frame.function) for frame in found[1]] == [
        ("copy.cuh", 30, "cp"),
        ("tile.cuh", 20, "tile"),
        ("gemm.cu", 10, "gemm<float>"),
    ]
    checker, offset, _ = opened(CHAIN.replace("ret;", "r<|>et;"))
    assert source_at(checker.semantics, offset) is None


def check_hints(read: dict[tuple[str, int], str], expected: list[str]) -> None:
    """The hints after ``.loc`` lines, where the files hold these lines."""
    checker = opened(CHAIN + "<|>")[0]
    whole = Span(0, checker.document.length)
    wanted = InlayHints(source_lines=True)
    found = inlay_hints(checker.semantics, whole, wanted, lambda path, line: read.get((path, line)))
    assert [hint.label for hint in found.hints if hint.kind == "source_lines"] == expected
    off = inlay_hints(checker.semantics, whole, InlayHints(), lambda path, line: read.get((path, line)))
    assert not any(hint.kind == "source_lines" for hint in off.hints), "off unless it is switched on"


def test_source_lines_as_hints() -> None:
    lines = {("gemm.cu", 10): "  tile(a,   b);", ("copy.cuh", 30): "x" * 100}
    check_hints(lines, ["tile(a, b);", "x" * 59 + "…"])
    check_hints({}, [])


def test_bad_numbers() -> None:
    for text in (".loc 99999999999999999999 1 1", ".loc 1 1", ".loc", ".loc 1 2 3, function_name"):
        checker = Checker(f".version 8.0\n.target sm_90\n.entry k() {{\n{text};\n{text}\nret;\n}}\n")
        for offset in range(checker.document.length):
            source_at(checker.semantics, offset)
        generated_from(checker.module, lambda name: True)
