"""W821 ignored-wait."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.effects import Control
from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.barriers import barrier
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.memory_locations import ByLocation
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.isa.model.ordering import PHASE, Verb

RULE = warning("W821")
_DEEPEST = 3
"""So many computations with the result are looked through."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """An `mbarrier.try_wait` or `test_wait` whose result no instruction reads.

    They do not block until the phase is complete: `test_wait` returns at once, `try_wait` after a time limit, and the
    predicate can be false. The code after it then uses data that has not arrived.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 8 .b64 full;
    mbarrier.init.shared::cta.b64 [full], 1;
    mbarrier.arrive.shared::cta.b64 _, [full];
    mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0;
    // <--- warning[W821]: the result is never read and the phase may be incomplete; loop until it is true
    ret;
    ```

    **Right:** a loop: `WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0; @!%p1 bra WAIT;`

    ---

    A result that is only copied to registers which no instruction reads, or by which a jump leads to the next
    instruction, is not read either. Not reported if another wait, in a loop, follows that may be for the same mbarrier:
    CUTLASS tries once before it waits. Not reported in bodies without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_complete:
        return
    waits = [step for step in kernel.facts.steps(Verb.WAITS, PHASE) if step.writes]
    ignored: dict[Step, None] = {}
    for step in waits:
        if not any(_matters(kernel, step, answer) for answer in step.writes):
            ignored[step] = None
        yield None
    repeated = ByLocation((barrier(kernel, one), one) for one in waits if one not in ignored) if ignored else None
    for step in ignored:
        yield None
        others = () if repeated is None else repeated.maybe_same(barrier(kernel, step))
        if not any(kernel.leads(step, one) and kernel.leads(one, one) for one in others):
            message = "the result is never read and the phase may be incomplete; loop until it is true"
            yield PlacedFinding(step.place, RULE.at(kernel.context(step).opcode_span(), message))


def _matters(kernel: Kernel, step: Step, answer: str, depth: int = _DEEPEST) -> bool:
    """Whether the value that an instruction writes to a register can have an effect."""
    for user in kernel.steps.after(step):
        if answer not in user.reads and answer not in user.updates:
            continue
        effect = kernel.graph.effects.of(user.chunk, user.statement)
        if effect.control is Control.JUMP and kernel.path_values.branches.of(user.node) is None:
            continue  # it leads to the next instruction in any case
        is_copy = effect.results_only and not user.guarded and user.writes and not user.updates
        if not is_copy or not depth or any(_matters(kernel, user, one, depth - 1) for one in user.writes):
            return True
    return False
