"""References, highlights, declaration, definition, type definition and implementation."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from ptx_lsp.analysis.cursor.linkage import shared_name
from ptx_lsp.analysis.references.occurrences import Access
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.features import definition as find
from ptx_lsp.features.references import Reference, each_reference, references_of, synchronizing
from ptx_lsp.features.references import preparing as finding_references
from ptx_lsp.server.client.progress import Progress
from ptx_lsp.server.convert import DocumentRevision, offset_of, while_unchanged
from ptx_lsp.server.documents.diagnostic_json import name_json, range_json
from ptx_lsp.server.documents.document import OpenDocument
from ptx_lsp.server.documents.lines import DocumentLines
from ptx_lsp.server.handlers.inline.fragment_navigation import (
    location_in_fragment,
    references_in_fragment,
    uses_of_operand,
)
from ptx_lsp.server.handlers.source_navigation import source_definition
from ptx_lsp.server.transport.raw_json import RawJson, quoted
from ptx_lsp.server.transport.slices import Pace, at_once_or_later, in_slices
from ptx_lsp.server.workspace.closed_files import open_file, places_of
from ptx_lsp.server.workspace.uris import key_of
from ptx_lsp.stepwise import collected, run_to_completion
from ptx_lsp.text import Span

if TYPE_CHECKING:
    from ptx_lsp.server.documents.document import OpenDocument
    from ptx_lsp.server.server import Server

AsyncResult = Coroutine[Any, Any, RawJson | None]
"""A result that needs other files."""

_HIGHLIGHTS = {
    Access.READ: types.DocumentHighlightKind.Read,
    Access.WRITE: types.DocumentHighlightKind.Write,
    Access.BOTH: types.DocumentHighlightKind.Write,
    Access.DECLARE: types.DocumentHighlightKind.Text,
    Access.MENTION: types.DocumentHighlightKind.Text,
}


def definition(server: Server, params: types.DefinitionParams) -> RawJson | AsyncResult | None:
    """The writes that reach a register; the definition of another name, in any file; otherwise its declaration."""
    document = server.find(params.text_document.uri)
    source = source_definition(server, document, offset_of(params.position, document)) if document is not None else None
    if source is not None:
        return source
    found = _of_register(server, params, "definition", find.register_writes)
    return found if found is not None else _location(server, params, "definition", find.definition)


def declaration(server: Server, params: types.DeclarationParams) -> RawJson | AsyncResult | None:
    """The first declaration of the name in this file."""
    return _location(server, params, "declaration", find.declaration)


def implementation(server: Server, params: types.ImplementationParams) -> RawJson | AsyncResult | None:
    """All writes of a register, the partners of an instruction that synchronizes, the body of a function anywhere."""
    found = _of_register(server, params, "implementation", find.implementations)
    return found if found is not None else _location(server, params, "implementation", find.definition)


def type_definition(server: Server, params: types.TypeDefinitionParams) -> RawJson | AsyncResult | None:
    """The declaration with the type of the register, variable or parameter at the cursor."""
    return _location(server, params, "typeDefinition", find.type_definition)


def references(server: Server, params: types.ReferenceParams) -> RawJson | AsyncResult | None:
    """The references to the name at the cursor; for a name with linkage in all files of the workspace."""
    document = server.find_at(params.text_document.uri, params.position)
    if document is None:
        return None
    semantics, offset = document.checker.semantics, offset_of(params.position, document)
    with_declaration = params.context.include_declaration
    if not isinstance(document, OpenDocument):
        return references_in_fragment(document, offset, with_declaration=with_declaration)
    taking_part = synchronizing(semantics, offset)
    if taking_part is None:
        return in_slices(while_unchanged(_late_references(document, offset), document))
    if taking_part:
        return _spans(document, taking_part)
    found = each_reference(semantics, offset, with_declaration=with_declaration)
    own = while_unchanged(collected(_locations(document.uri, found, document.lines)), document)
    name = shared_name(semantics, offset)
    if name is None:
        return at_once_or_later(_joined(own))
    return _references_elsewhere(server, params, DocumentRevision.of(document), name, own)


def _joined(parts: Generator[None, None, list[str]]) -> Generator[None, None, RawJson]:
    """A JSON array of its parts, in steps."""
    return RawJson(f"[{','.join((yield from parts))}]")


def _late_references(document: OpenDocument, offset: int) -> Generator[None, None, RawJson]:
    """The instructions that synchronize with one in a long function, whose barriers have to be found first."""
    semantics = document.checker.semantics
    yield from finding_references(semantics, offset)
    return _spans(document, synchronizing(semantics, offset) or [])


def _spans(document: OpenDocument, found: Iterable[Span]) -> RawJson:
    head, lines = f'{{"uri":{quoted(document.uri)},"range":', document.lines
    return RawJson(f"[{','.join(f'{head}{name_json(span, lines)}}}' for span in found)}]")


async def _references_elsewhere(
    server: Server,
    params: types.ReferenceParams,
    revision: DocumentRevision,
    name: str,
    own: Generator[None, None, list[str]],
) -> RawJson:
    revision.check()
    found = await in_slices(own)
    files = server.files
    await files.ready()
    others = files.program.linked(key_of(revision.document.uri), name)[1:]
    progress = Progress(server.protocol.progress, params.work_done_token)
    progress.begin(f"References to {name}")
    try:
        pace = Pace()
        for number, other in enumerate(others):
            found += await _references_in(server, other, name, with_declaration=params.context.include_declaration)
            await pace()
            progress.report(number + 1, len(others))
    finally:
        progress.end()
    revision.check()
    return RawJson(f"[{','.join(found)}]")


async def _references_in(server: Server, file: str, name: str, *, with_declaration: bool) -> list[str]:
    """The references to a name in another file."""
    known = places_of(server.files, file, name)
    if known is not None:
        head = f'{{"uri":{quoted(server.files.table.uri(file))},"range":'
        return [f"{head}{place}}}" for place, declares in known if with_declaration or not declares]
    opened = await open_file(server.files, file, server.client.encoding)
    if opened is None:
        return []
    places = references_of(opened.semantics, name, with_declaration=with_declaration)
    return list(_locations(opened.uri, places, opened.lines))


def highlight(server: Server, params: types.DocumentHighlightParams) -> RawJson | AsyncResult | None:
    """The references in this document, each with its kind of access."""
    document = server.find_at(params.text_document.uri, params.position)
    if document is None:
        return None
    offset, lines = offset_of(params.position, document), document.lines
    if not isinstance(document, OpenDocument) and (uses := uses_of_operand(document, offset)):
        marks = [f'{{"range":{place}}}' for place in uses]
        return RawJson(f"[{','.join(marks)}]")
    kinds = {access: kind.value for access, kind in _HIGHLIGHTS.items()}
    found = each_reference(document.checker.semantics, offset)
    answer = _joined(collected(f'{{"range":{name_json(one.span, lines)},"kind":{kinds[one.access]}}}' for one in found))
    if not isinstance(document, OpenDocument):
        return run_to_completion(answer)
    server.documents.ahead.show(document, offset)
    return at_once_or_later(while_unchanged(answer, document))


def _locations(uri: str, found: Iterable[Reference], lines: DocumentLines) -> Iterable[str]:
    head = f'{{"uri":{quoted(uri)},"range":'
    return (f"{head}{name_json(one.span, lines)}}}" for one in found)


def _of_register(
    server: Server,
    params: types.DefinitionParams | types.ImplementationParams,
    what: str,
    find_writes: Callable[[Semantics, int], list[find.Destination] | None],
) -> RawJson | AsyncResult | None:
    """Writes of the register at the cursor; None if it is on something else, or nothing writes the register."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    links = server.client.supports("textDocument", what, "linkSupport")
    offset = offset_of(params.position, document)
    found = find_writes(document.checker.semantics, offset)
    if found is None:
        return in_slices(while_unchanged(_late_writes(document, offset, links, find_writes), document))
    return _destinations(document, found, links) if found else None


