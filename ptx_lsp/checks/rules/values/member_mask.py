"""W631 member-mask."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ptx_lsp.analysis.dataflow.effects import Control
from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.module.module import is_whole
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.semantics.thread_facts import ThreadFacts
from ptx_lsp.analysis.synchronization.ordering_facts import possible_facts
from ptx_lsp.checks.support.finding import PlacedFinding, RelatedPlace, warning
from ptx_lsp.isa.model.ordering import LANES, Verb

if TYPE_CHECKING:
    from ptx_lsp.analysis.symbolic.thread_paths import ThreadPaths

RULE = warning("W631")
_WAITS = (Verb.WAITS, LANES)
_LANES = 32
_SHORT = 400
"""Functions with more statements are not looked at."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
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

    The same holds for a guard that is false for some lanes in the mask. Reported only for constant masks, and if the
    branches in front of it, or its guard, are decided by the number of the lane or thread and by constants, in functions of up to 400 statements. Lanes that have left the kernel are not waited for. Manual: `shfl.sync`, `vote.sync`.
    """  # noqa: E501 (a caret line carries its message)
    if sum(map(len, flow.function.chunks)) > _SHORT or not is_whole(flow.module, flow.function):
        return
    if not any(_WAITS in possible_facts(opcode) for opcode in flow.full_opcodes):
        return
    facts = flow.derived(ThreadFacts)
    steps = flow.kernel.facts.possible(*_WAITS)
    yield from flow.lanes.preparing()
    if not flow.lanes.branches:
        steps = [step for step in steps if step.guarded]
    if not steps or facts.obstacle:
        return
    branches = flow.lanes.innermost({step.node for step in steps})
    steps = [step for step in steps if step.guarded or step.node in branches]
    for step in steps:
        branch = branches.get(step.node)
        fact = flow.kernel.facts.find(step, *_WAITS)
        roles = fact.operands if fact is not None else ()
        operand = flow.kernel.operand(step, *roles) if branch is not None or step.guarded else None
        mask = flow.kernel.constant(step, *roles) if operand is not None else None
        if operand is None or mask is None or facts.paths is None:
            continue
        span, lanes = flow.steps.context(step).operand_span(operand), mask % (1 << _LANES)
        lane = _held_back(flow, facts.paths, step, lanes) if step.guarded else None
        if lane is not None:
            yield PlacedFinding(step.place, RULE.at(span, f"lane {lane} is in the mask, and the guard is false for it"))
        elif branch is not None and not step.guarded:
            lane = _missing(flow, facts.paths, step, lanes)
            if lane is not None:
                message = f"lane {lane} is in the mask and never comes here"
                beside = RelatedPlace(branch.place, "this branch takes it elsewhere")
                yield PlacedFinding(step.place, RULE.at(span, message).related_to(beside))


def _held_back(flow: Flow, paths: ThreadPaths, step: Step, mask: int) -> int | None:
    """A lane of the first warp that is in a mask and comes to an instruction, but not past its guard, as others do."""
    if flow.lanes.divided(step) is None or not any(paths.executes(step, lane) for lane in range(_LANES)):
        return None
    present = (lane for lane in range(_LANES) if mask >> lane & 1)
    return next((one for one in present if paths.passes(step.node, one) and paths.admits(step, one) is False), None)


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
