"""Serialization of diagnostics and ranges, without the protocol's classes, which take ten times as long.

A mistake in one ``.reg`` line can give a thousand findings, sent again after every keystroke.

Source: LSP specification, "PublishDiagnostics Notification", "Diagnostic".
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from ptx_lsp.codes import manual_link
from ptx_lsp.diagnostic import Diagnostic, Related, Tag
from ptx_lsp.server.documents.lines import DocumentLines
from ptx_lsp.server.transport.framing import frame
from ptx_lsp.text import Span

_quoted = json.encoder.encode_basestring_ascii


def range_json(span: Span, lines: DocumentLines) -> str:
    """A span as an LSP ``Range``."""
    start, end = lines.position(span.start), lines.position(span.end)
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


def diagnostic_json(diagnostic: Diagnostic, uri: str, lines: DocumentLines) -> str:
    """One finding as an LSP ``Diagnostic``; ``uri`` is the document's, already quoted."""
    parts = [
        f'{{"range":{range_json(diagnostic.span, lines)},"severity":{diagnostic.severity:d},"source":"ptx-lsp"',
        f',"code":{_quoted(diagnostic.code)},"message":{_quoted(diagnostic.message)}',
    ]
    link = manual_link(diagnostic.code)
    if link:
        parts.append(f',"codeDescription":{{"href":{_quoted(link)}}}')
    if diagnostic.tags:
        parts.append(f',"tags":[{_numbers(diagnostic.tags)}]')
    if diagnostic.related:
        related = ",".join(_related_json(place, uri, lines) for place in diagnostic.related)
        parts.append(f',"relatedInformation":[{related}]')
    parts.append(f',"data":{{"name":{_quoted(diagnostic.name)}}}}}')
    return "".join(parts)


def diagnostics_json(diagnostics: Iterable[Diagnostic], uri: str, lines: DocumentLines) -> str:
    """Findings as a JSON array of LSP diagnostics."""
    quoted = _quoted(uri)
    return "[" + ",".join([diagnostic_json(diagnostic, quoted, lines) for diagnostic in diagnostics]) + "]"


def publish_message(uri: str, version: int | None, diagnostics: str) -> bytes:
    """A whole ``textDocument/publishDiagnostics`` notification around a JSON array of findings."""
    numbered = "" if version is None else f'"version":{version},'
    params = f'{{"uri":{_quoted(uri)},{numbered}"diagnostics":{diagnostics}}}'
    text = f'{{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{params}}}'
    return frame(text.encode("ascii"))


def _related_json(place: Related, uri: str, lines: DocumentLines) -> str:
    location = f'{{"uri":{uri},"range":{range_json(place.span, lines)}}}'
    return f'{{"location":{location},"message":{_quoted(place.message)}}}'


def _numbers(tags: Iterable[Tag]) -> str:
    return ",".join(str(int(tag)) for tag in tags)
