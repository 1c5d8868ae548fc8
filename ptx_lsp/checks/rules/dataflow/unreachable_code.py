"""W624 unreachable-code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.effects import Control
from ptx_lsp.analysis.semantics.flow import Flow, only_leaves
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.checks.support.deletion import deletion
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, hint
from ptx_lsp.diagnostic import Fix, Tag
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.text import Span

RULE = hint("W624")
_NODES_BETWEEN_PAUSES = 1024
_STATEMENTS_BETWEEN_PAUSES = 256
_LONGEST = 2048
"""The most statements of one finding: all of them are converted for the editor without a pause."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """Instructions that are never executed.

    ```ptx
    //- sm_80 ptx 7.0 flow
        mov.u32 %r1, %ctaid.x;
        bra STORE;
        mul.lo.u32 %r1, %r1, 4;
    //  ^^^^^^^^^^^^^^^^^^^^^^^ hint[W624]: unreachable: control leaves before (line 8)
    // ptxas: accepts it
    STORE:
        st.shared.u32 [%r1], %r1;
        ret;
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 flow
        mov.u32 %r1, %ctaid.x;
        mul.lo.u32 %r1, %r1, 4;
        st.shared.u32 [%r1], %r1;
        ret;
    ```

    **Fixes offered:** remove the instructions; labels and declarations among them stay.

    ---

    An unreachable `ret`, `exit` or `trap` at the end is not reported.
    """
    if only_leaves(flow):
        return
    graph = flow.graph
    if not graph.is_whole or len(graph.reachable) == len(graph.nodes):
        return
    run: list[tuple[Chunk, int]] = []
    before: Place | None = None
    for node in graph.nodes:
        if not (node.number + 1) % _NODES_BETWEEN_PAUSES:
            yield None
        if node.number in graph.reachable:
            yield from _findings(graph, run, before)
            run = []
            before = Place(node.chunk, node.piece.end - 1, 0)
        else:
            statements = range(node.piece.start, node.piece.end)
            run += [(node.chunk, at) for at in statements if node.chunk.kinds[at] == Kind.INSTRUCTION]
    yield from _findings(graph, run, before)


def ignores_numbers(_: Flow) -> bool:
    """Only the ways of control count."""
    return True


def _findings(graph: Graph, run: list[tuple[Chunk, int]], before: Place | None) -> Iterator[PlacedFinding | None]:
    """One finding for a run of unreachable statements, several for a very long one."""
    for number, (chunk, at) in enumerate(run):
        if not number % _STATEMENTS_BETWEEN_PAUSES:
            yield None
        if graph.effects.of(chunk, at).control is not Control.LEAVE:
            break
    else:
        return
    for first in range(0, len(run), _LONGEST):
        found: list[PlacedFinding] = []
        for chunk, statements in groupby(run[first : first + _LONGEST], itemgetter(0)):
            yield None
            found.append(_of_chunk(graph.function.chunks, chunk, [at for _, at in statements], before))
        yield found[0]._replace(finding=found[0].finding._replace(continued=tuple(found[1:])))


def _of_chunk(chunks: Sequence[Chunk], chunk: Chunk, code: list[int], before: Place | None) -> PlacedFinding:
    starts = chunk.starts()
    start = chunk.statement(code[0]).lead
    end = starts[code[-1]] - starts[code[0]] + len(chunk.part(code[-1]))
    message = "unreachable"
    beside: tuple[RelatedPlace, ...] = ()
    if before is not None:
        message = f"unreachable: control leaves before{HERE}"
        beside = (RelatedPlace(before, "control leaves here"),)
    edits = tuple(deletion(chunks, chunk, at, code[0]) for at in code)
    fixes = (Fix("remove the unreachable instructions", edits),)
    finding = RULE.at(Span(start, end), message, tags=(Tag.UNNECESSARY,), fixes=fixes).related_to(*beside)
    return PlacedFinding(Place(chunk, code[0], 0), finding)
