"""Completion raises nowhere, and what it would replace is always around the cursor."""

from __future__ import annotations

from pathlib import Path

import pytest

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.features.completion import completion
from ptx_lsp.syntax.document import Document
from tests.annotated import read, snippets

FILES = sorted((Path(__file__).parent.parent / "diagnostics").glob("*.ptx"))
HALVES = [
    "",
    "\n",
    ".",
    ".version",
    ".version ",
    ".target\n.",
    "@",
    "@!",
    ".entry k(",
    ".entry k(.param",
    "{",
    "}",
    "{{{",
    ".entry k() { @",
    ".entry k() { ld.",
    '.entry k() { .pragma "',
    ".section ",
    ".section .debug {",
    "/*",
    "//",
    ".source_begin x",
    ".reg .b32 %r<",
    ".entry k() { mov.u32 %r1, ",
    "\\",
    "::",
    ".L2::",
    "ld.L2::",
    "1.",
    "é",
    ".é",
    ".attribute(",
    ".entry k() .attribute(.",
    ".visible .func (.param .b32 r",
    ".loc ,",
    ",",
    ", ,",
    '.file 1 "',
]


def check_everywhere(text: str, step: int) -> None:
    semantics = Semantics(Module(Document(text)))
    for offset in [*range(0, len(text), step), len(text)]:
        for item in completion(semantics, offset):
            assert item.typed.start <= offset <= item.typed.end <= len(text)
            assert "\n" not in text[item.typed.start : item.typed.end]
            assert item.label


def test_thousands_of_braces_are_no_vector() -> None:
    text = ".entry k() { mov.b64 " + "{" * 5000
    assert completion(Semantics(Module(Document(text))), len(text))


def test_in_an_empty_file_what_can_begin_one():
    assert [item.label for item in completion(Semantics(Module(Document(""))), 0)][:2] == ["header", ".version"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_in_broken_files(path: Path) -> None:
    text = "\n".join(read(source).text for source in snippets(path.read_text("utf-8"))[:12])
    check_everywhere(text[:12_000], 31)


@pytest.mark.parametrize("text", HALVES)
def test_in_pieces(text: str) -> None:
    check_everywhere(text, 1)
    check_everywhere(f".version 8.0\n.target sm_90\n.entry kernel() {{\n{text}\nret;\n}}\n", 1)
