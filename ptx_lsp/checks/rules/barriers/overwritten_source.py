"""W859 overwritten-source."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.async_hazards import AsyncHazard
from ptx_lsp.analysis.synchronization.async_paths import Arrival, Verdict, is_missed_by_wait
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.meeting_accesses import Meeting
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, warning
from ptx_lsp.checks.support.in_flight import operation_and_wait
from ptx_lsp.checks.support.insertion import insert_before
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.stepwise import first

RULE = warning("W859")
_WAITS = {"copies": "cp.async.wait_all;", "bytes": ""}
"""The kinds of copies whose source no other rule looks at, and the statement that waits for them."""
_MOST_READS = 256
"""The paths to so many reads are followed; others end where what was copied might be read."""
_PARTIAL = ("ignore-src", "src-size", "left")
"""The operands of copies that may leave out a part of their source, or all of it."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A write to the source of an asynchronous copy that may still read it.

    The copy reads its source at some time before the wait for it ends. A store before the wait changes what is copied:
    the destination gets the old data, the new data, or some bytes of both.

    ```ptx
    //- sm_80 ptx 7.0
    .shared .align 16 .b8 tile[256];
    cp.async.cg.shared.global [tile], [%rd1], 16;
    st.global.b32 [%rd1+4], %r1;
    // <--- warning[W859]: a copy (line 8) in flight may still read this; wait for it before the write
    // ptxas: accepts it
    cp.async.wait_all;
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0
    .shared .align 16 .b8 tile[256];
    cp.async.cg.shared.global [tile], [%rd1], 16;
    cp.async.wait_all;
    st.global.b32 [%rd1+4], %r1;
    ret;
    ```

    **Fixes offered:** insert `cp.async.wait_all` before the write. Copies that complete on an mbarrier are waited for
    by its phase.

    ---

    Reported for `cp.async`, and for bulk copies that complete on an mbarrier, to the shared memory of another CTA too;
    `W809` has those with bulk groups. One path leads from the copy to the write without a wait, and the first thread of
    the CTA would write what the copy reads: its addresses are computed along the path. Copies that may leave out a part
    of their source (`src-size`, `ignore-src`, `.ignore_oob`) are not looked at. A path ends where what was copied may
    be read: `W801` has that. Not reported in functions, in kernels that call functions which may take part, and in
    bodies without `ret` or `exit`. PTX ISA, "cp.async" and "cp.async.bulk".
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    for kind, statement in _WAITS.items():
        hazard = yield from _overwritten(flow, kind)
        if hazard is not None:
            context = kernel.context(hazard.use)
            message = f"a copy{HERE} in flight may still read this; wait for it before the write"
            fixes = (insert_before(context, statement),) if statement else ()
            places = operation_and_wait(kernel, hazard, "this copy may still be in flight")
            yield PlacedFinding(
                hazard.use.place, RULE.at(context.opcode_span(), message, fixes=fixes).related_to(*places)
            )
            return


def _overwritten(flow: Flow, kind: str) -> Generator[None, None, AsyncHazard | None]:
    """The first write into what a copy of a kind in flight reads."""
    kernel = flow.kernel
    if not kernel.facts.has(Verb.STARTS, kind):
        return None
    hazards = flow.asynchronous.of(kind)
    readers = set()
    for copy in hazards.work.operations:
        yield
        if _reads_source(kernel, copy):
            readers.add(copy)
    if not readers:
        return None
    meets, is_read = Meeting(kernel, Verb.READS, Verb.WRITES), Meeting(kernel, Verb.WRITES, Verb.READS)
    shared = yield from kernel.facts.finding_shared_accesses(Verb.WRITES)
    in_global = yield from kernel.facts.finding_global_accesses(Verb.WRITES)
    reads = yield from kernel.facts.finding_shared_accesses(Verb.READS)
    writes = dict.fromkeys((*shared, *in_global))

    def may_meet(copy: Step, access: Step) -> bool:
        meeting = meets if access in writes else is_read
        return copy in readers and meeting.may_meet(copy, access)

    def likeness(copy: Step, access: Step) -> Hashable:
        meeting = meets if access in writes else is_read
        return (meeting is meets, meeting.likeness(copy, access)) if copy in readers else None

    asked = 0

    def is_read_on(copy: Step, arrival: Arrival) -> bool:
        nonlocal asked
        asked += 1
        values = kernel.threads.values_at(copy) if asked <= _MOST_READS else None
        return values is None or is_read.is_met(copy, arrival, values.on_path(copy, arrival.trace()))

    def judge(copy: Step, arrival: Arrival) -> Verdict:
        if arrival.use not in writes:  # if what was copied is read, W801 reports that the copy is in flight
            return Verdict.ENDS if is_read_on(copy, arrival) else Verdict.PASS
        return Verdict.PASS if is_missed_by_wait(arrival) else Verdict.FOUND  # reported at the wait

    # Reads only end paths: without a write that a path comes to, none of them is looked at.
    found = yield from first(hazards.accessing(list(writes), may_meet, judge, meets.is_met, likeness=likeness))
    if found is None:
        return None
    accesses = list(dict.fromkeys((*writes, *reads)))
    return (yield from first(hazards.accessing(accesses, may_meet, judge, meets.is_met, likeness=likeness)))


def _reads_source(kernel: Kernel, copy: Step) -> bool:
    """Whether a copy reads its source for sure, and as much of it as it writes."""
    return any(kernel.facts.roles(copy, Verb.READS)) and kernel.operand(copy, *_PARTIAL) is None
