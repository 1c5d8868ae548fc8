"""The number of registers that are needed at once.

A virtual register is needed from where it is written to where it is last read. What the assembler makes of it is its
own affair: it computes values again, packs and spills them. The number says where it is pressed, not what it needs.
"""

from __future__ import annotations

from collections.abc import Generator

from ptx_lsp.analysis.dataflow.control_flow_graph import BasicBlock, Graph
from ptx_lsp.analysis.dataflow.effects import words
from ptx_lsp.analysis.dataflow.liveness import Liveness
from ptx_lsp.analysis.dataflow.register_sets import RegisterSets
from ptx_lsp.analysis.symbols.symbols import Place, Scope, Symbol
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import run_to_completion

_WORD = 32
"""Bits of a register of the machine."""
_NODES_IN_A_STEP = 64


class Pressure(NamedTuple):
    """The most registers that live at once."""

    registers: int
    """Of 32 bits; a wider virtual register counts as several, a narrower one, predicates not at all."""
    place: Place | None
    """The first statement where they do; None in a function without any."""


def pressure(sets: RegisterSets) -> Pressure | None:
    """The most registers that live at once in a function; None if that takes too long to find."""
    return run_to_completion(measuring(sets))


def measuring(sets: RegisterSets) -> Generator[None, None, Pressure | None]:
    """The result of :func:`pressure`, found in steps of some milliseconds."""
    weights = yield from _weights(sets)
    liveness = Liveness(sets)
    yield from liveness.solving()
    if not liveness.is_known:
        return None
    best = Pressure(0, None)
    for node in sets.graph.nodes:
        if not node.number % _NODES_IN_A_STEP:
            yield
        if node.number in sets.graph.reachable:
            most, at = _in_node(sets.graph, node, liveness.live_after(node), weights)
            if most > best.registers:
                best = Pressure(most, Place(node.chunk, at, 0))
    return best


def _weights(sets: RegisterSets) -> Generator[None, None, dict[str, int]]:
    """The number of registers of the machine that each register of the function takes."""
    graph = sets.graph
    types = catalogue().vocabulary.types
    found: dict[str, int] = {}
    for node in graph.nodes:
        if not node.number % _NODES_IN_A_STEP:
            yield
        for register in (*sets.exposed[node.number], *sets.written[node.number]):
            if register not in found:
                symbol = graph.registers.declaration(register, node.scope) or _outer(register, node.scope)
                word = types.get(symbol.type) if symbol is not None else None
                if symbol is None or word is None or word.kind == "predicate":
                    found[register] = 0
                else:
                    found[register] = -(-word.bits * (symbol.vector or 1) // _WORD)
    return found


def _outer(register: str, scope: Scope) -> Symbol | None:
    """A register that the body does not declare: a parameter of a function, or one of the module."""
    symbol = scope.lookup(register)
    return symbol if symbol is not None and symbol.space == ".reg" else None


def _in_node(graph: Graph, node: BasicBlock, live: set[str], weights: dict[str, int]) -> tuple[int, int]:
    """The most in one node, and the first statement with so many; ``live`` are those after it."""
    chunk, piece = node.chunk, node.piece
    now = sum(weights.get(register, 0) for register in live)
    most, at = 0, piece.start  # without an instruction it has none of its own: nodes end with chunks, too
    for index in range(piece.end - 1, piece.start - 1, -1):
        effect = graph.effects.of(chunk, index)
        if effect.is_nothing:
            continue
        names = words(chunk.part(index))
        if graph.registers.renames(node.scope):
            names = [graph.registers.key(name, node.scope) for name in names]
        written = {names[place] for place in effect.writes}
        kept = {names[place] for place in (*effect.reads, *effect.updates)}
        during = now + sum(weights.get(register, 0) for register in written.difference(live))
        if not effect.guarded:
            gone = written.intersection(live)
            live -= gone
            now -= sum(weights.get(register, 0) for register in gone)
        added = kept.difference(live)
        live |= added
        now += sum(weights.get(register, 0) for register in added)
        if max(now, during) >= most:
            most, at = max(now, during), index
    return most, at
