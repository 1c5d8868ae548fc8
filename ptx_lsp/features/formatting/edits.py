"""Gaps as edits: minimal ones, merged if there are too many for a client."""

from __future__ import annotations

from collections.abc import Iterable

from ptx_lsp.diagnostic import Edit
from ptx_lsp.features.formatting.statement_gaps import Gap
from ptx_lsp.text import Span

_MANY = 2000
"""The number of edits above which nearby edits are merged."""
_NEAR = 100
"""The maximum distance of merged edits: text shorter than another edit would be in JSON."""


def edits_of(text: str, gaps: Iterable[Gap], base: int = 0) -> list[Edit]:
    """Return the edits for the gaps of ``text``, which begins at the offset ``base`` in the document."""
    gaps = list(gaps)
    if len(gaps) > _MANY:
        gaps = _merged(text, gaps)
    return [Edit(Span(gap.start + base, gap.end + base), gap.text) for gap in (_least(text, gap) for gap in gaps)]


def _least(text: str, gap: Gap) -> Gap:
    """Remove the common prefix and suffix of a gap and its replacement."""
    old = text[gap.start : gap.end]
    first = _common(old, gap.text)
    last = _common(reversed(old[first:]), reversed(gap.text[first:]))
    start, end, new = gap.start + first, gap.end - last, gap.text[first : len(gap.text) - last]
    # The protocol has no position inside a line end of two characters: there an edit includes both.
    if text[start - 1 : start + 1] == "\r\n" and start:
        start, new = start - 1, "\r" + new
    if text[end - 1 : end + 1] == "\r\n" and end > start:
        end, new = end + 1, new + "\n"
    return Gap(start, end, new)


def _common(one: Iterable[str], other: Iterable[str]) -> int:
    """Return the length of the common prefix of two texts."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _merged(text: str, gaps: list[Gap]) -> list[Gap]:
    found: list[Gap] = []
    pieces: list[str] = []
    start, end = gaps[0].start, gaps[0].start
    for gap in gaps:
        if gap.start - end > _NEAR:
            found.append(Gap(start, end, "".join(pieces)))
            pieces, start = [], gap.start
        else:
            pieces.append(text[end : gap.start])
        pieces.append(gap.text)
        end = gap.end
    found.append(Gap(start, end, "".join(pieces)))
    return found
