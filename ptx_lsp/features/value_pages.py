"""Pages of packed values: every field of a descriptor, with its bits and what it is for.

A page's address says all of it: ``ptx-lsp:/values/idesc/.kind::f16+sm_100a/0x08200490.md``.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import NamedTuple
from urllib.parse import quote

from ptx_lsp.analysis.cursor.cursor import at
from ptx_lsp.analysis.cursor.packed_at_cursor import packed_at
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.layouts.choose import unknown_layout
from ptx_lsp.layouts.decode import Decoded, DecodedValue, decode
from ptx_lsp.layouts.load import layouts
from ptx_lsp.layouts.written import read_value, write_value

FOLDER = "values"
"""The first part of the addresses of such pages."""
_NO_WORDS = "-"


class ValuePage(NamedTuple):
    """A page and its address."""

    markdown: str
    address: str


def page_of(word: str, name: str, context: AbstractSet[str] = frozenset()) -> ValuePage:
    """The page of a value as it is typed, read as the layout ``name`` lays it out.

    Args:
        word: such as ``0x08200490``; ``?`` for digits that are not known.
        name: such as ``idesc``.
        context: words of the opcode, and the target: some fields depend on them.

    Raises:
        ValueError: there is no such layout, or the word is no such value.

    """
    layout = layouts().get(name)
    if layout is None:
        raise ValueError(unknown_layout(name))
    value, known = read_value(word, layout.width)
    return _page(decode(layout, value, context, known), context)


def page_at_cursor(semantics: Semantics, offset: int) -> ValuePage | None:
    """The page of the descriptor that is at ``offset``, or is built from what is there; None if that is none."""
    cursor = at(semantics, offset)
    found = packed_at(cursor) if cursor is not None else None
    if found is None:
        return None
    layout, wanted = found.known.packed.layout, found.known.packed.spelling
    conditions = [row.when for row in layout.rows] + [rule.when for rule in layout.rules]
    said = frozenset().union(*(one.words for one in conditions))
    return _page(found.known.reading, wanted & said)


def page_of_path(path: str) -> str | None:
    """The page at what follows :data:`FOLDER` in an address; None if there is none."""
    name, _, rest = path.partition("/")
    words, _, word = rest.rpartition("/")
    try:
        return page_of(word, name, frozenset(words.split("+")) - {_NO_WORDS, ""}).markdown
    except ValueError:
        return None


def _page(reading: DecodedValue, context: Iterable[str]) -> ValuePage:
    layout = reading.layout
    digits = write_value(reading.value, reading.known, layout.width)
    title = layout.title.replace("`", "")
    rows = ["| bits | field | code | says | |", "|---:|:---|---:|:---|:---|", *map(_row, reading.fields)]
    parts = [f"# {title[0].upper()}{title[1:]}", f"`{reading.digits}`: {reading.summary}"]
    parts += [f"**✗ {finding.says}**" for finding in reading.findings]
    parts += ["\n".join(rows), f"[PTX ISA: {layout.section}]({layout.link})"]
    words = "+".join(sorted(context)) or _NO_WORDS
    folders = (layout.name, words, digits)
    address = f"ptx-lsp:/{FOLDER}/" + "/".join(quote(one, safe=".:+") for one in folders) + ".md"
    return ValuePage("\n\n".join(parts) + "\n", address)


def _row(one: Decoded) -> str:
    code = "?" if one.code is None else str(one.code)
    bits = one.field.bits.replace("-", "‑")  # one that a narrow column does not break at
    cells = (bits, one.field.name, code, one.text, one.field.words)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
