"""W843 undefined-accumulator."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.async_paths import PathsFromStart
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.path_values import PathValues
from ptx_lsp.checks.support.finding import PlacedFinding, warning
from ptx_lsp.isa.model.ordering import Verb

RULE = warning("W843")
_WARP = 32
_MOST_WARPS = 32
_ENABLE = "enable-input-d"


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """The first `tcgen05.mma` of a kernel adds to an accumulator that nothing has written.

    Tensor Memory is not zero after `tcgen05.alloc`; it holds what an earlier kernel left. The first product must
    overwrite the accumulator: its predicate `enable-input-d` is false.

    ```ptx
    //- sm_100a ptx 8.6
    .shared .align 8 .b64 done;
    .shared .align 4 .b32 where;
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [where], 128;
    tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
    mbarrier.init.shared::cta.b64 [done], 1;
    bar.sync 0;
    ld.shared.b32 %r1, [where];
    setp.eq.u32 %p1, 0, 0;
    tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;
    //                                                         ^^^ warning[W843]: the first product adds to columns that nothing has written; this must be false for it
    tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [done];
    WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p2, [done], 0;
    @!%p2 bra WAIT;
    tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 128;
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_100a ptx 8.6
    .shared .align 8 .b64 done;
    .shared .align 4 .b32 where;
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [where], 128;
    tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
    mbarrier.init.shared::cta.b64 [done], 1;
    bar.sync 0;
    ld.shared.b32 %r1, [where];
    setp.ne.u32 %p1, 0, 0;
    tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;
    tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [done];
    WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p2, [done], 0;
    @!%p2 bra WAIT;
    tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 128;
    ret;
    ```

    ---

    Reported if the predicate is known on a path of the first thread of a warp from the start of the kernel, nothing on
    it writes Tensor Memory, the kernel allocates Tensor Memory and has no `tcgen05.st`, and all other products come
    later. Not reported in functions, in kernels that call functions which may take part, and in bodies without `ret` or
    `exit`. PTX ISA, "tcgen05.mma".
    """  # noqa: E501 (a caret line carries its message)
    kernel = flow.kernel
    work = kernel.facts.steps(Verb.STARTS, "tensor-work")
    products = [step for step in work if kernel.operand(step, _ENABLE) is not None]
    if not products or not kernel.is_known or kernel.facts.has(Verb.STARTS, "tensor-stores"):
        return
    if not kernel.facts.steps(Verb.ALLOCATES):
        return
    step = _first_of_all(kernel, products, work)
    operand = None if step is None else kernel.operand(step, _ENABLE)
    if step is not None and operand is not None and _accumulates_first(kernel, step, work):
        context = kernel.context(step)
        message = "the first product adds to columns that nothing has written; this must be false for it"
        yield PlacedFinding(step.place, RULE.at(context.operand_span(operand), message))


def _first_of_all(kernel: Kernel, products: list[Step], work: list[Step]) -> Step | None:
    """The first product that leads to all other work; those of one loop lead to the same."""
    earliest = work[0]
    for step in work:
        if step is not earliest and not kernel.leads(earliest, step):
            earliest = step
    alike = (
        one for one in products if one is earliest or (kernel.leads(one, earliest) and kernel.leads(earliest, one))
    )
    found = next(alike, None)
    if found is None or any(one is not found and not kernel.leads(found, one) for one in work):
        return None
    return found


def _accumulates_first(kernel: Kernel, step: Step, work: list[Step]) -> bool:
    """Whether the first thread of some warp has a path from the start to a product that adds, with no other work."""
    operand = kernel.operand(step, _ENABLE)
    if operand is None:
        return False
    if any(one.node == step.node and one.statement < step.statement for one in work):
        return False
    before = {one.node for one in work}
    paths = PathsFromStart(kernel.graph).several(step)
    free = [path for path in paths if before.isdisjoint(segment.node for segment in path[:-1])]
    for values in _followed(kernel, step):
        for path in free:
            of_path = values.on_path(step, (), path)
            value = of_path.at_start(operand)
            if not value.terms and value.number and of_path.is_possible():
                return True
    return False


def _followed(kernel: Kernel, step: Step) -> Iterator[PathValues]:
    """The values of the first threads of all warps; if their number is not known, of the first one that may come."""
    yield kernel.path_values
    for warp in range(1, _warps(kernel)):
        yield PathValues(kernel.steps, kernel.path_values.branches, warp=warp)
    first = kernel.threads.values_at(step) if not kernel.head().get(".reqntid") else None
    if first is not None and first is not kernel.path_values:
        yield first


def _warps(kernel: Kernel) -> int:
    """The number of warps of a CTA; 1 if it is not known, or if the CTA is not one row of threads."""
    sizes = kernel.head().get(".reqntid", ())
    if not sizes or not all(word.isdecimal() for word in sizes) or any(int(word) != 1 for word in sizes[1:]):
        return 1
    return min(max(1, -(-int(sizes[0]) // _WARP)), _MOST_WARPS)
