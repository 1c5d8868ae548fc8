"""The text of a document in parts, so that an edit counts the lines of a few of them only."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from ptx_lsp.named_tuples import NamedTuple

LENGTH = 4096
"""The characters of a part; those around an edit can be shorter or up to twice as long."""


class TextPart(NamedTuple):
    """A part of a text."""

    text: str


class TextParts:
    """The parts of a text; none is empty."""

    def __init__(self, text: str) -> None:
        self.parts = _divided(text)
        self._starts = _starts_of(self.parts, 0)

    def replace(self, start: int, end: int, text: str) -> tuple[int, int, list[TextPart]]:
        """Replace ``[start, end)`` of the text; the first of the replaced parts, their number, and the new ones."""
        starts = self._starts
        first = max(min(bisect_right(starts, start), len(self.parts)) - 1, 0)
        last = first
        while last < len(self.parts) and (last == first or starts[last] < end):
            last += 1
        old = "".join(part.text for part in self.parts[first:last])
        base = starts[first]
        added = _divided(old[: start - base] + text + old[end - base :])
        self.parts[first:last] = added
        shift = len(text) - (end - start)
        after = starts[last + 1 :]
        self._starts = [
            *starts[:first],
            *_starts_of(added, base),
            *([one + shift for one in after] if shift else after),
        ]
        return first, last - first, added


def _starts_of(parts: list[TextPart], start: int) -> list[int]:
    """The offsets of parts, the first of which begins at ``start``, and of their end."""
    return list(accumulate([len(part.text) for part in parts], initial=start))


def _divided(text: str) -> list[TextPart]:
    if len(text) < 2 * LENGTH:
        return [TextPart(text)] if text else []
    return [TextPart(text[at : at + LENGTH]) for at in range(0, len(text), LENGTH)]
