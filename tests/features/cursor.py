"""Texts with a cursor ``<|>``; made whole modules like all annotated PTX."""

from __future__ import annotations

from ptx_lsp.checks.checker import Checker

from ..annotated import read

CURSOR = "<|>"


def opened(source: str) -> tuple[Checker, int, int]:
    """A checker on the text without its cursor, the cursor's offset, and where the snippet's own lines begin."""
    snippet = read(source)
    offset = snippet.text.index(CURSOR)
    text = snippet.text.replace(CURSOR, "")
    if not snippet.is_program:
        text += "// ptx-lsp: ignore-file[W62]\n"
    assert CURSOR not in text, "one cursor only"
    start = sum(len(line) + 1 for line in text.split("\n")[: snippet.first_line])
    return Checker(text), offset, start
