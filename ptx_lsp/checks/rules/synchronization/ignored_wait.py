"""W821 ignored-wait."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.barriers import is_wait
from ptx_lsp.checks.support.finding import PlacedFinding, warning

RULE = warning("W821")


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
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

    Not reported in bodies without `ret` or `exit`.
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
            message = "the result is never read and the phase may be incomplete; loop until it is true"
            yield PlacedFinding(step.place, RULE.at(kernel.context(step).opcode_span(), message))
