"""Completion: what can be written at the cursor, so that it is legal in this module.

:func:`completion` finds the place and asks the file for it; :func:`documentation` tells more of one item.
"""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.cursor.unfinished import Unfinished, Where, unfinished
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.features.completion.directives import directives, strings
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.features.completion.opcodes import opcodes
from ptx_lsp.features.completion.operands import operands
from ptx_lsp.features.completion.qualifiers import qualifiers
from ptx_lsp.features.completion.templates import templates
from ptx_lsp.preferences import Completion
from ptx_lsp.syntax.document import Document

_AS_IT_COMES = Completion()


def completion(
    semantics: Semantics, offset: int, preferences: Completion = _AS_IT_COMES, trigger: str = ""
) -> list[Item]:
    """What can be written at ``offset``, best first; empty in comments, and where only the writer knows.

    Args:
        semantics: the document.
        offset: the cursor.
        preferences: what the user wants to see.
        trigger: the character that was typed, if the list comes unasked; ``""`` if someone asked for it.
    """
    if not semantics.module.document.chunks:
        semantics = Semantics(Module(Document("\n")))  # in an empty file what could begin the first line
    place = unfinished(semantics.module, offset)
    if place is None or _is_unwanted(place, trigger):
        return []
    found = [
        item
        for item in _items(semantics, place)
        if (preferences.unavailable or not item.needs) and (preferences.snippets or item.kind is not ItemKind.TEMPLATE)
    ]
    found.sort(key=lambda item: (bool(item.needs), item.rank))
    return found


def _items(semantics: Semantics, place: Unfinished) -> Iterator[Item]:
    match place.where:
        case Where.START:
            yield from _start(place)
        case Where.OPCODE:
            yield from qualifiers(place)
        case Where.DIRECTIVE:
            yield from directives(place)
        case Where.STRING:
            yield from strings(place)
        case Where.OPERAND | Where.GUARD:
            yield from operands(semantics, place)


def _start(place: Unfinished) -> Iterator[Item]:
    """The beginning of a statement: what the first character leaves open."""
    prefix = place.prefix
    is_name = not prefix or prefix[0].isalpha()
    if is_name and place.is_inside:
        yield from opcodes(place)
    if place.first:
        return  # behind a guard
    if is_name:
        yield from templates(place)
    if not prefix or prefix[0] == ".":
        yield from directives(place)


def _is_unwanted(place: Unfinished, trigger: str) -> bool:
    """Whether a list that nobody asked for would be in the way."""
    if trigger == ":":
        return "::" not in place.prefix
    if trigger in (" ", ",", "{"):
        return place.where is Where.START
    return False
