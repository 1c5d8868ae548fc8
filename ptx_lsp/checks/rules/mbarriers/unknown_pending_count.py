"""W839 unknown-pending-count."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.operation_registers import COPIES_OF_REGISTERS
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.isa.model.ordering import PHASE, Verb

RULE = warning("W839")
_QUERY = ".pending_count"
_LEFT_OPEN = ".noComplete"
_MOST_COPIES = 3
"""So many copies of a state are looked through."""
_MOST_WRITES = 64
"""So many writes are looked at for one state, and so many blocks before each reader."""
_IN_A_STEP = 16


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """An `mbarrier.pending_count` of a state that no arrival with `.noComplete` has returned.

    The number of pending arrivals is only in the state of an arrival that cannot complete the phase. Of other states
    the result is undefined: the arrival may have begun the next phase, with all arrivals pending again.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 8 .b64 done;
    mbarrier.init.shared::cta.b64 [done], 4;
    mbarrier.arrive.shared::cta.b64 %rd1, [done];
    mbarrier.pending_count.b64 %r1, %rd1;
    //                              ^^^^ warning[W839]: the arrival (line 9) that returns '%rd1' has no '.noComplete'; the count is undefined
    // ptxas: accepts it
    ret;
    ```

    **Right:** `mbarrier.arrive.noComplete.shared::cta.b64 %rd1, [done], 1;`

    ---

    Reported if all writes that reach the state are such arrivals, or copies of what they return. PTX ISA,
    "mbarrier.pending_count".
    """  # noqa: E501 (a caret line carries its message)
    asked = flow.steps.all(frozenset(opcode[0] for opcode in flow.full_opcodes if _QUERY in opcode))
    for number, step in enumerate(asked, 1):
        if not number % _IN_A_STEP:
            yield None
        operand = flow.kernel.operand(step, "state") if _QUERY in step.opcode else None
        if operand is None or len(step.reads) != 1:
            continue
        arrivals = _arrivals(flow, step, step.reads[0])
        if arrivals and all(one is not None and _LEFT_OPEN not in one.opcode for one in arrivals):
            context = flow.kernel.context(step)
            state = context.text_of(operand)
            message = f"the arrival{HERE} that returns '{state}' has no '{_LEFT_OPEN}'; the count is undefined"
            places = [RelatedPlace(one.place, "the state is returned here") for one in arrivals if one is not None]
            finding = RULE.at(context.operand_span(operand), message).related_to(*places)
            yield PlacedFinding(step.place, finding)


def _arrivals(flow: Flow, step: Step, register: str) -> list[Step | None]:
    """The arrivals that return what a register holds at an instruction; None for each other write, and for many."""
    found: list[Step | None] = []
    definitions = flow.steps.near_definitions(step, register, _MOST_WRITES)
    waiting = [(one, _MOST_COPIES) for one in reversed(definitions or ())]
    left = _MOST_WRITES
    while waiting and definitions is not None and left:
        one, copies = waiting.pop()
        left -= 1
        if flow.kernel.facts.find(one, Verb.ARRIVES, PHASE) is not None:
            found.append(one)
        elif one.opcode[0] in COPIES_OF_REGISTERS and len(one.reads) == 1 and not one.guarded and copies:
            definitions = flow.steps.near_definitions(one, one.reads[0], _MOST_WRITES)
            waiting += [(earlier, copies - 1) for earlier in reversed(definitions or ())]
        else:
            found.append(None)
    return [None] if waiting or definitions is None else found
