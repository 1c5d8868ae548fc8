"""W810 unfreed-tensor-memory."""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import pairwise

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.symbolic.cta_values import is_same_for_cta
from ptx_lsp.analysis.synchronization.async_hazards import AsyncHazards
from ptx_lsp.analysis.synchronization.async_paths import Arrival, Verdict
from ptx_lsp.analysis.synchronization.async_work import work_until
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.path_values import PathValues
from ptx_lsp.analysis.synchronization.wait_results import Edge
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.stepwise import first

RULE = warning("W810")
_LEFT = -1
"""In the place of a node after one in which the kernel ends."""
_MOST_VALUES = 2_000
"""So many instructions are evaluated for the conditions of branches."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """Tensor Memory that a kernel allocates and never deallocates.

    All allocated columns must be deallocated before the kernel exits. Otherwise they can stay allocated, and the next
    allocation on that multiprocessor blocks forever or the kernel is aborted.

    ```ptx
    //- sm_100a ptx 8.6
    .shared .align 4 .b32 where;
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [where], 128;
    // <--- warning[W810]: no 'tcgen05.dealloc' in this kernel; the columns stay allocated
    tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
    ret;
    ```

    A branch that all threads of a CTA take together, such as an early end for CTAs without work, must not lead past
    all of them either:

    ```ptx
    //- sm_100a ptx 8.6
    .shared .align 4 .b32 where;
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [where], 128;
    tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
    ld.shared.b32 %r1, [where];
    mov.u32 %r2, %ctaid.x;
    setp.ge.u32 %p1, %r2, 100;
    @%p1 bra DONE;
    //   ^^^ warning[W810]: this way leads past every 'tcgen05.dealloc'; the columns (line 8) stay allocated
    tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 128;
    DONE:
    ret;
    ```

    **Right:** before `ret`, where all ways meet:
    `ld.shared.b32 %r1, [where]; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 128;`

    ---

    One `tcgen05.dealloc` is enough for this rule on each way: another warp may deallocate the columns. Of branches only
    those are reported that every way to a `tcgen05.dealloc` passes, outside of loops, if the condition is computed from
    parameters and the place of the CTA in the grid. Not reported in functions, in kernels that call functions which may
    take part, and in bodies without `ret` or `exit`.
    """
    kernel = flow.kernel
    allocations, frees = kernel.facts.steps(Verb.ALLOCATES), kernel.facts.steps(Verb.FREES)
    if not allocations or not kernel.is_known:
        return
    if not frees:
        message = "no 'tcgen05.dealloc' in this kernel; the columns stay allocated"
        step = allocations[0]
        yield PlacedFinding(step.place, RULE.at(kernel.context(step).opcode_span(), message))
        return
    edges = dict(_early_exits(kernel, allocations, frees))
    if not edges:
        return

    def judge(_: Step, arrival: Arrival) -> Verdict:
        return Verdict.FOUND if _passed(arrival, edges) is not None else Verdict.PASS

    hazard = yield from first(AsyncHazards(kernel, work_until(allocations, frees)).leaving(judge))
    taken = None if hazard is None else _passed(hazard.arrival, edges)
    if hazard is None or taken is None:
        return
    branch = edges[taken]
    context = kernel.context(branch)
    message = f"this way leads past every 'tcgen05.dealloc'; the columns{HERE} stay allocated"
    beside = (
        RelatedPlace(hazard.operation.place, "the columns are allocated here"),
        RelatedPlace(frees[0].place, "other ways deallocate them"),
    )
    yield PlacedFinding(branch.place, RULE.at(context.opcode_span(), message).related_to(*beside))


def _early_exits(kernel: Kernel, allocations: list[Step], frees: list[Step]) -> Iterator[tuple[Edge, Step]]:
    """The edges that a whole CTA takes, after an allocation, and from which no way leads to a deallocation."""
    graph, leads, branches = kernel.graph, kernel.graph.reachability.leads, kernel.path_values.branches
    ends = {step.node for step in frees}
    values = PathValues(kernel.steps, branches, _MOST_VALUES, None)
    node = graph.dominance.immediate(frees[0].node)
    while node is not None:
        branch = branches.of(node)
        if branch is not None and _decides(kernel, node, allocations, ends):
            value = values.register_at(-1, branch.step, branch.register)
            if is_same_for_cta(value, values.unknowns):
                ways = [_LEFT] if branch.is_exit else graph.nodes[node].successors
                for way in ways:
                    if way == _LEFT or (way not in ends and not any(leads(way, end) for end in ends)):
                        yield (node, way), branch.step
        node = graph.dominance.immediate(node)


def _decides(kernel: Kernel, node: int, allocations: list[Step], ends: set[int]) -> bool:
    """Whether a node outside of loops lies between an allocation and all deallocations, and on each way to these."""
    graph, leads = kernel.graph, kernel.graph.reachability.leads
    if leads(node, node) or not any(step.node == node or leads(step.node, node) for step in allocations):
        return False
    return all(graph.dominance.dominates(node, end) and not leads(end, node) for end in ends)


def _passed(arrival: Arrival, edges: Container[Edge]) -> Edge | None:
    """The first of some edges on a path to an end of the kernel."""
    nodes = [segment.node for segment in arrival.trace()]
    return next((edge for edge in pairwise((*nodes, _LEFT)) if edge in edges), None)
