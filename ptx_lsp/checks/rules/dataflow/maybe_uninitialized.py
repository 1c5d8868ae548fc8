"""W621 maybe-uninitialized."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.uninitialized_reads import Skipped
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, information
from ptx_lsp.checks.support.flow_wording import name_of, name_span, several

RULE = information("W621")


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A register that is read although a branch can skip its only writes.

    One path of the branch leads to the writes of the register, the other skips them and leads to the read.

    ```ptx
    //- sm_80 ptx 7.0 flow
        mov.u32 %r1, %ctaid.x;
        setp.gt.u32 %p1, %r1, 99;
        @%p1 bra SKIP;
        mul.lo.u32 %r2, %r1, 4;
    SKIP:
        st.shared.u32 [%r1], %r2;
    //                       ^^^ information[W621]: '%r2' may be uninitialized: the branch (line 9) skips the write
    // ptxas: accepts it
        ret;
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 flow
        mov.u32 %r1, %ctaid.x;
        setp.gt.u32 %p1, %r1, 99;
        mov.u32 %r2, 0;
        @%p1 bra SKIP;
        mul.lo.u32 %r2, %r1, 4;
    SKIP:
        st.shared.u32 [%r1], %r2;
        ret;
    ```

    ---

    Reads with a guard, and reads after a further branch, are not reported: the condition may be the same. Nor are those
    of a register that another branch may have written before: its condition may be the opposite. All registers
    that one branch skips are reported once, and so are more than three branches of one function: compilers unroll loops
    with guarded loads in this way.
    """
    if not flow.graph.is_whole:
        return
    yield from flow.unwritten.preparing_skipped()
    found = flow.unwritten.skipped
    if len(found) > _FEW:
        first = min(found, key=lambda one: (one.reads[0][1].node, one.reads[0][1].statement))
        count = sum(len(one.reads) for one in found)
        yield _finding(flow, first, count - 1, f"branches such as one{HERE} skip the writes")
        return
    for one in found:
        others = len(one.reads) - 1
        yield _finding(flow, one, others, f"the branch{HERE} skips the write")


def ignores_numbers(flow: Flow) -> bool:
    """Numbers decide only which parts of a doubtful register are needed."""
    return not flow.unwritten.has_doubtful


_FEW = 3
"""So many findings are made in one function; more of them come from unrolled loops and are one pattern."""


def _finding(flow: Flow, skipped: Skipped, others: int, reason: str) -> PlacedFinding:
    register, step = skipped.reads[0]
    name = name_of(register)
    span = name_span(flow.steps.context(step), name)
    beside = RelatedPlace(skipped.branch.place, f"this branch skips the write of '{name}'")
    message = f"{several(name, others)} may be uninitialized: {reason}"
    return PlacedFinding(step.place, RULE.at(span, message).related_to(beside))
