"""Document links: what can be opened, and what is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.document_links import links, manual_of

from ..annotated import read, snippets

THERE = {"a.cu", "sub/b.cu", "/usr/include/c.h", "ä.cu"}
MANUAL = "https://docs.nvidia.com/cuda/parallel-thread-execution/#"


def check_links(source: str, *expected: str) -> None:
    """Fail unless a text has these links: ``text -> where``. Files that are there are those in ``THERE``."""
    module = Checker(source).module
    text = module.document.text
    found = []
    for link in links(module, lambda path, line: f"file:{path}:{line}" if path in THERE else None):
        assert bool(link.target) + bool(link.instruction) + bool(link.code) == 1
        where = link.target or (f"page of {link.instruction}" if link.instruction else f"code {link.code}")
        found.append(f"{text[link.span.start : link.span.end]} -> {where}")
    assert found == list(expected)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('.file 1 "a.cu"\n', ["a.cu -> file:a.cu:0"]),
        ('.file 1 "sub/b.cu", 123, 456\n', ["sub/b.cu -> file:sub/b.cu:0"]),
        ('.file 1 "gone.cu"\n', []),
        (
            '.file 1 "a.cu"\n.file 2 "gone.cu"\n.func f()\n{\n.loc 1 12 7 // .loc 1 3 4\n.loc 2 1 1\n'
            ".loc  1 0 0\n.loc 1\t9 0, function_name g, inlined_at 1 12 7\nret;\n}\n",
            ["a.cu -> file:a.cu:0", "1 12 7 -> file:a.cu:0#L12,7", "1\t9 0 -> file:a.cu:0#L9"],
        ),
        ('.file 1 ""\n', []),
        ('.file 1 "a.cu\n', []),
        ('/* é */ .file 1 "ä.cu"\n', ["ä.cu -> file:ä.cu:0"]),
        ('.func f()\n{ ret; }\n.file 2 "/usr/include/c.h"\n', ["/usr/include/c.h -> file:/usr/include/c.h:0"]),
        ('# 12 "a.cu"\n.func f();\n', ["a.cu -> file:a.cu:12"]),
        ('#line 7 "a.cu"\n.func f();\n', ["a.cu -> file:a.cu:7"]),
        ('.func f()\n{\nret;\n# 3 "a.cu" 2\nret; }\n', ["a.cu -> file:a.cu:3"]),
        ('// # 12 "a.cu"\n.func f();\n', []),
        ('# 12 "gone.cu"\n', []),
        ("// see https://example.org/x?y=1#z.\n", ["https://example.org/x?y=1#z -> https://example.org/x?y=1#z"]),
        ("/* (http://example.org/a_(b)) */", ["http://example.org/a_(b) -> http://example.org/a_(b)"]),
        (
            "/* https://example.org/a*/ // [https://b.org]",
            [
                "https://example.org/a -> https://example.org/a",
                "https://b.org -> https://b.org",
            ],
        ),
        ("// https:// and ftp://example.org\n", []),
        ('.file 1 "https://example.org"\n', []),
        ("add.s32 %r1, %r2, %r3; // PTX ISA: add\n", ["add -> page of add"]),
        ("// PTX ISA 9.7.13.15.16, mbarrier.try_wait\n", ["mbarrier.try_wait -> page of mbarrier.try_wait"]),
        ("// (PTX ISA: `cp.async.bulk.tensor`).\n", ["cp.async.bulk.tensor -> page of cp.async.bulk.tensor"]),
        ("// PTX ISA: nonsense, PTX ISA 8.6, PTX ISA\n", []),
        ("// add and mov are instructions\nadd.s32 %r1, %r2, %r3;\n", []),
        ("ret; // ptx-lsp: ignore[E502, newer-version]\n", ["E502 -> code E502", "newer-version -> code E501"]),
        ("// ptx-lsp: ignore-file[W62, nonsense, E502]\n", ["E502 -> code E502"]),
        ("// ptx-lsp: ignore\n// ptx-lsp: ignore[]\n", []),
    ],
)
def test_links(source: str, expected: list[str]) -> None:
    check_links(source, *expected)


def test_a_path_is_looked_for_once() -> None:
    asked = []

    def find(path: str, line: int) -> str | None:
        asked.append((path, line))
        return "file:x"

    source = "".join(f'.file {number} "a.cu"\n' for number in range(1, 50)) + '# 1 "a.cu"\n# 2 "a.cu"\n# 2 "a.cu"\n'
    assert len(links(Checker(source).module, find)) == 52
    assert sorted(asked) == [("a.cu", 0), ("a.cu", 1), ("a.cu", 2)]


def test_sections_of_the_manual() -> None:
    assert manual_of("add") == MANUAL + "integer-arithmetic-instructions-add"
    assert manual_of("mbarrier.try_wait") is not None
    assert manual_of("nonsense") is None


BROKEN = sorted((Path(__file__).parents[1] / "diagnostics").glob("*.ptx"))


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_broken_files(path: Path) -> None:
    for source in snippets(path.read_text("utf-8")):
        text = read(source).text
        for cut in (len(text), len(text) // 2, len(text) // 3):
            for link in links(Checker(text[:cut]).module, lambda path, line: "file:x"):
                assert 0 <= link.span.start < link.span.end <= cut
