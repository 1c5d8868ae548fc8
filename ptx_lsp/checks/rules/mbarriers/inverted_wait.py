"""W834 inverted-wait."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.barriers import is_wait
from ptx_lsp.analysis.synchronization.branch_guards import is_negated
from ptx_lsp.checks.support.finding import PlacedFinding, RelatedPlace, warning

RULE = warning("W834")


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A loop that repeats an `mbarrier.try_wait` or `test_wait` while its result is true.

    The result is true if the phase is complete. This loop ends as soon as the phase is *not* complete, so the code
    after it uses data that has not come; once the phase is complete it does not end.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 8 .b64 full;
    mbarrier.init.shared::cta.b64 [full], 1;
    mbarrier.arrive.shared::cta.b64 _, [full];
    WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0;
    @%p1 bra WAIT;
    //   ^^^ warning[W834]: repeats the wait while the phase is complete; repeat it while '%p1' is false (line 11)
    ret;
    ```

    **Right:** `@!%p1 bra WAIT;`

    ---

    Reported if nothing but computations on registers is between the wait and the jump, and the jump back is taken
    exactly if the result is true. PTX ISA, "mbarrier.test_wait, mbarrier.try_wait".
    """
    kernel = flow.kernel
    if not kernel.is_complete:
        return
    graph, branches = kernel.graph, kernel.path_values.branches
    for wait in kernel.all("mbarrier.try_wait", "mbarrier.test_wait"):
        node = graph.nodes[wait.node]
        if not is_wait(wait) or wait.guarded or not wait.writes:
            continue
        branch = branches.of(wait.node)
        if branch is None or branch.is_exit:
            continue
        steps = kernel.steps.of(wait.node)
        if any(one.statement < wait.statement and one.opcode[0] not in _COMPUTES for one in steps):
            continue
        truth = _truth(flow, wait, branch.step, branch.register)
        if truth is None:
            continue
        for following in node.successors:
            if _returns_at_once(flow, following, wait.node) and branch.value_on(following) is truth:
                step = branch.step
                if following == branch.next:
                    continue  # the loop continues after the jump: the jump leaves it
                message = "repeats the wait while the phase is complete"
                result = f"'{wait.writes[0]}'" if wait.writes[0] == branch.register else "its result"
                message += f"; repeat it while {result} is false"
                beside = RelatedPlace(wait.place, "the result is true if the phase is complete")
                context = kernel.context(step)
                found = RULE.at(context.opcode_span(), message).related_to(beside)
                yield PlacedFinding(step.place, found)


_COMPUTES = frozenset({"mov", "add", "selp", "setp", "not", "and", "or", "xor"})


def _truth(flow: Flow, wait: Step, branch: Step, register: str) -> bool | None:
    """The value of a predicate when the result of the wait is true; None if it is not the result or its opposite."""
    result, value = wait.writes[0], True
    if register == result:
        later = [one for one in flow.steps.naming(wait.node, result, wait.statement + 1) if result in one.writes]
        return None if later else value
    made = flow.steps.definitions(branch, register)
    if len(made) != 1 or made[0].node != wait.node or made[0].statement < wait.statement or made[0].guarded:
        return None
    if made[0].opcode == ("not", ".pred") and made[0].reads == (result,) and not is_negated(made[0]):
        return not value
    return None


def _returns_at_once(flow: Flow, number: int, target: int) -> bool:
    """Whether a node is another one, or leads only there and does nothing."""
    if number == target:
        return True
    node = flow.graph.nodes[number]
    return node.successors == [target] and all(one.opcode[0] == "bra" for one in flow.steps.of(number))
