"""``textDocument/foldingRange`` and ``selectionRange``."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from ptx_lsp.features.folding import FoldGroup, folding_with_loops
from ptx_lsp.features.folding.fold import Fold, FoldKind
from ptx_lsp.features.selection_ranges import selecting_with_loops
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.server.client.lookup import lookup
from ptx_lsp.server.convert import offset_of, range_of
from ptx_lsp.server.handlers.sections import AnswerInSlices, with_sections_in_steps
from ptx_lsp.server.transport.raw_json import RawJson
from ptx_lsp.stepwise import mapped
from ptx_lsp.text import Span

if TYPE_CHECKING:
    from ptx_lsp.server.documents.document import OpenDocument
    from ptx_lsp.server.server import Server

_KINDS = {FoldKind.COMMENT: "comment", FoldKind.REGION: "region"}
_STEP = 500
"""So many ranges take some milliseconds."""
_REST = re.compile(r"[ \t]*+(?:$|[\r\n])").match


def folding_ranges(server: Server, params: types.FoldingRangeParams) -> AnswerInSlices | RawJson | None:
    """The folding ranges, up to the client's limit; those of long functions after their loops are found."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    return with_sections_in_steps(document, lambda: _folding_ranges(server, document))


def _folding_ranges(server: Server, document: OpenDocument) -> Generator[None, None, RawJson]:
    client = server.client.capability("textDocument", "foldingRange")
    known = lookup(client, "foldingRangeKind", "valueSet")
    shown = _Shown(
        lookup(client, "lineFoldingOnly") is True,
        lookup(client, "foldingRange", "collapsedText") is True,
        frozenset(what for what, kind in _KINDS.items() if not isinstance(known, list) or kind in known),
    )
    ranges: list[_Range] = []
    groups = yield from folding_with_loops(document.checker.semantics)
    for group in groups:
        first = document.lines.position(group.start)
        end = group.start + group.length
        follows = _REST(document.checker.document.slice(Span(end, end + _NEAR))) is None
        held = group.derived(_Ranges)
        sources = (shown, first.character, follows)
        if held.sources != sources:
            held.ranges = yield from _ranges_of(group, shown, document)
            held.sources = sources
        ranges += [(first.line + start, first.line + end, rest) for start, end, rest in held.ranges]
        yield
    limit = lookup(client, "rangeLimit")
    if isinstance(limit, int) and 0 <= limit < len(ranges):
        ranges.sort(key=lambda one: one[0] - one[1])  # the largest
        ranges = sorted(ranges[:limit], key=lambda one: (one[0], -one[1]))
    yield
    return RawJson(f"[{', '.join(_json(one) for one in ranges)}]")


def _json(one: _Range) -> str:
    start, end, rest = one
    return f'{{"startLine": {start}, "endLine": {end}{rest}}}'


_Range = tuple[int, int, str]
"""The first and the last line, and the other members of a range as JSON."""


class _Shown(NamedTuple):
    """The parts of a range that the client can show."""

    whole_lines: bool
    texts: bool
    """Whether a range may have a text that stands for it."""
    kinds: frozenset[FoldKind]


class _Ranges:
    """The ranges of a group, with lines relative to that on which it begins."""

    def __init__(self, _: FoldGroup) -> None:
        self.ranges: list[_Range] = []
        self.sources: tuple[_Shown, int, bool] | None = None
        """Besides the group they depend on the client, the column at which it begins, and whether text follows it."""


def _ranges_of(group: FoldGroup, shown: _Shown, document: OpenDocument) -> Generator[None, None, list[_Range]]:
    first = document.lines.position(group.start).line
    folds = list(group.placed())
    lines: Mapping[int, int] = {}
    found: list[_Range] = []
    for number, fold in enumerate(folds):
        if not number % _STEP:
            yield
            lines = _line_numbers(folds[number : number + _STEP], document)
        inside = None if shown.whole_lines else fold.inside
        one = _lines(fold, lines, document) if inside is None else _between(inside, document)
        if one is None:
            continue
        start, end, rest = one
        if fold.what in shown.kinds:
            rest += f', "kind": "{_KINDS[fold.what]}"'
        if shown.texts and (text := _collapsed(fold)):
            rest += f', "collapsedText": {json.dumps(text)}'
        found.append((start - first, end - first, rest))
    return found


def _line_numbers(folds: Sequence[Fold], document: OpenDocument) -> dict[int, int]:
    """The lines of the starts and ends of folds, by offset."""
    found = document.lines.positions([offset for fold in folds for offset in (fold.start, fold.end)])
    return {offset: position.line for offset, position in found.items()}


def _lines(fold: Fold, lines: Mapping[int, int], document: OpenDocument) -> _Range | None:
    """A fold as whole lines, without the last one if other text follows on it; None if only one line is left."""
    start, end = lines[fold.start], lines[fold.end]
    if end > start and not _REST(document.checker.document.slice(Span(fold.end, fold.end + _NEAR))):
        end -= 1
    return (start, end, "") if end > start else None


_NEAR = 80
"""Number of characters after a fold that are examined."""


def _between(inside: Span, document: OpenDocument) -> _Range | None:
    """The text between two braces; None if that is one line."""
    start, end = document.lines.position(inside.start), document.lines.position(inside.end)
    if end.line <= start.line:
        return None
    return start.line, end.line, f', "startCharacter": {start.character}, "endCharacter": {end.character}'


def _collapsed(fold: Fold) -> str:
    """The placeholder of the folded text; empty for the editor's default."""
    if fold.what is FoldKind.DECLARATIONS:
        return f"… {fold.amount} declarations"
    if fold.what is FoldKind.LOCATION:
        return f"… {fold.amount} line" + "s" * (fold.amount != 1)
    if fold.summary:
        return f"… {fold.summary}"
    return "… }" if fold.what is FoldKind.BLOCK and fold.inside is not None else ""


def selection_ranges(
    server: Server, params: types.SelectionRangeParams
) -> AnswerInSlices | list[types.SelectionRange] | None:
    """The nested ranges around each cursor."""
    document = server.find(params.text_document.uri)
    if document is None:
        return None
    return with_sections_in_steps(document, lambda: _selection_ranges(document, params.positions))


def _selection_ranges(
    document: OpenDocument, positions: Iterable[types.Position]
) -> Generator[None, None, list[types.SelectionRange]]:
    offsets = [offset_of(position, document) for position in positions]
    answers = yield from selecting_with_loops(document.checker.semantics, offsets)
    return (yield from mapped(partial(_nested, document), answers))


def _nested(document: OpenDocument, spans: Sequence[Span]) -> types.SelectionRange:
    found: types.SelectionRange | None = None
    for span in reversed(spans):
        found = types.SelectionRange(range_of(span, document), found)
    assert found is not None  # the whole document is always there
    return found
