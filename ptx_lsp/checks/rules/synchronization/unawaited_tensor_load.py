"""W813 unawaited-tensor-load."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import partial

from ptx_lsp.analysis.dataflow.registers import name_of
from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.async_hazards import AsyncHazard
from ptx_lsp.analysis.synchronization.async_paths import Arrival, Verdict
from ptx_lsp.analysis.synchronization.before_and_after import LeadingTo
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.meeting_accesses import Meeting
from ptx_lsp.analysis.synchronization.operation_registers import COPIES_OF_REGISTERS, finding_readers, results_of
from ptx_lsp.analysis.synchronization.path_values import PathValues
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.insertion import insert_after, insert_before
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.stepwise import first

RULE = warning("W813")
_WAIT = (Verb.WAITS, "tensor-loads")
_STATEMENT = "tcgen05.wait::ld.sync.aligned;"
_WRITERS = ("tensor-stores", "tensor-work")
"""The kinds of work that write Tensor Memory."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A `tcgen05.ld` without a wait for it, or whose registers are overwritten before the wait.

    The load is asynchronous. Until `tcgen05.wait::ld` it is not ordered with other accesses: what it reads must not be
    overwritten, its memory must not be freed, and a register that it writes must not be written by anything else.

    ```ptx
    //- sm_100a ptx 8.6
    tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1, %r2}, [%r3];
    add.s32 %r1, %r4, 1;
    // <--- warning[W813]: a 'tcgen05.ld' (line 7) in flight writes '%r1' as well; add 'tcgen05.wait::ld' before this
    tcgen05.wait::ld.sync.aligned;
    st.global.v2.b32 [%rd1], {%r1, %r2};
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_100a ptx 8.6
    tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1, %r2}, [%r3];
    tcgen05.wait::ld.sync.aligned;
    st.global.v2.b32 [%rd1], {%r1, %r2};
    add.s32 %r1, %r4, 1;
    ret;
    ```

    **Fixes offered:** insert the wait.

    ---

    An instruction that reads the registers is no mistake, and waits for the load: a true register dependency is
    respected (PTX ISA, memory consistency model of tcgen05). Triton and the CuTe DSL rely on it. Paths are followed
    through branches and loops, up to the first read or wait; a `mov` to the register is ignored, because compilers put
    them anywhere. A store, a matrix product or `tcgen05.dealloc` is reported if it concerns the address of the load and
    the registers are read later. Not reported in functions, in kernels that call functions which may take part, and in
    bodies without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    missing = [step for step in kernel.facts.steps(Verb.STARTS, "tensor-loads") if not kernel.is_after(step, _WAIT)]
    if missing:
        missing = yield from _finding_unread(kernel, missing)
    if missing:
        context = kernel.context(missing[-1])
        message = "no 'tcgen05.wait::ld' follows this load"
        fixes = (insert_after(context, _STATEMENT),)
        yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message, fixes=fixes))
        return
    meets = Meeting(kernel, Verb.READS, Verb.WRITES)
    overwriting = [step for kind in _WRITERS for step in kernel.facts.steps(Verb.STARTS, kind)]
    freeing = frozenset(kernel.facts.steps(Verb.FREES))

    def is_the_same(operation: Step, arrival: Arrival, values: PathValues) -> bool:
        use, results = arrival.use, results_of(operation)
        if use is None or results & results_of(use):
            return use is not None
        if use not in freeing and not meets.is_met(operation, arrival, values):
            return False
        # A load whose results nothing reads any more does no harm.
        return any(results.intersection(one.reads) for one in kernel.steps.after(use))

    others = frozenset(overwriting) | freeing
    judge = partial(_judge, others)
    hazards = flow.asynchronous.of("tensor-loads")
    hazard = yield from first(hazards.touching(results_of, frozenset(), judge, [*overwriting, *freeing], is_the_same))
    if hazard is not None:
        shared = [name for name in results_of(hazard.use) if name in results_of(hazard.operation)]
        what = "may still read what this overwrites"
        if shared:
            what = f"writes '{name_of(min(shared))}' as well"
        elif hazard.use in freeing:
            what = "may still read what this frees"
        yield _finding(kernel, hazard, f"a 'tcgen05.ld'{HERE} in flight {what}; add 'tcgen05.wait::ld' before this")


def _finding(kernel: Kernel, hazard: AsyncHazard, message: str) -> PlacedFinding:
    context = kernel.context(hazard.use)
    fixes = (insert_before(context, _STATEMENT),)
    places = [RelatedPlace(hazard.operation.place, "this load may still be in flight")]
    waits = [step for step in kernel.facts.steps(*_WAIT) if kernel.leads(hazard.use, step)]
    places += [RelatedPlace(step.place, "this wait comes too late") for step in waits[:1]]
    return PlacedFinding(context.place, RULE.at(context.opcode_span(), message, fixes=fixes).related_to(*places))


def _finding_unread(kernel: Kernel, loads: list[Step]) -> Generator[None, None, list[Step]]:
    """The loads of which no later instruction reads a register, and thereby waits for them."""
    registers = frozenset[str]().union(*map(results_of, loads))
    readers = yield from finding_readers(kernel.steps, registers)
    reading = {name: LeadingTo(kernel.graph, steps) for name, steps in readers.items()}
    return [step for step in loads if not any(step in reading[name] for name in results_of(step) & reading.keys())]


def _judge(others: frozenset[Step], step: Step, arrival: Arrival) -> Verdict:
    """A read of a result waits for the load; another write of one does not, nor does a write of what it reads."""
    use, results = arrival.use, results_of(step)
    if use is None or results.intersection(use.reads):
        return Verdict.ENDS
    is_write = use.opcode[0] not in COPIES_OF_REGISTERS and bool(results & results_of(use))
    return Verdict.FOUND if is_write or use in others else Verdict.PASS
