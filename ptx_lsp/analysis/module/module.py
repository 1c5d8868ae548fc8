"""A document as a module: its functions, scopes and header, kept up to date edit by edit.

The module is cut into functions; a function is scanned again only when one of its
chunks changed. Places are (chunk, statement, token), so nothing shifts when text
before them is edited. What can be derived from it is asked of ``Semantics``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Iterator, Sequence
from copy import copy
from operator import attrgetter

from ptx_lsp.analysis.module.call_sites import CallSites
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.functions import Functions, function_runs
from ptx_lsp.analysis.module.header import is_generated, module_header, reading_lines, reworded
from ptx_lsp.analysis.module.module_scope import ModuleScope, Rescan
from ptx_lsp.analysis.module.name_index import NameIndex
from ptx_lsp.analysis.module.positions import Positions
from ptx_lsp.analysis.module.scanner import scanning
from ptx_lsp.analysis.module.set_aside import SetAside, Swallowing
from ptx_lsp.analysis.module.summary_cache import ChunkSummaries
from ptx_lsp.analysis.symbols.given_names import GivenName, declaring
from ptx_lsp.analysis.symbols.redeclarations import Redeclarations
from ptx_lsp.analysis.symbols.symbols import Scope, Symbol
from ptx_lsp.derived_values import Deriving
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.document import Change, Document
from ptx_lsp.syntax.kind import HEADS, Kind

_FUNCTIONS_IN_A_STEP = 64
_CHUNKS_IN_A_STEP = 512
_SUMMARIES_IN_A_STEP = 16


class Update(NamedTuple):
    """The effect of an edit on a module."""

    gone: list[Function]
    fresh: list[Function]
    is_global: bool
    """Whether the module scope or the header changed, so that findings anywhere may be others now."""
    moved: frozenset[str]
    """Names that the module no longer declares as before, or elsewhere among the others."""
    has_groups: bool
    """Whether the module declares other things than before and groups of registers are, or were, among them."""
    is_other_language: bool
    """Whether the version, the target or the texture mode is another."""
    is_everywhere: bool
    """Whether findings may be others now also where nothing is wrong and none of the ``moved`` names stands."""
    swallowing: Swallowing
    users: frozenset[Chunk] = frozenset()
    """The chunks in which one of the ``moved`` names stands."""
    dependents: frozenset[Function] = frozenset()
    """The functions whose flow findings may be others because another body is another now."""


class Module(Deriving):
    """The functions, scopes and header of a document.

    ``version`` and ``target`` override what the header says (settings of the user);
    where neither says anything that exists, the newest of both is assumed. Whoever
    makes it with ``at_once=False`` runs :meth:`read` to its end before anything else.
    With ``given`` names, which may be none, the document is statements of a body of a
    function that is not written, and nothing is expected that a module must have.
    If its chunks ``are_bodies``, each of them is the body of another such function.
    """

    def __init__(
        self,
        document: Document,
        version: Version | None = None,
        target: Target | None = None,
        *,
        at_once: bool = True,
        given: Sequence[GivenName] | None = None,
        are_bodies: bool = False,
    ) -> None:
        self.document = document
        self._wanted = (version, target)
        self.generation = 0
        """Counts changes of the module scope and of the header."""
        self.revision = 0
        """Counts edits."""
        self.header = module_header((), version, target)
        self.positions = Positions(document)
        self.functions = Functions(self.positions, are_bodies=are_bodies)
        self._given = given or ()
        self._scope = ModuleScope(self.functions, Scope() if given is not None else None)
        self.globals = self._scope.names
        self.summaries = ChunkSummaries()
        self.call_sites = CallSites(self.summaries, self.positions)
        self.name_index = NameIndex()
        self._owners: dict[Chunk, Function] = {}
        self._swallowed: SetAside[Chunk, Function] = SetAside()
        """The records of functions that a comment swallowed, by their first chunks."""
        if at_once:
            for _ in self.read():
                pass

    @property
    def version(self) -> Version:
        """The version of PTX that counts."""
        return self.header.version

    @property
    def target(self) -> Target:
        """The architecture that counts."""
        return self.header.target

    @property
    def definitions(self) -> dict[str, Symbol]:
        """Functions with a body and variables that are not ``.extern``; ``globals`` has first declarations."""
        return self._scope.definitions

    @property
    def redeclared(self) -> Redeclarations:
        """Names that the module declares more than once."""
        return self._scope.redeclared

    # ------------------------------------------------------------------ keeping up

    def read(self) -> Iterator[None]:
        """Read the whole document, in steps that take a few milliseconds at most."""
        if (around := self.globals.parent) is not None:
            yield from declaring(self._given, around)
        for chunk in self.document.chunks:
            yield from self.summaries.adding(chunk)
            yield
        self.positions.read()
        for run in self._runs():
            function = yield from scanning(run, self.summaries, self.globals, is_body=self._is_body(run))
            self.functions.replace(len(self.functions), len(self.functions), [function])
            self._owners.update(dict.fromkeys(run, function))
            yield
        yield from self._scope.reading()
        self.generation += bool(self._scope.order)
        yield from self._reading_header()

    def _runs(self) -> Iterator[tuple[Chunk, ...]]:
        """The chunks of each function."""
        chunks = self.document.chunks
        if self.functions.are_bodies:
            return ((chunk,) for chunk in chunks)
        return (run for run, _ in function_runs(chunks, self.summaries))

    def updating(self, change: Change) -> Generator[None, None, Update]:
        """Take over what :meth:`Document.edit` changed; only the functions around the change are looked at.

        There is a step after each few hundred marks of a function that is scanned again.
        """
        self.revision += 1
        first = self.functions.number(self._owners[self.document.chunks[change.first - 1]]) if change.first else 0
        for number, chunk in enumerate(change.removed, 1):
            if not number % _CHUNKS_IN_A_STEP:
                yield
            self.summaries.forget(chunk)
            self.call_sites.forget(chunk)
            self.name_index.forget(chunk)
            self._owners.pop(chunk, None)
        self.positions.follow(change)
        generation, half_declared, header, state = self.generation, self.half_declared, self.header, self._state
        had_groups = bool(self.globals.groups)
        rescan = yield from self._rescan(change, first)
        gone, fresh = rescan.gone, rescan.fresh
        self.generation += self.half_declared != half_declared
        moved = yield from self._scope.updating(rescan)
        self.generation += moved is not None
        if any(function.headers for function in (*gone, *fresh)):
            yield from self._reading_header()
        has_groups = moved is not None and (had_groups or bool(self.globals.groups))
        if has_groups:
            self._forget_prefixes()
        return Update(
            gone,
            fresh,
            self.generation != generation,
            moved or frozenset(),
            has_groups,
            self.header.language != header.language,
            has_groups or self.header.meaning != header.meaning,
            Swallowing(change.swallowed, change.given_back, state, self._state),
        )

    @property
    def _state(self) -> object:
        """Everything outside of a function that the findings in its statements depend on, to be compared."""
        return self._scope.order, self.half_declared, self.header.language, self.header.meaning

    def _rescan(self, change: Change, first: int) -> Generator[None, None, Rescan]:
        """Scan the functions around a change.

        ``first`` is the number of the function in which the chunk before the change is.
        """
        chunks, functions = self.document.chunks, self.functions
        begin = self.positions.chunk_number(functions[first].first) if change.first else 0
        last = len(functions)
        follower = change.first + change.added
        if follower < len(chunks):
            owner = self._owners[chunks[follower]]
            last = functions.index(owner, first)
            if owner.first is not chunks[follower] or chunks[follower].kinds[0] not in HEADS:
                last += 1
        added = chunks[change.first : follower]
        for number, chunk in enumerate(added, 1):
            if not number % _SUMMARIES_IN_A_STEP:
                yield
            yield from self.summaries.adding(chunk)
            self.name_index.add(chunk)
        while True:
            stop = self.positions.chunk_number(functions[last].first) if last < len(functions) else len(chunks)
            runs = list(function_runs(chunks[begin:stop], self.summaries))
            goes_on = bool(runs) and runs[-1][1] and last < len(functions)
            if not goes_on or chunks[stop].kinds[0] != Kind.FORWARD:
                break
            last += 1  # a declaration that now stands in the body before it
        before = functions[first:last]
        known = {function.first: function for function in before}
        self._swallowed.give_back(known, change.given_back)
        if added and change.removed and change.removed[0] in known:
            known.setdefault(added[0], known[change.removed[0]])
        after = []
        for run, _ in runs:
            after.append((yield from self._function(run, known.get(run[0]), change.removed, added)))
            if not len(after) % _FUNCTIONS_IN_A_STEP:
                yield
        functions.replace(first, last, after)
        self._swallowed.take(known, [one.first for one in before if change.swallowed.issuperset(one.chunks)])
        return Rescan(first, before, after)

    def _function(
        self, run: tuple[Chunk, ...], known: Function | None, removed: tuple[Chunk, ...], added: list[Chunk]
    ) -> Generator[None, None, Function]:
        """The record of the function that consists of ``run``: the known one if it is the same."""
        if known is not None and known.chunks == run:
            if run[0] not in self._owners:
                self._owners.update(dict.fromkeys(run, known))
            return known
        function = None
        is_part = known is not None and 0 < len(removed) < len(known.chunks)  # a scan of a few marks is as quick
        if known is not None and is_part and removed[0] in known.segments and removed[-1] in known.segments:
            at = known.chunks.index(removed[0])
            if run == (*known.chunks[:at], *added, *known.chunks[at + len(removed) :]):
                from ptx_lsp.analysis.module.same_marks import with_same_marks  # imported late: only edits need it

                function = with_same_marks(known, removed, added)
        if function is None:
            function = yield from scanning(run, self.summaries, self.globals, is_body=self._is_body(run))
        self._owners.update(dict.fromkeys(run, function))
        return function

    def _is_body(self, run: Sequence[Chunk]) -> bool:
        """Whether some chunks are the body of a function without its head and braces."""
        return is_fragment(self) and (self.functions.are_bodies or run[0] is self.document.chunks[0])

    def _forget_prefixes(self) -> None:
        """Ask anew what register prefixes mean: the module declares some, which is rare."""
        self._swallowed.clear()
        self.globals.groups_key = None
        for function in self.functions:
            function.scope.groups_key = None
            for segments in function.segments.values():
                for segment in segments:
                    for scope in segment.scope.chain():
                        scope.groups_key = None

    def _reading_header(self) -> Iterator[None]:
        """Read the header anew, in steps of a few milliseconds."""
        places = [place for function in self.functions for place in function.headers]
        before = self.header
        chunks = self.document.chunks
        lines = yield from reading_lines(places, chunks)
        self.header = module_header(lines, *self._wanted, is_generated=is_generated(chunks))
        if self.header.meaning != before.meaning:
            self.generation += 1

    def under(self, version: Version, target: Target) -> Module:
        """The module as it would be under another ``.version`` and ``.target``.

        Settings that override the header override this too. It is not to be kept when the text changes.
        """
        other = copy(self)
        lines = reworded(self.header.lines, version, target)
        other.header = module_header(lines, *self._wanted, is_generated=self.header.is_generated)
        return other

    # ------------------------------------------------------------------ questions

    @property
    def half_declared(self) -> frozenset[str]:
        """The words of broken declarations before the first function."""
        first = self.functions[0] if self.functions else None
        return first.half_declared if first is not None and first.chunks[0].kinds[0] not in HEADS else frozenset()

    def function_of(self, chunk: Chunk) -> Function:
        """The function that a chunk belongs to."""
        return self._owners[chunk]

    def scope_of(self, chunk: Chunk, statement: int) -> Scope:
        """The innermost scope with declarations around a statement."""
        segments = self._owners[chunk].segments[chunk]
        at = bisect_right(segments, statement, key=_START) - 1
        return segments[at].scope if at >= 0 and statement < segments[at].end else self.globals


_START = attrgetter("start")


def is_whole(module: Module, function: Function) -> bool:
    """Whether all of a function could be read."""
    return not function.has_unbalanced_braces and not any(map(module.summaries.broken, function.chunks))


def is_fragment(module: Module) -> bool:
    """Whether the document is not a module but statements of the body of a function, with given names."""
    return module.globals.parent is not None
