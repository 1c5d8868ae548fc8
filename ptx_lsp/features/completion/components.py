"""Selectors after a name and a dot: vector components, and register parts in video instructions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ptx_lsp.analysis.cursor.completed_statement import complete_statement
from ptx_lsp.analysis.cursor.unfinished import UnfinishedStatement
from ptx_lsp.analysis.symbols.symbols import OPERANDS
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.vocabulary.register_types import vector_of
from ptx_lsp.syntax.tokens import TokenKind
from ptx_lsp.text import Span

_COMPONENTS = ".x", ".y", ".z", ".w"


def components(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield the selectors that are legal after the name before the cursor."""
    at = place.typed.start - place.start
    name = next((token for token in place.tokens if token.end == at and token.kind is TokenKind.NAME), None)
    if name is None:
        return
    base = place.typed.start - (name.end - name.start)
    found = complete_statement(replace(place, typed=Span(base, place.typed.end)))
    if found is None:
        return
    word = place.text[name.start : name.end]
    written = _meaning(place, word)
    if written is None:
        return
    vector = vector_of(written.type)
    if vector is not None:
        for selector in _COMPONENTS[: vector[0]]:
            if found.takes(written._replace(type=vector[1])):
                yield Item(selector, ItemKind.FIELD, place.typed, detail=vector[1])
    seen: set[str] = set()
    for form in found.forms:
        for fitting in form.fittings:
            here = fitting.operands()[found.path[0] : found.path[0] + 1]
            for selector in (one for operand in here for one in fitting.selectors(operand)):
                if selector not in seen and found.takes(written._replace(selector=selector)):
                    seen.add(selector)
                    yield Item(selector, ItemKind.FIELD, place.typed, key=("word", selector))


def _meaning(place: UnfinishedStatement, word: str) -> ActualOperand | None:
    symbol = place.context.visible(word)
    if symbol is not None:
        return OPERANDS[symbol.code]
    register = catalogue().vocabulary.special_registers.get(word)
    if register is None:
        return None
    type_ = f".v{register.vector}{register.type}" if register.vector else register.type
    return ActualOperand("special", type=type_, narrow=register.narrow)
