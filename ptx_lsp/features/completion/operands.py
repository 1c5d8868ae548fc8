"""What can be written for an operand, or for the guard: nothing that would make the statement illegal."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.cursor.completed_statement import draft
from ptx_lsp.analysis.cursor.nearby_registers import Nearby
from ptx_lsp.analysis.cursor.unfinished import Unfinished, Where
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.symbols.symbols import OPERANDS
from ptx_lsp.features.completion.braces import bracketed
from ptx_lsp.features.completion.calls import call_operands
from ptx_lsp.features.completion.components import components
from ptx_lsp.features.completion.descriptors import descriptors
from ptx_lsp.features.completion.immediates import constants
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.features.completion.logic_tables import logic_tables
from ptx_lsp.features.completion.names import functions, labels, special_registers, variable_names
from ptx_lsp.features.completion.registers import registers, type_of
from ptx_lsp.features.completion.request import FIRST, LIKELY, Request
from ptx_lsp.isa.model.actual_operand import ActualOperand

_PREDICATE = ActualOperand("register", ".pred")
_BEHIND = frozenset(", [ { ( | ! - @".split())
"""What an operand can stand behind; behind other marks the rest of an expression stands."""


def operands(semantics: Semantics, place: Unfinished) -> Iterator[Item]:
    """The operands for the place of the cursor."""
    if place.where is Where.GUARD:
        yield from _guards(place)
    elif place.where is Where.OPERAND and place.opcode:
        yield from _operands(semantics, place)


def _operands(semantics: Semantics, place: Unfinished) -> Iterator[Item]:
    if place.prefix.startswith("."):
        yield from components(place)
        return
    yield from logic_tables(place)
    if not _is_operand(place):
        return
    if place.opcode[0] == "call":
        yield from call_operands(place)
        return
    found = draft(place)
    if found is None:
        return
    request = Request(semantics, found, Nearby(place))
    if not request.draft.is_known:
        yield from registers(request)
        return
    if not request.draft.is_signed:
        yield from bracketed(request)
    yield from labels(request)
    yield from registers(request)
    if not request.draft.is_signed:
        yield from variable_names(request)
        yield from functions(request)
        yield from descriptors(request)
        yield from constants(request)
        yield from special_registers(request)


def _is_operand(place: Unfinished) -> bool:
    """Whether an operand begins with the word at the cursor."""
    before = [token for token in place.tokens if place.start + token.start < place.typed.start]
    last = place.text[before[-1].start : before[-1].end] if before else ""
    return len(before) <= place.first + len(place.opcode) or last in _BEHIND


def _guards(place: Unfinished) -> Iterator[Item]:
    """Predicates, those used nearby first."""
    nearby = Nearby(place)
    seen: set[str] = set()
    near = [(name, symbol, FIRST) for name, symbol in nearby.recent.items()]
    near += [(symbol.name, symbol, LIKELY) for symbol in nearby.named()]
    near += [(nearby.last(group), group, LIKELY) for group in nearby.groups]
    for name, symbol, rank in near:
        if name not in seen and OPERANDS[symbol.code] == _PREDICATE:
            seen.add(name)
            yield Item(name, ItemKind.REGISTER, place.typed, rank=rank, detail=type_of(symbol))
