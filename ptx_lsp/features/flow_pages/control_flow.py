"""The control flow of a function as a picture with a table."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.function_structure import FunctionStructure, TextBlock
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.features.flow_pages.page_links import line_link
from ptx_lsp.names.demangle import brief_name

_MOST_BLOCKS = 200
"""The maximum number of blocks of a picture; a larger one cannot be read."""


class FlowPage:
    """The control flow of a function."""

    def __init__(self, semantics: Semantics, context: StatementContext, structure: FunctionStructure, uri: str) -> None:
        self._line_of = semantics.module.positions.line_of
        self._structure = structure
        self._uri = uri
        symbol = context.function.symbol
        self._name = brief_name(symbol.name) if symbol is not None else "function"
        flow = semantics.flow(context.function)
        self._live = [
            flow.liveness.after[node.number].bit_count() if node is not None else 0
            for node in (flow.graph.node_at(block.end.chunk, block.end.statement) for block in structure.blocks)
        ]

    def text(self) -> str:
        """The page."""
        blocks, loops = self._structure.blocks, self._structure.loops
        shown = min(len(blocks), _MOST_BLOCKS)
        summary = f"{len(blocks)} block{'s' * (len(blocks) != 1)}, {len(loops)} loop{'s' * (len(loops) != 1)}"
        if shown < len(blocks):
            summary += f"; the first {shown} blocks are shown"
        picture = ["```mermaid", "flowchart TD", *self._picture(shown), "```"]
        rows = ["| block | lines | instructions | live after | from | to |", "|:---|:---|:---|---:|:---|:---|"]
        rows += [self._row(number) for number in range(shown)]
        # The picture comes last: where Mermaid is not rendered, it is some hundred lines of text.
        parts = [f"# Control flow of `{self._name}`", summary, "\n".join(rows), *self._loops(), "\n".join(picture)]
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
            line_link(self._uri, self._line_of(block.start), self._line_of(block.end)),
            f"{block.instructions}" + (f": {counts}" if counts else ""),
            str(self._live[number]),
            self._all(block.predecessors),
            self._all(block.successors) or (f"`{block.ends}`" if block.ends else ""),
        )
        return "| " + " | ".join(cells) + " |"

    def _all(self, numbers: tuple[int, ...]) -> str:
        return ", ".join(map(self._named, numbers[:8])) + (", …" if len(numbers) > 8 else "")

    def _named(self, number: int) -> str:
        block: TextBlock = self._structure.blocks[number]
        title = f"`{block.label}`" if block.label else ("entry" if not number else f"block {number}")
        return f"[{title}]({self._uri}#L{self._line_of(block.start)})"

    def _loops(self) -> Iterator[str]:
        found: list[str] = []
        loops = self._structure.loops
        inner: dict[int, list[int]] = {}
        for number, one in enumerate(loops):
            inner.setdefault(one.parent, []).append(number)
        waiting = inner.get(-1, [])[::-1]
        while waiting and len(found) < _MOST_BLOCKS:
            number = waiting.pop()
            waiting += reversed(inner.get(number, []))
            loop = loops[number]
            counter = f" over `{loop.counter}`" if loop.counter else ""
            counts = ", ".join(f"{count} {role}" for role, count in loop.counts)
            text = f"{'  ' * (loop.depth - 1)}- loop{counter}: header {self._named(loop.header)}, back from "
            text += f"{self._all(loop.latches)}, {loop.instructions} instructions" + (f": {counts}" if counts else "")
            found.append(text)
        if found:
            yield "## Loops"
            yield "\n".join(found)
