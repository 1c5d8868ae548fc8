"""Serialization of diagnostics and ranges, without the protocol's classes, which take ten times as long.

A mistake in one ``.reg`` line can give a thousand findings, sent again after every keystroke.

Source: LSP specification, "PublishDiagnostics Notification", "Diagnostic".
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Protocol

from ptx_lsp.codes import manual_link
from ptx_lsp.diagnostic import Diagnostic, Related, Tag
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.server.documents.lines import DocumentLines, Position
from ptx_lsp.server.transport.framing import frame
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.text import Span

_quoted = json.encoder.encode_basestring_ascii


class SpanPositions(Protocol):
    """Positions of spans, in a document or in a part of one."""

    def range(self, span: Span) -> tuple[Position, Position]:
        """The positions of a span."""

    def name_range(self, span: Span) -> tuple[Position, Position]:
        """The positions of a name."""


def range_json(span: Span, lines: SpanPositions) -> str:
    """A span as an LSP ``Range``."""
    return positions_json(*lines.range(span))


def name_json(span: Span, lines: SpanPositions) -> str:
    """The LSP ``Range`` of a name."""
    return positions_json(*lines.name_range(span))


def positions_json(start: Position, end: Position) -> str:
    """Two positions as an LSP ``Range``."""
    return (
        f'{{"start":{{"line":{start.line},"character":{start.character}}},'
        f'"end":{{"line":{end.line},"character":{end.character}}}}}'
    )


def result_id(findings: str) -> str:
    """A digest of findings, as ``resultId``."""
    import hashlib  # takes 8 ms, and is only needed by clients that pull

    return hashlib.blake2b(findings.encode("ascii"), digest_size=12).hexdigest()


class JsonTemplate(NamedTuple):
    """JSON with ``%d`` in the place of each line, so that it need not be made again when lines are added above."""

    text: str
    lines: list[int]

    def filled(self, first: int = 0) -> str:
        """The JSON, with ``first`` added to each line."""
        return self.text % tuple([first + line for line in self.lines])


def diagnostics_template(diagnostics: Sequence[Diagnostic], uri: str, lines: DocumentLines) -> JsonTemplate:
    """Findings as LSP diagnostics, with commas between them."""
    return run_to_completion(making_template(diagnostics, uri, lines))


def making_template(
    diagnostics: Sequence[Diagnostic], uri: str, lines: DocumentLines
) -> Generator[None, None, JsonTemplate]:
    """:func:`diagnostics_template` in steps of a few findings."""
    quoted = _escaped(_quoted(uri))
    numbers: list[int] = []
    texts: list[str] = []
    marked = _marked(diagnostics)
    while batch := list(islice(marked, _IN_A_STEP)):
        spans = [one.span for one in batch]
        spans += [place.span for one in batch for place in one.related]
        positions = lines.positions(chain.from_iterable(spans))
        texts += [_diagnostic_template(one, quoted, positions, numbers) for one in batch]
        yield
    return JsonTemplate(",".join(texts), numbers)


_IN_A_STEP = 32


def _marked(diagnostics: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """The findings, and after each one for every further place of its mistake, so that editors mark all of them."""
    left = _MOST_REPEATS
    for one in diagnostics:
        yield one
        for place in one.repeats[:left]:
            first = Related(one.span, "the same mistake is first made here")
            yield Diagnostic(one.code, one.name, one.severity, place.message, place.span, (), (first,), one.tags)
        left = max(left - len(one.repeats), 0)


_MOST_REPEATS = 1000
"""The maximum number of further places of all findings that are sent together."""


def _diagnostic_template(diagnostic: Diagnostic, uri: str, positions: Mapping[int, Position], lines: list[int]) -> str:
    """One finding; ``uri`` is the document's, already quoted; the lines are added to ``lines``."""
    start, end = diagnostic.span
    message = _escaped(_quoted(diagnostic.message))
    parts = [
        f'{{"range":{_range_template(positions[start], positions[end], lines)},"severity":{diagnostic.severity:d}',
        f',"source":"ptx-lsp","code":{_quoted(diagnostic.code)}',
    ]
    if diagnostic.named_line:
        message = message.replace(named(diagnostic), " (line %d)", 1)
        lines.append(diagnostic.named_line)
    parts.append(f',"message":{message}')
    link = manual_link(diagnostic.code)
    if link:
        parts.append(f',"codeDescription":{{"href":{_escaped(_quoted(link))}}}')
    if diagnostic.tags:
        parts.append(f',"tags":[{_numbers(diagnostic.tags)}]')
    if diagnostic.related:
        related = ",".join([_related_template(place, uri, positions, lines) for place in diagnostic.related])
        parts.append(f',"relatedInformation":[{related}]')
    parts.append(f',"data":{{"name":{_quoted(diagnostic.name)}}}}}')
    return "".join(parts)


def named(diagnostic: Diagnostic) -> str:
    """The words by which a message names a line."""
    return f" (line {diagnostic.named_line})"


def _related_template(place: Related, uri: str, positions: Mapping[int, Position], lines: list[int]) -> str:
    start, end = place.span
    location = f'{{"uri":{uri},"range":{_range_template(positions[start], positions[end], lines)}}}'
    return f'{{"location":{location},"message":{_escaped(_quoted(place.message))}}}'


def _range_template(start: Position, end: Position, lines: list[int]) -> str:
    lines += (start.line, end.line)
    return f'{{"start":{{"line":%d,"character":{start.character}}},"end":{{"line":%d,"character":{end.character}}}}}'


def _escaped(text: str) -> str:
    return text.replace("%", "%%")


def publish_message(uri: str, version: int | None, diagnostics: str) -> bytes:
    """A whole ``textDocument/publishDiagnostics`` notification around a JSON array of findings."""
    numbered = "" if version is None else f'"version":{version},'
    params = f'{{"uri":{_quoted(uri)},{numbered}"diagnostics":{diagnostics}}}'
    text = f'{{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{params}}}'
    return frame(text.encode("ascii"))


def _numbers(tags: Iterable[Tag]) -> str:
    return ",".join(str(int(tag)) for tag in tags)
