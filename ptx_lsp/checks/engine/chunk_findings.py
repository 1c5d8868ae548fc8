"""The findings in the statements of single chunks, kept as long as nothing changes that they depend on.

An edit in one chunk of a function gives the function another record, but most of its other chunks have the same
surroundings as before (:class:`~ptx_lsp.analysis.semantics.surroundings.Surroundings`) and are not examined again.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterable, Iterator

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.set_aside import SetAside, Swallowing
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.checks.engine.alike_functions import AlikeFunctions
from ptx_lsp.checks.engine.examination import Examination, starts_on_broken_line
from ptx_lsp.checks.engine.grouping import LocatedFinding
from ptx_lsp.checks.engine.prefilter import StatementCheck
from ptx_lsp.checks.support.finding import Finding
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.chunk import Chunk

_MOST_KEPT = 50_000
"""The most findings that are kept, to limit the memory for files in which everything is wrong."""
_FORGOTTEN_IN_A_STEP = 1024


class _Kept(NamedTuple):
    """The findings in a chunk, and the values on which they depend."""

    key: Hashable
    found: list[LocatedFinding]
    others: tuple[Chunk, ...]
    """The other chunks that the findings refer to."""
    is_quiet: bool
    """Whether nothing is found, and no statement is suspicious, which may depend on names that it does not mention."""


class ChunkFindings:
    """The findings in the statements of chunks, made when they are asked for."""

    def __init__(self, semantics: Semantics, alike: AlikeFunctions) -> None:
        self._semantics = semantics
        self._alike = alike
        self._examination = Examination(semantics)
        self._kept: dict[Chunk, _Kept] = {}
        self._swallowed: SetAside[Chunk, _Kept] = SetAside()
        self._size = 0
        self.examined = 0
        """The number of times that a chunk was examined, for tests."""
        self.made = 0
        """The number of findings that were made, again or for the first time."""

    def finding(
        self, function: Function, number: int, only: frozenset[StatementCheck] | None = None
    ) -> Generator[None, None, list[LocatedFinding]]:
        """Find the findings in a chunk of a function in steps; those of ``only`` some checks are not kept."""
        chunk = function.chunks[number]
        around = yield from self._semantics.surroundings.finding(function, chunk)
        key = around, starts_on_broken_line(function, number)
        kept = self._kept.get(chunk)
        if (
            kept is not None
            and kept.key == key
            and all(map(self._semantics.module.summaries.__contains__, kept.others))
        ):
            return kept.found
        likeness = self._alike.statements_key(function)
        if likeness is not None and self._alike.are_unobjectionable(likeness):
            if only is None:
                is_quiet = self._alike.are_unflagged(likeness)
                if is_quiet:
                    self._semantics.set_unflagged(function, chunk)
                self._keep(chunk, _Kept(key, [], (), is_quiet))
            return []
        self.examined += 1
        found = yield from self._examination.examining(function, number, only)
        self.made += len(found)
        if only is not None:
            return found
        is_quiet = not found and not self._semantics.flagged(function, chunk)
        if likeness is not None and not found:
            self._alike.add_unobjectionable(function, likeness, are_unflagged=is_quiet)
        self._keep(chunk, _Kept(key, found, tuple({*_referred(found)} - {chunk}), is_quiet))
        return found

    def _keep(self, chunk: Chunk, kept: _Kept) -> None:
        self.forget(chunk)
        if self._size + len(kept.found) <= _MOST_KEPT:
            self._kept[chunk] = kept
            self._size += len(kept.found)

    def forget(self, chunk: Chunk) -> None:
        """A chunk is gone."""
        kept = self._kept.pop(chunk, None)
        if kept is not None:
            self._size -= len(kept.found)

    def set_aside(self, swallowing: Swallowing) -> None:
        """A comment swallowed some chunks, which may come back."""
        if swallowing.swallowed:
            self._size -= sum(len(self._kept[chunk].found) for chunk in swallowing.swallowed if chunk in self._kept)
            self._swallowed.take(self._kept, swallowing.swallowed, swallowing.before)

    def give_back(self, swallowing: Swallowing) -> None:
        """Take over the findings in chunks that a comment has given back."""
        if swallowing.given_back:
            self._swallowed.give_back(self._kept, swallowing.given_back, swallowing.after)
            self._size += sum(len(self._kept[chunk].found) for chunk in swallowing.given_back if chunk in self._kept)

    def forgetting_users(self, users: frozenset[Chunk]) -> Iterator[None]:
        """Take over, in steps, that names of the module that stand in some chunks mean something else now."""
        for number, (chunk, kept) in enumerate(list(self._kept.items()), 1):
            if not kept.is_quiet or chunk in users:
                self.forget(chunk)
            if not number % _FORGOTTEN_IN_A_STEP:
                yield

    def unknown(self, chunks: Iterable[Chunk]) -> set[Chunk]:
        """Those of some chunks of which nothing is kept."""
        return set(chunks).difference(self._kept)

    def clear(self) -> None:
        """Findings may be others everywhere."""
        self._kept.clear()
        self._size = 0


def _referred(found: Iterable[LocatedFinding]) -> Iterator[Chunk]:
    for _, _, finding in found:
        yield from referred_chunks(finding)


def referred_chunks(finding: Finding) -> Iterator[Chunk]:
    """The chunks of the places that a finding refers to, besides its own."""
    if finding.declaration is not None:
        yield finding.declaration.place.chunk
    if finding.remote_edit is not None:
        yield finding.remote_edit.place.chunk
    for related in finding.related:
        yield related.place.chunk
    for part in finding.continued:
        yield part.place.chunk
