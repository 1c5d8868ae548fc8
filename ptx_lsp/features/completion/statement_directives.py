"""Directives that begin a statement in the cursor's context: module, function body or debug section."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.cursor.unfinished import UnfinishedStatement
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.features.completion.word_items import lacks, word_item
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.gate import Gate
from ptx_lsp.isa.vocabulary.records import DirectiveWord
from ptx_lsp.syntax.automaton.tables import load
from ptx_lsp.syntax.documents.nearby import before
from ptx_lsp.syntax.kind import Kind

_BLOCKS = {".nv_intermediate_source_section", ".code_block"}
_LOOKED_BACK = 64
"""The maximum number of statements searched backwards for the opening brace of a debug section."""


def statement_directives(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield the directives that are legal here, in the vocabulary's order."""
    block = "" if place.is_inside else block_of(place)
    module = place.context.module
    written = {line.directive for line in module.header.lines}
    for word in catalogue().vocabulary.directives.values():
        gate = _gate(word, place, block)
        if gate is None or (word.place == "module header" and word.name in written):
            continue
        exists, need = lacks(gate, module.version, module.target)
        if exists:
            yield word_item(
                word.name,
                ItemKind.DIRECTIVE,
                place.typed,
                key=("directive", word.name),
                need=need,
                rank=0 if place.prefix or word.place == "module header" else 2,
            )
    if block == ".section":
        types = catalogue().vocabulary.types
        for name, terminal in load().words.items():
            if terminal == "DATA" and name in types:
                yield word_item(name, ItemKind.DIRECTIVE, place.typed, key=("directive", name))


def _gate(word: DirectiveWord, place: UnfinishedStatement, block: str) -> Gate | None:
    """Return the gate (version, target) of a directive at the cursor; None if it is never legal there."""
    places = word.place.split(", ")
    if block:
        return word.gate if block in places else None
    if word.place == "variable":
        space = catalogue().vocabulary.spaces.get(word.name)
        if space is None:
            return None
        return space.body if place.is_inside else space.module
    here = ("function body",) if place.is_inside else ("module", "module header", "linkage")
    if word.place == "module header" and not _is_at_the_top(place):
        return None
    return word.gate if word.name[0] == "." and any(one in here for one in places) else None


def _is_at_the_top(place: UnfinishedStatement) -> bool:
    """Whether only header lines precede the cursor."""
    context = place.context
    seen = 0
    for chunk, index in before(context.module.document.chunks, context.chunk, context.index, _LOOKED_BACK + 1):
        if chunk.kinds[index] not in (Kind.HEADER, Kind.BAD, Kind.EMPTY):
            return False
        seen += 1
    return seen <= _LOOKED_BACK


def block_of(place: UnfinishedStatement) -> str:
    """Return the directive of the enclosing non-function block, such as ``.section``; ``""`` if there is none."""
    context = place.context
    closed = 0
    is_opened = False
    for chunk, at in before(context.module.document.chunks, context.chunk, context.index, _LOOKED_BACK):
        if is_opened:
            head = chunk.statement(at)
            word = head.word(0) if head.tokens else ""
            return word if word == ".section" or word in _BLOCKS else ""
        kind = chunk.kinds[at]
        if kind == Kind.CLOSE:
            closed += 1
        elif kind == Kind.OPEN and closed:
            closed -= 1
        elif kind == Kind.OPEN:
            is_opened = True
        elif kind == Kind.FUNCTION:
            return ""
    return ""
