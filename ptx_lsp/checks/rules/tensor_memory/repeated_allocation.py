"""W842 repeated-allocation."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.isa.model.ordering import Verb

RULE = warning("W842")
_WARP = 32


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A `tcgen05.alloc` that all warps of a CTA execute.

    Each execution by a warp is an allocation of its own. All of them write their address to the same place, so that
    only the last one is known and freed; together they may need more columns than there are, and then block forever.

    ```ptx
    //- module
    .version 8.6
    .target sm_100a
    .address_size 64
    .visible .entry kernel() .reqntid 128
    {
        .reg .b32 %r<2>;
        .shared .align 4 .b32 where;
        tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [where], 128;
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[W842]: all 4 warps allocate; only one warp of a CTA must execute this
        tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
        bar.sync 0;
        ld.shared.b32 %r1, [where];
        tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 128;
        ret;
    }
    ```

    **Right:** a branch to which only one warp comes, such as `setp.ge.u32 %p1, %tid.x, 32; @%p1 bra ALLOCATED;`, around
    the allocation, and the same around `tcgen05.dealloc`.

    ---

    Reported if `.reqntid` shows that there are several warps, and no branch or guard is around the allocation. PTX ISA,
    "tcgen05.alloc".
    """  # noqa: E501 (a caret line carries its message)
    kernel = flow.kernel
    allocations = kernel.facts.steps(Verb.ALLOCATES)
    if not allocations or not kernel.is_known:
        return
    sizes = kernel.head().get(".reqntid", ())
    threads = prod(int(word) for word in sizes) if sizes and all(word.isdecimal() for word in sizes) else 0
    if threads <= _WARP:
        return
    for step in allocations:
        if not step.guarded and kernel.graph.postdominance.dominates(step.node, 0):
            context = kernel.context(step)
            message = f"all {threads // _WARP} warps allocate; only one warp of a CTA must execute this"
            yield PlacedFinding(step.place, RULE.at(context.opcode_span(), message))
            return
