"""W620 uninitialized-register."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.dataflow.uninitialized_reads import Unwritten
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.flow_wording import name_of, name_span, several

RULE = warning("W620")


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A register that is read although nothing wrote it before.

    Registers begin with any value. Often the first value of an accumulator is missing: it is read in the first round
    of a loop, and written at the end of it.

    ```ptx
    //- sm_80 ptx 7.0 flow
        mov.u32 %r1, 0;
    AGAIN:
        add.f32 %f1, %f1, 0f3F800000;
    //               ^^^ warning[W620]
    // ptxas: accepts it
        add.s32 %r1, %r1, 1;
        setp.lt.s32 %p1, %r1, 8;
        @%p1 bra AGAIN;
        st.shared.f32 [%r1], %f1;
        ret;
    ```

    **Right:** `mov.f32 %f1, 0f00000000;` before the loop.

    ---

    Silent where compilers leave values undefined: halves that are packed, what `selp` may leave out, what `shfl` moves,
    bytes that are stored, and copies at the beginning of a loop.
    """
    if not flow.graph.is_whole:
        return
    by_step: dict[Step, list[Unwritten]] = defaultdict(list)
    for one in flow.unwritten.always:
        by_step[one.step].append(one)
    for step, found in by_step.items():
        found.sort(key=lambda one: step.reads.index(one.register))
        first = found[0]
        name = name_of(first.register)
        subject = several(name, len(found) - 1)
        verb = "has" if len(found) == 1 else "have"
        beside: tuple[RelatedPlace, ...] = ()
        message = f"{subject} {verb} no value: nothing writes {'it' if len(found) == 1 else 'them'}"
        if first.write is not None:
            message = f"{subject} {verb} no value yet; the first write{HERE} comes later"
            beside = (RelatedPlace(first.write, f"'{name}' is written here for the first time"),)
        span = name_span(flow.steps.context(step), name)
        yield PlacedFinding(step.place, RULE.at(span, message).related_to(*beside))
