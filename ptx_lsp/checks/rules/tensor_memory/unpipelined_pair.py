"""W847 unpipelined-pair."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.async_paths import Arrival, Verdict
from ptx_lsp.analysis.synchronization.kernel import Kernel, begins
from ptx_lsp.analysis.synchronization.meeting_accesses import Meeting
from ptx_lsp.analysis.synchronization.path_values import PathValues
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.isa.vocabulary.rare_words import PipelinedPair

RULE = warning("W847")
_KIND = "tensor-work"
_SHAPE = ("m", "n")
"""The fields of the instruction descriptor with the shape."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """Two `tcgen05` instructions that access the same columns of Tensor Memory, may overlap, and have no wait between.

    `tcgen05.mma`, `tcgen05.cp` and `tcgen05.shift` are executed in any order, also if one thread issues them. Only some
    pairs are in order: `ptx-lsp explain "pipelined"` lists them. For all others the first one must be complete:
    `tcgen05.commit`, a wait for its mbarrier, and `tcgen05.fence::after_thread_sync`.

    ```ptx
    //- sm_100a ptx 8.6
    .shared .align 8 .b64 done;
    mbarrier.init.shared::cta.b64 [done], 1;
    tcgen05.cp.cta_group::1.128x256b [%r1], %rd1;
    tcgen05.shift.cta_group::1.down [%r1];
    // <--- warning[W847]: accesses what the 'tcgen05.cp' (line 9) in flight writes; they may be executed in any order
    tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [done];
    WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p2, [done], 0;
    @!%p2 bra WAIT;
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_100a ptx 8.6
    .shared .align 8 .b64 done;
    mbarrier.init.shared::cta.b64 [done], 1;
    tcgen05.cp.cta_group::1.128x256b [%r1], %rd1;
    tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [done];
    WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p2, [done], 0;
    @!%p2 bra WAIT;
    tcgen05.fence::after_thread_sync;
    tcgen05.shift.cta_group::1.down [%r1];
    tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [done];
    NEXT:
    mbarrier.try_wait.parity.shared::cta.b64 %p2, [done], 1;
    @!%p2 bra NEXT;
    ret;
    ```

    ---

    Reported if one path leads from the one to the other, and the second one reads the address that the first one
    writes. Two products with one accumulator are reported if their shapes are known and differ. A write of what an
    earlier one still reads is not reported: libraries rely on the order in which the hardware executes both. Not
    reported in functions, in kernels with calls, and in bodies without `ret` or `exit`. PTX ISA, "tcgen05 memory
    consistency model".
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    hazards = flow.asynchronous.of(_KIND)
    work = hazards.work.operations
    reads, writes = Meeting(kernel, Verb.WRITES, Verb.READS), Meeting(kernel, Verb.WRITES, Verb.WRITES)

    def may_meet(operation: Step, use: Step) -> bool:
        return operation is not use and not _is_pipelined(flow, operation, use)

    def is_met(operation: Step, arrival: Arrival, values: PathValues) -> bool:
        if reads.is_met(operation, arrival, values):
            return True
        is_listed = arrival.use is not None and any(_pairs(operation, arrival.use))
        return is_listed and writes.is_met(operation, arrival, values)

    for hazard in hazards.accessing(work, may_meet, lambda *_: Verdict.FOUND, is_met):
        context = kernel.context(hazard.use)
        name = "".join(hazard.operation.opcode[:2])
        message = f"accesses what the '{name}'{HERE} in flight writes; they may be executed in any order"
        beside = RelatedPlace(hazard.operation.place, "this operation may still be in flight")
        yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message).related_to(beside))
        return


def _pairs(first: Step, then: Step) -> Iterator[PipelinedPair]:
    """The rows of the table that are about two instructions."""
    for pair in catalogue().vocabulary.rare.pipelined_pairs:
        is_qualified = not pair.qualifier or pair.qualifier in then.opcode
        if begins(first, pair.first) and begins(then, pair.then) and is_qualified:
            yield pair


def _is_pipelined(flow: Flow, first: Step, then: Step) -> bool:
    """Whether a pair of instructions is in the table of pairs that are in order, as far as that is known."""
    kernel = flow.kernel
    for pair in _pairs(first, then):
        if "accumulator" in pair.same and not _has_same_accumulator(kernel, first, then):
            continue
        if "shape" in pair.same and _differ_in_shape(flow, first, then):
            continue
        return True
    return False


def _has_same_accumulator(kernel: Kernel, first: Step, then: Step) -> bool:
    """Whether the results of two products may be in the same place."""
    one, other = (
        next((kernel.operand(step, role) for role in kernel.facts.roles(step, Verb.WRITES)), None)
        for step in (first, then)
    )
    if one is None or other is None:
        return True
    values = [kernel.path_values.on_any_path(first, one), kernel.path_values.on_any_path(then, other)]
    if values[0] is None or values[1] is None:
        return True
    return values[0].distance(values[1]) in (None, 0)


def _differ_in_shape(flow: Flow, first: Step, then: Step) -> bool:
    """Whether the shapes of two products are known and differ."""
    shapes = []
    for step in (first, then):
        found: dict[str, object] = {}
        for known in flow.packed.operands(flow.kernel.context(step)):
            found.update({key: value for key, value in known.proved.meanings.items() if key in _SHAPE})
        shapes.append(found)
    one, other = shapes
    return any(key in other and other[key] != value for key, value in one.items())
