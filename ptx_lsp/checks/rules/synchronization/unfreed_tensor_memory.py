"""W810 unfreed-tensor-memory."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.isa.model.ordering import Verb

RULE = warning("W810")


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
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

    **Right:** before `ret`: `ld.shared.b32 %r1, [where]; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 128;`

    ---

    One `tcgen05.dealloc` anywhere in the kernel is enough for this rule: another warp may deallocate the columns. Not
    reported in functions, in kernels that call functions which may take part, and in bodies without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_known or kernel.facts.steps(Verb.FREES):
        return
    for step in kernel.facts.steps(Verb.ALLOCATES):
        message = "no 'tcgen05.dealloc' in this kernel; the columns stay allocated"
        yield PlacedFinding(step.place, RULE.at(kernel.context(step).opcode_span(), message))
        return
