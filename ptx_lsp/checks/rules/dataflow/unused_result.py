"""W622 unused-result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.control_flow_graph import BasicBlock
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import SymbolKind
from ptx_lsp.checks.support.deletion import deletion
from ptx_lsp.checks.support.finding import Finding, PlacedFinding, hint
from ptx_lsp.diagnostic import Fix, Tag
from ptx_lsp.text import Span

RULE = hint("W622")


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """An instruction that does nothing but write registers that nothing reads.

    They are not read at all, or written again before.

    ```ptx
    //- sm_80 ptx 7.0 flow
    mov.u32 %r1, %tid.x;
    mul.lo.u32 %r2, %r1, 12;
    // <--- hint[W622]
    // ptxas: accepts it
    mul.lo.u32 %r2, %r1, 16;
    st.shared.u32 [%r2], %r1;
    ret;
    ```

    **Right:** without the line, or with its result used.

    **Fixes offered:** remove the instruction.

    ---

    Silent are instructions that do more than write registers: that set the carry flag, store, call, synchronise, or
    exchange values with other threads; `ld.volatile` and the other loads that count as such; loads of the result of a
    call; what has a further result that is read; and modules with `.target …, debug`, which are not optimised.
    """
    graph = flow.graph
    if not graph.is_whole or "debug" in flow.module.header.options:
        return
    unreachable = [node.number for node in graph.nodes if node.number not in graph.reachable]
    # What only unreachable code reads is a consequence of that mistake.
    excused = frozenset().union(*(flow.sets.exposed[number] for number in unreachable))
    for number in sorted(graph.reachable):
        node = graph.nodes[number]
        for statement in _useless(flow, node, excused):
            context = StatementContext(flow.module, flow.function, node.chunk, statement)
            if not _takes_result_of_call(context):
                yield PlacedFinding(context.place, _finding(context))


def _useless(flow: Flow, node: BasicBlock, excused: frozenset[str]) -> list[int]:
    """The statements of a node all results of which are never read."""
    piece = node.piece
    dead = Counter(piece.overwritten)
    for name, statement in piece.unread.items():
        register = flow.graph.registers.key(name, node.scope)
        if register in excused or flow.liveness.is_live_after(node, register):
            continue
        if flow.graph.registers.declaration(register, node.scope) is not None:
            dead[statement] += 1
    found = []
    for statement, count in dead.items():
        effect = flow.graph.effects.of(node.chunk, statement)
        if effect.results_only and count == len(effect.writes):
            found.append(statement)
    return sorted(found)


def _takes_result_of_call(context: StatementContext) -> bool:
    """Whether this is ``ld.param.b32 r, [result]``: compilers read results that they do not need, too."""
    return any(symbol.kind is SymbolKind.VARIABLE and symbol.space == ".param" for symbol in context.symbols.values())


def _finding(context: StatementContext) -> Finding:
    tree = context.instruction
    assert tree is not None
    written = context.match.writes if context.match is not None else ()
    results = [operand for operand, writes in zip(tree.operands, written, strict=False) if writes]
    first = context.statement.lead
    span = Span(first, len(context.statement.text.rstrip()))
    names = " and ".join(f"'{context.text_of(operand)}'" for operand in results)
    fixes = (Fix("remove the instruction", (deletion(context.chunk, context.index),)),)
    message = f"nothing reads {names}; the instruction has no effect"
    return RULE.at(span, message, tags=(Tag.UNNECESSARY,), fixes=fixes)
