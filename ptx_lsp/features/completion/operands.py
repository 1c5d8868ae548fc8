"""Operands and guards that keep the statement legal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ptx_lsp.analysis.cursor.completed_statement import complete_statement
from ptx_lsp.analysis.cursor.nearby_registers import NearbyRegisters
from ptx_lsp.analysis.cursor.unfinished import CursorRegion, UnfinishedStatement
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.symbols.symbols import OPERANDS
from ptx_lsp.features.completion.bracketed_operands import bracketed
from ptx_lsp.features.completion.call_operands import call_operands
from ptx_lsp.features.completion.components import components
from ptx_lsp.features.completion.descriptors import descriptors
from ptx_lsp.features.completion.habits import is_mostly_register, names_in_role
from ptx_lsp.features.completion.immediates import constants
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.features.completion.logic_tables import logic_tables
from ptx_lsp.features.completion.names import functions, labels, special_registers, variable_names
from ptx_lsp.features.completion.operand_request import FIRST, LIKELY, NAMES, OperandRequest
from ptx_lsp.features.completion.registers import registers, type_of
from ptx_lsp.isa.model.actual_operand import ActualOperand

_PREDICATE = ActualOperand("register", ".pred")
_OPERAND_PREFIXES = frozenset(", [ { ( | ! - @".split())
"""Tokens after which an operand can begin; after other punctuation, an expression continues."""


def operands(semantics: Semantics, place: UnfinishedStatement) -> Iterator[Item]:
    """Yield the items for the operand at the cursor."""
    if place.region is CursorRegion.GUARD:
        yield from _guards(place)
    elif place.region is CursorRegion.OPERAND and place.opcode:
        yield from _operands(semantics, place)


def _operands(semantics: Semantics, place: UnfinishedStatement) -> Iterator[Item]:
    if place.prefix.startswith("."):
        yield from components(place)
        return
    yield from logic_tables(place)
    if not _is_operand(place):
        return
    if place.opcode[0] == "call":
        yield from call_operands(place)
        return
    found = complete_statement(place)
    if found is None:
        return
    request = OperandRequest(semantics, found, NearbyRegisters(place))
    if not request.draft.is_known:
        yield from registers(request)
        return
    names = {name: rank for rank, name in enumerate(names_in_role(request.draft))}
    has_addresses = len(request.draft.path) > 1 or not is_mostly_register(request.draft)
    for item in _of_request(request):
        text = item.insert or item.label
        if not has_addresses and text.startswith("["):
            yield replace(item, rank=max(item.rank, NAMES))
            continue
        rank = names.get(_NAME_OF_ADDRESS.sub(r"\1", text))
        yield item if rank is None or item.rank > NAMES else replace(item, rank=rank - len(names) - 1)


_NAME_OF_ADDRESS = re.compile(r"^\[([^\[\]]+)\]$")


def _of_request(request: OperandRequest) -> Iterator[Item]:
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


def _is_operand(place: UnfinishedStatement) -> bool:
    """Whether the word at the cursor begins an operand."""
    before = [token for token in place.tokens if place.start + token.start < place.typed.start]
    last = place.text[before[-1].start : before[-1].end] if before else ""
    return len(before) <= place.first + len(place.opcode) or last in _OPERAND_PREFIXES


def _guards(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield predicates, those used nearby first."""
    nearby = NearbyRegisters(place)
    seen: set[str] = set()
    near = [(name, symbol, FIRST) for name, symbol in nearby.recent.items()]
    near += [(name, symbol, LIKELY) for name, symbol in nearby.conditions()]
    near += [(symbol.name, symbol, LIKELY) for symbol in nearby.named()]
    near += [(nearby.last(group), group, LIKELY) for group in nearby.groups]
    for name, symbol, rank in near:
        if name not in seen and OPERANDS[symbol.code] == _PREDICATE:
            seen.add(name)
            yield Item(name, ItemKind.REGISTER, place.typed, rank=rank, detail=type_of(symbol))
