"""``workspace/symbol`` and ``workspaceSymbol/resolve``."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from ptx_lsp.analysis.symbols.symbols import SymbolKind
from ptx_lsp.features.workspace_symbols import SymbolMatch
from ptx_lsp.server.transport.raw_json import RawJson, quoted
from ptx_lsp.server.workspace.uris import key_of

if TYPE_CHECKING:
    from ptx_lsp.server.server import Server


_TIMEOUT = 2.0
"""Seconds to wait for a workspace that is read for the first time; then the result is incomplete."""


def workspace_symbols(server: Server, params: types.WorkspaceSymbolParams) -> Coroutine[Any, Any, RawJson]:
    """The functions and variables of all PTX files whose names match a query."""
    return _workspace_symbols(server, params.query)


async def _workspace_symbols(server: Server, query: str) -> RawJson:
    await server.files.ready(_TIMEOUT)
    properties = server.client.capability("workspace", "symbol", "resolveSupport", "properties")
    is_lazy = isinstance(properties, list) and "location.range" in properties
    found = await server.files.symbols(query, demangles=server.configurations.settings_for("").names.demangle)
    return RawJson(f"[{','.join([_symbol(server, one, is_lazy) for one in found])}]")


async def resolve_symbol(server: Server, symbol: types.WorkspaceSymbol) -> types.WorkspaceSymbol | RawJson:
    """A symbol with the range of its name."""
    await server.files.open.ready()
    number = symbol.data.get("entry") if isinstance(symbol.data, Mapping) else None
    key = key_of(symbol.location.uri)
    interface = server.files.program.files.get(key)
    entries = interface.entries if interface is not None else ()
    candidates = [
        at
        for at, entry in enumerate(entries)
        if symbol.name in (entry.name, entry.brief) or (entry.brief and symbol.name.startswith(f"{entry.brief} ["))
    ]
    if not candidates:
        return symbol  # the file changed: it no longer has the name
    at = number if number in candidates else candidates[0]
    return RawJson(_symbol(server, SymbolMatch(key, at, entries[at], symbol.name), is_lazy=False))


def _symbol(server: Server, found: SymbolMatch[str], is_lazy: bool) -> str:
    entry = found.entry
    kind = types.SymbolKind.Function if entry.kind is SymbolKind.FUNCTION else types.SymbolKind.Variable
    uri = quoted(server.files.table.uri(found.file))
    location = f'{{"uri":{uri}}}' if is_lazy else f'{{"uri":{uri},"range":{entry.place}}}'
    data = f',"data":{{"entry":{found.number}}}' if is_lazy else ""
    return (
        f'{{"name":{quoted(found.name)},"kind":{kind.value},"location":{location},'
        f'"containerName":{quoted(server.files.table.name(found.file))}{data}}}'
    )
