"""W850 excessive-allocation."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.async_hazards import AsyncHazards
from ptx_lsp.analysis.synchronization.async_paths import Verdict
from ptx_lsp.analysis.synchronization.async_work import work_until
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.checks.support.finding import PlacedFinding, RelatedPlace, warning
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.stepwise import first

RULE = warning("W850")
_MOST = 16
"""Of kernels with more allocations, or more deallocations, nothing is said."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A `tcgen05.alloc` of more columns than an earlier one, or of more than the earlier ones leave.

    The allocations of a CTA must not grow: CTAs of a multiprocessor that each hold some columns and wait for more could
    block each other forever. Tensor Memory has 512 columns: an allocation of more than are left waits for a
    `tcgen05.dealloc` that never comes.

    ```ptx
    //- sm_100a ptx 8.6
    .shared .align 4 .b32 first;
    .shared .align 4 .b32 second;
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [first], 64;
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [second], 128;
    //                                                                ^^^ warning[W850]: 128 columns after an allocation of 64; allocations of a CTA must not grow (line 9)
    // ptxas: accepts it
    bar.sync 0;
    ld.shared.b32 %r1, [first];
    ld.shared.b32 %r2, [second];
    tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 64;
    tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 128;
    tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
    ret;
    ```

    **Right:** the allocation of 128 columns first, then that of 64.

    ---

    Reported if one path leads from the one to the other and both numbers are known. The columns of two allocations are
    added only if no `tcgen05.dealloc` lies between them. Not reported in functions, in kernels that call functions
    which may take part, and in bodies without `ret` or `exit`. PTX ISA, "tcgen05.alloc".
    """  # noqa: E501 (a caret line carries its message)
    kernel = flow.kernel
    steps = kernel.facts.steps(Verb.ALLOCATES)
    if not steps or not kernel.is_known:
        return
    module = flow.module
    limit = catalogue().vocabulary.limit("columns of tensor memory", module.version, module.target)
    if len(steps) > _MOST or len(kernel.facts.steps(Verb.FREES)) > _MOST:
        return
    columns = {step: count for step in steps if (count := kernel.constant(step, "nCols")) is not None}
    for step, count in columns.items():
        smaller = [one for one, other in columns.items() if other < count]
        full = [one for one, other in columns.items() if other + count > limit and not _is_freed(kernel, one, step)]
        found = (yield from _before(kernel, smaller, step)) or (yield from _before(kernel, full, step))
        if found is None:
            continue
        other = columns[found]
        if other < count:
            message = f"{count} columns after an allocation of {other}; allocations of a CTA must not grow"
        else:
            message = f"{count} columns after {other}, and none freed between; there are {limit} columns"
        operand, context = kernel.operand(step, "nCols"), kernel.context(step)
        span = context.opcode_span() if operand is None else context.operand_span(operand)
        beside = RelatedPlace(found.place, "the earlier allocation")
        yield PlacedFinding(step.place, RULE.at(span, message).related_to(beside))
        return


def _is_freed(kernel: Kernel, first: Step, second: Step) -> bool:
    """Whether columns may be freed between two allocations, by any thread."""
    frees = kernel.facts.steps(Verb.FREES)
    return any(kernel.leads(first, one) and kernel.leads(one, second) for one in frees)


def _before(kernel: Kernel, earlier: list[Step], step: Step) -> Generator[None, None, Step | None]:
    """One of some allocations from which a possible path leads to another."""
    if not earlier:
        return None
    hazards = AsyncHazards(kernel, work_until(earlier, []))
    found = yield from first(hazards.accessing([step], lambda *_: True, lambda *_: Verdict.FOUND))
    return None if found is None else found.operation
