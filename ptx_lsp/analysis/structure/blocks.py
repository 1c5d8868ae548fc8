"""Basic blocks: the nodes of a graph that are executed one after the other, as a reader sees them.

The nodes of the graph end also where a chunk of the text or a brace ends. A block begins with a label, after a jump, or
where control can come from elsewhere.
"""

from __future__ import annotations

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.effects import Control
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.kind import Kind


class NodeRange(NamedTuple):
    """A block as nodes ``[first, last]``, all of one straight line."""

    first: int
    last: int


def blocks_of(graph: Graph) -> list[NodeRange]:
    """The blocks of a graph in the order of the text."""
    found: list[NodeRange] = []
    for node in graph.nodes:
        if node.is_table:
            break
        number = node.number
        is_first = not number or node.chunk.kinds[node.piece.start] == Kind.LABEL or node.predecessors != [number - 1]
        if is_first or graph.nodes[number - 1].piece.control is not Control.ON:
            found.append(NodeRange(number, number))
        else:
            found[-1] = NodeRange(found[-1].first, number)
    return found
