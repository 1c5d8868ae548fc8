"""W625 missing-return."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.calls import read_call
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tree import Instruction
from ptx_lsp.text import Span

RULE = warning("W625")


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A function whose end is reachable without `ret` or `exit`.

    ```ptx
    //- sm_80 ptx 7.0 flow
    mov.u32 %r1, %tid.x;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 ret;
    // <--- warning[W625]: the end of 'kernel' is reachable without 'ret'
    // ptxas: accepts it
    ```

    **Right:** `ret;`

    **Fixes offered:** insert `ret;` at the end.

    ---

    The manual does not define what happens after the last instruction. Not reported if it is a call of a `.noreturn`
    function, and in a body without instructions.
    """
    graph = flow.graph
    if not graph.is_whole or graph.falls_off is None or graph.falls_off not in graph.reachable:
        return
    node = graph.nodes[graph.falls_off]
    if not any(Kind.INSTRUCTION in one.chunk.kinds[one.piece.start : one.piece.end] for one in graph.nodes):
        return
    last = next(
        at
        for at in reversed(range(node.piece.start, node.piece.end))
        if node.chunk.kinds[at] in (Kind.INSTRUCTION, Kind.LABEL) or at == node.piece.start
    )
    context = StatementContext(flow.module, flow.function, node.chunk, last)
    if _never_returns(context):
        return
    text = context.statement.text
    span = Span(context.statement.lead, len(text))
    blanks = text[: span.start].rpartition("\n")[2] if "\n" in text[: span.start] else " "
    before = "\n" + blanks if blanks.strip(" \t") == "" and blanks != " " else " "
    fix = Fix("insert 'ret;'", (Edit(Span(span.end, span.end), f"{before}ret;"),))
    name = flow.function.symbol.name if flow.function.symbol is not None else ""
    yield PlacedFinding(context.place, RULE.at(span, f"the end of '{name}' is reachable without 'ret'", fixes=(fix,)))


def _never_returns(context: StatementContext) -> bool:
    """Whether an instruction calls a function with ``.noreturn``."""
    tree = context.instruction
    call = read_call(tree) if isinstance(tree, Instruction) else None
    if tree is None or call is None or tree.guard is not None:
        return False
    target = context.symbols.get(call.target.name)
    return target is not None and target.signature is not None and target.signature.noreturn
