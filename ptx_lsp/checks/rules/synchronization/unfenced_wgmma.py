"""W803 unfenced-wgmma."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from ptx_lsp.analysis.dataflow.registers import name_of
from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.async_hazards import AsyncHazard, AsyncHazards
from ptx_lsp.analysis.synchronization.async_paths import Arrival, Verdict
from ptx_lsp.analysis.synchronization.async_work import work_until
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.operation_registers import COPIES_OF_REGISTERS, product_registers, results_of
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.insertion import insert_before
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.stepwise import first

RULE = warning("W803")
_FENCE = (Verb.FENCES, "products")
_STATEMENT = "wgmma.fence.sync.aligned;"


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A `wgmma.mma_async` with no `wgmma.fence` before it, or none after its registers were written.

    The fence orders earlier accesses to the accumulators and to the registers of A. Without it the behaviour is
    undefined: the `wgmma` may use old values of the registers.

    ```ptx
    //- sm_90a ptx 8.0
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, %rd2, 0, 1, 1, 0, 0;
    // <--- warning[W803]: no 'wgmma.fence' before this; it may use old values of its registers
    wgmma.commit_group.sync.aligned;
    wgmma.wait_group.sync.aligned 0;
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_90a ptx 8.0
    wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, %rd2, 0, 1, 1, 0, 0;
    wgmma.commit_group.sync.aligned;
    wgmma.wait_group.sync.aligned 0;
    ret;
    ```

    **Fixes offered:** insert the fence.

    ---

    One fence is enough for consecutive `wgmma.mma_async` of the same shape, even with the same accumulators. Reported
    if some path leads to the `wgmma` without a fence, or from an instruction that writes one of its registers, such as
    the scaling of the accumulators in a loop whose only fence stands before it. A `mov` is ignored, because compilers
    put them anywhere. Not reported in functions, in kernels that call functions which may take part, and in bodies
    without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    products = kernel.facts.steps(Verb.STARTS, "products")
    unfenced = next((step for step in products if not kernel.is_before(step, _FENCE)), None)
    if unfenced is None and products:
        unfenced = yield from _unfenced_from_start(kernel, products)
    if unfenced is not None:
        context = kernel.context(unfenced)
        fixes = (insert_before(context, _STATEMENT),)
        message = "no 'wgmma.fence' before this; it may use old values of its registers"
        yield PlacedFinding(unfenced.place, RULE.at(context.opcode_span(), message, fixes=fixes))
        return
    hazard = (yield from _written_after_fence(kernel, products)) if products else None
    if hazard is not None:
        context = kernel.context(hazard.use)
        register = min(results_of(hazard.operation) & product_registers(kernel, hazard.use))
        message = f"no 'wgmma.fence' after '{name_of(register)}' was written{HERE}; this may use its old value"
        places = (RelatedPlace(hazard.operation.place, f"'{name_of(register)}' is written here"),)
        fixes = (insert_before(context, _STATEMENT),)
        yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message, fixes=fixes).related_to(*places))


def _unfenced_from_start(kernel: Kernel, products: list[Step]) -> Generator[None, None, Step | None]:
    """The first product to which some path from the start of the kernel leads without a fence."""
    start = products[0]._replace(node=0, statement=-1, guarded=False)  # before the first statement
    hazards = AsyncHazards(kernel, work_until([start], kernel.facts.steps(Verb.FENCES, "products")))
    found = yield from first(hazards.accessing(products, lambda *_: True, lambda *_: Verdict.FOUND))
    return None if found is None else found.use


def _written_after_fence(kernel: Kernel, products: list[Step]) -> Generator[None, None, AsyncHazard | None]:
    """The first product that follows a write of one of its registers without a fence between the two."""
    known = frozenset(products)
    registers = frozenset[str]().union(*(product_registers(kernel, step) for step in products))
    writers = [
        step
        for node, written in enumerate(kernel.graph.written)
        for step in _naming(kernel, node, registers & written.keys())
        if step not in known and step.opcode[0] not in COPIES_OF_REGISTERS and registers & results_of(step)
    ]

    def judge(step: Step, arrival: Arrival) -> Verdict:
        use = arrival.use
        if use is None or use not in known:
            return Verdict.ENDS if use is not None and results_of(step) <= results_of(use) else Verdict.PASS
        return Verdict.FOUND if results_of(step) & product_registers(kernel, use) else Verdict.PASS

    hazards = AsyncHazards(kernel, work_until(writers, kernel.facts.steps(Verb.FENCES, "products")))
    found = hazards.touching(lambda step: results_of(step) & registers, COPIES_OF_REGISTERS, judge)
    return (yield from first(found))


def _naming(kernel: Kernel, node: int, registers: frozenset[str]) -> list[Step]:
    """The instructions of a node that name some registers."""
    statements = {at for name in registers for at in kernel.steps.mentions(node, name)}
    return [kernel.steps.at(node, at) for at in sorted(statements)]
