"""One function, or the module text before the first: its scopes and where they reach.

A function begins at its head and owns every statement up to the next head, so
the variables between two functions belong to the record of the first. What
declares a function in a body (``.func f();``) ends none. A function is
scanned from the chunk summaries alone; the thousands of instructions between the
marks are not looked at. Each run of statements with one innermost scope is a
:class:`Segment`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cache, lru_cache
from operator import attrgetter
from typing import NamedTuple

from ptx_lsp.analysis.module.summary import ChunkSummary, Mark, any_of
from ptx_lsp.analysis.symbols.declarations import labelled
from ptx_lsp.analysis.symbols.symbols import Place, Scope, Symbol, SymbolKind
from ptx_lsp.deriving import Deriving
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.gate import OPEN
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import HEADS, Kind


class Segment(NamedTuple):
    """Statements ``[start, end)`` of a chunk, all with the same innermost scope."""

    start: int
    end: int
    scope: Scope
    inside: bool
    """Whether it stands in the body of a function."""


class StructureFaultKind(IntEnum):
    """What can be wrong with the structure of a function."""

    DUPLICATE = 1
    UNCLOSED_BRACE = 2
    UNMATCHED_BRACE = 3
    OUTSIDE = 4
    """A statement that belongs into a function body stands in the module."""
    INSIDE = 5
    """A module directive stands in a function body."""
    NO_SECTION = 6
    """Debug data stands outside of sections."""
    IN_SECTION = 7
    """A declaration stands in a debug section."""
    NO_BRACE = 8
    """A function body begins without its brace."""
    SPACE = 9
    """A variable stands in the module, in a state space that has none there in some versions."""
    UNLABELLED = 10
    """A ``.callprototype`` or list of targets without a label right before it."""
    EXTERN_BODY = 11
    """A function with a body is declared as ``.extern``."""
    NO_BODY = 12
    """A kernel has neither a body nor a ``;``."""


class _Region(IntEnum):
    """What outermost braces are around."""

    BODY = 1
    SECTION = 2
    SOURCE = 3
    """``.nv_intermediate_source_section``."""


class StructureFault(NamedTuple):
    """A fault and where it is; ``earlier`` is the first declaration of a duplicate."""

    fault: StructureFaultKind
    place: Place
    symbol: Symbol | None = None
    earlier: Symbol | None = None


_TEARING = frozenset({StructureFaultKind.UNCLOSED_BRACE, StructureFaultKind.UNMATCHED_BRACE})
_MODULE_ONLY = frozenset({Kind.HEADER, Kind.FILE, Kind.SECTION, Kind.DIRECTIVE})
_DATA = any_of({Kind.DATA})
_SOURCE_SECTION = ".nv_intermediate_source_section"
_LABELLED = frozenset({Kind.PROTOTYPE, Kind.TARGETS})
_BODY_ONLY = any_of({Kind.INSTRUCTION, Kind.LOCATION, *_LABELLED})


@dataclass(slots=True, eq=False, weakref_slot=True)
class Function(Deriving):
    """A function with all its chunks, scopes and structural faults."""

    first: Chunk
    chunks: tuple[Chunk, ...] = ()
    symbol: Symbol | None = None
    """None for the text before the first function head."""
    scope: Scope = field(default_factory=Scope)
    """Parameters and the outermost declarations of the body."""
    globals: list[Symbol] = field(default_factory=list)
    """What it adds to the module: itself and the variables declared after its body."""
    segments: dict[Chunk, list[Segment]] = field(default_factory=dict)
    aliases: list[Place] = field(default_factory=list)
    """Its ``.alias`` lines."""
    headers: list[Place] = field(default_factory=list)
    """Its ``.version``, ``.target`` and ``.address_size`` lines."""
    files: list[Place] = field(default_factory=list)
    """The ``.file`` lines after it."""
    sections: list[Place] = field(default_factory=list)
    """The ``.section`` lines after it."""
    sources: list[Place] = field(default_factory=list)
    """The directives in the ``.nv_intermediate_source_section`` after it."""
    section_labels: list[Place] = field(default_factory=list)
    """The labels in these sections."""
    faults: list[StructureFault] = field(default_factory=list)
    late: dict[Scope, dict[str, Symbol]] = field(default_factory=dict)
    """Registers and variables declared after an instruction of their scope."""
    has_body: bool = False
    has_unbalanced_braces: bool = False
    """Whether its braces do not pair: which labels are in sight of each other is then unknown."""
    half_declared: frozenset[str] = frozenset()
    """Words of broken declarations: of names that begin so it is not said that they are undeclared."""

    def is_inside(self, chunk: Chunk, statement: int) -> bool:
        """Whether a statement stands of one of its chunks stands in its body."""
        segments = self.segments[chunk]
        return segments[bisect_right(segments, statement, key=_start) - 1].inside


_start = attrgetter("start")


def scan(chunks: Sequence[Chunk], summaries: Mapping[Chunk, ChunkSummary], module: Scope) -> Function:
    """Build the record of the function that consists of ``chunks``."""
    steps = scanning(chunks, summaries, module)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: Function = end.value
            return found


def scanning(
    chunks: Sequence[Chunk], summaries: Mapping[Chunk, ChunkSummary], module: Scope
) -> Generator[None, None, Function]:
    """The same as :func:`scan`, chunk by chunk."""
    function = Function(chunks[0], tuple(chunks))
    function.scope.parent = module
    scanner = _Scanner(function, module, summaries)
    for chunk in chunks:
        scanner.chunk(chunk, summaries[chunk])
        yield
    scanner.finish()
    return function


_MANY = 64
"""A chunk of more braces than this and nothing else is taken over as a whole."""
_MOST_UNMATCHED = 100
"""Closing braces too many that are reported in one function; the others follow from the same mistake."""


class _Brace(NamedTuple):
    """An open brace."""

    around: Scope
    instructions: int
    """How many instructions of the function stand before it."""


class _Run(NamedTuple):
    """Open braces with nothing between them, kept as one until some but not all of them are closed."""

    around: Scope
    instructions: int
    braces: int
    innermost: Scope


@cache
def _is_of_modules(space: str) -> bool:
    """Whether a state space has variables outside of functions in all versions."""
    return catalogue().vocabulary.spaces[space].module == OPEN


@lru_cache(maxsize=256)
def _net_braces(kinds: bytes) -> tuple[int, int] | None:
    """How many braces a chunk of nothing but braces closes, and then opens, on balance; None for other chunks."""
    closes = opens = 0
    for kind in kinds:
        if kind == Kind.OPEN:
            opens += 1
        elif kind != Kind.CLOSE:
            return None
        elif opens:
            opens -= 1
        else:
            closes += 1
    return closes, opens


class _Scanner:
    """Walks the marks of a function with a stack of open braces."""

    def __init__(self, function: Function, module: Scope, summaries: Mapping[Chunk, ChunkSummary]) -> None:
        self.function = function
        self.module = module
        self.summaries = summaries
        self.open: list[_Brace | _Run] = []
        self.depth = 0
        """How many braces are open."""
        self.outermost: Place | None = None
        """The last brace that was opened while none was."""
        self.unmatched = 0
        self.scope = module
        self.instructions = 0
        self.outside: Place | None = None
        """The first label, register or block that stands outside."""
        self.expected: _Region | None = None
        """What the next open brace begins."""
        self.region = _Region.BODY
        """What the outermost open brace began."""
        self.has_stray_section = False
        """Whether a section stands where none can: nothing is said of what is in it."""
        self.section: Scope | None = None
        """The labels of the sections: those of one are seen in the others."""
        self.segments: list[tuple[Chunk, int, int, Scope]] = []
        self.label: Symbol | None = None
        """The label that was declared last."""
        self.before: Chunk | None = None
        """The chunk before the one that is scanned."""

    def chunk(self, chunk: Chunk, summary: ChunkSummary) -> None:
        if not (len(summary.marks) == len(chunk.kinds) > _MANY and self._folded(chunk)):
            self._marks(chunk, summary)
        self.before = chunk

    def _marks(self, chunk: Chunk, summary: ChunkSummary) -> None:
        start = at = 0
        scope = self.scope
        self.function.half_declared |= summary.half_declared
        for mark in summary.marks:
            self.instructions += chunk.kinds.count(Kind.INSTRUCTION, at, mark.statement)
            at = mark.statement
            if mark.kind == Kind.FORWARD and self.open:
                if at > start:
                    self.segments.append((chunk, start, at, scope))
                self.segments.append((chunk, at, at + 1, self._declared_inside(mark)))
                start = at + 1
                continue
            self._mark(chunk, mark)
            if self.scope is not scope:
                if mark.statement > start:
                    self.segments.append((chunk, start, mark.statement, scope))
                start, scope = mark.statement, self.scope
        end = len(chunk.kinds)
        self.instructions += chunk.kinds.count(Kind.INSTRUCTION, at, end)
        if end > start:
            self.segments.append((chunk, start, end, scope))

    def _folded(self, chunk: Chunk) -> bool:
        """Take over a chunk of nothing but braces as a whole, if that is possible: nobody else looks at its scopes."""
        net = _net_braces(chunk.kinds)
        if net is None:
            return False
        closes, opens = net
        if self.depth:
            if self.depth <= closes:
                return False
            self._pop(closes)
            if opens:
                inner = Scope(self.scope)
                self.open.append(_Run(self.scope, self.instructions, opens, inner))
                self.depth += opens
                self.scope = inner
        elif opens or self.expected or (closes and self.unmatched < _MOST_UNMATCHED):
            return False
        self.segments.append((chunk, 0, len(chunk.kinds), self.scope))
        return True

    def _mark(self, chunk: Chunk, mark: Mark) -> None:
        kind = mark.kind
        place = Place(chunk, mark.statement, 0)
        if kind == Kind.OPEN:
            self._open(place)
        elif kind == Kind.CLOSE:
            self._close(place)
        elif kind in HEADS:
            self._head(chunk, mark)
        elif kind in _MODULE_ONLY:
            self._directive(kind, place)
        elif kind in _LABELLED:
            self._labelled(place)
        elif kind == Kind.ALIAS:
            self.function.aliases.append(place)
        elif mark.symbols:
            for symbol in mark.symbols:
                self._declare(symbol)
                if kind == Kind.LABEL:
                    self.label = symbol

    def _directive(self, kind: Kind, place: Place) -> None:
        function = self.function
        if kind == Kind.HEADER:
            function.headers.append(place)
        elif kind == Kind.FILE:
            function.files.append(place)
        elif kind == Kind.SECTION:
            function.sections.append(place)
        if self.open and kind == Kind.DIRECTIVE and self.region is _Region.SOURCE:
            function.sources.append(place)
        elif self.open and not _is_target(place):
            self._fault(StructureFaultKind.INSIDE, place)
            self.has_stray_section = self.has_stray_section or kind == Kind.SECTION
        elif not self.open and kind == Kind.SECTION:
            self.expected = _Region.SECTION
        elif not self.open and kind == Kind.DIRECTIVE and _SOURCE_SECTION in place.chunk.part(place.statement):
            self.expected = _Region.SOURCE

    def _open(self, place: Place) -> None:
        function = self.function
        if self.open:
            inner = Scope(self.scope)
        else:
            self.outermost = place
            self.region, expected = self.expected or _Region.BODY, self.expected
            self.expected = None
            if expected is _Region.BODY:
                inner = Scope(self.module) if function.has_body else function.scope
                function.has_body = True
            elif expected is _Region.SECTION:
                inner = self.section = self.section or Scope(self.module)
            elif expected is None and function.has_body:
                self.outside = self.outside or place
                inner = Scope(function.scope)  # a '}' too many stands before it: it belongs to the body
            else:
                inner = Scope(self.scope)
        self.open.append(_Brace(self.scope, self.instructions))
        self.depth += 1
        self.scope = inner

    def _close(self, place: Place) -> None:
        if not self.open:
            self.unmatched += 1
            if self.unmatched <= _MOST_UNMATCHED:
                self._fault(StructureFaultKind.UNMATCHED_BRACE, place)
            return
        self._pop()

    def _pop(self, count: int = 1) -> None:
        """Close the ``count`` innermost braces."""
        self.depth -= count
        while count:
            last = self.open.pop()
            self.scope = last.around
            if not isinstance(last, _Run):
                count -= 1
            elif last.braces <= count:
                count -= last.braces
            else:
                self._keep_of_run(last, last.braces - count)
                return

    def _keep_of_run(self, run: _Run, count: int) -> None:
        """Put the outer braces of a run back, ``count`` of them."""
        self.scope = run.innermost.parent = Scope(run.around)
        self.open.append(run._replace(braces=count, innermost=self.scope))

    def _head(self, chunk: Chunk, mark: Mark) -> None:
        function = self.function
        self.expected = _Region.BODY
        following = Place(chunk, mark.statement + 1, 0)
        is_followed = chunk.kinds[mark.statement + 1 : mark.statement + 2] not in (b"", bytes([Kind.OPEN]))
        if not mark.symbols:  # a broken head: its body is a body all the same
            if is_followed and self._closes_too_often():
                self._open(following)
            return
        function.symbol = mark.symbols[0]
        function.globals.append(function.symbol)
        for parameter in mark.symbols[1:]:
            if function.symbol.is_definition:
                self._collide(function.scope, parameter)
            else:
                function.scope.declare(parameter)
        if function.symbol.is_definition and is_followed and self._closes_too_often():
            self._fault(StructureFaultKind.NO_BRACE, following)
            self._open(following)

    def _declared_inside(self, mark: Mark) -> Scope:
        """Take over a function that is declared in a body, where ptxas reads it as if outside; its parameters."""
        function, *parameters = mark.symbols
        self.function.globals.append(function)
        own = Scope(self.scope)
        for parameter in parameters:
            own.declare(parameter)
        return own

    def _closes_too_often(self) -> bool:
        """Whether the function has more closing braces than opening ones."""
        marks = [mark.kind for chunk in self.function.chunks for mark in self.summaries[chunk].marks]
        return marks.count(Kind.CLOSE) > marks.count(Kind.OPEN)

    def _declare(self, symbol: Symbol) -> None:
        if not self.open:
            if symbol.kind is SymbolKind.LABEL:
                self.outside = self.outside or Place(symbol.place.chunk, symbol.place.statement, 0)
                return
            self.function.globals.append(symbol)
            if symbol.space and not _is_of_modules(symbol.space) and self.outside is None:
                self.function.faults.append(StructureFault(StructureFaultKind.SPACE, symbol.place, symbol))
            return
        if self.region is _Region.SECTION:
            if symbol.kind is SymbolKind.LABEL:
                self.function.section_labels.append(symbol.place)
            else:
                self._fault(StructureFaultKind.IN_SECTION, symbol.place)
        self._collide(self.scope, symbol)
        if symbol.kind is not SymbolKind.LABEL and self.instructions > self.open[-1].instructions:
            self.function.late.setdefault(self.scope, {})[symbol.name] = symbol

    def _labelled(self, place: Place) -> None:
        """A directive that belongs to the label before it."""
        label = self.label
        if not self.open:
            return  # it stands outside of bodies, which is said elsewhere
        if label is None or not self._is_right_before(label.place, place):
            self._fault(StructureFaultKind.UNLABELLED, place)
            return
        known = labelled(label, place.chunk, place.statement)
        if self.scope.names.get(label.name) is label:
            self.scope.names[label.name] = known
            if self.instructions > self.open[-1].instructions:
                self.function.late.setdefault(self.scope, {})[label.name] = known

    def _is_right_before(self, label: Place, place: Place) -> bool:
        if label.chunk is place.chunk:
            return label.statement + 1 == place.statement
        return label.chunk is self.before and label.statement + 1 == len(label.chunk.kinds) and place.statement == 0

    def _collide(self, scope: Scope, symbol: Symbol) -> None:
        earlier = scope.declare(symbol)
        if earlier is not None:
            self.function.faults.append(StructureFault(StructureFaultKind.DUPLICATE, symbol.place, symbol, earlier))

    def _fault(self, fault: StructureFaultKind, place: Place, symbol: Symbol | None = None) -> None:
        self.function.faults.append(StructureFault(fault, place, symbol))

    def _order(self, place: Place) -> tuple[int, int]:
        return self.function.chunks.index(place.chunk), place.statement

    def finish(self) -> None:
        """Report what is still open and give each chunk its segments."""
        self._finish_head()
        if self.open and self.outermost is not None:
            self.function.faults.append(StructureFault(StructureFaultKind.UNCLOSED_BRACE, self.outermost))
        self.function.has_unbalanced_braces = any(fault.fault in _TEARING for fault in self.function.faults)
        effective: dict[Scope, Scope] = {}
        first: Place | None = None
        for chunk, start, end, scope in self.segments:
            is_section = scope is self.section
            inside = scope is not self.module and not is_section
            if not is_section and not self.has_stray_section and (stray := _DATA.search(chunk.kinds, start, end)):
                self._fault(StructureFaultKind.NO_SECTION, Place(chunk, stray.start(), 0))
            if not inside and first is None and (stray := _BODY_ONLY.search(chunk.kinds, start, end)):
                first = Place(chunk, stray.start(), 0)
            nearest = _nearest(scope, effective)
            own = self.function.segments.setdefault(chunk, [])
            if own and own[-1].scope is nearest and own[-1].inside is inside:
                own[-1] = Segment(own[-1].start, end, nearest, inside)
            else:
                own.append(Segment(start, end, nearest, inside))
        outside = [place for place in (self.outside, first) if place is not None]
        if outside:
            self._report_outside(min(outside, key=self._order))

    def _report_outside(self, place: Place) -> None:
        """Report the first statement outside, and of the braces that close nothing only those before it."""
        begin = self._order(place)
        self.function.faults = [
            fault
            for fault in self.function.faults
            if fault.fault is not StructureFaultKind.UNMATCHED_BRACE or self._order(fault.place) < begin
        ]
        self._fault(StructureFaultKind.OUTSIDE, place)

    def _finish_head(self) -> None:
        """Compare the head with whether a body follows."""
        function, symbol = self.function, self.function.symbol
        if symbol is None or not symbol.is_definition:
            return
        if function.has_body:
            if symbol.linkage == ".extern":
                self._fault(StructureFaultKind.EXTERN_BODY, symbol.place, symbol)
        elif symbol.type == ".entry":
            self._fault(StructureFaultKind.NO_BODY, symbol.place, symbol)
        else:
            function.symbol = replace(symbol, is_definition=False)
            function.globals[function.globals.index(symbol)] = function.symbol


def _is_target(place: Place) -> bool:
    """Whether it is a ``.target``, which ptxas takes in the body of a function too."""
    statement = place.chunk.statement(place.statement)
    return statement.kind is Kind.HEADER and statement.word(0) == ".target"


def _nearest(scope: Scope, known: dict[Scope, Scope]) -> Scope:
    """The innermost scope with declarations, from ``scope`` outwards; what is found is kept in ``known``."""
    passed = []
    while scope not in known and scope.parent is not None and not scope.names and not scope.groups:
        passed.append(scope)
        scope = scope.parent
    nearest = known.get(scope, scope)
    known.update(dict.fromkeys(passed, nearest))
    return nearest
