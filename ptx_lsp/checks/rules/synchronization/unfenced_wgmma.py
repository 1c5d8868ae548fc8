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
from ptx_lsp.analysis.synchronization.operation_registers import (
    COPIES_OF_REGISTERS,
    factors_of,
    product_registers,
    results_of,
)
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.insertion import insert_before
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.stepwise import collected, first

RULE = warning("W803")
_FENCE = (Verb.FENCES, "products")
_STATEMENT = "wgmma.fence.sync.aligned;"
_SHAPE = ".shape"
"""The place of the shape in the forms of products."""
_WRITERS_BETWEEN_PAUSES = 64
_PRODUCTS_BETWEEN_PAUSES = 64


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A `wgmma.mma_async` with no `wgmma.fence` before it, or none after other accesses to its registers.

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

    Products of one shape may accumulate in the same registers without a fence between them. Products of two shapes may
    not:

    ```ptx
    //- sm_90a ptx 8.0
    wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, %rd2, 0, 1, 1, 0, 0;
    wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%f0, %f1, %f2, %f3}, %rd3, %rd4, 1, 1, 1;
    // <--- warning[W803]: no 'wgmma.fence' after the product of another shape (line 8), which accesses '%f0' too
    // ptxas: accepts it
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
    if some path leads to the `wgmma` without a fence from the start of the kernel; from an instruction that writes one
    of its registers, such as the scaling of the accumulators in a loop whose only fence stands before it; from a
    product of another shape that has one of its accumulators; or from any product that writes what it reads as A, or
    reads as A what it writes. A `mov` is ignored, because compilers put them anywhere. Not reported in functions, in
    kernels that call functions which may take part, and in bodies without `ret` or `exit`. PTX ISA, "wgmma.fence".
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
        return
    yield from _after_other_product(kernel, products)


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
    writers = yield from collected(_writers(kernel, registers, known))

    def judge(step: Step, arrival: Arrival) -> Verdict:
        use = arrival.use
        if use is None or use not in known:
            return Verdict.ENDS if use is not None and results_of(step) <= results_of(use) else Verdict.PASS
        return Verdict.FOUND if results_of(step) & product_registers(kernel, use) else Verdict.PASS

    hazards = AsyncHazards(kernel, work_until(writers, kernel.facts.steps(Verb.FENCES, "products")))
    found = hazards.touching(lambda step: results_of(step) & registers, COPIES_OF_REGISTERS, judge)
    return (yield from first(found))


def _after_other_product(kernel: Kernel, products: list[Step]) -> Iterator[PlacedFinding | None]:
    """The first product that follows one of another shape, or with another use of a register, without a fence."""
    shapes: dict[tuple[int, int], str | None] = {}
    for number, step in enumerate(products):
        if not number % _PRODUCTS_BETWEEN_PAUSES:
            yield None
        shapes[step.node, step.statement] = _shape(kernel, step)
    written = frozenset[str]().union(*map(results_of, products))
    factors = frozenset[str]().union(*(factors_of(kernel, step) for step in products))
    if len({*shapes.values()}) < 2 and written.isdisjoint(factors):
        return

    def shared(operation: Step, use: Step) -> frozenset[str]:
        """The registers that two products access, and for which their order is not given."""
        results, others = results_of(operation), results_of(use)
        crossed = results & factors_of(kernel, use) | factors_of(kernel, operation) & others
        one, other = (shapes[step.node, step.statement] for step in (operation, use))
        return crossed | results & others if one and other and one != other else crossed

    hazards = AsyncHazards(kernel, work_until(products, kernel.facts.steps(Verb.FENCES, "products")))
    hazard = yield from first(hazards.accessing(products, lambda *both: bool(shared(*both)), lambda *_: Verdict.FOUND))
    if hazard is not None:
        context = kernel.context(hazard.use)
        register = name_of(min(shared(hazard.operation, hazard.use)))
        one, other = (shapes[step.node, step.statement] for step in (hazard.operation, hazard.use))
        which = "product" if one == other else "product of another shape"
        message = f"no 'wgmma.fence' after the {which}{HERE}, which accesses '{register}' too"
        places = (RelatedPlace(hazard.operation.place, f"'{register}' is accessed here"),)
        fixes = (insert_before(context, _STATEMENT),)
        yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message, fixes=fixes).related_to(*places))


def _shape(kernel: Kernel, product: Step) -> str | None:
    """The shape of a product: a word of its opcode."""
    match = kernel.context(product).match
    place = match.form.slot_numbers.get(_SHAPE) if match is not None else None
    return None if match is None or place is None else match.values[place]


def _writers(kernel: Kernel, registers: frozenset[str], products: frozenset[Step]) -> Iterator[Step | None]:
    """The instructions other than products that compute the value of a register of some; None is a pause."""
    for node, written in enumerate(kernel.graph.written):
        statements = set[int]()
        for name in registers & written.keys():
            statements.update(kernel.steps.mentions(node, name))
            yield None  # the whole text of the node was searched
        for number, at in enumerate(sorted(statements), 1):
            if not number % _WRITERS_BETWEEN_PAUSES:
                yield None
            step = kernel.steps.at(node, at)
            is_other = step not in products and step.opcode[0] not in COPIES_OF_REGISTERS
            if is_other and not registers.isdisjoint(results_of(step)):
                yield step
