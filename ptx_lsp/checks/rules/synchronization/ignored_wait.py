"""W821 ignored-wait."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.barriers import is_wait
from ptx_lsp.checks.support.finding import PlacedFinding, warning

RULE = warning("W821", opcodes=frozenset({"mbarrier"}))


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A question whether a phase is complete whose answer nothing reads.

    `mbarrier.try_wait` and `test_wait` do not wait until it is: they answer, and the answer can be "not yet". What
    follows then uses data that has not come.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 8 .b64 full;
    mbarrier.init.shared::cta.b64 [full], 1;
    mbarrier.arrive.shared::cta.b64 _, [full];
    mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0;
    // <--- warning[W821]
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 8 .b64 full;
    mbarrier.init.shared::cta.b64 [full], 1;
    mbarrier.arrive.shared::cta.b64 _, [full];
    WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0;
    @!%p1 bra WAIT;
    ret;
    ```

    ---

    Nothing is said of bodies without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_complete:
        return
    for step in kernel.all("mbarrier.try_wait", "mbarrier.test_wait"):
        answers = frozenset(step.writes)
        if (
            is_wait(step)
            and answers
            and not any(answers.intersection(one.reads + one.updates) for one in kernel.steps.after(step))
        ):
            message = "the answer is not read; the phase may be incomplete: loop until it is true"
            yield PlacedFinding(step.place, RULE.at(kernel.context(step).opcode_span(), message))
