"""W844 cluster-barrier-order."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.checks.support.cluster_barriers import ARRIVE, wrong_order
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.insertion import insert_before
from ptx_lsp.isa.model.ordering import CLUSTER, Verb

RULE = warning("W844")


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """Two `barrier.cluster.arrive` with no wait between, or a `barrier.cluster.wait` with no arrive before.

    A thread arrives once for each phase of the barrier and then waits for it. A second arrive before the wait is
    undefined behavior, and so is a wait without an arrive: the kernel hangs, or CTAs get out of step.

    ```ptx
    //- sm_90 ptx 8.0
    barrier.cluster.arrive.aligned;
    barrier.cluster.arrive.aligned;
    // <--- warning[W844]: a path leads from another 'barrier.cluster.arrive' (line 7) to this one without 'barrier.cluster.wait'
    barrier.cluster.wait.aligned;
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_90 ptx 8.0
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
    ret;
    ```

    **Fixes offered:** insert the missing one.

    ---

    Reported if one path leads from the first to the second, also around a loop. Not reported in functions, in kernels
    that call functions which may take part, and in bodies without `ret` or `exit`; a kernel without any of the one or
    the other is W822. PTX ISA, "barrier.cluster".
    """  # noqa: E501 (a caret line carries its message)
    kernel = flow.kernel
    waits = kernel.facts.steps(Verb.WAITS, CLUSTER)
    if not waits or not kernel.is_known or not kernel.facts.steps(Verb.ARRIVES, CLUSTER):
        return
    found = yield from wrong_order(kernel)
    if found is not None:
        hazard, name, missing = found
        context = kernel.context(hazard.use)
        ending = ".aligned" if ".aligned" in hazard.use.opcode else ""
        message = f"a path leads from another '{name}'{HERE} to this one without '{missing}'"
        if hazard.operation is hazard.use:
            message = f"a loop executes '{name}' again without '{missing}'"
        beside = RelatedPlace(hazard.operation.place, "the one before")
        fixes = (insert_before(context, f"{missing}{ending};"),)
        yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message, fixes=fixes).related_to(beside))
        return
    for step in waits:
        if not kernel.is_before(step, (Verb.ARRIVES, CLUSTER)):
            context = kernel.context(step)
            ending = ".aligned" if ".aligned" in step.opcode else ""
            message = f"no '{ARRIVE[:-1]}' precedes this wait"
            fixes = (insert_before(context, f"{ARRIVE[:-1]}{ending};"),)
            yield PlacedFinding(step.place, RULE.at(context.opcode_span(), message, fixes=fixes))
            return
