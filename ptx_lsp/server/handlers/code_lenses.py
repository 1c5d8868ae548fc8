"""``textDocument/codeLens`` and ``codeLens/resolve``."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Coroutine, Generator, Iterator
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from ptx_lsp.features.code_lenses import SLOW, Lens, Title, finding_lenses, preparing_title, title
from ptx_lsp.server.client.lookup import lookup
from ptx_lsp.server.convert import while_unchanged
from ptx_lsp.server.transport.raw_json import RawJson
from ptx_lsp.server.transport.slices import at_once_or_later, in_slices
from ptx_lsp.stepwise import collected

if TYPE_CHECKING:
    from ptx_lsp.server.documents.document import OpenDocument
    from ptx_lsp.server.server import Server

SHOW_REFERENCES = "ptx-lsp.showReferences"
"""A command of the client with the arguments URI, position and locations; a server cannot show a list of places."""
_MAX_TITLED = 400
"""Limit of lenses for a client that cannot resolve them; it gets none of the slow kinds."""


def lenses(server: Server, params: types.CodeLensParams) -> RawJson | Awaitable[RawJson | None] | None:
    """The code lenses; clients that can resolve them get their titles on demand."""
    document = server.find(params.text_document.uri)
    if document is None:
        from ptx_lsp.server.handlers.inline.fragment_lenses import fragment_lenses

        return fragment_lenses(server.documents.find_any(params.text_document.uri))
    return at_once_or_later(while_unchanged(_lenses(server, document), document))


def _lenses(server: Server, document: OpenDocument) -> Generator[None, None, RawJson]:
    found = yield from finding_lenses(document.checker.semantics, document.settings.code_lenses)
    yield
    if _can_resolve(server):
        parts = yield from collected(json.dumps(_lens(lens, document), separators=(",", ":")) for lens in found)
        return RawJson(f"[{','.join(parts)}]")
    quick = [lens for lens in found if lens.kind not in SLOW][:_MAX_TITLED]
    return RawJson(json.dumps([_titled(_lens(lens, document), lens, document, server) for lens in quick]))


def resolve(server: Server, lens: types.CodeLens) -> RawJson | types.CodeLens | Coroutine[Any, Any, RawJson]:
    """A code lens with its title; what it says of a long function comes late."""
    uri, name, kind = (lookup(lens.data, key) for key in ("uri", "name", "kind"))
    document = server.find(uri) if isinstance(uri, str) else None
    if document is None or not isinstance(name, str) or not isinstance(kind, str):
        return lens
    start, end = lens.range.start, lens.range.end
    answer = {
        "range": {
            "start": {"line": start.line, "character": start.character},
            "end": {"line": end.line, "character": end.character},
        },
        "data": {"uri": uri, "name": name, "kind": kind},
    }
    asked = Lens(0, name, kind)
    steps = preparing_title(document.checker.semantics, asked)
    if steps is not None:
        return in_slices(while_unchanged(_late(steps, answer, asked, document, server), document))
    return RawJson(json.dumps(_titled(answer, asked, document, server)))


def _late(
    steps: Iterator[None], answer: dict[str, Any], asked: Lens, document: OpenDocument, server: Server
) -> Generator[None, None, RawJson]:
    """The lens of a long function; refused if the text changes meanwhile, then the client asks for all anew."""
    yield from steps
    return RawJson(json.dumps(_titled(answer, asked, document, server)))


def _can_resolve(server: Server) -> bool:
    """Whether the client resolves lenses: all clients do unless the capability says otherwise."""
    named = server.client.capability("textDocument", "codeLens", "resolveSupport", "properties")
    return not isinstance(named, list) or "command" in named


def _lens(lens: Lens, document: OpenDocument) -> dict[str, Any]:
    place = document.lines.position(lens.offset)._asdict()
    data = {"uri": document.uri, "name": lens.name, "kind": lens.kind}
    return {"range": {"start": place, "end": place}, "data": data}


def _titled(answer: dict[str, Any], lens: Lens, document: OpenDocument, server: Server) -> dict[str, Any]:
    """A lens with its title; a title without a command is plain text."""
    found = title(document.checker.semantics, lens, demangles=document.settings.names.demangle) or Title("…")
    command: dict[str, Any] = {"title": found.text, "command": ""}
    if found.places and SHOW_REFERENCES in server.client.commands:
        locations = []
        for span in found.places:
            start, end = document.lines.position(span.start), document.lines.position(span.end)
            locations.append({"uri": document.uri, "range": {"start": start._asdict(), "end": end._asdict()}})
        command["command"] = SHOW_REFERENCES
        command["arguments"] = [document.uri, answer["range"]["start"], locations]
    return {**answer, "command": command}
