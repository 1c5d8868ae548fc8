"""What a document means as a whole, kept up to date edit by edit.

The module is cut into functions; a function is scanned again only when one of its
chunks changed, and a chunk is examined again only when it or the names visible in
it changed. Places are (chunk, statement, token), so nothing shifts when text before
them is edited.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from copy import copy
from itertools import accumulate, count
from typing import NamedTuple

from ptx_lsp.analysis.dataflow.flow import Flow
from ptx_lsp.analysis.dataflow.graph import Effects
from ptx_lsp.analysis.dataflow.unused_declarations import MentionedNames
from ptx_lsp.analysis.descriptors.packed_values import PackedValues
from ptx_lsp.analysis.module.function import Function, scan, scanning
from ptx_lsp.analysis.module.header import (
    HeaderLine,
    has_separate_samplers,
    header_lines,
    reworded,
    written_options,
    written_target,
    written_version,
)
from ptx_lsp.analysis.module.name_index import NameIndex
from ptx_lsp.analysis.module.summary import ChunkSummary, Mark, summarise
from ptx_lsp.analysis.statements.examine import Verdicts, examine
from ptx_lsp.analysis.statements.matcher import Matcher, matcher
from ptx_lsp.analysis.symbols.locations import SourcePosition, locations
from ptx_lsp.analysis.symbols.redeclarations import Redeclarations
from ptx_lsp.analysis.symbols.storage import layout_of
from ptx_lsp.analysis.symbols.symbols import Place, Scope, Symbol
from ptx_lsp.deriving import Deriving
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.document import Change, Document
from ptx_lsp.syntax.kind import HEADS, Kind
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.text import Span

_Order = list[tuple[str, object]]
_REMEMBERED_ENVIRONMENTS = 1 << 14


class _Flagged(NamedTuple):
    """The flagged statements of a chunk, and under which circumstances they were found."""

    function: Function
    key: object
    """The segments with their environments: an equal one gives the same answer in another scan of the function."""
    statements: list[int]


class Update(NamedTuple):
    """What an edit did to a module."""

    gone: list[Function]
    fresh: list[Function]
    is_global: bool
    """Whether the module scope or the header changed, so that findings anywhere may be others now."""


def _declares(symbol: Symbol) -> tuple[object, ...]:
    """What a symbol of the module is to the rest of the module."""
    return symbol.meaning, symbol.linkage, symbol.is_definition, layout_of(symbol)


class Module(Deriving):
    """The meaning of a document.

    ``version`` and ``target`` override what the header says (settings of the user);
    where neither says anything that exists, the newest of both is assumed. Whoever
    makes it with ``at_once=False`` runs :meth:`read` to its end before anything else.
    """

    def __init__(
        self,
        document: Document,
        version: Version | None = None,
        target: Target | None = None,
        *,
        at_once: bool = True,
    ) -> None:
        self.document = document
        self._wanted = (version, target)
        self.globals = Scope()
        self.redeclared = Redeclarations()
        """Names that the module declares more than once."""
        self.definitions: dict[str, Symbol] = {}
        """Functions with a body and variables that are not ``.extern``; ``globals`` has first declarations."""
        self.functions: list[Function] = []
        self.generation = 0
        """Counts changes of the module scope and of the header."""
        self.revision = 0
        """Counts edits."""
        self._global_order: _Order = []
        """What the module declares, in order: a name must be declared before its use."""
        self._summaries: dict[Chunk, ChunkSummary] = {}
        self._owners: dict[Chunk, Function] = {}
        self._order: dict[Chunk, int] = {}
        self._flagged: dict[Chunk, _Flagged] = {}
        self._locations: dict[Chunk, frozenset[SourcePosition]] = {}
        """The positions of the ``.loc`` lines of chunks, where somebody asked."""
        self._providers: dict[Chunk, frozenset[Chunk]] = {}
        """Of chunks whose ``inlined_at`` are all explained: the chunks that explain them."""
        self._environments: dict[object, int] = {}
        self._numbers = count(1)
        self._verdicts: dict[object, Verdicts] = {}
        self.header: list[HeaderLine] = []
        self.version = version or catalogue().vocabulary.newest_version
        self.target = target or catalogue().vocabulary.newest_target
        self.has_separate_samplers = False
        """Whether the texture mode is ``texmode_independent`` rather than ``texmode_unified``."""
        self.options: frozenset[str] = frozenset()
        """The words after ``.target`` besides the architecture."""
        self.matcher: Matcher = matcher(self.version, self.target)
        self.effects = Effects(self)
        self.mentions = MentionedNames()
        self.name_index = NameIndex()
        self._flows: dict[Function, Flow] = {}
        self._packed: dict[Function, PackedValues] = {}
        if at_once:
            for _ in self.read():
                pass

    # ------------------------------------------------------------------ keeping up

    def read(self) -> Iterator[None]:
        """Read the whole document, in steps that take a few milliseconds at most."""
        for chunk in self.document.chunks:
            self._summaries[chunk] = summarise(chunk)
            yield
        for run, _ in _function_runs(self.document.chunks, self._summaries):
            function = yield from scanning(run, self._summaries, self.globals)
            self.functions.append(function)
            self._owners.update(dict.fromkeys(run, function))
        self._read_globals()
        self._read_header()

    def update(self, change: Change) -> Update:
        """Take over what :meth:`Document.edit` changed; only the functions around the change are looked at."""
        self.revision += 1
        for chunk in change.removed:
            self._summaries.pop(chunk, None)
            self._flagged.pop(chunk, None)
            self._providers.pop(chunk, None)
            self._locations.pop(chunk, None)
            self._owners.pop(chunk, None)
            self.effects.forget(chunk)
            self.mentions.forget(chunk)
            self.name_index.forget(chunk)
        self._order = {}
        generation, half_declared = self.generation, self.half_declared
        gone, fresh = self._rescan(change)
        for function in gone:
            self._flows.pop(function, None)
            self._packed.pop(function, None)
        if self.half_declared != half_declared:
            self.generation += 1
        self._take_over_globals(gone, fresh)
        if any(function.headers for function in (*gone, *fresh)):
            self._read_header()
        return Update(gone, fresh, self.generation != generation)

    def _rescan(self, change: Change) -> tuple[list[Function], list[Function]]:
        """Scan the functions around a change; those that are no more, and those that are new."""
        chunks, functions = self.document.chunks, self.functions
        starts = list(accumulate([len(function.chunks) for function in functions], initial=0))
        follower = change.first + len(change.removed)
        shift = change.added - len(change.removed)
        first = max(bisect_right(starts, max(change.first - 1, 0), 0, len(functions)) - 1, 0)
        last = len(functions)
        if follower < starts[-1]:
            last = max(bisect_right(starts, follower, 0, len(functions)) - 1, 0)
            if starts[last] < follower or chunks[follower + shift].kinds[0] not in HEADS:
                last += 1
        for chunk in chunks[change.first : change.first + change.added]:
            self._summaries[chunk] = summarise(chunk)
        while True:
            runs = list(_function_runs(chunks[starts[first] : starts[last] + shift], self._summaries))
            goes_on = bool(runs) and runs[-1][1] and last < len(functions)
            if not goes_on or chunks[starts[last] + shift].kinds[0] != Kind.FORWARD:
                break
            last += 1  # a declaration that now stands in the body before it
        before = functions[first:last]
        known = {function.first: function for function in before}
        after = [self._function(run, known.get(run[0])) for run, _ in runs]
        functions[first:last] = after
        kept = set(before).intersection(after)
        return [one for one in before if one not in kept], [one for one in after if one not in kept]

    def _function(self, run: tuple[Chunk, ...], known: Function | None = None) -> Function:
        """The record of the function that consists of ``run``: the known one if it is the same."""
        if known is not None and known.chunks == run:
            return known
        function = scan(run, self._summaries, self.globals)
        self._owners.update(dict.fromkeys(run, function))
        return function

    def _take_over_globals(self, gone: list[Function], fresh: list[Function]) -> None:
        """Bring the module scope up to date; mostly the same names are declared by new symbols."""
        before = [symbol for function in gone for symbol in function.globals]
        after = [symbol for function in fresh for symbol in function.globals]
        again = self.redeclared.names
        if list(map(_declares, before)) != list(map(_declares, after)) or (
            again and any(symbol.name in again for symbol in after)
        ):
            self._read_globals()
            return
        renewed = dict(zip(before, after, strict=True))
        for old, new in renewed.items():
            for names in (self.globals.names, self.globals.groups, self.definitions):
                if names.get(old.name) is old:
                    names[old.name] = new
        if renewed:
            self.redeclared.renew(renewed)

    def _read_globals(self) -> None:
        """Fill the module scope; chunks that mention a changed name are examined again."""
        fresh = Scope()
        redeclared = Redeclarations()
        definitions: dict[str, Symbol] = {}
        order: _Order = []
        for function in self.functions:
            for symbol in function.globals:
                order.append((symbol.name, _declares(symbol)))
                earlier = fresh.declare(symbol)
                if earlier is not None:
                    redeclared.add(symbol, earlier, definitions.get(symbol.name))
                if symbol.is_definition:
                    definitions.setdefault(symbol.name, symbol)
        old = self.globals
        has_groups = bool(old.groups or fresh.groups)
        old.names, old.groups, old.numbered = fresh.names, fresh.groups, fresh.numbered
        self.redeclared = redeclared
        self.definitions = definitions
        if order != self._global_order:
            self.generation += 1
            if has_groups:
                self._forget_prefixes()
            self._forget_users(_moved(self._global_order, order))
            self._global_order = order

    def _forget_prefixes(self) -> None:
        """Ask anew what register prefixes mean: the module declares some, which is rare."""
        self.globals.groups_key = None
        for function in self.functions:
            function.scope.groups_key = None
            for segments in function.segments.values():
                for segment in segments:
                    for scope in segment.scope.chain():
                        scope.groups_key = None
        self._flagged.clear()

    def _forget_users(self, names: set[str]) -> None:
        """Forget what is flagged where one of ``names`` stands as a word."""
        if not names or not self._flagged:
            return
        escaped = map(re.escape, names)
        # The literal comes first, so that the engine skips to it; digits may follow the name of a group.
        as_words = re.compile("|".join(rf"{name}(?<![\w$]{name})\d*+(?![\w$])" for name in escaped)).search
        for chunk in list(self._flagged):
            text = chunk.text
            if any(name in text for name in names) and as_words(text):
                del self._flagged[chunk]

    def _read_header(self) -> None:
        places = [place for function in self.functions for place in function.headers]
        was_known = self.is_target_known
        self.header = header_lines(places, self.document.chunks)
        options = written_options(self.header)
        if options != self.options or self.is_target_known is not was_known:
            self.options = options
            self.generation += 1
        vocabulary = catalogue().vocabulary
        version = self._wanted[0] or written_version(self.header) or vocabulary.newest_version
        target = self._wanted[1] or written_target(self.header) or vocabulary.newest_target
        separate = has_separate_samplers(self.header)
        if (version, target, separate) != (self.version, self.target, self.has_separate_samplers):
            self.version, self.target, self.has_separate_samplers = version, target, separate
            self.matcher = matcher(version, target)
            self.generation += 1
            self._flagged.clear()
            self._verdicts.clear()
            self._flows.clear()
            self._packed.clear()

    def under(self, version: Version, target: Target) -> Module:
        """What the module would be under another ``.version`` and ``.target``; it shares what the text alone decides.

        Settings that override the header override this too. It is not to be kept when the text changes.
        """
        other = copy(self)
        other.header = reworded(self.header, version, target)
        other.version = self._wanted[0] or written_version(other.header) or self.version
        other.target = self._wanted[1] or written_target(other.header) or self.target
        other.matcher = matcher(other.version, other.target)
        other.effects = Effects(other)
        other._forget_judgements()  # noqa: SLF001  # it is one of us
        return other

    def _forget_judgements(self) -> None:
        """Begin anew with what depends on the header; the old containers are another's."""
        self._flagged = {}
        self._verdicts = {}
        self._flows = {}
        self._packed = {}

    def release(self) -> None:
        """Let go of what refers back to the module, so that it is freed as soon as nobody has it any more.

        It is of no use afterwards.
        """
        self._flows.clear()
        del self.effects

    # ------------------------------------------------------------------ what the checks ask

    def flagged(self, function: Function, chunk: Chunk) -> list[int]:
        """The statements of a chunk that some check may speak about."""
        held = self._flagged.get(chunk)
        if held is not None and held.function is function:
            return held.statements
        places = tuple((start, end, self._environment(scope)) for start, end, scope, _ in function.segments[chunk])
        # Where something is declared behind instructions, it also counts on which side of them this chunk lies.
        key = places if not function.late else object()
        found = held.statements if held is not None and held.key == key else examine(self, function, chunk)
        self._flagged[chunk] = _Flagged(function, key, found)
        return found

    def flow(self, function: Function) -> Flow:
        """How control and values flow through a function; its parts are made when they are asked for."""
        found = self._flows.get(function)
        if found is None or found.generation != self.generation:
            found = self._flows[function] = Flow(self, function, self.effects)
        return found

    def has_flow(self, function: Function) -> bool:
        """Whether :meth:`flow` of a function is made already."""
        found = self._flows.get(function)
        return found is not None and found.generation == self.generation

    def packed(self, function: Function) -> PackedValues:
        """The descriptors of a function, and what is known of them."""
        found = self._packed.get(function)
        is_old = found is not None and found.revision != self.revision and found.has_others
        if found is None or is_old or found.generation != self.generation:
            found = self._packed[function] = PackedValues(self, function)
        return found

    def forget_flow(self, function: Function) -> None:
        """Free what :meth:`flow` made of a function; it is made again when somebody asks."""
        self._flows.pop(function, None)

    def broken(self, chunk: Chunk) -> tuple[int, ...]:
        """The statements of a chunk with syntax errors."""
        return self._summaries[chunk].broken

    def has_broken(self, kind: Kind) -> bool:
        """Whether some statement with syntax errors was meant to be of this kind."""
        return any(
            SHAPES[chunk.shapes[at]].meant == kind
            for chunk, summary in self._summaries.items()
            for at in summary.broken
        )

    def unknown_call_sites(self) -> Iterator[tuple[Place, SourcePosition]]:
        """The ``.loc`` lines whose ``inlined_at`` names a position that no ``.loc`` before them has."""
        for number, chunk in enumerate(self.document.chunks):
            wanted = self._summaries[chunk].call_sites
            if not wanted or self._are_inlined(chunk):
                continue
            providers = set()
            missing = False
            for statement, location in wanted:
                provider = self._provider(number, location)
                if provider is None:
                    missing = True
                    yield Place(chunk, statement, 0), location
                else:
                    providers.add(provider)
            if not missing:
                self._providers[chunk] = frozenset(providers)

    def _provider(self, number: int, location: SourcePosition) -> Chunk | None:
        """The nearest chunk before another one that has a ``.loc`` of this position."""
        for earlier in reversed(self.document.chunks[:number]):
            known = self._locations.get(earlier)
            if known is None:
                known = self._locations[earlier] = locations(earlier)
            if location in known:
                return earlier
        return None

    def _are_inlined(self, chunk: Chunk) -> bool:
        """Whether the ``.loc`` lines that explain those of a chunk are where they were."""
        providers = self._providers.get(chunk)
        order = self._chunk_order()
        return providers is not None and all(order.get(one, len(order)) < order[chunk] for one in providers)

    def verdicts(self, scope: Scope) -> Verdicts:
        """What is known of whole shapes in scopes whose registers are declared alike."""
        for around in _outside_in(scope, lambda one: one.groups_key is None):
            outer = around.parent.groups_key if around.parent is not None else None
            if outer is not None and not around.groups and not around.numbered:
                around.groups_key = outer
                continue
            groups = dict(outer or ())
            groups.update((prefix, group.code) for prefix, group in around.groups.items())
            groups.update(dict.fromkeys(around.numbered & groups.keys()))
            around.groups_key = frozenset(groups.items())
        held = self._verdicts.get(scope.groups_key)
        if held is None:
            held = self._verdicts[scope.groups_key] = Verdicts()
        return held

    def _environment(self, scope: Scope) -> int:
        """A number that two scopes share if the same names mean the same in them (the module's aside)."""
        if len(self._environments) > _REMEMBERED_ENVIRONMENTS:
            self._environments.clear()
            self._flagged.clear()
        for around in _outside_in(scope, lambda one: one.environment is None):
            if around is self.globals:
                around.environment = 0
                continue
            content = (
                around.parent.environment if around.parent is not None else 0,
                frozenset(symbol.meaning for symbol in around.names.values()),
                frozenset(symbol.meaning for symbol in around.groups.values()),
            )
            around.environment = self._environments.setdefault(content, next(self._numbers))
        return scope.environment or 0

    def is_before(self, chunk: Chunk, statement: int, place: Place) -> bool:
        """Whether a statement stands before ``place``."""
        order = self._chunk_order()
        return (order[chunk], statement) < (order.get(place.chunk, -1), place.statement)

    @property
    def half_declared(self) -> frozenset[str]:
        """The words of broken declarations before the first function."""
        first = self.functions[0] if self.functions else None
        return first.half_declared if first is not None and first.chunks[0].kinds[0] not in HEADS else frozenset()

    @property
    def is_target_known(self) -> bool:
        """Whether the module or the settings name a target, so that it is not merely assumed."""
        return self._wanted[1] is not None or written_target(self.header) is not None

    def holds(self, place: Place) -> bool:
        """Whether a place is still part of the document."""
        return place.chunk in self._owners

    def chunk_number(self, chunk: Chunk) -> int:
        """The place of a chunk among those of the document."""
        return self._chunk_order()[chunk]

    def _chunk_order(self) -> dict[Chunk, int]:
        if not self._order:
            self._order = {chunk: number for number, chunk in enumerate(self.document.chunks)}
        return self._order

    # ------------------------------------------------------------------ what the features ask

    def marks(self, chunk: Chunk) -> tuple[Mark, ...]:
        """What of a chunk shapes the structure: braces, labels, declarations."""
        return self._summaries[chunk].marks

    def span_of(self, place: Place) -> Span:
        """The span of a token in the document; of a statement without tokens its end."""
        chunk = place.chunk
        base = self.document.chunk_start(self._chunk_order()[chunk]) + chunk.starts()[place.statement]
        statement = chunk.statement(place.statement)
        if not statement.tokens:
            end = base + len(statement.text)
            return Span(end, end)
        return statement.span(place.token).shifted(base)

    def line_of(self, place: Place) -> int:
        """The line of a token, counted from 1 as people do."""
        return self.document.position(self.span_of(place).start)[0] + 1

    def statement_start(self, chunk: Chunk, statement: int) -> int:
        """Offset in the document where a statement with its leading blanks begins."""
        return self.document.chunk_start(self._chunk_order()[chunk]) + chunk.starts()[statement]

    def function_of(self, chunk: Chunk) -> Function:
        """The function that a chunk belongs to."""
        return self._owners[chunk]

    def scope_of(self, chunk: Chunk, statement: int) -> Scope:
        """The innermost scope with declarations around a statement."""
        for segment in self._owners[chunk].segments[chunk]:
            if segment.start <= statement < segment.end:
                return segment.scope
        return self.globals

    def function_at(self, offset: int) -> Function | None:
        """The function around an offset; None in the text before the first."""
        if not self.document.chunks:
            return None
        chunk, _, _ = self.document.locate(offset)
        function = self._owners[self.document.chunks[chunk]]
        return function if function.symbol is not None else None


