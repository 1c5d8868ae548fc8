"""W822 unpaired-cluster-barrier."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.checks.support.insertion import insert_after, insert_before
from ptx_lsp.isa.model.ordering import CLUSTER, Verb

RULE = warning("W822")
_HALVES = {Verb.ARRIVES: "barrier.cluster.arrive;", Verb.WAITS: "barrier.cluster.wait;"}
"""The statements of the two halves."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A kernel with `barrier.cluster.arrive` and no `barrier.cluster.wait`, or the other way round.

    An arrive alone neither blocks nor orders memory accesses; a wait without an arrive never returns, or returns at
    once.

    ```ptx
    //- sm_90 ptx 8.0
    barrier.cluster.arrive.aligned;
    // <--- warning[W822]: 'barrier.cluster.arrive' without 'barrier.cluster.wait' in this kernel
    ld.shared::cluster.b32 %r2, [%r1];
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_90 ptx 8.0
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
    ld.shared::cluster.b32 %r2, [%r1];
    ret;
    ```

    **Fixes offered:** insert the missing one.

    ---

    One of each anywhere in the kernel is enough for this rule. Not reported in functions, in kernels that call
    functions which may take part, and in bodies without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not any(kernel.facts.has(verb, CLUSTER) for verb in _HALVES) or not kernel.is_known:
        return
    for own, other in ((Verb.ARRIVES, Verb.WAITS), (Verb.WAITS, Verb.ARRIVES)):
        if kernel.facts.steps(other, CLUSTER):
            continue
        for step in kernel.facts.steps(own, CLUSTER):
            context = kernel.context(step)
            ending = ".aligned" if ".aligned" in step.opcode else ""
            insert = insert_after if other is Verb.WAITS else insert_before
            name, missing = _HALVES[own][:-1], _HALVES[other][:-1]
            message = f"'{name}' without '{missing}' in this kernel"
            fixes = (insert(context, f"{missing}{ending};"),)
            yield PlacedFinding(step.place, RULE.at(context.opcode_span(), message, fixes=fixes))
            return
