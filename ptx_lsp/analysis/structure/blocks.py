"""Basic blocks: the nodes of a graph that are executed one after the other, as a reader sees them.

The nodes of the graph end also where a chunk of the text or a brace ends. A block begins with a label, after a jump, or
where control can come from elsewhere. A label of a table, and one that only debug information names (``$L__tmp4``),
begins none unless a jump leads to it.
"""

from __future__ import annotations

from ptx_lsp.analysis.dataflow.control_flow_graph import BasicBlock, Graph
from ptx_lsp.analysis.dataflow.effects import Control
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.documents.nearby import after
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.trivia import trivia_length


class NodeRange(NamedTuple):
    """A block as nodes ``[first, last]``, all of one straight line."""

    first: int
    last: int


def blocks_of(graph: Graph) -> list[NodeRange]:
    """The blocks of a graph in the order of the text."""
    found: list[NodeRange] = []
    is_left_out = False
    for node in graph.nodes:
        if node.is_table:
            break
        number = node.number
        is_label = node.chunk.kinds[node.piece.start] == Kind.LABEL
        is_entered = not number or graph.nodes[number - 1].piece.control is not Control.ON
        is_entered = is_entered or node.predecessors != [number - 1]
        is_first = is_entered or (is_label and not _is_silent(graph, node))
        if is_first:
            # The labels of debug information at the end of a function, after its last jump, are in no block.
            is_end = bool(number) and is_label and not node.predecessors
            is_left_out = is_end and _is_silent(graph, node) and _is_empty(graph, node)
        if is_left_out:
            continue
        found.append(NodeRange(number, number) if is_first else NodeRange(found.pop().first, number))
    return found


def _is_silent(graph: Graph, node: BasicBlock) -> bool:
    """Whether the label at the start of a node is that of a table, or a compiler's name that nothing has to jump to."""
    chunk, at = node.chunk, node.piece.start
    following = next(after(graph.function.chunks, chunk, at, 1), None)
    if following is not None and following[0].kinds[following[1]] in _TABLES:
        return True
    text = chunk.part(at)
    return text.startswith("$", trivia_length(text))


def _is_empty(graph: Graph, node: BasicBlock) -> bool:
    """Whether straight code has no instruction from a node on."""
    for number in range(node.number, len(graph.nodes)):
        one = graph.nodes[number]
        if one.straight != node.straight:
            break
        if Kind.INSTRUCTION in one.chunk.kinds[one.piece.start : one.piece.end]:
            return False
    return True


_TABLES = frozenset({Kind.TARGETS, Kind.PROTOTYPE})