def _function_runs(
    chunks: list[Chunk], summaries: dict[Chunk, ChunkSummary]
) -> Iterator[tuple[tuple[Chunk, ...], bool]]:
    """Cut the chunks before every function head, and say of each run whether it ends with open braces.

    Where braces are open, what declares a function stands in the body of another one.
    """
    run: list[Chunk] = []
    depth = 0
    for chunk in chunks:
        kind = chunk.kinds[0]
        if run and (kind == Kind.FUNCTION or kind == Kind.FORWARD and not depth):
            yield tuple(run), depth > 0
            run = []
            depth = 0
        run.append(chunk)
        closes, opens = summaries[chunk].braces
        depth = max(depth - closes, 0) + opens
    if run:
        yield tuple(run), depth > 0


def _moved(before: _Order, after: _Order) -> set[str]:
    """The names that were added, removed or changed, or stand elsewhere among the others."""
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return {name for name, _ in (*before[start : len(before) - end], *after[start : len(after) - end])}


def _outside_in(scope: Scope, lacks: Callable[[Scope], bool]) -> list[Scope]:
    """The scopes from ``scope`` outwards as long as they lack something, outermost first; they nest thousands deep."""
    path = []
    around: Scope | None = scope
    while around is not None and lacks(around):
        path.append(around)
        around = around.parent
    path.reverse()
    return path
