"""Registers that live at once, against the textbook's way: statement by statement, until nothing changes."""

from __future__ import annotations

import pytest

from benchmarks import kept
from ptx_lsp.analysis.dataflow.control_flow_graph import BasicBlock
from ptx_lsp.analysis.dataflow.effects import words
from ptx_lsp.analysis.dataflow.register_pressure import pressure
from ptx_lsp.analysis.dataflow.registers import name_of
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.document import Document

_SMALL = 600
"""Statements of a function that is looked at."""


def most_live(flow: Flow) -> int:
    """The most registers of 32 bits that live at once, found slowly."""
    graph = flow.graph
    types = catalogue().vocabulary.types

    def weight(register: str, node: BasicBlock) -> int:
        symbol = node.scope.lookup(name_of(register))
        if symbol is None or symbol.space != ".reg" or symbol.type == ".pred":
            return 0
        return -(-types[symbol.type].bits * (symbol.vector or 1) // 32)

    def before(node: BasicBlock, live: set[str], seen: list[set[str]]) -> set[str]:
        for index in range(node.piece.end - 1, node.piece.start - 1, -1):
            effect = graph.effects.of(node.chunk, index)
            names = [graph.registers.key(word, node.scope) for word in words(node.chunk.part(index))]
            written = {names[at] for at in effect.writes}
            seen.append(live | written)
            live = (live if effect.guarded else live - written) | {names[at] for at in (*effect.reads, *effect.updates)}
            seen.append(live)
        return live

    live: list[set[str]] = [set() for _ in graph.nodes]
    seen: dict[int, list[set[str]]] = {}
    changed = True
    while changed:
        changed = False
        for node in reversed(graph.nodes):
            seen[node.number] = []
            after = set().union(*(live[number] for number in node.successors))
            found = before(node, after, seen[node.number])
            changed |= found != live[node.number]
            live[node.number] = found
    reached = [node for node in graph.nodes if node.number in graph.reachable]
    return max((sum(weight(one, node) for one in each) for node in reached for each in seen[node.number]), default=0)


@pytest.mark.parametrize("name", ["calls.sm_75.unoptimised.ptx", "atomics.sm_80.plain.ptx"])
def test_real_functions(name: str) -> None:
    module = Module(Document(kept.read(name)))
    semantics = Semantics(module)
    small = [one for one in module.functions if one.has_body and sum(map(len, one.chunks)) <= _SMALL]
    assert len(small) > 5
    for function in small:
        flow = semantics.flow(function)
        assert pressure(flow.sets).registers == most_live(flow), function.symbol


def test_the_place_is_that_of_an_instruction() -> None:
    text = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k() {\n.reg .b32 a;\nL:\nadd.u32 a, a, 1;\nret;\n}\n"
    semantics = Semantics(Module(Document(text)))
    function = semantics.module.functions[-1]
    found = pressure(semantics.flow(function).sets)
    assert found.place is not None
    assert found.place.chunk.part(found.place.statement).strip() == "add.u32 a, a, 1;"
