"""W631 member-mask."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ptx_lsp.analysis.dataflow.effects import Control
from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.semantics.thread_facts import ThreadFacts
from ptx_lsp.checks.support.finding import PlacedFinding, RelatedPlace, warning
from ptx_lsp.isa.model.ordering import LANES, Verb

if TYPE_CHECKING:
    from ptx_lsp.analysis.symbolic.thread_paths import ThreadPaths

RULE = warning("W631")
_LANES = 32
_SHORT = 400
"""Functions with more statements are not looked at."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding]:
    """A mask of lanes with lanes that do not come to the instruction.

    An instruction such as `shfl.sync` waits for all lanes in its mask. If some of them take another way and continue, the
    result is undefined, or the warp hangs.

    ```ptx
    //- sm_80 ptx 7.0 flow
        mov.u32 %r1, %laneid;
        setp.ge.u32 %p1, %r1, 16;
        @%p1 bra DONE;
        shfl.sync.down.b32 %r1, %r1, 8, 31, 0xFFFFFFFF;
    //                                      ^^^^^^^^^^ warning[W631]: lane 16 is in the mask and never comes here (line 9)
    // ptxas: accepts it
    DONE:
        st.shared.u8 [%r1], %r1;
        ret;
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 flow
        mov.u32 %r1, %laneid;
        setp.ge.u32 %p1, %r1, 16;
        @%p1 bra DONE;
        shfl.sync.down.b32 %r1, %r1, 8, 31, 0x0000FFFF;
    DONE:
        st.shared.u8 [%r1], %r1;
        ret;
    ```

    ---

    Reported only for constant masks, and if the branches in front of it are decided by the number of the lane or thread
    and by constants, in functions of up to 400 statements. Lanes that have left the kernel are not waited for. Manual: `shfl.sync`, `vote.sync`.
    """  # noqa: E501 (a caret line carries its message)
    if sum(map(len, flow.function.chunks)) > _SHORT or not flow.graph.is_whole or not flow.lanes.branches:
        return
    facts = flow.derived(ThreadFacts)
    steps = flow.kernel.facts.steps(Verb.WAITS, LANES)
    if not steps or facts.obstacle:
        return
    branches = flow.lanes.innermost({step.node for step in steps})
    for step in steps:
        branch = branches.get(step.node)
        fact = flow.kernel.facts.find(step, Verb.WAITS, LANES)
        roles = fact.operands if fact is not None else ()
        operand = flow.kernel.operand(step, *roles) if branch is not None else None
        mask = flow.kernel.constant(step, *roles) if operand is not None else None
        if branch is None or operand is None or mask is None or step.guarded or facts.paths is None:
            continue
        lane = _missing(flow, facts.paths, step, mask % (1 << _LANES))
        if lane is not None:
            message = f"lane {lane} is in the mask and never comes here"
            span = flow.steps.context(step).operand_span(operand)
            beside = RelatedPlace(branch.place, "this branch takes it elsewhere")
            yield PlacedFinding(step.place, RULE.at(span, message).related_to(beside))


def _missing(flow: Flow, paths: ThreadPaths, step: Step, mask: int) -> int | None:
    """A lane of the first warp that is in a mask, goes another way than the others, and continues as they do."""
    present = [lane for lane in range(_LANES) if mask >> lane & 1]
    comes = next((lane for lane in range(_LANES) if paths.executes(step, lane)), None)
    if comes is None:
        return None
    later = {node for node in paths.after(step.node, comes) if _does_something(flow, node)}
    for lane in present:
        if paths.never_executes(step, lane) and not later.isdisjoint(paths.reached(lane)):
            return lane
    return None


def _does_something(flow: Flow, node: int) -> bool:
    """Whether a node has more than jumps."""
    effects = flow.graph.effects
    return any(effects.of(step.chunk, step.statement).control is Control.ON for step in flow.steps.of(node))
