"""Document symbols: functions with their parameters, registers, variables, labels and blocks."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Generator, Sequence
from itertools import groupby, zip_longest

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.semantics.text_sections import TextSection, finding_sections
from ptx_lsp.analysis.structure.roles import name_of, role_of
from ptx_lsp.analysis.symbols.symbols import SymbolKind
from ptx_lsp.features.outline.events import OutlineEvent, events
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import run_to_completion
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
INLINE = "inline assembly"
"""The detail of the entry of a short block of inline assembly, which has no entries of its own."""
_MOST_REGISTERS = 40
"""So many declarations of registers in a row have an entry each."""
_MOST_VARIABLES = 12
"""So many variables of the module in a row have an entry each."""
_MOST_INLINE = 40
"""So many statements has a short block, with its braces."""
MOST_LINES = 200_000
"""The maximum number of lines of a document whose function contents are listed; clients ask again after each edit."""

MOST_DEPTH = 100
"""The maximum nesting depth of blocks, since clients traverse the tree by recursion. Symbols of deeper blocks are
listed in the deepest block."""


def outline(module: Module) -> list[OutlineItem]:
    """Return the document symbols in text order, function-local symbols nested in their function.

    A block in a function is listed if it declares something; a short one of inline assembly, or that a compiler wrote,
    only if it has a label, and as one entry. Of a document with more than :data:`MOST_LINES` lines only the module's
    own names are listed.
    """
    return run_to_completion(_outline(module))


def _outline(module: Module) -> Generator[None, None, list[OutlineItem]]:
    tree = _Tree(module.document.line_count <= MOST_LINES, is_generated=module.header.is_generated)
    base = statements = 0
    for chunk, following in zip_longest(module.document.chunks, module.document.chunks[1:]):
        for event in events(module, chunk, following):
            tree.add(event, base, statements)
        base += chunk.length
        statements += len(chunk.kinds)
        yield
    return tree.ended()


def outline_with_loops(semantics: Semantics) -> Generator[None, None, list[OutlineItem]]:
    """Return :func:`outline` with the loops as entries, and labels with the block that they begin as their extent.

    It is made in steps, of some milliseconds for each function. This is what breadcrumbs and sticky lines show around
    the cursor. A loop that a pair of braces crosses is left out.
    """
    found = yield from _outline(semantics.module)
    found = _with_grouped_variables(found)
    if semantics.module.document.line_count > MOST_LINES:
        return found
    by_name = {function.symbol.place: function for function in semantics.module.functions if function.symbol}
    by_start = {semantics.module.positions.span_of(place).start: function for place, function in by_name.items()}
    items = []
    for one in found:
        items.append((yield from _with_sections(semantics, one, by_start.get(one.name_span.start))))
        yield
    return items


def _with_sections(
    semantics: Semantics, item: OutlineItem, function: Function | None
) -> Generator[None, None, OutlineItem]:
    if function is None:
        return item
    inside = yield from finding_sections(semantics, function)
    named = _named(semantics, item.children)
    if not inside:
        return item._replace(children=tuple(named))
    yield
    return item._replace(children=tuple((yield from _nested(named, inside))))


def _named(semantics: Semantics, items: Sequence[OutlineItem]) -> Sequence[OutlineItem]:
    """Name blocks in braces by the first instruction in them that has a role, else by their first instruction."""
    if all(item.kind is not None for item in items):
        return items
    found = []
    for item in items:
        if item.kind is None:
            opcode, address = _main_opcode(semantics.module, item.span)
            name = f"{{ {opcode} }}" if opcode else item.name
            if item.detail == INLINE and opcode:
                name = f"{opcode} {address}" if address else opcode
            item = item._replace(name=name, children=tuple(_named(semantics, item.children)))
        found.append(item)
    return found


def _main_opcode(module: Module, span: Span) -> tuple[str, str]:
    """The instruction by which readers know a block, and its first address: what it waits for, computes or copies."""
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
            address = _ADDRESS.search(chunk.part(index))
            return name_of(shape), address[0] if address else ""
        first = first or name_of(shape)
    return first, ""


_ADDRESS = re.compile(r"\[[^][]*\]")


_MOST_SEARCHED = 40
"""The maximum number of statements of a block that are looked at for its name."""


_UNCOUNTED = "loop"
"""The title of a loop of which no counter is known."""


def _nested(items: Sequence[OutlineItem], inside: Sequence[TextSection]) -> Generator[None, None, list[OutlineItem]]:
    """Put items into the loops and labelled blocks around them, which are in the order of the text."""
    blocks = {one.span.start: one for one in inside if one.loop is None}
    loops = [one for one in inside if one.loop is not None]
    whole = {one.span for one in loops if one.label}
    of_blocks = {one.span for one in blocks.values()}
    starts = [one.span.start for one in inside]
    entries: list[tuple[Span, OutlineItem]] = []
    taken: set[Span] = set()
    for number, item in enumerate(items):
        if not number % _STEP:
            yield
        block = blocks.get(item.name_span.start) if item.kind is SymbolKind.LABEL else None
        if block is not None and block.span in whole:
            continue  # a loop of one block, which names it
        if block is not None:
            detail = block.summary if block.is_reachable else f"unreachable, {block.summary}"
            item = item._replace(span=block.span, detail=detail)
        elif item.kind is SymbolKind.LABEL and item.name.startswith("$"):
            continue  # only debug information names it
        elif item.kind is None:
            first, last = bisect_left(starts, item.span.start), bisect_right(starts, item.span.end)
            within = [one for one in inside[first:last] if one.span.end <= item.span.end]
            if item.detail != INLINE:
                item = item._replace(children=tuple((yield from _nested(item.children, within))))
            taken.update(one.span for one in within)
        entries.append((item.span, item))
    for number, loop in enumerate(loops):
        if not number % _STEP:
            yield
        if loop.span in taken:
            continue
        detail = f"{loop.label} · {loop.summary}" if loop.label else loop.summary
        title = loop.title
        if loop.label and loop.span in of_blocks:
            # Its label has no entry of its own: by its name one looks for it.
            title, detail = f"{title} {'' if title == _UNCOUNTED else '· '}{loop.label}", loop.summary
        entries.append((loop.span, OutlineItem(title, None, detail, loop.span, loop.label_span)))
    entries.sort(key=lambda entry: (entry[0].start, -entry[0].end, entry[1].kind is not None))
    return (yield from _tree(entries))


_STEP = 1000
"""So many entries take some milliseconds."""


def _tree(entries: list[tuple[Span, OutlineItem]]) -> Generator[None, None, list[OutlineItem]]:
    """Nest sorted entries; one that is not whole in the one before it gets no children of it, and none of its own."""
    roots: list[OutlineItem] = []
    around: list[tuple[OutlineItem, list[OutlineItem]]] = []

    def close() -> None:
        item, children = around.pop()
        target = around[-1][1] if around else roots
        target.append(item._replace(children=(*item.children, *children)) if children else item)

    for number, (span, item) in enumerate(entries):
        if not number % _STEP:
            yield
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


def _grouped(items: Sequence[OutlineItem]) -> tuple[OutlineItem, ...]:
    """Put many registers in a row into one entry: who declares each by itself has hundreds before the first block."""
    found: list[OutlineItem] = []
    for is_register, run in groupby(items, key=lambda one: one.kind is SymbolKind.REGISTER):
        alike = list(run)
        if is_register and len(alike) > _MOST_REGISTERS:
            first, last = alike[0], alike[-1]
            span = Span(first.span.start, max(one.span.end for one in alike))
            title, detail = f"{first.name} … {last.name}", f"{len(alike):,} registers"
            alike = [OutlineItem(title, SymbolKind.REGISTER, detail, span, first.name_span, tuple(alike))]
        found += alike
    return tuple(found)


def _with_grouped_variables(items: Sequence[OutlineItem]) -> list[OutlineItem]:
    """Put many variables of a module in a row into one entry: headers of C++ declare dozens before the first kernel."""
    found: list[OutlineItem] = []
    for is_variable, run in groupby(items, key=lambda one: one.kind is SymbolKind.VARIABLE):
        alike = list(run)
        if is_variable and len(alike) > _MOST_VARIABLES:
            span = Span(alike[0].span.start, max(one.span.end for one in alike))
            title = f"{len(alike):,} variables"
            alike = [OutlineItem(title, SymbolKind.VARIABLE, "", span, alike[0].name_span, tuple(alike))]
        found += alike
    return found


class _Open(NamedTuple):
    """A function or block whose end has not been reached."""

    head: OutlineItem
    children: list[OutlineItem]
    inline_at: int = -1
    """The number of the statement with which inline assembly begins; -1 for other blocks and functions."""


class _Tree:
    """A builder that nests the events of the chunks into the open functions and blocks."""

    def __init__(self, with_children: bool, *, is_generated: bool = False) -> None:
        self._entries: list[OutlineItem] = []
        self._with_children = with_children
        self._is_generated = is_generated
        self._open: list[_Open] = []
        self._in_body = False

    def add(self, event: OutlineEvent, base: int, statements: int) -> None:
        """Add an event of a chunk that begins at the offset ``base``, after so many statements."""
        kind, start, end, names, number, is_inline = event
        span = Span(start + base, end + base)
        if kind == Kind.OPEN:
            if self._open and self._in_body:
                children = [] if len(self._open) <= MOST_DEPTH else self._open[-1].children
                inline_at = statements + number if is_inline or self._is_generated else -1
                self._open.append(_Open(OutlineItem(BLOCK, None, "", span, span), children, inline_at))
            self._in_body = bool(self._open)
        elif kind == Kind.CLOSE:
            if self._open and self._in_body:
                inline_at = self._open[-1].inline_at
                self._close(span.end, 0 <= statements + number - inline_at < _MOST_INLINE and inline_at >= 0)
        elif kind in HEADS and not (kind == Kind.FORWARD and self._in_body):
            self._close_all()
            self._function(names, span, base)
        else:
            is_whole = kind in (Kind.VARIABLE, Kind.REGISTERS)
            if kind == Kind.LABEL and not self._in_body:
                return  # of the debug sections
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

    def _close(self, end: int, is_short_inline: bool = False) -> None:
        """Close the innermost open entry at the offset ``end``."""
        head, children, _ = self._open.pop()
        self._in_body = bool(self._open)
        if is_short_inline and children is not self._open[-1].children:
            if any(one.kind in (SymbolKind.LABEL, None) for one in children):
                self._open[-1].children.append(head._replace(span=Span(head.span.start, end), detail=INLINE))
        elif head.kind is None:
            if children and children is not self._open[-1].children:
                entry = head._replace(span=Span(head.span.start, end), children=tuple(children))
                self._open[-1].children.append(entry)
        else:
            children.sort(key=lambda entry: entry.name_span)
            self._entries.append(head._replace(span=Span(head.span.start, end), children=_grouped(children)))

    def _close_all(self) -> None:
        while self._open:
            head, children, _ = self._open[-1]
            self._close(max(head.span.end, children[-1].span.end if children else 0))

    def ended(self) -> list[OutlineItem]:
        """Close all open entries and return the tree."""
        self._close_all()
        return self._entries
