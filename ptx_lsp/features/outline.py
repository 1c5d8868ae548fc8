"""Document symbols: functions with their parameters, registers, variables, labels and blocks."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from ptx_lsp.analysis.module.chunk_summary import Mark
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.semantics.text_sections import TextSection, sections
from ptx_lsp.analysis.structure.roles import name_of, role_of
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import HEADS, Kind
from ptx_lsp.text import Span


class OutlineItem(NamedTuple):
    """One entry of the document symbol tree."""

    name: str
    kind: SymbolKind | None
    """The kind of symbol; None for a block in braces or a loop."""
    detail: str
    """A short description after the name: space and type, or the kind of function."""
    span: Span
    """The complete extent; for a function, up to its closing brace."""
    name_span: Span
    children: tuple[OutlineItem, ...] = ()


BLOCK = "{ }"
"""The name of a block entry."""
MOST_LINES = 200_000
"""The maximum number of lines of a document whose function contents are listed; clients ask again after each edit."""

MOST_DEPTH = 100
"""The maximum nesting depth of blocks, since clients traverse the tree by recursion. Symbols of deeper blocks are
listed in the deepest block."""


def outline(module: Module) -> list[OutlineItem]:
    """Return the document symbols in text order, function-local symbols nested in their function.

    A block in a function is listed if it declares something. Of a document with more than :data:`MOST_LINES` lines
    only the module's own names are listed.
    """
    return run_to_completion(_outline(module))


def _outline(module: Module) -> Generator[None, None, list[OutlineItem]]:
    tree = _Tree(module.document.line_count <= MOST_LINES)
    base = 0
    for chunk in module.document.chunks:
        for event in _events(module, chunk):
            tree.add(event, base)
        base += chunk.length
        yield
    return tree.ended()


def outline_with_loops(semantics: Semantics) -> Generator[None, None, list[OutlineItem]]:
    """Return :func:`outline` with the loops as entries, and labels with the block that they begin as their extent.

    It is made in steps, of some milliseconds for each function. This is what breadcrumbs and sticky lines show around
    the cursor. A loop that a pair of braces crosses is left out.
    """
    found = yield from _outline(semantics.module)
    if semantics.module.document.line_count > MOST_LINES:
        return found
    by_name = {function.symbol.place: function for function in semantics.module.functions if function.symbol}
    by_start = {semantics.module.positions.span_of(place).start: function for place, function in by_name.items()}
    items = []
    for one in found:
        items.append(_with_sections(semantics, one, by_start.get(one.name_span.start)))
        yield
    return items


def _with_sections(semantics: Semantics, item: OutlineItem, function: Function | None) -> OutlineItem:
    if function is None:
        return item
    inside = sections(semantics, function)
    named = _named(semantics, item.children)
    return item._replace(children=tuple(_nested(named, inside) if inside else named))


def _named(semantics: Semantics, items: Sequence[OutlineItem]) -> Sequence[OutlineItem]:
    """Name blocks in braces by the first instruction in them that has a role, else by their first instruction."""
    if all(item.kind is not None for item in items):
        return items
    found = []
    for item in items:
        if item.kind is None:
            opcode = _main_opcode(semantics.module, item.span)
            name = f"{{ {opcode} }}" if opcode else item.name
            item = item._replace(name=name, children=tuple(_named(semantics, item.children)))
        found.append(item)
    return found


def _main_opcode(module: Module, span: Span) -> str:
    """The name of the instruction by which readers know a block: what it waits for, computes or copies."""
    number, index, _ = module.document.locate(span.start)
    first = ""
    for _ in range(_MOST_SEARCHED):
        index += 1
        if index >= len(module.document.chunks[number].kinds):
            number, index = number + 1, 0
            if number >= len(module.document.chunks):
                break
        chunk = module.document.chunks[number]
        if chunk.kinds[index] != Kind.INSTRUCTION:
            if module.document.chunk_start(number) + chunk.starts()[index + 1] >= span.end:
                break
            continue
        shape = chunk.shapes[index]
        if role_of(shape):
            return name_of(shape)
        first = first or name_of(shape)
    return first


_MOST_SEARCHED = 40
"""The maximum number of statements of a block that are looked at for its name."""


_UNCOUNTED = "loop"
"""The title of a loop of which no counter is known."""


def _nested(items: Sequence[OutlineItem], inside: Sequence[TextSection]) -> list[OutlineItem]:
    """Put items into the loops and labelled blocks around them."""
    blocks = {one.span.start: one for one in inside if one.loop is None}
    loops = [one for one in inside if one.loop is not None]
    spins = {one.span for one in loops if one.label and one.title == _UNCOUNTED}
    entries: list[tuple[Span, OutlineItem]] = []
    taken: set[Span] = set()
    for item in items:
        block = blocks.get(item.name_span.start) if item.kind is SymbolKind.LABEL else None
        if block is not None and block.span in spins:
            continue  # a loop of one block, which has its name
        if block is not None:
            detail = block.summary if block.is_reachable else f"unreachable, {block.summary}"
            item = item._replace(span=block.span, detail=detail)
        elif item.kind is SymbolKind.LABEL and item.name.startswith("$"):
            continue  # only debug information names it
        elif item.kind is None:
            within = [one for one in inside if item.span.start <= one.span.start and one.span.end <= item.span.end]
            item = item._replace(children=tuple(_nested(item.children, within)))
            taken.update(one.span for one in within)
        entries.append((item.span, item))
    for loop in loops:
        if loop.span in taken:
            continue
        detail = f"{loop.label} · {loop.summary}" if loop.label else loop.summary
        title = loop.title
        if loop.span in spins and any(one.span == loop.span for one in blocks.values()):
            title, detail = f"{loop.title} {loop.label}", loop.summary
        entries.append((loop.span, OutlineItem(title, None, detail, loop.span, loop.label_span)))
    entries.sort(key=lambda entry: (entry[0].start, -entry[0].end, entry[1].kind is not None))
    return _tree(entries)


def _tree(entries: list[tuple[Span, OutlineItem]]) -> list[OutlineItem]:
    """Nest sorted entries; one that is not whole in the one before it gets no children of it, and none of its own."""
    roots: list[OutlineItem] = []
    around: list[tuple[OutlineItem, list[OutlineItem]]] = []

    def close() -> None:
        item, children = around.pop()
        target = around[-1][1] if around else roots
        target.append(item._replace(children=(*item.children, *children)) if children else item)

    for span, item in entries:
        while around and (around[-1][0].span.end <= span.start or around[-1][0].span.end < span.end):
            close()
        if item.kind is not None and item.kind is not SymbolKind.LABEL:
            (around[-1][1] if around else roots).append(item)  # several of one declaration have the same span
            continue
        around.append((item, []))
        if len(around) > MOST_DEPTH:
            close()
    while around:
        close()
    return roots


class _Event(NamedTuple):
    """A symbol or block boundary of a chunk; offsets are relative to the chunk."""

    kind: int
    start: int
    end: int
    """The end of the statement; ``start`` excludes the white space before it."""
    names: tuple[tuple[str, SymbolKind, str, int, int], ...]
    """Name, kind, detail, start and end of each declared symbol."""


class _EventsOfChunk:
    """The events of a chunk: chunks do not change, so they are found once."""

    def __init__(self, chunk: Chunk) -> None:
        self._chunk = chunk
        self._events: tuple[_Event, ...] | None = None

    def by(self, marks: tuple[Mark, ...]) -> tuple[_Event, ...]:
        """The events by the marks of the chunk, which are equal in any module."""
        if self._events is None:
            self._events = tuple(_found(self._chunk, marks))
        return self._events


def _events(module: Module, chunk: Chunk) -> tuple[_Event, ...]:
    return chunk.derived(_EventsOfChunk).by(module.summaries.marks(chunk))


_SHAPING = frozenset({Kind.OPEN, Kind.CLOSE})


def _found(chunk: Chunk, marks: tuple[Mark, ...]) -> Iterator[_Event]:
    starts = chunk.starts()
    for mark in marks:
        start, end = starts[mark.statement], starts[mark.statement + 1]
        if mark.kind in _SHAPING:
            yield _Event(mark.kind, end - 1, end, ())
        elif mark.symbols:
            first = mark.symbols[0]
            if mark.kind is Kind.LABEL and chunk.text.startswith(first.name, end - 1 - len(first.name)):
                places = [(end - 1 - len(first.name), end - 1)]
                lead = places[0][0]
            else:
                statement = chunk.statement(mark.statement)
                lead = start + statement.lead
                tokens = statement.tokens
                places = [
                    (start + tokens[one.place.token].start, start + tokens[one.place.token].end) for one in mark.symbols
                ]
            names = tuple(
                (_shown(symbol), symbol.kind, _detail(symbol), *place)
                for symbol, place in zip(mark.symbols, places, strict=True)
            )
            yield _Event(mark.kind, lead, end, names)


def _shown(symbol: Symbol) -> str:
    return symbol.name if symbol.count is None else f"{symbol.name}<{symbol.count}>"


def _detail(symbol: Symbol) -> str:
    vector = f".v{symbol.vector}" if symbol.vector else ""
    return " ".join(word for word in (symbol.space, vector, symbol.type) if word)


class _Open(NamedTuple):
    """A function or block whose end has not been reached."""

    head: OutlineItem
    children: list[OutlineItem]


class _Tree:
    """A builder that nests the events of the chunks into the open functions and blocks."""

    def __init__(self, with_children: bool) -> None:
        self._entries: list[OutlineItem] = []
        self._with_children = with_children
        self._open: list[_Open] = []
        self._in_body = False

    def add(self, event: _Event, base: int) -> None:
        """Add an event of a chunk that begins at the offset ``base``."""
        kind, start, end, names = event
        span = Span(start + base, end + base)
        if kind == Kind.OPEN:
            if self._open and self._in_body:
                children = [] if len(self._open) <= MOST_DEPTH else self._open[-1].children
                self._open.append(_Open(OutlineItem(BLOCK, None, "", span, span), children))
            self._in_body = bool(self._open)
        elif kind == Kind.CLOSE:
            if self._open and self._in_body:
                self._close(span.end)
        elif kind in HEADS and not (kind == Kind.FORWARD and self._in_body):
            self._close_all()
            self._function(names, span, base)
        else:
            is_whole = kind in (Kind.VARIABLE, Kind.REGISTERS)
            if not self._in_body:
                self._close_all()  # function declarations have no body
            target = self._open[-1].children if self._open else self._entries
            if self._open and not self._with_children:
                return
            for name, what, detail, first, last in names[:1] if kind == Kind.FORWARD else names:
                place = Span(first + base, last + base)
                target.append(OutlineItem(name, what, detail, span if is_whole else place, place))

    def _function(self, names: tuple[tuple[str, SymbolKind, str, int, int], ...], span: Span, base: int) -> None:
        entries = []
        for name, what, detail, first, last in names:
            place = Span(first + base, last + base)
            entries.append(OutlineItem(name, what, detail, place, place))
        head = entries[0]._replace(span=span)
        self._open = [_Open(head, entries[1:] if self._with_children else [])]
        self._in_body = False

    def _close(self, end: int) -> None:
        """Close the innermost open entry at the offset ``end``."""
        head, children = self._open.pop()
        self._in_body = bool(self._open)
        if head.kind is None:
            if children and children is not self._open[-1].children:
                entry = head._replace(span=Span(head.span.start, end), children=tuple(children))
                self._open[-1].children.append(entry)
        else:
            children.sort(key=lambda entry: entry.name_span)
            self._entries.append(head._replace(span=Span(head.span.start, end), children=tuple(children)))

    def _close_all(self) -> None:
        while self._open:
            head, children = self._open[-1]
            self._close(max(head.span.end, children[-1].span.end if children else 0))

    def ended(self) -> list[OutlineItem]:
        """Close all open entries and return the tree."""
        self._close_all()
        return self._entries
