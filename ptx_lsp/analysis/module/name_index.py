"""An index from the names of the module to the chunks that mention them: one pass over the text, updated by chunk."""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Iterable

from ptx_lsp.analysis.module.mentioned_names import MentionedNames
from ptx_lsp.patterns import compiled_on_use
from ptx_lsp.syntax.chunk import Chunk

_WORDS = compiled_on_use(r"%[\w$]++|(?<![\w$%.])[A-Za-z_$][\w$]*+", re.ASCII)
_MOST_ADDED = 16
"""If more names than this are new, all chunks are read again."""


class NameIndex:
    """The chunks of a document by the names of the module that stand in them, comments included."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._found: dict[Chunk, set[str]] = {}
        self._mentions = MentionedNames()

    def mentioning(self, name: str, names: Collection[str], chunks: Iterable[Chunk]) -> set[Chunk]:
        """The chunks in which ``name`` may stand.

        Args:
            name: one of ``names``.
            names: all names of the module.
            chunks: all chunks of the document.

        """
        self._take_over(names)
        return {chunk for chunk in chunks if name in self._standing_in(chunk)}

    def names_by_chunk(self, names: Collection[str], chunks: Iterable[Chunk]) -> dict[Chunk, set[str]]:
        """For each of some chunks those of ``names``, all names of the module, that may stand in it, perhaps others."""
        self._take_over(names)
        return {chunk: self._standing_in(chunk) for chunk in chunks}

    def chunks_by_name(self, names: Collection[str], chunks: Iterable[Chunk]) -> dict[str, list[Chunk]]:
        """For each of ``names``, all names of the module, the chunks in which it may stand."""
        self._take_over(names)
        found: dict[str, list[Chunk]] = {name: [] for name in names}
        for chunk in chunks:
            for name in self._standing_in(chunk):
                if name in found:
                    found[name].append(chunk)
        return found

    def finding_unmentioned(
        self, names: frozenset[str], chunks: Iterable[Chunk]
    ) -> Generator[None, None, frozenset[str]]:
        """Find those of ``names`` that stand nowhere else than where they are declared, in steps."""
        return (yield from self._mentions.finding(names, chunks))

    def add(self, chunk: Chunk) -> None:
        """A chunk is new."""
        self._mentions.add(chunk)

    def forget(self, chunk: Chunk) -> None:
        """A chunk is gone."""
        self._found.pop(chunk, None)
        self._mentions.forget(chunk)

    def _standing_in(self, chunk: Chunk) -> set[str]:
        """The names that may stand in a chunk."""
        found = self._found.get(chunk)
        if found is None:
            found = self._found[chunk] = _standing(self._names, chunk)
        return found

    def _take_over(self, names: Collection[str]) -> None:
        """Look for names that are new."""
        added = [name for name in names if name not in self._names]
        if not added:
            return
        self._names.update(added)
        if len(added) > _MOST_ADDED:
            self._names = set(names)
            self._found.clear()
            return
        for chunk, here in self._found.items():
            candidates = {name for name in added if name in chunk.text}
            if candidates:
                here |= _standing(candidates, chunk)


def _standing(names: set[str], chunk: Chunk) -> set[str]:
    """Those of some names that stand in a chunk as words."""
    return names.intersection(_WORDS().findall(chunk.text))
