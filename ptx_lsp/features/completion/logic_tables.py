"""The look-up table of ``lop3`` for an expression typed in its place.

Source: Logic and Shift Instructions: lop3.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ptx_lsp.analysis.cursor.unfinished import UnfinishedStatement
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.features.completion.operand_request import FIRST, shortened
from ptx_lsp.layouts.lop3 import in_letters, table
from ptx_lsp.text import Span

_BEFORE = 4
"""The number of operands before the table."""
_REST = re.compile(r"[^,;/\n]*")
_EXPRESSION = re.compile(r"[abc]|.*[~&^|?!].*")


def logic_tables(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield the table value of an expression of a, b and c; the item replaces the whole expression."""
    if place.opcode[0] != "lop3" or place.operand != _BEFORE:
        return
    commas = [token.end for token in place.tokens if place.text[token.start : token.end] == ","]
    if len(commas) != _BEFORE:
        return  # a comma in brackets does not end the operand
    begin = commas[-1]
    begin += len(place.text[begin:]) - len(place.text[begin:].lstrip())
    rest = _REST.match(_text_after_cursor(place))
    assert rest is not None
    text = (place.text[begin:] + rest[0]).rstrip()
    typed = Span(place.start + begin, max(place.start + begin + len(text), place.offset))
    if "\n" in text or not _EXPRESSION.fullmatch(text):
        return
    try:
        written = [place.text[start:end].strip(",") for start, end in pairwise(commas)]
        number = table(in_letters(text, written))
    except ValueError:
        return
    hexadecimal = f"0x{number:02X}"
    yield Item(
        shortened(text),
        ItemKind.VALUE,
        typed,
        insert=hexadecimal,
        match=text,
        rank=FIRST,
        detail=hexadecimal,
        preselect=True,
    )


def _text_after_cursor(place: UnfinishedStatement) -> str:
    """Return the text of the statement after the cursor."""
    document = place.context.module.document
    return document.slice(Span(place.offset, min(place.typed.end, document.length))) + place.text_after
