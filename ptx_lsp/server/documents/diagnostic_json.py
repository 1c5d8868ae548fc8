"""Serialization of diagnostics and ranges, without the protocol's classes, which take ten times as long.

A mistake in one ``.reg`` line can give a thousand findings, sent again after every keystroke.

Source: LSP specification, "PublishDiagnostics Notification", "Diagnostic".
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from ptx_lsp.codes import manual_link
from ptx_lsp.diagnostic import Diagnostic, Related, Tag
from ptx_lsp.server.documents.lines import DocumentLines, Position
from ptx_lsp.server.transport.framing import frame
from ptx_lsp.text import Span

_quoted = json.encoder.encode_basestring_ascii


def range_json(span: Span, lines: DocumentLines) -> str:
    """A span as an LSP ``Range``."""
    return _between(lines.position(span.start), lines.position(span.end))


def _between(start: Position, end: Position) -> str:
    return (
        f'{{"start":{{"line":{start.line},"character":{start.character}}},'
        f'"end":{{"line":{end.line},"character":{end.character}}}}}'
    )


def name_json(span: Span, lines: DocumentLines) -> str:
    """The LSP ``Range`` of a name, which is on one line and plain ASCII."""
    line, start = lines.position(span.start)
    end = start + span.end - span.start
    return f'{{"start":{{"line":{line},"character":{start}}},"end":{{"line":{line},"character":{end}}}}}'


def result_id(findings: str) -> str:
    """A digest of findings, as ``resultId``."""
    import hashlib  # takes 8 ms, and is only needed by clients that pull

    return hashlib.blake2b(findings.encode("ascii"), digest_size=12).hexdigest()


def _diagnostic_json(diagnostic: Diagnostic, uri: str, positions: Mapping[int, Position]) -> str:
    """One finding as an LSP ``Diagnostic``; ``uri`` is the document's, already quoted."""
    start, end = diagnostic.span
    parts = [
        f'{{"range":{_between(positions[start], positions[end])},"severity":{diagnostic.severity:d},"source":"ptx-lsp"',
        f',"code":{_quoted(diagnostic.code)},"message":{_quoted(diagnostic.message)}',
    ]
    link = manual_link(diagnostic.code)
    if link:
        parts.append(f',"codeDescription":{{"href":{_quoted(link)}}}')
    if diagnostic.tags:
        parts.append(f',"tags":[{_numbers(diagnostic.tags)}]')
    if diagnostic.related:
        related = ",".join(_related_json(place, uri, positions) for place in diagnostic.related)
        parts.append(f',"relatedInformation":[{related}]')
    parts.append(f',"data":{{"name":{_quoted(diagnostic.name)}}}}}')
    return "".join(parts)


def diagnostics_json(diagnostics: Sequence[Diagnostic], uri: str, lines: DocumentLines) -> str:
    """Findings as a JSON array of LSP diagnostics."""
    quoted = _quoted(uri)
    spans = [one.span for one in diagnostics]
    spans += [place.span for one in diagnostics if one.related for place in one.related]
    positions = lines.positions(chain.from_iterable(spans))
    return "[" + ",".join([_diagnostic_json(one, quoted, positions) for one in diagnostics]) + "]"


def publish_message(uri: str, version: int | None, diagnostics: str) -> bytes:
    """A whole ``textDocument/publishDiagnostics`` notification around a JSON array of findings."""
    numbered = "" if version is None else f'"version":{version},'
    params = f'{{"uri":{_quoted(uri)},{numbered}"diagnostics":{diagnostics}}}'
    text = f'{{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{params}}}'
    return frame(text.encode("ascii"))


def _related_json(place: Related, uri: str, positions: Mapping[int, Position]) -> str:
    start, end = place.span
    location = f'{{"uri":{uri},"range":{_between(positions[start], positions[end])}}}'
    return f'{{"location":{location},"message":{_quoted(place.message)}}}'


def _numbers(tags: Iterable[Tag]) -> str:
    return ",".join(str(int(tag)) for tag in tags)
