"""``textDocument/formatting``, ``rangeFormatting``, ``rangesFormatting`` and ``onTypeFormatting``."""

from __future__ import annotations

import json
from collections.abc import Coroutine, Generator, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from ptx_lsp.features.formatting import Editor, Options, format_on_type, formatting_ranges
from ptx_lsp.features.formatting import formatting as format_in_steps
from ptx_lsp.server.convert import offset_of, while_unchanged
from ptx_lsp.server.documents.diagnostic_json import range_json
from ptx_lsp.server.documents.lines import Position
from ptx_lsp.server.transport.raw_json import RawJson
from ptx_lsp.server.transport.slices import at_once_or_later
from ptx_lsp.stepwise import collected

if TYPE_CHECKING:
    from ptx_lsp.diagnostic import Edit
    from ptx_lsp.server.documents.document import OpenDocument
    from ptx_lsp.server.server import Server


_Answer = RawJson | Coroutine[Any, Any, RawJson] | None


def formatting(server: Server, params: types.DocumentFormattingParams) -> _Answer:
    """The edits that format a document."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    return _in_slices(format_in_steps(document.checker.document, _options(document, params.options)), document)


def _in_slices(steps: Generator[None, None, list[Edit]], document: OpenDocument) -> _Answer:
    return at_once_or_later(while_unchanged(_formatting(steps, document), document))


def _formatting(steps: Generator[None, None, list[Edit]], document: OpenDocument) -> Generator[None, None, RawJson]:
    edits = yield from steps
    return RawJson(f"[{','.join((yield from collected(_json(edits, document))))}]")


def range_formatting(server: Server, params: types.DocumentRangeFormattingParams) -> _Answer:
    """The edits that format the lines of a range."""
    return _format(server, params.text_document.uri, [params.range], params.options)


def ranges_formatting(server: Server, params: types.DocumentRangesFormattingParams) -> _Answer:
    """The edits that format the lines of several ranges."""
    return _format(server, params.text_document.uri, params.ranges, params.options)


def on_type_formatting(server: Server, params: types.DocumentOnTypeFormattingParams) -> RawJson | None:
    """The edits after ``;``, ``}`` or a new line was typed."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    options = _options(document, params.options)
    return _raw(
        format_on_type(document.checker.document, offset_of(params.position, document), params.ch, options), document
    )


def _format(server: Server, uri: str, ranges: Iterable[types.Range], given: types.FormattingOptions) -> _Answer:
    document = server.find(uri)
    if document is None:
        return None
    spans = [document.lines.span(_position(one.start), _position(one.end)) for one in ranges]
    return _in_slices(formatting_ranges(document.checker.document, spans, _options(document, given)), document)


def _position(position: types.Position) -> Position:
    return Position(position.line, position.character)


def _options(document: OpenDocument, given: types.FormattingOptions) -> Options:
    """The options from the settings and from the editor; missing ones have their defaults."""
    trim, final, finals = given.trim_trailing_whitespace, given.insert_final_newline, given.trim_final_newlines
    editor = Editor(given.tab_size, given.insert_spaces, trim is not False, final is not False, finals is not False)
    return Options.of(document.settings.format, editor)


def _raw(edits: Iterable[Edit], document: OpenDocument) -> RawJson:
    return RawJson(f"[{','.join(_json(edits, document))}]")


def _json(edits: Iterable[Edit], document: OpenDocument) -> Iterator[str]:
    quoted, lines = json.encoder.encode_basestring_ascii, document.lines
    return (f'{{"range":{range_json(edit.span, lines)},"newText":{quoted(edit.text)}}}' for edit in edits)
