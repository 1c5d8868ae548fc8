"""``textDocument/prepareCallHierarchy``, ``callHierarchy/incomingCalls`` and ``outgoingCalls``."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from ptx_lsp.analysis.module.program import Declared, Program
from ptx_lsp.features.call_hierarchy import Calls, declared, incoming, outgoing, prepare
from ptx_lsp.server.convert import State, offset_of
from ptx_lsp.server.transport.raw_json import RawJson, quoted
from ptx_lsp.server.workspace.uris import key_of

if TYPE_CHECKING:
    from ptx_lsp.server.server import Server

_Later = Coroutine[Any, Any, RawJson | None]


def prepare_call_hierarchy(server: Server, params: types.CallHierarchyPrepareParams) -> _Later | None:
    """The function under the cursor, or those in the table there."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    names = prepare(document.checker.semantics, offset_of(params.position, document))
    return _prepared(server, State.of(document), names) if names else None


async def _prepared(server: Server, state: State, names: list[str]) -> RawJson | None:
    files = server.files
    await files.ready()
    state.check()
    found = [declared(files.program, key_of(state.document.uri), name) for name in names]
    items = [_item(server, one) for one in found if one is not None]
    return RawJson(f"[{','.join(items)}]") if items else None


def incoming_calls(server: Server, params: types.CallHierarchyIncomingCallsParams) -> _Later:
    """Who calls a function."""
    return _calls(server, params.item, incoming, "from")


def outgoing_calls(server: Server, params: types.CallHierarchyOutgoingCallsParams) -> _Later:
    """Whom a function calls."""
    return _calls(server, params.item, outgoing, "to")


async def _calls(
    server: Server,
    item: types.CallHierarchyItem,
    look: Callable[[Program[str], str, str], list[Calls[str]]],
    end: str,
) -> RawJson:
    await server.files.ready()
    found = look(server.files.program, key_of(item.uri), item.name)
    calls = [
        f'{{"{end}":{_item(server, one.function)},"fromRanges":[{",".join(dict.fromkeys(one.places))}]}}'
        for one in found
    ]
    return RawJson(f"[{','.join(calls)}]")


def _item(server: Server, function: Declared[str]) -> str:
    entry = function.entry
    return (
        f'{{"name":{quoted(entry.name)},"kind":{types.SymbolKind.Function.value},'
        f'"detail":{quoted(f"{entry.detail} · {server.files.name(function.file)}")},'
        f'"uri":{quoted(server.files.uri(function.file))},"range":{entry.extent},"selectionRange":{entry.place}}}'
    )
