"""W630 weak-polling."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.effects import Control
from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.ordering_facts import possible_facts
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.checks.support.mismatches import would_do
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.model.ordering import TIME, Verb
from ptx_lsp.stepwise import chosen, first
from ptx_lsp.syntax.shape import SHAPES

RULE = warning("W630")
_LONGEST = 24
"""Instructions of a loop that does nothing but wait."""
_MOST_BRANCHES = 3
_STRONG = frozenset({".volatile", ".relaxed", ".acquire", ".mmio"})
_LOADING = frozenset({(Verb.READS, "")})
_HARMLESS = _LOADING | {(Verb.WAITS, TIME)}
"""The facts of what such a loop may have beside computations and jumps."""
_SPACES = frozenset({".param", ".param::entry", ".param::func", ".const", ".local", ".nc"})


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A loop that waits for a value in memory with a load that need not see it.

    A weak load may be executed once, before the loop, and may be served by a cache that never sees the store of another
    thread. The loop then never ends.

    ```ptx
    //- sm_80 ptx 7.0 flow
        ld.param.u64 %rd1, [parameter];
    WAIT:
        ld.global.u32 %r1, [%rd1];
    //  ^^^^^^^^^^^^^ warning[W630]: this loop waits for a value in memory, and the load is weak
    // ptxas: accepts it
        setp.eq.u32 %p1, %r1, 0;
        @%p1 bra WAIT;
        ret;
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 flow
        ld.param.u64 %rd1, [parameter];
    WAIT:
        ld.acquire.gpu.global.u32 %r1, [%rd1];
        setp.eq.u32 %p1, %r1, 0;
        @%p1 bra WAIT;
        ret;
    ```

    **Fixes offered:** `.acquire.gpu`.

    ---

    Reported for loops that store nothing and wait for no barrier, if the address is the same in each iteration and
    nothing else decides when the loop ends. `.relaxed` sees the value too, but not what the other thread wrote before.
    Manual: memory consistency model, "Strong operations".
    """
    loading = chosen(_only_loads, flow.full_opcodes)
    if (yield from first(loading)) is None or not flow.graph.is_whole:
        return
    for node in flow.graph.nodes:
        for start in node.successors:
            if start <= node.number < start + _LONGEST and node.number in flow.graph.reachable:
                yield None  # loops that begin at one node can be many
                step = _polling(flow, range(start, node.number + 1))
                if step is not None:
                    context = flow.steps.context(step)
                    message = "this loop waits for a value in memory, and the load is weak"
                    opcode = "".join(
                        (step.opcode[0], ".acquire.gpu", *(one for one in step.opcode[1:] if one != ".weak"))
                    )
                    edit = Edit(context.opcode_span(), opcode)
                    fixes = (Fix(f"write '{opcode}'", (edit,)),) if would_do(context, edit) else ()
                    yield PlacedFinding(step.place, RULE.at(context.opcode_span(), message, fixes=fixes))


def _only_loads(opcode: tuple[str, ...]) -> bool:
    return possible_facts(opcode) == _LOADING


def _polling(flow: Flow, nodes: range) -> Step | None:
    """The load of a loop that does nothing but wait for it; None if it does something else."""
    graph = flow.graph
    if len({graph.nodes[number].straight for number in nodes}) > _MOST_BRANCHES:
        return None
    if sum(graph.nodes[number].piece.end - graph.nodes[number].piece.start for number in nodes) > _LONGEST:
        return None
    if not _may_poll(graph, nodes):
        return None
    steps = [step for number in nodes for step in flow.steps.of(number)]
    loads = [step for step in steps if _only_loads(step.opcode)]
    if len(loads) != 1 or not all(_is_harmless(flow, step) for step in steps):
        return None
    load = loads[0]
    if not _STRONG.isdisjoint(load.opcode) or not _SPACES.isdisjoint(load.opcode) or load.guarded or load.updates:
        return None
    written = {register for step in steps for register in (*step.writes, *step.updates)}
    if not written.isdisjoint(load.reads):
        return None
    changing = set(load.writes)
    for step in steps:
        if step is load or _jumps(flow, step):
            continue
        if not written.isdisjoint(step.reads) and changing.isdisjoint(step.reads):
            return None  # something else changes from one iteration to the next
        if any(register in written and register not in changing for register in step.reads):
            return None
        if not changing.isdisjoint(step.reads):
            changing.update(step.writes)
    branches = [step for step in steps if step.guarded and _jumps(flow, step)]
    if not branches or any(step.reads[0] not in changing for step in branches):
        return None
    return load


def _may_poll(graph: Graph, nodes: range) -> bool:
    """Whether the opcodes of a loop are those of one load and of what no other thread can see."""
    loads = 0
    for number in nodes:
        node = graph.nodes[number]
        for shape in node.chunk.shapes[node.piece.start : node.piece.end]:
            facts = possible_facts(SHAPES[shape].opcode)
            loads += facts == _LOADING
            if loads > 1 or not facts <= _HARMLESS:
                return False
    return loads == 1


def _jumps(flow: Flow, step: Step) -> bool:
    return flow.graph.effects.of(step.chunk, step.statement).control is Control.JUMP


def _is_harmless(flow: Flow, step: Step) -> bool:
    """Whether an instruction does nothing that another thread could see, and waits for none."""
    facts = possible_facts(step.opcode)
    if facts:
        return facts <= _HARMLESS
    return _jumps(flow, step) or flow.graph.effects.of(step.chunk, step.statement).results_only
