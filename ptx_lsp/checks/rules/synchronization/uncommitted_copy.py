"""W802 uncommitted-copy."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.async_hazards import AsyncHazard
from ptx_lsp.analysis.synchronization.async_paths import Arrival, Verdict, is_missed_by_wait
from ptx_lsp.analysis.synchronization.async_work import unfinished_groups
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.meeting_accesses import Meeting
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.insertion import insert_after_another, insert_before
from ptx_lsp.isa.model.ordering import ALL, Verb
from ptx_lsp.stepwise import first

RULE = warning("W802")
_COMMITS = {"copies": "cp.async.commit_group;", "bulk-copies": "cp.async.bulk.commit_group;"}
"""By kind of work the commit that fixes insert."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A `wait_group` after copies that no `commit_group` has committed, or not all of them.

    `wait_group` waits only for committed groups: it returns at once, and the data is read too early.

    ```ptx
    //- sm_80 ptx 7.0
    .shared .align 16 .b8 tile[256];
    cp.async.cg.shared.global [tile], [%rd1], 16;
    cp.async.wait_group 0;
    // <--- warning[W802]: no 'cp.async.commit_group' before this; it waits for no copy
    bar.sync 0;
    ld.shared.b32 %r1, [tile];
    ret;
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0
    .shared .align 16 .b8 tile[256];
    cp.async.cg.shared.global [tile], [%rd1], 16;
    cp.async.commit_group;
    cp.async.wait_group 0;
    bar.sync 0;
    ld.shared.b32 %r1, [tile];
    ret;
    ```

    `cp.async.wait_all` needs no commit.

    **Fixes offered:** insert the commit.

    ---

    The same applies to bulk copies with `.bulk_group`, `cp.async.bulk.commit_group` and `cp.async.bulk.wait_group`. If
    other copies are committed, a copy is reported that some path leads past the wait without a commit, to a read of its
    destination or to the end of the kernel. Not reported in functions, in kernels that call functions which may take
    part, and in bodies without `ret` or `exit`.
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    for kind, statement in _COMMITS.items():
        commit, waits = (
            statement[:-1],
            [step for step in kernel.facts.steps(Verb.WAITS, kind) if _has_groups(kernel, step)],
        )
        if not waits:
            continue
        missing = _without_commit(flow, kind, waits)
        if missing is not None:
            context = kernel.context(missing)
            message = f"no '{commit}' before this; it waits for no copy"
            fixes = (insert_before(context, statement),)
            yield PlacedFinding(missing.place, RULE.at(context.opcode_span(), message, fixes=fixes))
            continue
        hazard = (yield from _read_uncommitted(flow, kind)) or (yield from _left_uncommitted(flow, kind))
        if hazard is not None and hazard.arrival.wait is not None:
            context = kernel.context(hazard.arrival.wait)
            message = f"this does not wait for the copy{HERE}: no '{commit}' between them"
            places = (RelatedPlace(hazard.operation.place, "this copy is not committed"),)
            fix = insert_after_another(kernel.context(hazard.operation), statement)
            finding = RULE.at(context.opcode_span(), message).related_to(*places)
            is_last = not hazard.operation.guarded and unfinished_groups(kernel, hazard.arrival.wait, kind) == 0
            yield PlacedFinding(context.place, finding.fixed_elsewhere(fix if is_last else None))


def _has_groups(kernel: Kernel, wait: Step) -> bool:
    """Whether a wait is for groups, and not for all copies, committed or not."""
    fact = next(one for one in kernel.facts.of(wait) if one.verb is Verb.WAITS)
    return fact.operands != (ALL,)


def _without_commit(flow: Flow, kind: str, waits: list[Step]) -> Step | None:
    """The first wait after copies that no commit on any path precedes."""
    kernel = flow.kernel
    for step in waits:
        if not kernel.is_before(step, (Verb.COMMITS, kind)) and kernel.is_before(step, (Verb.STARTS, kind)):
            return step
    return None


def _is_missed(_: Step, arrival: Arrival) -> Verdict:
    """A copy that is not committed, though a wait is passed."""
    return Verdict.FOUND if is_missed_by_wait(arrival) else Verdict.PASS


def _read_uncommitted(flow: Flow, kind: str) -> Generator[None, None, AsyncHazard | None]:
    """The first read of what a copy writes that is waited for and not committed; of bulk copies the first overwrite."""
    kernel = flow.kernel
    verbs = (Verb.WRITES, Verb.READS) if kind == "copies" else (Verb.READS, Verb.WRITES)
    meets = Meeting(kernel, *verbs)
    hazards = flow.asynchronous.of(kind)
    missed = yield from hazards.finding_missed()
    if not missed:
        return None
    uses = yield from kernel.facts.finding_shared_accesses(verbs[1])
    return (
        yield from first(
            hazards.accessing(uses, meets.may_meet, _is_missed, meets.is_met, missed, likeness=meets.likeness)
        )
    )


def _left_uncommitted(flow: Flow, kind: str) -> Generator[None, None, AsyncHazard | None]:
    """The first copy that is still not committed at the end of the kernel, after a wait."""
    hazards = flow.asynchronous.of(kind)
    missed = yield from hazards.finding_missed()
    return (yield from first(hazards.leaving(_is_missed, missed)))
