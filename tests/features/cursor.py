"""Texts with a cursor ``<|>``; made whole modules like all annotated PTX."""

from __future__ import annotations

from ptx_lsp.checks.engine.checker import Checker

from ..annotated import read

CURSOR = "<|>"


def opened(source: str) -> tuple[Checker, int, int]:
    """A checker on the text without its cursor, the cursor's offset, and where the snippet's own lines begin."""
    snippet = read(source)
    text = snippet.text
    if not snippet.is_program:
        text = text.replace("\n", " // ptx-lsp: ignore-file[W62]\n", 1)
    offset = text.index(CURSOR)
    text = text.replace(CURSOR, "")
    assert CURSOR not in text, "one cursor only"
    start = sum(len(line) + 1 for line in text.split("\n")[: snippet.first_line])
    return Checker(text), offset, start
