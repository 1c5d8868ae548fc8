"""Call hierarchy: callers and callees of a function, including calls through tables of targets and other files."""

from __future__ import annotations

from typing import Generic, NamedTuple

from ptx_lsp.analysis.cursor.cursor import at
from ptx_lsp.analysis.module.interface import ExportedSymbol, PlaceT
from ptx_lsp.analysis.module.program import Declared, Program
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.symbols.calls import callees
from ptx_lsp.analysis.symbols.symbols import SymbolKind


class Calls(NamedTuple, Generic[PlaceT]):
    """A caller or callee with the call sites between the two, which are always in the caller's file."""

    function: Declared[PlaceT]
    places: tuple[PlaceT, ...]


def prepare(semantics: Semantics, offset: int) -> list[str]:
    """Return the names of the functions that the name at ``offset`` denotes: one, or all entries of a target table."""
    cursor = at(semantics, offset)
    if cursor is None or cursor.symbol is None:
        return []
    if cursor.symbol.kind is SymbolKind.FUNCTION:
        return [cursor.symbol.name]
    if cursor.symbol.kind is SymbolKind.PROTOTYPE:
        return []
    return [name for name, _ in callees(cursor.symbol, cursor.context.scope) or ()]


def declared(program: Program[PlaceT], file: str, name: str) -> Declared[PlaceT] | None:
    """Return the definition of the function that ``file`` refers to by ``name``, in any file; else a declaration."""
    own = _functions(program, file, name)
    defined = next((one for one in own if one.is_definition), None)
    if defined is not None:
        return Declared(file, defined)
    elsewhere = [one for one in program.definitions(file, name) if one.entry.kind is SymbolKind.FUNCTION]
    if elsewhere:
        return elsewhere[0]
    return Declared(file, own[0]) if own else None


def incoming(program: Program[PlaceT], file: str, name: str) -> list[Calls[PlaceT]]:
    """Return the callers of the function that ``file`` means by ``name``, in text order, those in ``file`` first."""
    found = []
    for other in program.linked(file, name):
        interface = program.files.get(other)
        if interface is None:
            continue
        places: dict[int, list[PlaceT]] = {}
        for call in interface.calls:
            if call.callee == name:
                places.setdefault(call.caller, []).append(call.place)
        found += [Calls(Declared(other, interface.entries[caller]), tuple(at)) for caller, at in places.items()]
    return found


def outgoing(program: Program[PlaceT], file: str, name: str) -> list[Calls[PlaceT]]:
    """Return the functions that the function ``name`` of ``file`` calls, in the order of their first call."""
    interface = program.files.get(file)
    if interface is None:
        return []
    callers = {
        number
        for number, entry in enumerate(interface.entries)
        if entry.name == name and entry.kind is SymbolKind.FUNCTION
    }
    places: dict[str, list[PlaceT]] = {}
    for call in interface.calls:
        if call.caller in callers:
            places.setdefault(call.callee, []).append(call.place)
    found = []
    for callee, at_places in places.items():
        function = declared(program, file, callee)
        if function is not None:
            found.append(Calls(function, tuple(at_places)))
    return found


def _functions(program: Program[PlaceT], file: str, name: str) -> list[ExportedSymbol[PlaceT]]:
    interface = program.files.get(file)
    entries = interface.entries if interface is not None else ()
    return [entry for entry in entries if entry.name == name and entry.kind is SymbolKind.FUNCTION]
