"""Gaps as edits: as small as they can be, and not more of them than an editor can take."""

from __future__ import annotations

from collections.abc import Iterable

from ptx_lsp.diagnostic import Edit
from ptx_lsp.features.formatting.statement_gaps import Gap
from ptx_lsp.text import Span

_MANY = 2000
"""Edits beyond which those that are near to each other become one."""
_NEAR = 100
"""So near that the text between two edits is shorter than a second edit would be in JSON."""


def edits_of(text: str, gaps: Iterable[Gap], base: int = 0) -> list[Edit]:
    """The edits for the gaps of ``text``, which begins at ``base`` in the document."""
    gaps = list(gaps)
    if len(gaps) > _MANY:
        gaps = _merged(text, gaps)
    return [Edit(Span(gap.start + base, gap.end + base), gap.text) for gap in (_least(text, gap) for gap in gaps)]


def _least(text: str, gap: Gap) -> Gap:
    """The gap without what stays at its beginning and end."""
    old = text[gap.start : gap.end]
    first = _common(old, gap.text)
    last = _common(reversed(old[first:]), reversed(gap.text[first:]))
    return Gap(gap.start + first, gap.end - last, gap.text[first : len(gap.text) - last])


def _common(one: Iterable[str], other: Iterable[str]) -> int:
    """How many characters two texts have in common at their beginning."""
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
