"""Names of a module that stand somewhere else than where they are declared."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import HEADS, Kind

_OF_NAMES = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$")
_DECLARING = frozenset({Kind.VARIABLE, *HEADS})


class MentionedNames:
    """The mentions of some names of the module; looked for in the text of each chunk once."""

    def __init__(self) -> None:
        self._names: frozenset[str] = frozenset()
        self._found: dict[Chunk, frozenset[str]] = {}

    def of(self, names: frozenset[str], chunks: Iterable[Chunk]) -> frozenset[str]:
        """Those of ``names`` that stand somewhere else than where they are declared."""
        if names != self._names:
            self._names = names
            self._found.clear()
        found: set[str] = set()
        for chunk in chunks:
            here = self._found.get(chunk)
            if here is None:
                here = self._found[chunk] = frozenset(name for name in names if _is_mentioned(name, chunk))
            found |= here
        return frozenset(found)

    def forget(self, chunk: Chunk) -> None:
        """A chunk is gone."""
        self._found.pop(chunk, None)


def _is_mentioned(name: str, chunk: Chunk) -> bool:
    text = chunk.text
    at = text.find(name)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(name) : at + len(name) + 1]
        if not (before and before in _OF_NAMES) and not (after and after in _OF_NAMES):
            index = bisect_right(chunk.starts(), at) - 1
            if chunk.kinds[index] not in _DECLARING or "=" in text[chunk.starts()[index] : at]:
                return True
        at = text.find(name, at + 1)
    return False