def _late_writes(
    document: OpenDocument,
    offset: int,
    links: bool,
    find_writes: Callable[[Semantics, int], list[find.Destination] | None],
) -> Generator[None, None, RawJson | None]:
    """:func:`_of_register` in a long function whose graph has to be made first."""
    semantics = document.checker.semantics
    yield from find.preparing(semantics, offset)
    found = find_writes(semantics, offset)
    if found:
        return _destinations(document, found, links)
    target = find.declaration(semantics, offset)
    return _destinations(document, [target], links) if target is not None else None


def _destinations(document: OpenDocument, found: Sequence[find.Destination], links: bool) -> RawJson:
    lines = document.lines
    answers = [
        _link(
            range_json(one.origin, lines) if links else None,
            document.uri,
            range_json(one.extent, lines),
            range_json(one.span, lines),
        )
        for one in found
    ]
    return RawJson(answers[0] if len(answers) == 1 and not links else f"[{','.join(answers)}]")


def _location(
    server: Server,
    params: types.DefinitionParams | types.DeclarationParams | types.ImplementationParams | types.TypeDefinitionParams,
    what: str,
    find_target: Callable[[Semantics, int], find.Destination | None],
) -> RawJson | AsyncResult | None:
    document = server.find_at(params.text_document.uri, params.position)
    if document is None:
        return None
    semantics, offset = document.checker.semantics, offset_of(params.position, document)
    if not isinstance(document, OpenDocument):
        return location_in_fragment(document, offset, find_target)
    target = find_target(semantics, offset)
    if target is None:
        return None
    lines = document.lines
    links = server.client.supports("textDocument", what, "linkSupport")
    here = _link(
        range_json(target.origin, lines) if links else None,
        document.uri,
        range_json(target.extent, lines),
        range_json(target.span, lines),
    )
    if target.is_definition or what in ("declaration", "typeDefinition"):
        return RawJson(f"[{here}]" if links else here)
    name = shared_name(semantics, offset)
    if name is None:
        return None if what == "implementation" else RawJson(f"[{here}]" if links else here)
    origin = range_json(target.origin, lines) if links else None
    return _defined_elsewhere(
        server, DocumentRevision.of(document), name, origin, None if what == "implementation" else here
    )


async def _defined_elsewhere(
    server: Server, revision: DocumentRevision, name: str, origin: str | None, here: str | None
) -> RawJson | None:
    """The definitions in other files; ``here`` if there are none."""
    files = server.files
    files.open.update()
    key = key_of(revision.document.uri)
    known = files.program.definitions(key, name)
    if not known or any(files.is_outdated(one.file) for one in known):
        await files.ready()
    revision.check()
    found = [
        _link(origin, files.table.uri(one.file), one.entry.extent, one.entry.place)
        for one in files.program.definitions(key, name)
    ]
    if not found and here is not None:
        found = [here]
    if origin is None and len(found) == 1:
        return RawJson(found[0])
    return RawJson(f"[{','.join(found)}]") if found else None


def _link(origin: str | None, uri: str, extent: str, place: str) -> str:
    """A ``LocationLink`` if there is an origin range, else a ``Location``."""
    if origin is None:
        return f'{{"uri":{quoted(uri)},"range":{place}}}'
    return (
        f'{{"originSelectionRange":{origin},"targetUri":{quoted(uri)},'
        f'"targetRange":{extent},"targetSelectionRange":{place}}}'
    )
