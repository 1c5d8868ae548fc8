"""Formatting of some lines: ``«`` and ``»`` stand around what is selected."""

from __future__ import annotations

import pytest

from ptx_lsp.features.formatting import Options, format_ranges
from ptx_lsp.preferences import Format
from ptx_lsp.syntax import chunk
from ptx_lsp.syntax.document import Document
from ptx_lsp.text import Span


def check_range(before: str, after: str, **options: object) -> None:
    spans = []
    text = before
    while "«" in text:
        start = text.index("«")
        text = text.replace("«", "", 1)
        end = text.index("»")
        text = text.replace("»", "", 1)
        spans.append(Span(start, end))
    found = text
    for edit in reversed(format_ranges(Document(text), spans, Options.of(Format(**options)))):  # type: ignore[arg-type]
        found = found[: edit.span.start] + edit.text + found[edit.span.end :]
    assert found == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a.x  1 ;\n«b.x  1»,2 ;\nc.x  1 ;\n", "a.x  1 ;\nb.x 1, 2;\nc.x  1 ;\n"),
        ("a.x  1 ;\nb«».x  1,2 ;\nc.x  1 ;\n", "a.x  1 ;\nb.x 1, 2;\nc.x  1 ;\n"),
        ("«a.x  1 ;\n»b.x  1 ;\n", "a.x 1;\nb.x  1 ;\n"),  # nothing of the second line is selected
        ("«a.x  1 ;\nb».x  1 ;\n", "a.x 1;\nb.x 1;\n"),
        ("«a.x  1 ;»\nb.x  1 ;\n«c.x  1 ;»\n", "a.x 1;\nb.x  1 ;\nc.x 1;\n"),
        ("«a.x  1 ;\nb.x»  1 ;\nc«.x  1 ;»\n", "a.x 1;\nb.x 1;\nc.x 1;\n"),
        ("a.x  1 ;«»\nb.x  1 ;\n", "a.x 1;\nb.x  1 ;\n"),
        ("a.x 1;\n«   b.x  1; c.x 1;»\n", "a.x 1;\nb.x 1;\nc.x 1;\n"),
        (".entry k()\n{\n«ret;»\nret;\n}\n", ".entry k()\n{\n    ret;\nret;\n}\n"),
        (".entry k()\n{\n{\n«ret;»\n}\n}\n", ".entry k()\n{\n{\n        ret;\n}\n}\n"),
        (".entry k()\n{\n    ret;\n    «}»\n", ".entry k()\n{\n    ret;\n}\n"),
        ("  ld.global.u32 a, b;\n«add.s32 a,  b;»\n", "  ld.global.u32 a, b;\nadd.s32       a, b;\n"),
        ("«add.s32 a,  b;»\n  ld.global.u32 a, b;\n", "add.s32       a, b;\n  ld.global.u32 a, b;\n"),
        ("add.s32 a, b;\n\n«ld.global.u32  a, b;»\n", "add.s32 a, b;\n\nld.global.u32 a, b;\n"),
        ("a.x 1;  // one\n«b.xyz 1; // two»\n", "a.x 1;  // one\nb.xyz 1;  // two\n"),
        ("a.x  1 ;\n«\n\n\n»b.x  1 ;\n", "a.x  1 ;\n\n\n\nb.x  1 ;\n"),
        ("«a.x  1 ?? ;»\nb.x  1 ;\n", "a.x  1 ?? ;\nb.x  1 ;\n"),
        ("ret;\n«  // words»\n  ret;\n", "ret;\n// words\n  ret;\n"),
        ("ret;\n«  /* long\n words */»\n  ret;\n", "ret;\n/* long\n words */\n  ret;\n"),
        ("ret;\n«ret;   »", "ret;\nret;\n"),
        ("«»", ""),
        (".entry k(.param .u64 a)\n«{ ret; }»\n", ".entry k(.param .u64 a)\n{\n    ret;\n}\n"),
    ],
)
def test_only_the_lines_of_the_range(before: str, after: str) -> None:
    check_range(before, after)


def test_in_the_layout_of_nvcc() -> None:
    check_range("add.s32 a, b;\n«and.b32 a,b;»\n", "add.s32 a, b;\nand.b32  \ta, b;\n", style="nvcc")
    check_range(
        ".entry k()\n{\n// begin inline asm\n«  add.s32 a,b;»\n// end inline asm\n}\n",
        ".entry k()\n{\n// begin inline asm\n  add.s32 a,b;\n// end inline asm\n}\n",
        style="nvcc",
    )


def test_a_template_of_nvcc_ends_with_its_line() -> None:
    """However the text is cut into chunks: a brace on a line before them keeps no other line as it is."""
    check_range(
        ".entry k()\n{\n{{{ ret;\n«    ret;»\n}\n",
        ".entry k()\n{\n{{{ ret;\n\tret;\n}\n",
        style="nvcc",
    )


def test_past_the_end() -> None:
    assert format_ranges(Document("ret ;"), [Span(100, 200)], Options.of()) != []
    assert format_ranges(Document(""), [Span(0, 5)], Options.of()) == []


def test_the_depth_is_known_far_behind_a_head() -> None:
    body = "    add.s32 %r1, %r2, 4;\n" * 3000
    text = f".entry k()\n{{\n    {{\n{body}ret;\n    }}\n}}\n"
    at = text.index("ret;")
    (edit,) = format_ranges(Document(text), [Span(at, at)], Options.of())
    assert edit.text == "        "


@pytest.mark.parametrize("size", [1, 2, 3, 5, 256])
def test_a_template_of_nvcc_that_begins_in_another_chunk(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What nvcc prints verbatim is not laid out, wherever chunks end on its line."""
    monkeypatch.setattr(chunk, "CHUNK_SIZE", size)
    template = ".entry k()\n{\n\t{ mov.u32 t, 1; L: M: mov.u32\n«t,  4; mov.u32 t,  5;» }\n}\n"
    check_range(template, template.replace("«", "").replace("»", ""), style="nvcc")


@pytest.mark.parametrize("size", [2, 3, 256])
def test_a_brace_of_a_broken_line_opens_no_block(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunk, "CHUNK_SIZE", size)
    text = ".entry k()  add.s32  a,b;{?{$}\n}$}]\r.version 9.0\n«{»"
    check_range(text, text.replace("«", "").replace("»", "\n"), style="nvcc")


@pytest.mark.parametrize("size", [1, 2, 256])
def test_the_marker_of_inline_assembly_stands_before_a_statement(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What nvcc puts after it is printed verbatim; within a statement it is a comment like others."""
    monkeypatch.setattr(chunk, "CHUNK_SIZE", size)
    check_range("N// begin inline asm\n;\n{\n«  ret;»\n}\n", "N// begin inline asm\n;\n{\n\tret;\n}\n", style="nvcc")
    text = "\t// begin inline asm\n\tret;\n{\n«  ret;»\n}\n"
    check_range(text, text.replace("«", "").replace("»", ""), style="nvcc")
