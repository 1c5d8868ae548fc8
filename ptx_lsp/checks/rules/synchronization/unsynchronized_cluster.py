"""W823 unsynchronized-cluster."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.checks.support.finding import PlacedFinding, warning

RULE = warning("W823")


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A kernel that accesses the shared memory of other CTAs and never synchronizes with them.

    Another CTA of the cluster may not have started yet, or may have exited: its shared memory is then not valid. After
    `barrier.cluster` all of them have started; a second one at the end keeps their shared memory valid.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 4 .b32 box;
    mov.u32 %r1, box;
    mapa.shared::cluster.u32 %r2, %r1, 1;
    st.shared::cluster.b32 [%r2], %r3;
    // <--- warning[W823]: no 'barrier.cluster' in this kernel; the other CTA may not be running
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 4 .b32 box;
    mov.u32 %r1, box;
    mapa.shared::cluster.u32 %r2, %r1, 1;
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
    st.shared::cluster.b32 [%r2], %r3;
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
    ret;
    ```

    ---

    Reported if `.reqnctapercluster` shows that there are other CTAs, or if `mapa` has a constant rank other than 0. One
    `barrier.cluster` anywhere in the kernel is enough for this rule, and so is an acquire from other CTAs. Not reported
    in functions, in kernels with calls, and in bodies without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_known or kernel.has("barrier.cluster") or not _has_others(kernel):
        return
    if any(_acquires(step) for step in kernel.all("ld", "atom", "fence", "membar")):
        return
    for step in kernel.all("ld", "st", "atom", "red", "mbarrier"):
        if ".shared::cluster" in step.opcode:
            message = "no 'barrier.cluster' in this kernel; the other CTA may not be running"
            yield PlacedFinding(step.place, RULE.at(kernel.context(step).opcode_span(), message))
            return


_STRONG = frozenset({".acquire", ".acq_rel", ".sc", ".gl", ".sys", ".gpu", ".volatile"})


def _acquires(step: Step) -> bool:
    """Whether an instruction can tell that another CTA has come so far."""
    return not _STRONG.isdisjoint(step.opcode) and ".shared::cluster" not in step.opcode


def _has_others(kernel: Kernel) -> bool:
    """Whether the text shows that the cluster has more than one CTA."""
    if set(kernel.head().get(".reqnctapercluster", ())) - {"1"}:
        return True
    return any(kernel.constant(step, "b") for step in kernel.all("mapa"))
