"""W811 kept-alloc-permit."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.checks.support.finding import PlacedFinding, information
from ptx_lsp.checks.support.insertion import insert_after
from ptx_lsp.isa.model.ordering import Verb

RULE = information("W811")
_STATEMENT = "tcgen05.relinquish_alloc_permit{}.sync.aligned;"


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A kernel that allocates Tensor Memory and never relinquishes the permit to allocate more.

    As long as a CTA holds the permit, the `tcgen05.alloc` of another CTA on the same multiprocessor can block until
    this one ends.

    ```ptx
    //- sm_100a ptx 8.6
    .shared .align 4 .b32 where;
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [where], 128;
    // <--- information[W811]: no 'tcgen05.relinquish_alloc_permit' follows; it lets other CTAs allocate
    bar.sync 0;
    ld.shared.b32 %r1, [where];
    tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 128;
    ret;
    ```

    **Right:** after the last `tcgen05.alloc`, `tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;`

    **Fixes offered:** insert it.

    ---

    Not reported if `tcgen05.dealloc` is missing too. Not reported in functions, in kernels that call functions which
    may take part, and in bodies without `ret` or `exit`.
    """
    kernel = flow.kernel
    facts = kernel.facts
    if not kernel.is_known or facts.steps(Verb.RELINQUISHES) or not facts.steps(Verb.FREES):
        return
    allocations = facts.steps(Verb.ALLOCATES)
    if not allocations:
        return
    last = allocations[-1]
    context = kernel.context(last)
    group = next((word for word in last.opcode if word.startswith(".cta_group")), ".cta_group::1")
    fixes = (insert_after(context, _STATEMENT.format(group)),)
    message = "no 'tcgen05.relinquish_alloc_permit' follows; it lets other CTAs allocate"
    yield PlacedFinding(last.place, RULE.at(context.opcode_span(), message, fixes=fixes))
