"""W858 repeated-issue."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.barriers import counts_bytes
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.checks.support.finding import PlacedFinding, hint
from ptx_lsp.isa.model.ordering import Verb

RULE = hint("W858")
_WORK = "tensor-work"


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """An operation of one thread that all threads of the CTA issue: a product, a commit or a bulk copy.

    `tcgen05.mma`, `tcgen05.commit` and bulk copies are issued by one thread for the whole CTA. If all threads issue
    them, a product is added many times over, a commit arrives more often than the mbarrier expects, and a copy
    completes many times the bytes.

    ```ptx
    //- module
    .version 8.6
    .target sm_100a
    .address_size 64
    .visible .entry kernel(.param .u64 matrix) .reqntid 128
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<3>;
        .reg .pred %p<2>;
        .shared .align 8 .b64 done;
        mbarrier.init.shared::cta.b64 [done], 128;
        tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, 0;
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[W858]: all 128 threads issue this; one thread of a CTA is enough
        tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [done];
    WAIT:
        mbarrier.try_wait.parity.shared::cta.b64 %p1, [done], 0;
        @!%p1 bra WAIT;
        ret;
    }
    ```

    **Right:** under the predicate of an `elect.sync` in one warp, or of `setp.eq.u32 %p1, %tid.x, 0;`.

    ---

    Reported for the first such operation, if `.reqntid` shows that there are several threads, no branch or guard is
    around it, and nothing in the address of a copy differs between the first two threads. PTX ISA, "Issue granularity"
    of tcgen05 instructions.
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    sizes = kernel.head().get(".reqntid", ())
    threads = prod(int(word) for word in sizes) if sizes and all(word.isdecimal() for word in sizes) else 0
    if threads <= 1:
        return
    for step in _issued(kernel):
        if not step.guarded and kernel.graph.postdominance.dominates(step.node, 0):
            message = f"all {threads} threads issue this; one thread of a CTA is enough"
            yield PlacedFinding(step.place, RULE.at(kernel.context(step).opcode_span(), message))
            return


def _issued(kernel: Kernel) -> Iterator[Step]:
    """The operations of one thread for a CTA, in the order of their kinds."""
    yield from kernel.facts.steps(Verb.STARTS, _WORK)
    yield from kernel.facts.steps(Verb.COMPLETES, _WORK)
    copies = [*kernel.facts.steps(Verb.STARTS, "bytes"), *kernel.facts.steps(Verb.STARTS, "bulk-copies")]
    yield from (step for step in copies if _is_the_same(kernel, step))


def _is_the_same(kernel: Kernel, copy: Step) -> bool:
    """Whether the operands of a bulk copy are the same for the first two threads."""
    if (Verb.PROXY, "async") not in {(fact.verb, fact.what) for fact in kernel.facts.of(copy)}:
        return False
    tree = kernel.context(copy).instruction
    first = kernel.path_values
    second = first.of_thread(0, 1)
    for operand in () if tree is None else tree.operands:
        values = [one.on_any_path(copy, operand) for one in (first, second)]
        if values[0] is None or values[0] != values[1]:
            return False
    return counts_bytes(copy) or kernel.facts.find(copy, Verb.STARTS, "bulk-copies") is not None
