"""Completion: what can be written at the cursor, so that it is legal in this module.

:func:`completion` finds the place and asks the file for it; :func:`documentation` tells more of one item.
"""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.cursor.unfinished import CursorRegion, UnfinishedStatement, unfinished_at
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.features.completion.directives import directives, strings
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.features.completion.opcodes import opcodes
from ptx_lsp.features.completion.operands import operands
from ptx_lsp.features.completion.qualifiers import qualifiers
from ptx_lsp.features.completion.snippets import snippet_items
from ptx_lsp.preferences import Completion
from ptx_lsp.syntax.document import Document

_AS_IT_COMES = Completion()


def completion(module: Module, offset: int, preferences: Completion = _AS_IT_COMES, trigger: str = "") -> list[Item]:
    """What can be written at ``offset``, best first; empty in comments, and where only the writer knows.

    Args:
        module: the document.
        offset: the cursor.
        preferences: what the user wants to see.
        trigger: the character that was typed, if the list comes unasked; ``""`` if someone asked for it.
    """
    if not module.document.chunks:
        module = Module(Document("\n"))  # in an empty file what could begin the first line
    place = unfinished_at(module, offset)
    if place is None or _is_unwanted(place, trigger):
        return []
    found = [
        item
        for item in _items(place)
        if (preferences.unavailable or not item.needs) and (preferences.snippets or item.kind is not ItemKind.SNIPPET)
    ]
    found.sort(key=lambda item: (bool(item.needs), item.rank))
    return found


def _items(place: UnfinishedStatement) -> Iterator[Item]:
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
            yield from operands(place)


def _start(place: UnfinishedStatement) -> Iterator[Item]:
    """The beginning of a statement: what the first character leaves open."""
    prefix = place.prefix
    is_name = not prefix or prefix[0].isalpha()
    if is_name and place.is_inside:
        yield from opcodes(place)
    if place.first:
        return  # behind a guard
    if is_name:
        yield from snippet_items(place)
    if not prefix or prefix[0] == ".":
        yield from directives(place)


def _is_unwanted(place: UnfinishedStatement, trigger: str) -> bool:
    """Whether a list that nobody asked for would be in the way."""
    if trigger == ":":
        return "::" not in place.prefix
    if trigger in (" ", ",", "{"):
        return place.region is CursorRegion.START
    return False
