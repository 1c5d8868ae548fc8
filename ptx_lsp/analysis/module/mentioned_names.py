"""Names of a module that occur elsewhere than in their declarations."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Generator, Iterable

from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import HEADS, Kind

_OF_NAMES = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$")
_DECLARING = frozenset({Kind.VARIABLE, *HEADS})


class MentionedNames:
    """The mentioned ones of some names of the module; the text of each chunk is searched once for each name."""

    def __init__(self) -> None:
        self._names: frozenset[str] = frozenset()
        self._found: dict[Chunk, frozenset[str]] = {}
        """The names that each chunk mentions, perhaps also former ones."""
        self._counts: Counter[str] = Counter()
        """The number of chunks that mention a name, of those that some mention."""
        self._unread: dict[Chunk, frozenset[str] | None] | None = None
        """The chunks to be read, and the names to be looked for in each, or None for all; None before the first
        question."""

    def finding(self, names: frozenset[str], chunks: Iterable[Chunk]) -> Generator[None, None, frozenset[str]]:
        """Find those of ``names`` that stand nowhere else than where they are declared, chunk by chunk.

        Args:
            names: the names.
            chunks: all chunks of the document.

        """
        if self._unread is None:
            self._unread = dict.fromkeys(chunks)
        elif names is not self._names and names != self._names:
            self._look_for(names - self._names)
        self._names = names
        while self._unread:
            chunk, new = self._unread.popitem()
            found = frozenset(_mentioned(names if new is None else new & names, chunk))
            self._set(chunk, found if new is None else found | self._found.get(chunk, frozenset()) & names)
            yield
        return names.difference(self._counts)

    def _look_for(self, new: frozenset[str]) -> None:
        """Look for more names in the chunks that are read."""
        assert self._unread is not None
        for chunk in self._found if new else ():
            missing = self._unread.get(chunk, frozenset())
            self._unread[chunk] = None if missing is None else missing | new

    def _set(self, chunk: Chunk, found: frozenset[str]) -> None:
        self._counts.update(found)
        self._subtract(self._found.get(chunk, ()))
        self._found[chunk] = found

    def _subtract(self, names: Iterable[str]) -> None:
        for name in names:
            self._counts[name] -= 1
            if not self._counts[name]:
                del self._counts[name]

    def add(self, chunk: Chunk) -> None:
        """A chunk is new."""
        if self._unread is not None:
            self._unread[chunk] = None

    def forget(self, chunk: Chunk) -> None:
        """A chunk is gone."""
        self._subtract(self._found.pop(chunk, ()))
        if self._unread:
            self._unread.pop(chunk, None)


def _mentioned(names: Iterable[str], chunk: Chunk) -> set[str]:
    text = chunk.text
    return {name for name in [one for one in names if one in text] if _is_mentioned(name, chunk)}


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
