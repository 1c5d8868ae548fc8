"""``textDocument/prepareRename`` and ``rename``."""

from __future__ import annotations

from collections.abc import Coroutine, Generator, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from ptx_lsp.analysis.cursor.linkage import shared_name
from ptx_lsp.diagnostic import Edit
from ptx_lsp.features.rename import RenameError, rename_global
from ptx_lsp.features.rename import prepare as find_name
from ptx_lsp.features.rename import renaming as finding_edits
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.server.client.progress import Progress
from ptx_lsp.server.convert import DocumentRevision, offset_of, range_of, text_has_changed, while_unchanged
from ptx_lsp.server.documents.diagnostic_json import name_json
from ptx_lsp.server.documents.lines import DocumentLines
from ptx_lsp.server.transport.raw_json import RawJson, quoted
from ptx_lsp.server.transport.slices import Pace, at_once_or_later, in_slices
from ptx_lsp.server.workspace.closed_files import open_file, places_of
from ptx_lsp.server.workspace.uris import key_of
from ptx_lsp.stepwise import collected

if TYPE_CHECKING:
    from ptx_lsp.server.documents.document import OpenDocument
    from ptx_lsp.server.server import Server


class _FileEdits(NamedTuple):
    """The edits of one file."""

    uri: str
    version: int | None
    edits: str
    """A JSON array."""


def prepare_rename(server: Server, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    """The name at the cursor; an error with the reason if it cannot be renamed."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    try:
        found = find_name(document.checker.semantics, offset_of(params.position, document))
    except RenameError as error:
        raise _refusal(str(error)) from error
    return types.PrepareRenamePlaceholder(range_of(found.span, document), found.word)


def rename(server: Server, params: types.RenameParams) -> RawJson | Coroutine[Any, Any, RawJson] | None:
    """The edits that rename the name at the cursor; for a name with linkage in all files that share it."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    semantics, offset = document.checker.semantics, offset_of(params.position, document)
    own = while_unchanged(_own_edits(document, offset, params.new_name), document)
    name = shared_name(semantics, offset)
    if name is None:
        return at_once_or_later(_rename_here(server, own))
    return _rename_everywhere(server, params, DocumentRevision.of(document), name, own)


def _own_edits(document: OpenDocument, offset: int, new: str) -> Generator[None, None, _FileEdits]:
    """The edits of the document itself, in steps."""
    try:
        edits = yield from finding_edits(document.checker.semantics, offset, new)
    except RenameError as error:
        raise _refusal(str(error)) from error
    found = yield from collected(_edits(edits, document.lines))
    return _FileEdits(document.uri, document.version, f"[{','.join(found)}]")


def _rename_here(server: Server, own: Generator[None, None, _FileEdits]) -> Generator[None, None, RawJson]:
    return _answer(server, [(yield from own)])


async def _rename_everywhere(
    server: Server,
    params: types.RenameParams,
    revision: DocumentRevision,
    name: str,
    steps: Generator[None, None, _FileEdits],
) -> RawJson:
    revision.check()
    own = await in_slices(steps)
    if own.edits == "[]":
        return _answer(server, [own])
    files, new = server.files, params.new_name
    await files.ready()
    key = key_of(revision.document.uri)
    if not files.program.is_defined(key, name):
        raise _refusal(f"'{name}' is defined in a file that is not part of the workspace")
    linked = files.program.linked(key, name)
    taken = files.program.collision(linked, new)
    if taken is not None:
        raise _refusal(
            f"'{new}' is already declared in {files.table.name(taken.file)}, which may be linked to this file"
        )
    found = [own]
    revisions, closed = [revision], list[str]()
    progress = Progress(server.protocol.progress, params.work_done_token)
    progress.begin(f"Renaming {name}")
    try:
        pace = Pace()
        for number, other in enumerate(linked[1:]):
            there = files.document(other)
            changed = await _renamed_in(server, other, name, new)
            if there is not None:
                revisions.append(DocumentRevision.of(there))
            else:
                closed.append(other)
            if changed is not None:
                found.append(changed)
            await pace()
            progress.report(number + 1, len(linked) - 1)
    finally:
        progress.end()
    for one in revisions:
        one.check()
    if any(files.document(one) is not None for one in closed):  # opened meanwhile, perhaps with another text
        raise text_has_changed()
    return _answer(server, found)


async def _renamed_in(server: Server, file: str, name: str, new: str) -> _FileEdits | None:
    """The edits of another file; None if it needs none."""
    files = server.files
    known = places_of(files, file, name, new)
    if known is not None:
        text = quoted(new)
        edits = ",".join([f'{{"range":{place},"newText":{text}}}' for place, _ in known])
        return _FileEdits(files.table.uri(file), None, f"[{edits}]")
    opened = await open_file(files, file, server.client.encoding)
    if opened is None:
        return None
    try:
        found = rename_global(opened.semantics, name, new)
    except RenameError as error:
        raise _refusal(f"{files.table.name(file)}: {error}") from error
    return _FileEdits(opened.uri, opened.version, f"[{','.join(_edits(found, opened.lines))}]") if found else None


def _edits(edits: Iterable[Edit], lines: DocumentLines) -> Iterator[str]:
    texts = _Quoted()
    return (f'{{"range":{name_json(one.span, lines)},"newText":{texts[one.text]}}}' for one in edits)


class _Quoted(dict[str, str]):
    """JSON strings of texts, each computed once."""

    def __missing__(self, text: str) -> str:
        found = self[text] = quoted(text)
        return found


def _answer(server: Server, changed: Iterable[_FileEdits]) -> RawJson:
    """A ``WorkspaceEdit``, with document versions if the client supports them."""
    if server.client.supports("workspace", "workspaceEdit", "documentChanges"):
        changes = ",".join(
            f'{{"textDocument":{{"uri":{quoted(one.uri)},"version":{"null" if one.version is None else one.version}}},'
            f'"edits":{one.edits}}}'
            for one in changed
        )
        return RawJson(f'{{"documentChanges":[{changes}]}}')
    changes = ",".join(f"{quoted(one.uri)}:{one.edits}" for one in changed)
    return RawJson(f'{{"changes":{{{changes}}}}}')


def _refusal(reason: str) -> JsonRpcException:
    return JsonRpcException(reason, types.LSPErrorCodes.RequestFailed)
