"""Documentation pages of packed values: all fields of a descriptor with bits, code and meaning.

The address encodes the value completely: ``ptx-lsp:/values/idesc/.kind::f16+sm_100a/0x08200490.md``. Of a value in a
document it ends with its place, which editors show as the title: ``…/0x08200490/idesc, line 12.md``.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from urllib.parse import quote

from ptx_lsp.analysis.cursor.cursor import at
from ptx_lsp.analysis.cursor.packed_at_cursor import packed_at
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.layouts.decode import DecodedField, DecodedValue, decode
from ptx_lsp.layouts.layout_lookup import unknown_layout
from ptx_lsp.layouts.load import layouts
from ptx_lsp.layouts.value_notation import format_value, parse_value
from ptx_lsp.named_tuples import NamedTuple

FOLDER = "values"
"""The first path component of the addresses of these pages."""
_NO_WORDS = "-"


class ValuePage(NamedTuple):
    """A page and its address."""

    markdown: str
    address: str


def page_of(word: str, name: str, context: AbstractSet[str] = frozenset(), place: str = "") -> ValuePage:
    """Return the page of a value as written, decoded by the layout ``name``.

    Args:
        word: the value, such as ``0x08200490``; ``?`` stands for an unknown digit.
        name: the layout, such as ``idesc``.
        context: words of the opcode, and the target; some fields depend on them.
        place: where the value stands, for the title: ``a-desc, line 12``.

    Raises:
        ValueError: the layout does not exist, or ``word`` is not a value of it.

    """
    layout = layouts().get(name)
    if layout is None:
        raise ValueError(unknown_layout(name))
    value, known = parse_value(word, layout.width)
    return _page(decode(layout, value, context, known), context, place)


def page_at_cursor(semantics: Semantics, offset: int) -> ValuePage | None:
    """Return the page of the descriptor at ``offset``, or of the one built from the register there; None if none."""
    cursor = at(semantics, offset)
    found = packed_at(cursor) if cursor is not None else None
    if found is None:
        return None
    layout, wanted = found.known.packed.layout, found.known.packed.spelling
    conditions = [row.when for row in layout.rows] + [rule.when for rule in layout.rules]
    said = frozenset().union(*(one.words for one in conditions))
    role, line = found.known.packed.role, semantics.module.positions.line_of(found.context.place)
    start = found.values.start_address(found.context, found.known.packed)
    facts = (f"start address: `{start}`",) if start is not None and start.terms else ()
    return _page(found.known.reading, wanted & said, f"{role}, line {line}", facts)


def page_of_path(path: str) -> str | None:
    """Return the page at a path after :data:`FOLDER` in an address, or None."""
    name, _, rest = path.partition("/")
    words, _, rest = rest.partition("/")
    word, _, place = rest.partition("/")
    try:
        page = page_of(word, name, frozenset(words.split("+")) - {_NO_WORDS, ""}, place)
        return page.markdown
    except ValueError:
        return None


def _page(reading: DecodedValue, context: Iterable[str], place: str = "", facts: Iterable[str] = ()) -> ValuePage:
    """Return the page of a value; ``place`` says where it stands, for its title and the name of its address."""
    layout = reading.layout
    digits = format_value(reading.value, reading.known, layout.width)
    title = layout.title.replace("`", "")
    rows = ["| bits | field | code | meaning | |", "|---:|:---|---:|:---|:---|", *map(_row, reading.fields)]
    heading = f"{title[0].upper()}{title[1:]}" + (f": {place}" if place else "")
    parts = [f"# {heading}", f"`{reading.digits}`: {reading.summary}", *facts]
    parts += [f"**✗ {finding.says}**" for finding in reading.findings]
    parts += ["\n".join(rows), f"[PTX ISA: {layout.section}]({layout.link})"]
    words = "+".join(sorted(context)) or _NO_WORDS
    folders = (layout.name, words, digits, *([place] if place else []))
    address = f"ptx-lsp:/{FOLDER}/" + "/".join(quote(one, safe=".:+") for one in folders) + ".md"
    return ValuePage("\n\n".join(parts) + "\n", address)


def _row(one: DecodedField) -> str:
    code = "?" if one.code is None else str(one.code)
    bits = one.field.bits.replace("-", "‑")  # a non-breaking hyphen, for narrow columns
    cells = (bits, one.field.name, code, one.text, one.field.words)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
