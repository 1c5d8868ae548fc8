"""``textDocument/inlayHint`` and ``inlayHint/resolve``."""

from __future__ import annotations

import json
from collections.abc import Coroutine, Generator, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from ptx_lsp.features.inlay_hints import Hint, finding_hints, inlay_hints, preparing
from ptx_lsp.features.inlay_hints.hint import HintPosition
from ptx_lsp.server.client.lookup import lookup
from ptx_lsp.server.convert import offset_of, while_unchanged
from ptx_lsp.server.documents.document import OpenDocument
from ptx_lsp.server.documents.source_lines import read_line
from ptx_lsp.server.handlers.inline.fragment_hints import fragment_hints
from ptx_lsp.server.markup import prose
from ptx_lsp.server.transport.raw_json import RawJson
from ptx_lsp.server.transport.slices import at_once_or_later
from ptx_lsp.text import Span

if TYPE_CHECKING:
    from ptx_lsp.server.server import Server

_KINDS = {"register_types": types.InlayHintKind.Type, "parameter_names": types.InlayHintKind.Parameter}
_MAX_COMPLETE = 2000
"""Limit of hints that are sent with tooltips and locations to a client that cannot resolve them."""


def hints(server: Server, params: types.InlayHintParams) -> RawJson | Coroutine[Any, Any, RawJson | None] | None:
    """The hints in a range, without the properties that the client can resolve; late if a long function is followed."""
    document = server.documents.find_any(params.text_document.uri)
    if document is None:
        return None
    if not isinstance(document, OpenDocument):
        return fragment_hints(document, params.range)
    span = Span(offset_of(params.range.start, document), offset_of(params.range.end, document))
    server.documents.ahead.show(document, (span.start + span.end) // 2)
    # While the data flow is still computed, and after a keystroke, the hints that need it follow when that is done.
    steps = preparing(document.checker.semantics, span, document.settings.inlay_hints) if document.is_complete else None
    return at_once_or_later(while_unchanged(_hints(server, document, span, steps or iter(())), document))


def _hints(server: Server, document: OpenDocument, span: Span, steps: Iterator[None]) -> Generator[None, None, RawJson]:
    yield from steps
    found = yield from finding_hints(
        document.checker.semantics,
        span,
        document.settings.inlay_hints,
        partial(read_line, document.uri, server.files.table.folders),
    )
    if found.is_incomplete:
        document.incomplete_views.add("inlayHint")
    resolvable = _resolvable(server)
    answers = []
    can_have = {"tooltip", "label.location"} if len(found.hints) <= _MAX_COMPLETE else set()
    for hint in found.hints:
        answer = _hint(hint, document)
        missing = resolvable if hint.declared is not None else resolvable - {"label.location"}
        _fill(answer, hint, document, server, can_have - missing)
        if missing:
            answer["data"] = {"uri": document.uri, "kind": hint.kind}
        answers.append(answer)
        yield
    return RawJson(json.dumps(answers, separators=(",", ":")))


def resolve(server: Server, hint: types.InlayHint) -> RawJson | types.InlayHint:
    """A hint with all its properties; unchanged if the text has changed."""
    uri, kind = lookup(hint.data, "uri"), lookup(hint.data, "kind")
    document = server.find(uri) if isinstance(uri, str) else None
    if document is None:
        return hint
    offset = offset_of(hint.position, document)
    found = inlay_hints(
        document.checker.semantics,
        Span(offset, offset),
        document.settings.inlay_hints,
        partial(read_line, document.uri, server.files.table.folders),
    )
    for one in found.hints:
        if (one.offset, one.kind, one.label) == (offset, kind, _label_text(hint.label)):
            answer = _hint(one, document)
            _fill(answer, one, document, server, {"tooltip", "label.location"})
            return RawJson(json.dumps({**answer, "data": {"uri": uri, "kind": kind}}))
    return hint


def _resolvable(server: Server) -> set[str]:
    """The properties of a hint that the client resolves on demand."""
    named = server.client.capability("textDocument", "inlayHint", "resolveSupport", "properties")
    known = {"tooltip": "tooltip", "label.location": "label.location", "location": "label.location"}  # Neovim's name
    return {part for name, part in known.items() if name in named} if isinstance(named, list) else set()


def _hint(hint: Hint, document: OpenDocument) -> dict[str, Any]:
    line, character = document.lines.position(hint.offset)
    answer: dict[str, Any] = {"position": {"line": line, "character": character}}
    # A label whose location is resolved later must be a list of parts from the start.
    answer["label"] = hint.label if hint.declared is None else [{"value": hint.label}]
    if hint.kind in _KINDS:
        answer["kind"] = _KINDS[hint.kind].value
    if hint.placement is HintPosition.AFTER:
        answer["paddingLeft"] = True
    elif hint.placement is HintPosition.BEFORE:
        answer["paddingRight"] = True
    return answer


def _fill(answer: dict[str, Any], hint: Hint, document: OpenDocument, server: Server, wanted: set[str]) -> None:
    if "tooltip" in wanted:
        answer["tooltip"] = prose(hint.tooltip(), server.client)
    if "label.location" in wanted and hint.declared is not None:
        span = document.checker.module.positions.span_of(hint.declared)
        start, end = document.lines.position(span.start), document.lines.position(span.end)
        place = {"start": start._asdict(), "end": end._asdict()}
        answer["label"] = [{"value": hint.label, "location": {"uri": document.uri, "range": place}}]


def _label_text(label: object) -> str:
    return label if isinstance(label, str) else "".join(part.value for part in label)  # type: ignore[attr-defined]
