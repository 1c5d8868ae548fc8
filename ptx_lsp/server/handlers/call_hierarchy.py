"""``textDocument/prepareCallHierarchy``, ``callHierarchy/incomingCalls`` and ``outgoingCalls``."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from ptx_lsp.analysis.module.program import Declared, Program
from ptx_lsp.features.call_hierarchy import Calls, declared, incoming, outgoing, prepare
from ptx_lsp.server.client.lookup import lookup
from ptx_lsp.server.convert import DocumentRevision, offset_of
from ptx_lsp.server.transport.raw_json import RawJson, quoted
from ptx_lsp.server.workspace.uris import key_of

if TYPE_CHECKING:
    from ptx_lsp.server.server import Server

_AsyncResult = Coroutine[Any, Any, RawJson | None]


def prepare_call_hierarchy(server: Server, params: types.CallHierarchyPrepareParams) -> _AsyncResult | None:
    """The function at the cursor, or the functions in the call table there."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    names = prepare(document.checker.semantics, offset_of(params.position, document))
    return _prepared(server, DocumentRevision.of(document), names) if names else None


async def _prepared(server: Server, revision: DocumentRevision, names: list[str]) -> RawJson | None:
    files = server.files
    await files.ready()
    revision.check()
    found = [declared(files.program, key_of(revision.document.uri), name) for name in names]
    items = [_item(server, one) for one in found if one is not None]
    return RawJson(f"[{','.join(items)}]") if items else None


def incoming_calls(server: Server, params: types.CallHierarchyIncomingCallsParams) -> _AsyncResult:
    """The callers of a function."""
    return _calls(server, params.item, incoming, "from")


def outgoing_calls(server: Server, params: types.CallHierarchyOutgoingCallsParams) -> _AsyncResult:
    """The callees of a function."""
    return _calls(server, params.item, outgoing, "to")


async def _calls(
    server: Server,
    item: types.CallHierarchyItem,
    find_calls: Callable[[Program[str], str, str], list[Calls[str]]],
    end: str,
) -> RawJson:
    await server.files.ready()
    own = lookup(item.data, "name")  # the shown name may be demangled
    found = find_calls(server.files.program, key_of(item.uri), own if isinstance(own, str) else item.name)
    calls = [
        f'{{"{end}":{_item(server, one.function)},"fromRanges":[{",".join(dict.fromkeys(one.places))}]}}'
        for one in found
    ]
    return RawJson(f"[{','.join(calls)}]")


def _item(server: Server, function: Declared[str]) -> str:
    entry = function.entry
    name, data = entry.name, ""
    uri = server.files.table.uri(function.file)
    if entry.brief and server.configurations.settings_for(uri).names.demangle:
        name, data = entry.brief, f',"data":{{"name":{quoted(entry.name)}}}'
    return (
        f'{{"name":{quoted(name)},"kind":{types.SymbolKind.Function.value},'
        f'"detail":{quoted(f"{entry.detail} · {server.files.table.name(function.file)}")},'
        f'"uri":{quoted(uri)},"range":{entry.extent},"selectionRange":{entry.place}{data}}}'
    )
