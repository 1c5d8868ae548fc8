"""W848 early-access."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, hint
from ptx_lsp.isa.model.ordering import GRIDS, Verb

RULE = hint("W848")
_CONSTANT = ".nc"
"""In an opcode: the author says that nothing writes the memory while the kernel runs."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """An access of global memory before `griddepcontrol.wait`.

    With a programmatic launch the kernel starts while the grid before it still runs. Until `griddepcontrol.wait` its
    results are not visible, and it may still read what this kernel overwrites. Only memory that the other grid does not
    write, such as weights, can be read before.

    ```ptx
    //- sm_90 ptx 8.0
    ld.param.u64 %rd1, [parameter];
    ld.global.b32 %r1, [%rd1];
    // <--- hint[W848]: an access before 'griddepcontrol.wait' (line 10), after which the earlier grid is complete
    griddepcontrol.wait;
    st.global.b32 [%rd1+4], %r1;
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_90 ptx 8.0
    ld.param.u64 %rd1, [parameter];
    griddepcontrol.wait;
    ld.global.b32 %r1, [%rd1];
    st.global.b32 [%rd1+4], %r1;
    ret;
    ```

    ---

    A hint, because the text does not say what the earlier grid writes. The first access in the text is reported, if a
    path leads to it on which no wait is before, and on to a wait. Loads with `.nc` are not reported. PTX ISA,
    "griddepcontrol".
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    waits = kernel.facts.steps(Verb.WAITS, GRIDS)
    if not waits:
        return
    accesses: list[Step] = []
    for verb in (Verb.READS, Verb.WRITES):
        accesses += yield from kernel.facts.finding_global_accesses(verb)
    awaited = _Awaited(kernel.graph, waits)
    for step in sorted(accesses, key=lambda one: (one.node, one.statement)):
        if _CONSTANT in step.opcode or step in awaited:
            continue
        if kernel.is_after(step, (Verb.WAITS, GRIDS)):
            following = next(wait for wait in waits if kernel.leads(step, wait))
            context = kernel.context(step)
            message = f"an access before 'griddepcontrol.wait'{HERE}, after which the earlier grid is complete"
            beside = RelatedPlace(following.place, "the earlier grid is complete after this")
            yield PlacedFinding(step.place, RULE.at(context.opcode_span(), message).related_to(beside))
            return


class _Awaited:
    """The instructions before which one of some waits is on each path from the start."""

    def __init__(self, graph: Graph, waits: list[Step]) -> None:
        self._dominance = graph.dominance
        self._first: dict[int, int] = {}
        """The first of the waits in each node."""
        for wait in waits:
            self._first[wait.node] = min(wait.statement, self._first.get(wait.node, wait.statement))
        self._known: dict[int, bool] = {}
        """Whether a wait is in one of the nodes that dominate a node."""

    def __contains__(self, step: Step) -> bool:
        return self._first.get(step.node, step.statement) < step.statement or self._is_below(step.node)

    def _is_below(self, number: int) -> bool:
        way = []
        found, above = False, number
        while above not in self._known:
            way.append(above)
            upper = self._dominance.immediate(above)
            if upper is None or upper in self._first:
                found = upper is not None
                break
            above = upper
        else:
            found = self._known[above]
        self._known.update(dict.fromkeys(way, found))
        return found
