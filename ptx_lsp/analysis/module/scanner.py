"""Scans functions: from the marks of their chunks to their records.

A function is scanned from the chunk summaries alone; the thousands of instructions between the marks are not looked
at. What declares a function in a body (``.func f();``) ends none.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence

from ptx_lsp.analysis.module.bare_functions import bare_function
from ptx_lsp.analysis.module.braces import MOST_UNMATCHED, BraceRegion, TooDeepScope
from ptx_lsp.analysis.module.chunk_summary import ChunkSummary, Mark, any_of
from ptx_lsp.analysis.module.function import Function, Segment, StructureFault, StructureFaultKind
from ptx_lsp.analysis.module.module_statements import is_of_modules, is_target
from ptx_lsp.analysis.module.scanner_state import ScannerState
from ptx_lsp.analysis.symbols.declarations import LONG_LIST, with_label_role
from ptx_lsp.analysis.symbols.scopes import nearest
from ptx_lsp.analysis.symbols.symbols import Place, Scope, Symbol, SymbolKind
from ptx_lsp.derived_values import once
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import HEADS, Kind

_TEARING = frozenset({StructureFaultKind.UNCLOSED_BRACE, StructureFaultKind.UNMATCHED_BRACE})
_DECLARED = frozenset({Kind.LABEL, Kind.REGISTERS, Kind.VARIABLE})
_INSTRUCTION = bytes([Kind.INSTRUCTION])
_MODULE_ONLY = frozenset({Kind.HEADER, Kind.FILE, Kind.SECTION, Kind.DIRECTIVE})
_DATA = any_of({Kind.DATA})
_SOURCE_SECTION = ".nv_intermediate_source_section"
_LABELLED = frozenset({Kind.PROTOTYPE, Kind.TARGETS})
_MARKS_IN_A_STEP = 512
_OF_A_CHUNK = 8
"""A chunk without marks takes as long as so many."""
_SEGMENTS_IN_A_STEP = 1024
_BODY_ONLY = any_of({Kind.INSTRUCTION, Kind.LOCATION, *_LABELLED})


def scanning(
    chunks: Sequence[Chunk], summaries: Mapping[Chunk, ChunkSummary], module: Scope, *, is_body: bool = False
) -> Generator[None, None, Function]:
    """Build the record of the function that consists of ``chunks``, in steps; with ``is_body`` it has no braces."""
    if len(chunks) == 1 and not is_body:
        summary = summaries[chunks[0]]
        is_long = bool(summary.marks) and len(summary.marks[0].symbols) > _MARKS_IN_A_STEP
        bare = None if is_long else bare_function(chunks[0], summary, module)
        if bare is not None:
            return bare
    function = Function(tuple(chunks))
    function.scope.parent = module
    scanner = _Scanner(function, module, summaries)
    if is_body:
        scanner.begin_body()
    for chunk in chunks:
        yield from scanner.reading(chunk, summaries[chunk])
        scanner.looked_at += _OF_A_CHUNK
        if scanner.looked_at >= _MARKS_IN_A_STEP:
            scanner.looked_at = 0
            yield
    yield from scanner.finishing()
    return function


class _Scanner(ScannerState):
    """Walks the marks of a function with a stack of open braces."""

    def begin_body(self) -> None:
        """Begin inside of a body whose braces are not written."""
        self.implied = 1
        self.function.has_body = True
        self.braces.open(self.function.scope, 0)

    def reading(self, chunk: Chunk, summary: ChunkSummary) -> Iterator[None]:
        """Take up a chunk; there are pauses within long declarations."""
        if not self.takes(chunk, summary):
            yield from self._marks(chunk, summary)
        self.before = chunk

    def _marks(self, chunk: Chunk, summary: ChunkSummary) -> Iterator[None]:
        start = at = 0
        scope = self.braces.scope
        if summary.broken:
            self.function.has_broken_file |= summary.has_broken_file
            self.half_declared |= summary.half_declared
        braces, kinds = self.braces, chunk.kinds
        marks = self.essential(summary)
        self.looked_at += len(marks)
        for mark in marks:
            self.instructions += kinds.count(_INSTRUCTION, at, mark.statement)
            at = mark.statement
            kind = mark.kind
            if kind in _DECLARED and len(mark.symbols) <= _MARKS_IN_A_STEP:  # most marks
                for symbol in mark.symbols:
                    self._declare(symbol)
                    if kind is Kind.LABEL:
                        self.label = symbol
                continue
            if kind is Kind.FORWARD and braces.depth:
                if at > start:
                    self.segments.append((chunk, start, at, scope))
                self.segments.append((chunk, at, at + 1, self._declared_inside(mark)))
                start = at + 1
                continue
            if len(mark.symbols) > _MARKS_IN_A_STEP:
                yield from self._reading_head(chunk, mark) if kind in HEADS else self._declaring(mark)
            else:
                if kind in _LABELLED and len(chunk.part(at)) > LONG_LIST:
                    yield from chunk.statement(at).reading()
                    yield
                self._mark(chunk, mark)
            if braces.scope is not scope:
                if at > start:
                    self.segments.append((chunk, start, at, scope))
                start, scope = at, braces.scope
        end = len(kinds)
        self.instructions += kinds.count(_INSTRUCTION, at, end)
        if end > start:
            self.segments.append((chunk, start, end, scope))

    def _mark(self, chunk: Chunk, mark: Mark) -> None:
        kind = mark.kind
        if kind is Kind.CLOSE and self.braces.depth > self.implied:
            self.braces.close()
            return
        place = tuple.__new__(Place, (chunk, mark.statement, 0))  # the constructor takes twice as long
        if kind is Kind.OPEN:
            self._open(place)
        elif kind is Kind.CLOSE:
            self._close_too_many(place)
        elif kind in HEADS:
            for _ in self._reading_head(chunk, mark):
                pass
        elif kind in _MODULE_ONLY:
            self._directive(kind, place)
        elif kind in _LABELLED:
            self._labelled(place)
        elif kind is Kind.ALIAS:
            self.function.aliases.append(place)

    def _declaring(self, mark: Mark) -> Iterator[None]:
        """The many symbols of one declaration."""
        for number, symbol in enumerate(mark.symbols, 1):
            self._declare(symbol)
            if not number % _MARKS_IN_A_STEP:
                yield

    def _directive(self, kind: Kind, place: Place) -> None:
        function = self.function
        if kind == Kind.HEADER:
            function.headers.append(place)
        elif kind == Kind.FILE:
            function.files.append(place)
        elif kind == Kind.SECTION:
            function.sections.append(place)
        if self.braces and kind == Kind.DIRECTIVE and self.region is BraceRegion.SOURCE:
            function.sources.append(place)
        elif self.braces and not is_target(place):
            self._fault(StructureFaultKind.INSIDE, place)
            self.has_stray_section = self.has_stray_section or kind == Kind.SECTION
        elif not self.braces and kind == Kind.SECTION:
            self.expected = BraceRegion.SECTION
        elif not self.braces and kind == Kind.DIRECTIVE and _SOURCE_SECTION in place.chunk.part(place.statement):
            self.expected = BraceRegion.SOURCE

    def _open(self, place: Place) -> None:
        function = self.function
        if self.braces.depth:
            self.outermost = place if self.braces.depth == self.implied else self.outermost
            inner = self.braces.block()
            if self.region is BraceRegion.SECTION:
                inner = self.braces.scope
                self._fault(StructureFaultKind.BLOCK_IN_SECTION, place)
            elif isinstance(inner, TooDeepScope) and inner is not self.braces.scope:
                self._fault(StructureFaultKind.TOO_DEEP, place)
        else:
            self.outermost = place
            self.region, expected = self.expected or BraceRegion.BODY, self.expected
            self.expected = None
            if expected is BraceRegion.BODY:
                inner = Scope(self.module) if function.has_body else function.scope
                function.has_body = True
            elif expected is BraceRegion.SECTION:
                inner = self.section = self.section or Scope(self.module)
            elif expected is None:
                self.outside = self.outside or place  # if a '}' too many stands before it, it belongs to the body
                inner = Scope(function.scope if function.has_body else self.braces.scope)
            else:
                inner = Scope(self.braces.scope)
        self.braces.open(inner, self.instructions)

    def _close_too_many(self, place: Place) -> None:
        self.unmatched += 1
        if self.unmatched <= MOST_UNMATCHED:
            self._fault(StructureFaultKind.UNMATCHED_BRACE, place)

    def _reading_head(self, chunk: Chunk, mark: Mark) -> Iterator[None]:
        """The head of a function, which can have very many parameters."""
        function = self.function
        is_declaration = bool(mark.symbols) and not mark.symbols[0].is_definition
        self.expected = None if is_declaration else BraceRegion.BODY
        following = function.after(chunk, mark.statement)
        lacks_brace = following is not None and following.chunk.kinds[following.statement] != Kind.OPEN
        if not mark.symbols:  # a broken head: its body is a body all the same
            if following is not None and lacks_brace and self._closes_too_often:
                self._open(following)
            return
        function.symbol = mark.symbols[0]
        function.globals.append(function.symbol)
        for number, parameter in enumerate(mark.symbols[1:], 1):
            if not number % _MARKS_IN_A_STEP:
                yield
            if function.symbol.is_definition:
                self._collide(function.scope, parameter)
            else:
                function.scope.declare(parameter)
        if function.symbol.is_definition and following is not None and lacks_brace and self._closes_too_often:
            self._fault(StructureFaultKind.NO_BRACE, following)
            self._open(following)

    def _declared_inside(self, mark: Mark) -> Scope:
        """Take over a function that is declared in a body, where ptxas reads it as if outside; its parameters."""
        function, *parameters = mark.symbols
        self.function.globals.append(function)
        own = Scope(self.braces.scope)
        for parameter in parameters:
            own.declare(parameter)
        return own

    @once  # a broken file can have a head in every line
    def _closes_too_often(self) -> bool:
        """Whether the function has more closing braces than opening ones."""
        marks = [mark.kind for chunk in self.function.chunks for mark in self.summaries[chunk].marks]
        return marks.count(Kind.CLOSE) > marks.count(Kind.OPEN)

    def _declare(self, symbol: Symbol) -> None:
        braces = self.braces
        if not braces.depth:
            if symbol.kind is SymbolKind.LABEL:
                self.outside = self.outside or Place(symbol.place.chunk, symbol.place.statement, 0)
                return
            self.function.globals.append(symbol)
            if symbol.space and not is_of_modules(symbol.space) and self.outside is None:
                self.function.faults.append(StructureFault(StructureFaultKind.SPACE, symbol.place, symbol))
            return
        if self.region is BraceRegion.SECTION:
            if symbol.kind is SymbolKind.LABEL:
                self.function.section_labels.append(symbol.place)
            else:
                self._fault(StructureFaultKind.IN_SECTION, symbol.place)
        self._collide(braces.scope, symbol)
        if symbol.kind is not SymbolKind.LABEL and self.instructions > braces.instructions:
            self.function.late.setdefault(braces.scope, {})[symbol.name] = symbol

    def _labelled(self, place: Place) -> None:
        """A directive that belongs to the label before it."""
        label = self.label
        if not self.braces:
            return  # it stands outside of bodies, which is said elsewhere
        if label is None or not self._is_right_before(label.place, place):
            self._fault(StructureFaultKind.UNLABELLED, place)
            return
        known = with_label_role(label, place.chunk, place.statement)
        if self.braces.scope.names.get(label.name) is label:
            self.braces.scope.names[label.name] = known
            if self.instructions > self.braces.instructions:
                self.function.late.setdefault(self.braces.scope, {})[label.name] = known

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

    def finishing(self) -> Iterator[None]:
        """Report what is still open and give each chunk its segments."""
        self.function.half_declared = frozenset(self.half_declared)
        self._finish_head()
        if self.braces.depth > self.implied and self.outermost is not None:
            self.function.faults.append(StructureFault(StructureFaultKind.UNCLOSED_BRACE, self.outermost))
        self.function.has_unbalanced_braces = any(fault.fault in _TEARING for fault in self.function.faults)
        effective: dict[Scope, Scope] = {self.module: self.module}
        first: Place | None = None
        has_stray_data: set[bool] = set()  # in the body, or outside: reported once of each
        new = tuple.__new__  # the constructors take twice as long
        last: Chunk | None = None
        own: list[Segment] = []
        has_data = False
        for number, (chunk, start, end, scope) in enumerate(self.segments, 1):
            if chunk is not last:
                last, own = chunk, self.function.segments.setdefault(chunk, [])
                has_data = _DATA.search(chunk.kinds) is not None
            is_section = scope is self.section
            inside = scope is not self.module and not is_section
            is_fine = not has_data or is_section or self.has_stray_section or inside in has_stray_data
            if not is_fine and (stray := _DATA.search(chunk.kinds, start, end)):
                self._fault(StructureFaultKind.NO_SECTION, Place(chunk, stray.start(), 0))
                has_stray_data.add(inside)
            if not inside and first is None and (stray := _BODY_ONLY.search(chunk.kinds, start, end)):
                first = Place(chunk, stray.start(), 0)
            innermost = scope if scope.names or scope.groups else nearest(scope, effective)
            if own and own[-1].scope is innermost and own[-1].inside is inside:
                own[-1] = new(Segment, (own[-1].start, end, innermost, inside))
            else:
                own.append(new(Segment, (start, end, innermost, inside)))
            if not number % _SEGMENTS_IN_A_STEP:
                yield
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
            function.symbol = symbol._replace(is_definition=False)
            function.globals[function.globals.index(symbol)] = function.symbol
