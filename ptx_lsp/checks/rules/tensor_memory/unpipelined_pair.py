"""W847 unpipelined-pair."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.descriptors.packed_operands import packed_operands
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.async_paths import Arrival, Verdict
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.meeting_accesses import Meeting
from ptx_lsp.analysis.synchronization.path_values import PathValues
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.isa.vocabulary.rare_words import PipelinedPair
from ptx_lsp.process_cache import memoized
from ptx_lsp.stepwise import first
from ptx_lsp.syntax.tree import OperandKind

RULE = warning("W847")
_KIND = "tensor-work"
_WORDS = 2
"""So many words of an opcode name an instruction."""
_SHAPE = ("m", "n")
"""The fields of the instruction descriptor with the shape."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
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
    writes, or is another instruction and writes it too: a `tcgen05.cp` into the accumulator of a `tcgen05.mma`. Two
    products with one accumulator are reported if their shapes are known and differ. A write of what an earlier one
    still reads is not reported: libraries rely on the order in which the hardware executes both. Not reported in
    functions, in kernels that call functions which may take part, and in bodies without `ret` or `exit`. PTX ISA,
    "tcgen05 memory consistency model".
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    hazards = flow.asynchronous.of(_KIND)
    work = hazards.work.operations
    reads, writes = (Meeting(kernel, Verb.WRITES, verb) for verb in (Verb.READS, Verb.WRITES))
    shapes = _Shapes(flow)
    of_addresses: dict[tuple[int, int], bool] = {}
    """Whether an instruction reads Tensor Memory by an address, by its node and statement."""

    def may_meet(operation: Step, use: Step) -> bool:
        if operation is use:
            return False
        pairs = _pairs(operation.opcode, use.opcode)
        if not all(pair.same for pair in pairs):
            return False
        if not pairs:
            return True
        key = use.node, use.statement
        if key not in of_addresses:
            of_addresses[key] = _reads_memory(kernel, use)
        return of_addresses[key] or shapes.differ(operation, use)

    def is_met(operation: Step, arrival: Arrival, values: PathValues) -> bool:
        use = arrival.use
        if use is None:
            return False
        if not _pairs(operation.opcode, use.opcode):
            if _is_alike(operation, use):
                return reads.is_met(operation, arrival, values)
            return reads.is_met(operation, arrival, values) or writes.is_met(operation, arrival, values)
        distance = _distance(kernel, operation, use, values)
        if distance == 0:
            return shapes.differ(operation, use)
        return distance is not None and reads.is_met(operation, arrival, values)

    hazard = yield from first(hazards.accessing(work, may_meet, lambda *_: Verdict.FOUND, is_met))
    if hazard is not None:
        context = kernel.context(hazard.use)
        name = "".join(hazard.operation.opcode[:2])
        message = f"accesses what the '{name}'{HERE} in flight writes; they may be executed in any order"
        beside = RelatedPlace(hazard.operation.place, "this operation may still be in flight")
        yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message).related_to(beside))


@memoized(1 << 10)
def _pairs(first: tuple[str, ...], then: tuple[str, ...]) -> tuple[PipelinedPair, ...]:
    """The rows of the table that are about instructions with two opcodes."""
    return tuple(pair for pair in catalogue().vocabulary.rare.pipelined_pairs if pair.is_of(first, then))


def _is_alike(one: Step, other: Step) -> bool:
    """Whether two instructions do the same; libraries rely on the order of two copies to one place."""
    return one.opcode[:_WORDS] == other.opcode[:_WORDS]


def _reads_memory(kernel: Kernel, step: Step) -> bool:
    """Whether an instruction reads Tensor Memory by an address."""
    operands = [kernel.operand(step, role) for role in kernel.facts.roles(step, Verb.READS)]
    return any(one is not None and one.kind is OperandKind.ADDRESS for one in operands)


def _distance(kernel: Kernel, first: Step, then: Step, values: PathValues) -> int | None:
    """The distance between the results of two products on a path; None if it is not known."""
    operands = [
        next((kernel.operand(step, role) for role in kernel.facts.roles(step, Verb.WRITES)), None)
        for step in (first, then)
    ]
    if operands[0] is None or operands[1] is None:
        return None
    return values.at_end(then, operands[1]).distance(values.at_start(operands[0]))


class _Shapes:
    """The shapes of the products of a function, as far as their descriptors are known."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._last: dict[str, object] = {}
        self._known: dict[tuple[int, int], dict[str, object]] = {}

    def differ(self, one: Step, other: Step) -> bool:
        """Whether two shapes differ for sure."""
        first, second = self._of(one), self._of(other)
        return first is not second and any(key in second and second[key] != value for key, value in first.items())

    def _of(self, step: Step) -> dict[str, object]:
        key = (step.node, step.statement)
        if key not in self._known:
            context = self._flow.kernel.context(step)
            found: dict[str, object] = {
                name: value
                for packed in packed_operands(context)
                if any(row.key in _SHAPE for row in packed.layout.rows)
                for name, value in self._flow.packed.read(context, packed).proved.meanings.items()
                if name in _SHAPE
            }
            # Most products of a function have one shape: the same object, so that no two of them are compared.
            self._last = self._known[key] = self._last if found == self._last else found
        return self._known[key]
