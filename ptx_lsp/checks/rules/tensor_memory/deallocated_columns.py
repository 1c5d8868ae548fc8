"""W841 deallocated-columns."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.checks.support.finding import PlacedFinding, RelatedPlace, warning
from ptx_lsp.isa.model.ordering import Verb

RULE = warning("W841")
_IN_A_STEP = 32


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A `tcgen05.dealloc` of another number of columns than every allocation of the kernel.

    An allocation must be freed as a whole, with its number of columns. What is left over stays allocated, and blocks
    the `tcgen05.alloc` of CTAs that come later; to free more than was allocated is undefined behavior.

    ```ptx
    //- sm_100a ptx 8.6
    .shared .align 4 .b32 where;
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [where], 256;
    tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
    bar.sync 0;
    ld.shared.b32 %r1, [where];
    tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 128;
    //                                                 ^^^ warning[W841]: frees 128 columns, 256 were allocated (line 8)
    ret;
    ```

    **Right:** `tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 256;`

    ---

    Reported if the numbers of all allocations are known. Not reported in functions, in kernels that call functions
    which may take part, and in bodies without `ret` or `exit`. PTX ISA, "tcgen05.dealloc".
    """
    kernel = flow.kernel
    allocations, ends = kernel.facts.steps(Verb.ALLOCATES), kernel.facts.steps(Verb.FREES)
    if not allocations or not ends or not kernel.is_known:
        return
    allocated = set()
    for number, step in enumerate(allocations, 1):
        if not number % _IN_A_STEP:
            yield None
        allocated.add(kernel.constant(step, "nCols"))
    if None in allocated:
        return
    for number, step in enumerate(ends, 1):
        if not number % _IN_A_STEP:
            yield None
        freed, operand = kernel.constant(step, "nCols"), kernel.operand(step, "nCols")
        if freed is None or operand is None or freed in allocated:
            continue
        context = kernel.context(step)
        counts = " or ".join(str(one) for one in sorted(filter(None, allocated)))
        message = f"frees {freed} columns, {counts} were allocated"
        beside = RelatedPlace(allocations[0].place, "the columns are allocated here")
        yield PlacedFinding(step.place, RULE.at(context.operand_span(operand), message).related_to(beside))
