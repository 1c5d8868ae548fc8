"""The data file of compiled pages: its path, its format, and the checksums by which stale pages are found."""

from __future__ import annotations

import zlib

from ptx_lsp.grammar_files import grammar_file

COMPILED = "compiled/isa.json"
"""The data file in the grammar folder."""

COMMON_SOURCES = ("isa.lark", "vocabulary/shared.md", "vocabulary/targets.md")
"""The files that every page's meaning depends on."""

FORMAT = 8
"""Counts the changes of the encoding."""


def checksum(path: str) -> int:
    """A checksum of a file of the grammar folder."""
    with open(grammar_file(path), "rb") as stream:
        return zlib.crc32(stream.read())
