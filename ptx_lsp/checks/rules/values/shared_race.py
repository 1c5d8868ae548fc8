"""W629 shared-race."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.semantics.thread_facts import ThreadFacts
from ptx_lsp.analysis.statements.accesses import extents
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.tree import OperandKind

if TYPE_CHECKING:
    from ptx_lsp.analysis.symbolic.linear_values import LinearValue
    from ptx_lsp.analysis.symbolic.thread_paths import ThreadPaths

RULE = warning("W629")
_SHORT = 400
"""Functions with more statements are not looked at."""
_MOST = 16
"""So many stores and loads are compared."""
_WARP = 32
_ORDERING = frozenset(
    {"bar", "barrier", "mbarrier", "membar", "fence", "atom", "red", "cp", "call", "wgmma", "tcgen05", "shfl", "vote"}
    | {"match", "redux", "trap", "st.async", "griddepcontrol", "elect", "nanosleep"}
)
"""Whatever may order the accesses of threads."""


class _Access(NamedTuple):
    step: Step
    size: int
    value: LinearValue


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A load from shared memory of what another warp has stored, without a barrier between.

    ```ptx
    //- sm_80 ptx 7.0 module flow
    .visible .entry kernel() .reqntid 128
    {
        .reg .b32 %r<8>;
        .shared .align 4 .b8 line[512];
        mov.u32 %r1, %tid.x;
        mov.u32 %r2, line;
        mad.lo.u32 %r3, %r1, 4, %r2;
        st.shared.u32 [%r3], %r1;
        sub.u32 %r4, 127, %r1;
        mad.lo.u32 %r5, %r4, 4, %r2;
        ld.shared.u32 %r6, [%r5];
    //                     ^^^^^ warning[W629]: thread 0 reads what thread 127 stores (line 12), without a barrier between
    // ptxas: accepts it
        bar.sync 0;
        st.shared.u32 [%r3], %r6;
        ret;
    }
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 module flow
    .visible .entry kernel() .reqntid 128
    {
        .reg .b32 %r<8>;
        .shared .align 4 .b8 line[512];
        mov.u32 %r1, %tid.x;
        mov.u32 %r2, line;
        mad.lo.u32 %r3, %r1, 4, %r2;
        st.shared.u32 [%r3], %r1;
        bar.sync 0;
        sub.u32 %r4, 127, %r1;
        mad.lo.u32 %r5, %r4, 4, %r2;
        ld.shared.u32 %r6, [%r5];
        bar.sync 0;
        st.shared.u32 [%r3], %r6;
        ret;
    }
    ```

    ---

    Reported if `.reqntid` gives more than one warp, both threads execute the accesses for sure, and no way between them
    has anything that could order them. Also reported: a store to what another warp loads before, without a barrier
    between. Functions of up to 400 statements. Manual: memory consistency model, "Data races"; `bar`.
    """  # noqa: E501 (a caret line carries its message)
    facts = flow.derived(ThreadFacts)
    threads = facts.limits.threads()
    if threads is None or threads <= _WARP or facts.limits.required[1:] != (1, 1) or not flow.graph.is_whole:
        return
    if sum(map(len, flow.function.chunks)) > _SHORT or facts.paths is None:
        return
    stores, loads = (_accesses(flow, name) for name in ("st", "ld"))
    pairs = [(one, two) for one in stores for two in loads] + [(one, two) for one in loads for two in stores]
    reported = set()
    for one, two in pairs:
        if two.step in reported or not _meet_without_barrier(flow, one.step, two.step):
            continue
        found = _conflict(flow, facts.paths, one, two, threads)
        if found is not None:
            reported.add(two.step)
            context = flow.steps.context(two.step)
            operand = next(operand for operand, *_ in extents(context) if operand.kind is OperandKind.ADDRESS)
            first, second = found
            if one in stores:
                message = f"thread {second} reads what thread {first} stores{HERE}, without a barrier between"
            else:
                message = f"thread {second} overwrites what thread {first} reads{HERE}, without a barrier between"
            beside = RelatedPlace(one.step.place, "the other access")
            yield PlacedFinding(two.step.place, RULE.at(context.operand_span(operand), message).related_to(beside))


