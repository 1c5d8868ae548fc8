"""``textDocument/prepareRename`` and ``rename``."""

from __future__ import annotations

from collections.abc import Coroutine, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from ptx_lsp.analysis.cursor.linkage import shared_name
from ptx_lsp.diagnostic import Edit
from ptx_lsp.features.rename import RenameError, rename_global
from ptx_lsp.features.rename import prepare as find_name
from ptx_lsp.features.rename import rename as find_edits
from ptx_lsp.server.capabilities import lookup
from ptx_lsp.server.convert import State, offset_of, range_of
from ptx_lsp.server.documents.diagnostic_json import name_json
from ptx_lsp.server.documents.lines import DocumentLines
from ptx_lsp.server.progress import Progress
from ptx_lsp.server.transport.raw_json import RawJson, quoted
from ptx_lsp.server.transport.slices import Pace
from ptx_lsp.server.workspace.uris import key_of

if TYPE_CHECKING:
    from ptx_lsp.server.server import Server


class _Changed(NamedTuple):
    """The edits of one file."""

    uri: str
    version: int | None
    edits: str
    """As a JSON array."""


def prepare_rename(server: Server, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    """The name under the cursor; a refusal says why it cannot be renamed."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    try:
        found = find_name(document.checker.semantics, offset_of(params.position, document))
    except RenameError as error:
        raise _refusal(str(error)) from error
    return types.PrepareRenamePlaceholder(range_of(found.span, document), found.word)


def rename(server: Server, params: types.RenameParams) -> RawJson | Coroutine[Any, Any, RawJson] | None:
    """The edits that rename what is under the cursor; of a name with linkage in all files that share it."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    semantics, offset = document.checker.semantics, offset_of(params.position, document)
    try:
        edits = find_edits(semantics, offset, params.new_name)
    except RenameError as error:
        raise _refusal(str(error)) from error
    own = _Changed(document.uri, document.version, _edits(edits, document.lines))
    name = shared_name(semantics, offset)
    if name is None or not edits:
        return _answer(server, [own])
    return _rename_everywhere(server, params, State.of(document), name, own)


async def _rename_everywhere(
    server: Server, params: types.RenameParams, state: State, name: str, own: _Changed
) -> RawJson:
    files, new = server.files, params.new_name
    await files.ready()
    key = key_of(state.document.uri)
    if not files.program.is_defined(key, name):
        raise _refusal(f"'{name}' is defined in a file that is not part of the workspace")
    linked = files.program.linked(key, name)
    taken = files.program.collision(linked, new)
    if taken is not None:
        raise _refusal(f"'{new}' is declared already in {files.name(taken.file)}, which may be linked to this file")
    found = [own]
    states = [state]
    progress = Progress(server, params.work_done_token)
    progress.begin(f"Renaming {name}")
    try:
        pace = Pace()
        for number, other in enumerate(linked[1:]):
            there = files.document(other)
            changed = await _renamed_in(server, other, name, new)
            if there is not None:
                states.append(State.of(there))
            if changed is not None:
                found.append(changed)
            await pace()
            progress.report(number + 1, len(linked) - 1)
    finally:
        progress.end()
    for one in states:
        one.check()
    return _answer(server, found)


async def _renamed_in(server: Server, file: str, name: str, new: str) -> _Changed | None:
    """The edits of another file; None if it needs none."""
    files = server.files
    known = files.places(file, name, new)
    if known is not None:
        text = quoted(new)
        edits = ",".join([f'{{"range":{place},"newText":{text}}}' for place, _ in known])
        return _Changed(files.uri(file), None, f"[{edits}]")
    opened = await files.open(file)
    if opened is None:
        return None
    try:
        found = rename_global(opened.semantics, name, new)
    except RenameError as error:
        raise _refusal(f"{files.name(file)}: {error}") from error
    return _Changed(opened.uri, opened.version, _edits(found, opened.lines)) if found else None


def _edits(edits: Iterable[Edit], lines: DocumentLines) -> str:
    texts = _Quoted()
    found = [f'{{"range":{name_json(one.span, lines)},"newText":{texts[one.text]}}}' for one in edits]
    return f"[{','.join(found)}]"


class _Quoted(dict[str, str]):
    """Texts as JSON, each made once."""

    def __missing__(self, text: str) -> str:
        found = self[text] = quoted(text)
        return found


def _answer(server: Server, changed: Iterable[_Changed]) -> RawJson:
    """A ``WorkspaceEdit``; for clients that can, of the versions that it is meant for."""
    if lookup(server.client, "workspace", "workspaceEdit", "documentChanges") is True:
        changes = ",".join(
            f'{{"textDocument":{{"uri":{quoted(one.uri)},"version":{"null" if one.version is None else one.version}}},'
            f'"edits":{one.edits}}}'
            for one in changed
        )
        return RawJson(f'{{"documentChanges":[{changes}]}}')
    changes = ",".join(f"{quoted(one.uri)}:{one.edits}" for one in changed)
    return RawJson(f'{{"changes":{{{changes}}}}}')


def _refusal(why: str) -> JsonRpcException:
    return JsonRpcException(why, types.LSPErrorCodes.RequestFailed)
