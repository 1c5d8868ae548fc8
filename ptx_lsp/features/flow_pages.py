"""Pages of one function: its control flow as a picture with a table, and the origin and uses of a value as trees.

Their addresses name a document and a place in it: ``ptx-lsp:/flow/<document>/<line>.<character>.md``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

from ptx_lsp.analysis.cursor.cursor import Cursor, at
from ptx_lsp.analysis.cursor.expressions import ExpressionReader
from ptx_lsp.analysis.references.dependences import Dependence, sources, users
from ptx_lsp.analysis.references.register_writes import is_register, writes_at
from ptx_lsp.analysis.semantics.function_structure import FunctionStructure, TextBlock
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.context import StatementContext

FLOW, ORIGIN, USES = "flow", "origin", "uses"
"""The kinds of pages."""
MOST_BLOCKS = 200
"""The maximum number of blocks of a picture; a larger one cannot be read."""
MOST_LINES = 300
"""The maximum number of lines of a tree."""
_DEEPEST = 24
_LONGEST = 100
_SCHEME = "ptx-lsp"


class FlowPageAddress(NamedTuple):
    """The address of a page."""

    kind: str
    uri: str
    line: int
    """Counted from 0, and so is the character, in the units of the client."""
    character: int

    def __str__(self) -> str:
        """As a URI."""
        return f"{_SCHEME}:/{self.kind}/{quote(self.uri, safe='')}/{self.line}.{self.character}.md"


def address(text: str) -> FlowPageAddress | None:
    """Return the parts of the address of such a page; None for any other address."""
    parts = urlsplit(text)
    kind, _, rest = parts.path.strip("/").partition("/")
    uri, _, place = rest.rpartition("/")
    numbers = place.removesuffix(".md").split(".")
    if parts.scheme != _SCHEME or kind not in (FLOW, ORIGIN, USES) or len(numbers) != 2:
        return None
    if not all(number.isdecimal() and len(number) < 10 for number in numbers):
        return None
    return FlowPageAddress(kind, unquote(uri), int(numbers[0]), int(numbers[1]))


def preparing(semantics: Semantics, offset: int) -> Iterator[None]:
    """Make what the pages of the function around ``offset`` need, in steps of some milliseconds."""
    context = _context(semantics, offset)
    if context is not None and context.function.has_body:
        yield from semantics.flow(context.function).preparing()
        yield from semantics.structuring(context.function)


def page(semantics: Semantics, kind: str, offset: int, uri: str) -> str | None:
    """Return a page as Markdown with links to lines of ``uri``; None if there is nothing to show at ``offset``.

    :func:`preparing` has run.
    """
    context = _context(semantics, offset)
    if context is None or not context.function.has_body:
        return None
    if kind == FLOW:
        structure = semantics.structure(context.function)
        return None if structure is None else _FlowPage(semantics, context, structure, uri).text()
    cursor = at(semantics, offset)
    if cursor is None or not is_register(cursor.context, cursor.symbol):
        return None
    return _TreePage(semantics, cursor, kind == ORIGIN, uri).text()


def _context(semantics: Semantics, offset: int) -> StatementContext | None:
    document = semantics.module.document
    if not document.chunks:
        return None
    number, index, _ = document.locate(max(0, min(offset, document.length)))
    chunk = document.chunks[number]
    return StatementContext(semantics.module, semantics.module.function_of(chunk), chunk, index)


def _link(uri: str, first: int, last: int | None = None) -> str:
    text = f"line {first}" if last in (None, first) else f"lines {first} to {last}"
    return f"[{text}]({uri}#L{first})"


class _FlowPage:
    """The control flow of a function."""

    def __init__(self, semantics: Semantics, context: StatementContext, structure: FunctionStructure, uri: str) -> None:
        self._line_of = semantics.module.positions.line_of
        self._structure = structure
        self._uri = uri
        symbol = context.function.symbol
        self._name = symbol.name if symbol is not None else "function"
        flow = semantics.flow(context.function)
        self._live = [
            flow.liveness.after[node.number].bit_count() if node is not None else 0
            for node in (flow.graph.node_at(block.end.chunk, block.end.statement) for block in structure.blocks)
        ]

    def text(self) -> str:
        """The page."""
        blocks, loops = self._structure.blocks, self._structure.loops
        shown = min(len(blocks), MOST_BLOCKS)
        summary = f"{len(blocks)} block{'s' * (len(blocks) != 1)}, {len(loops)} loop{'s' * (len(loops) != 1)}"
        if shown < len(blocks):
            summary += f"; the first {shown} blocks are shown"
        picture = ["```mermaid", "flowchart TD", *self._picture(shown), "```"]
        rows = ["| block | lines | instructions | live after | from | to |", "|:---|:---|:---|---:|:---|:---|"]
        rows += [self._row(number) for number in range(shown)]
        parts = [f"# Control flow of `{self._name}`", summary, "\n".join(picture), "\n".join(rows), *self._loops()]
        return "\n\n".join(parts) + "\n"

    def _picture(self, shown: int) -> Iterator[str]:
        blocks, loops = self._structure.blocks, self._structure.loops
        inside: dict[int, list[int]] = {}
        for number in range(shown):
            inside.setdefault(blocks[number].loop, []).append(number)
        children: dict[int, list[int]] = {}
        for number, one in enumerate(loops):
            children.setdefault(one.parent, []).append(number)
        waiting = [(-1, False)]
        while waiting:
            loop, is_done = waiting.pop()
            if is_done:
                yield "end"
                continue
            if loop >= 0:
                counter = f" over {loops[loop].counter}" if loops[loop].counter else ""
                yield f'subgraph loop{loop} ["loop{counter}"]'
                waiting.append((loop, True))
            for number in inside.get(loop, ()):
                block = blocks[number]
                counts = ", ".join(f"{count} {role}" for role, count in block.counts)
                lines = f"lines {self._line_of(block.start)} to {self._line_of(block.end)}"
                yield f'b{number}["{"<br/>".join(filter(None, (self._title(number), lines, counts)))}"]'
            waiting += [(inner, False) for inner in reversed(children.get(loop, [])) if loops[inner].header < shown]
        for number in range(shown):
            yield from (f"b{number} --> b{following}" for following in blocks[number].successors if following < shown)
            yield f'click b{number} href "{self._uri}#L{self._line_of(blocks[number].start)}"'
            if not blocks[number].is_reachable:
                yield f"style b{number} stroke-dasharray: 4 4"

    def _title(self, number: int) -> str:
        """The label of a block, else its number, in characters that Mermaid takes."""
        label = self._structure.blocks[number].label
        return label.replace('"', "").replace("$", "#36;") if label else ("entry" if not number else f"block {number}")

    def _row(self, number: int) -> str:
        block = self._structure.blocks[number]
        counts = ", ".join(f"{count} {role}" for role, count in block.counts)
        reach = "" if block.is_reachable else " (unreachable)"
        cells = (
            f"{self._named(number)}{reach}",
            _link(self._uri, self._line_of(block.start), self._line_of(block.end)),
            f"{block.instructions}" + (f": {counts}" if counts else ""),
            str(self._live[number]),
            self._all(block.predecessors),
            self._all(block.successors) or f"`{block.ends}`",
        )
        return "| " + " | ".join(cells) + " |"

    def _all(self, numbers: tuple[int, ...]) -> str:
        return ", ".join(map(self._named, numbers[:8])) + (", …" if len(numbers) > 8 else "")

    def _named(self, number: int) -> str:
        block: TextBlock = self._structure.blocks[number]
        title = f"`{block.label}`" if block.label else ("entry" if not number else f"block {number}")
        return f"[{title}]({self._uri}#L{self._line_of(block.start)})"

    def _loops(self) -> Iterator[str]:
        found = []
        for loop in self._structure.loops[:MOST_BLOCKS]:
            counter = f" over `{loop.counter}`" if loop.counter else ""
            counts = ", ".join(f"{count} {role}" for role, count in loop.counts)
            text = f"{'  ' * (loop.depth - 1)}- loop{counter}: header {self._named(loop.header)}, back from "
            text += f"{self._all(loop.latches)}, {loop.instructions} instructions" + (f": {counts}" if counts else "")
            found.append(text)
        if found:
            yield "## Loops"
            yield "\n".join(found)


class _TreePage:
    """The origin of a value, or its uses, as a tree in which each statement leads on once."""

    def __init__(self, semantics: Semantics, cursor: Cursor, is_origin: bool, uri: str) -> None:
        self._semantics = semantics
        self._cursor = cursor
        self._is_origin = is_origin
        self._uri = uri
        self._reader = ExpressionReader(semantics, cursor.context.function)

    def text(self) -> str:
        """The page."""
        title = "Origin of" if self._is_origin else "Uses of"
        line = self._semantics.module.document.position(self._cursor.span.start)[0] + 1
        lines = [f"# {title} `{self._cursor.word}` in line {line}", ""]
        places = writes_at(self._semantics, self._cursor.context, self._cursor.token) or []
        first = [Dependence(place, self._cursor.word, is_declaration=False) for place in places]
        lines += self._tree(first)
        return "\n".join(lines) + "\n"

    def _tree(self, first: list[Dependence]) -> Iterator[str]:
        seen: set[object] = set()
        waiting = [(one, 0) for one in reversed(first)]
        left = MOST_LINES
        while waiting:
            one, depth = waiting.pop()
            left -= 1
            if left < 0:
                yield f"- … {len(waiting) + 1} more"
                return
            key = (*one.place[:2], one.name)
            is_new = key not in seen
            seen.add(key)
            following = self._following(one) if is_new and depth < _DEEPEST else []
            is_cut = not is_new and not one.is_declaration
            yield f"{'  ' * depth}- {self._line(one)}" + (" (see above)" if is_cut else "")
            waiting += [(inner, depth + 1) for inner in reversed(following)]

    def _following(self, one: Dependence) -> list[Dependence]:
        if one.is_declaration:
            return []
        context = self._context(one)
        if self._is_origin:
            return sources(self._semantics, context) or []
        if one.name.startswith("".join(context.instruction.opcode) if context.instruction else "\0"):
            return []
        return users(self._semantics, context, one.name) or []

    def _line(self, one: Dependence) -> str:
        line = self._semantics.module.positions.line_of(one.place)
        context = self._context(one)
        if one.is_declaration:
            return f"`{one.name}` ({_link(self._uri, line)})"
        text = " ".join(context.statement.text[context.statement.lead :].split())
        text = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
        value = self._reader.register(context, one.name, after=True)
        known = f" = `{value.text}`" if value is not None and value.is_known else ""
        return f"`{text}` ({_link(self._uri, line)}){known}"

    def _context(self, one: Dependence) -> StatementContext:
        context = self._cursor.context
        return StatementContext(context.module, context.function, one.place.chunk, one.place.statement)