def _accesses(flow: Flow, opcode: str) -> list[_Access]:
    """The plain accesses of shared memory whose addresses are known for each thread."""
    from ptx_lsp.analysis.symbolic.substitution import loops_in
    from ptx_lsp.analysis.symbolic.symbolic_values import width_of

    found: list[_Access] = []
    atoms = flow.expressions.values.atoms
    for step in flow.steps.all(frozenset({opcode})):
        shared = any(word.startswith(".shared") for word in step.opcode)
        if not shared or {".volatile", ".relaxed", ".acquire", ".release", ".async"} & set(step.opcode):
            continue
        context = flow.steps.context(step)
        for operand, size, _ in extents(context):
            base = operand.parts[0] if operand.kind is OperandKind.ADDRESS and len(operand.parts) == 1 else None
            if base is None or base.name < 0 or not size:
                continue
            value = flow.expressions.values.operand(context, operand)
            if value is None:
                continue
            resolved = flow.expressions.resolved(value, width_of(context.visible(context.word(base.name))) or 64)
            if not loops_in(atoms, resolved):
                found.append(_Access(step, size, resolved))
    return found[:_MOST]


def _meet_without_barrier(flow: Flow, one: Step, two: Step) -> bool:
    """Whether every way from one access to the other is free of all that may order threads, and none leads back."""
    graph = flow.graph
    if one.node == two.node and one.statement >= two.statement:
        return False
    after = graph.nodes[two.node].successors
    if any(number == one.node or graph.reachability.leads(number, one.node) for number in after):
        return False
    if one.node == two.node:
        between = [step for step in flow.steps.of(one.node) if one.statement < step.statement < two.statement]
    elif graph.reachability.leads(one.node, two.node):
        between = [step for step in flow.steps.of(one.node) if step.statement > one.statement]
        between += [step for step in flow.steps.of(two.node) if step.statement < two.statement]
        for node in graph.nodes:
            if node.number not in (one.node, two.node) and (
                graph.reachability.leads(one.node, node.number) and graph.reachability.leads(node.number, two.node)
            ):
                between += flow.steps.of(node.number)
    else:
        return False
    return not any(step.opcode[0] in _ORDERING for step in between)


def _conflict(flow: Flow, paths: ThreadPaths, one: _Access, two: _Access, threads: int) -> tuple[int, int] | None:
    """Two threads of different warps that execute the accesses for sure, of the same bytes."""
    from ptx_lsp.analysis.symbolic.substitution import Substitution

    atoms = flow.expressions.values.atoms
    places: dict[int, int] = {}
    terms: tuple[tuple[int, int], ...] | None = None
    for thread in range(threads):
        value = Substitution(atoms, paths.specials(thread)).of(one.value)
        if terms is None:
            terms = value.terms
        if value.terms != terms:
            return None
        for byte in range(one.size):
            places.setdefault(value.number + byte, thread)
    own = None
    for thread in (*range(0, threads, _WARP), threads - 1):
        value = Substitution(atoms, paths.specials(thread)).of(two.value)
        if value.terms != terms or not all(_is_same(flow, token) for token, _ in value.terms):
            return None
        for byte in range(two.size):
            own = places.get(value.number + byte)
            if own is None or own // _WARP == thread // _WARP:
                continue
            if paths.executes(one.step, own) and paths.executes(two.step, thread):
                return own, thread
    return None


def _is_same(flow: Flow, token: int) -> bool:
    """Whether an atom is the same in all threads: the address of a variable."""
    from ptx_lsp.analysis.symbolic.atoms import AtomKind

    return flow.expressions.values.atoms.atom(token).kind is AtomKind.SYMBOL
