"""Completion: the legal continuations at the cursor.

:func:`completion` determines the cursor's context and delegates to one file per context; :func:`documentation`
returns the prose of one item.
"""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.cursor.unfinished import CursorRegion, UnfinishedStatement, unfinished_at
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.features.completion.directives import directives, strings
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.features.completion.opcodes import opcodes
from ptx_lsp.features.completion.operands import operands
from ptx_lsp.features.completion.qualifiers import qualifiers
from ptx_lsp.features.completion.snippets import snippet_items
from ptx_lsp.preferences import Completion
from ptx_lsp.syntax.document import Document

_AS_IT_COMES = Completion()


def completion(
    semantics: Semantics, offset: int, preferences: Completion = _AS_IT_COMES, trigger: str = ""
) -> list[Item]:
    """Return the items for ``offset``, best first; empty in comments and where a new name is written.

    Args:
        semantics: the document.
        offset: the cursor.
        preferences: the user's settings.
        trigger: the trigger character if the client requested the list automatically; ``""`` on explicit request.
    """
    if not semantics.module.document.chunks:
        semantics = Semantics(Module(Document("\n")))  # in an empty file, complete as at the start of the first line
    place = unfinished_at(semantics.module, offset)
    if place is None or _is_unwanted(place, trigger):
        return []
    found = [
        item
        for item in _items(semantics, place)
        if (preferences.unavailable or not item.needs) and (preferences.snippets or item.kind is not ItemKind.SNIPPET)
    ]
    found.sort(key=lambda item: (bool(item.needs), item.rank))
    return found


def _items(semantics: Semantics, place: UnfinishedStatement) -> Iterator[Item]:
    match place.region:
        case CursorRegion.START:
            yield from _start(place)
        case CursorRegion.OPCODE:
            yield from qualifiers(place)
        case CursorRegion.DIRECTIVE:
            yield from directives(place)
        case CursorRegion.STRING:
            yield from strings(place)
        case CursorRegion.OPERAND | CursorRegion.GUARD:
            yield from operands(semantics, place)


def _start(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield the items for the start of a statement, as far as the first character permits them."""
    prefix = place.prefix
    is_name = not prefix or prefix[0].isalpha()
    if is_name and place.is_inside:
        yield from opcodes(place)
    if place.first:
        return  # after a guard
    if is_name:
        yield from snippet_items(place)
    if not prefix or prefix[0] == ".":
        yield from directives(place)


def _is_unwanted(place: UnfinishedStatement, trigger: str) -> bool:
    """Whether an automatically requested list is to be suppressed."""
    if trigger == ":":
        return "::" not in place.prefix
    if trigger in (" ", ",", "{"):
        return place.region is CursorRegion.START
    return False
