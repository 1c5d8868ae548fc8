"""The data file of compiled pages: its path, its format, and the checksums by which stale pages are found."""

from __future__ import annotations

import json
from typing import Any

from ptx_lsp.grammar_files import grammar_file

COMPILED = "compiled/isa.json"
"""The data file in the grammar folder."""

COMMON_SOURCES = ("isa.lark", "vocabulary/shared.md", "vocabulary/targets.md")
"""The files that every page's meaning depends on."""

FORMAT = 8
"""Counts the changes of the encoding."""


_PAGES = '"page":{\n'
_decode = json.JSONDecoder().raw_decode


def compiled_text(compiled: dict[str, Any]) -> str:
    """The text of the data file: JSON with one page a line, so that changes of one stay readable between versions."""
    text = json.dumps(compiled, ensure_ascii=False, separators=(",", ":"))
    return text.replace('],"isa/', '],\n"isa/').replace('"page":{', _PAGES) + "\n"


def read_compiled(text: str) -> dict[str, Any]:
    """The inverse of :func:`compiled_text`, but of each page its names and its JSON: few pages are ever asked for.

    To read all of them would take as long as the check of a hundred lines.

    Raises:
        ValueError: if the text is not of this form.

    """
    head, _, pages = text.partition(_PAGES)
    compiled: dict[str, Any] = json.loads(head + '"page":{}}')
    for line in pages.removesuffix("}}\n").split("\n"):
        path, begin = _decode(line)
        names, _ = _decode(line, begin + len(":["))
        compiled["page"][path] = names, line[begin + 1 :].removesuffix(",")
    return compiled


def checksum(path: str) -> int:
    """A checksum of a file of the grammar folder."""
    import zlib  # only a checkout with changed pages needs it

    with open(grammar_file(path), "rb") as stream:
        return zlib.crc32(stream.read())
