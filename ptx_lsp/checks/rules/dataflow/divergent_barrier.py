"""W626 divergent-barrier."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.module.module import is_whole
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.synchronization.ordering_facts import possible_facts
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.flow_wording import name_of
from ptx_lsp.checks.support.mismatches import mnemonic, would_do
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.stepwise import chosen, collected

RULE = warning("W626")
_IN_A_STEP = 64
_MOST_JUMPS = 1024
"""In a function with more jumps that may depend on the number of a lane nothing is reported."""
_MOST_FOLLOWED = 16
"""Of so many branches of a function it is asked which warps come to them."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """An instruction that all lanes of a warp must execute together, in code that only some of them reach.

    These are the instructions with `.aligned`, and `bar`. The behaviour is undefined: the warp can hang, or the barrier
    counts wrong.

    ```ptx
    //- sm_80 ptx 7.0 flow
        mov.u32 %r1, %tid.x;
        setp.ne.u32 %p1, %r1, 0;
        @%p1 bra DONE;
        st.shared.u32 [%r1], %r1;
        bar.sync 0;
    //  ^^^^^^^^ warning[W626]: the branch (line 9) lets only some lanes of a warp reach 'bar.sync'
    // ptxas: accepts it
    DONE:
        ret;
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 flow
        mov.u32 %r1, %tid.x;
        setp.ne.u32 %p1, %r1, 0;
        @%p1 bra DONE;
        st.shared.u32 [%r1], %r1;
    DONE:
        bar.sync 0;
        ret;
    ```

    Or `barrier.sync 0;`, if the other threads wait on the same barrier elsewhere.

    **Fixes offered:** `barrier.sync`.

    ---

    Reported only if it is certain: `%laneid`, `%tid.x` or their low bits compared with a constant that divides a warp,
    and the predicate of `elect.sync`. A branch by `%tid.x >> 5` or `%tid.x < 64` does not divide a warp. Not reported
    if the warps that come to the branch do not come from there to the instruction, by such branches; nor in functions
    with more than 1024 branches that may depend on the number of a lane.
    """
    opcodes = chosen(_is_aligned, flow.full_opcodes)
    aligned = frozenset((yield from collected(opcodes)))
    if not aligned or not is_whole(flow.module, flow.function):
        return
    from ptx_lsp.analysis.dataflow.divergence import finding_origins  # imported late: few files need it

    if not (yield from finding_origins(flow.function)):
        return
    steps = []
    for number, step in enumerate(flow.steps.all(frozenset(opcode[0] for opcode in aligned))):
        if step.opcode in aligned:
            steps.append(step)
        if not number % _IN_A_STEP:
            yield None
    jumps = yield from flow.lanes.finding_jumps()
    if len(jumps) > _MOST_JUMPS:
        return
    by_branch: dict[Step, list[Step]] = defaultdict(list)
    yield from flow.lanes.preparing()
    around = flow.lanes.innermost({step.node for step in steps})
    for number, step in enumerate(steps):
        if not number % _IN_A_STEP:
            yield None
        own = yield from flow.lanes.finding_divided(step)
        if own is not None:
            name = mnemonic(flow.steps.context(step))
            message = f"'@{name_of(step.reads[0])}' lets only some lanes of a warp execute '{name}'{HERE}"
            beside = RelatedPlace(own.origin.place, "this differs between the lanes of a warp")
            yield PlacedFinding(step.place, RULE.at(flow.steps.context(step).opcode_span(), message).related_to(beside))
            continue
        if step.node in around:
            by_branch[around[step.node]].append(step)
    origins = {branch: divided.origin for branch, divided, _ in flow.lanes.branches} if by_branch else {}
    for number, (branch, found) in enumerate(by_branch.items()):
        if number < _MOST_FOLLOWED:
            found = yield from flow.kernel.threads.following(branch, found)
        if not found:
            continue
        step = found[0]
        others = f" and {len(found) - 1} more" if len(found) > 1 else ""
        name = mnemonic(flow.steps.context(step))
        message = f"the branch{HERE} lets only some lanes of a warp reach '{name}'{others}"
        besides = (
            RelatedPlace(branch.place, "this branch divides the lanes of a warp"),
            RelatedPlace(origins[branch].place, "its condition is computed here"),
        )
        context = flow.steps.context(step)
        finding = RULE.at(context.opcode_span(), message, fixes=_fixes(context))
        yield PlacedFinding(step.place, finding.related_to(*besides))


def _fixes(context: StatementContext) -> tuple[Fix, ...]:
    """A fix with the same instruction for the lanes that come to it, if there is one."""
    tree = context.instruction
    if tree is None:
        return ()
    first, *rest = tree.opcode
    kept = [word for word in rest if word != ".aligned"]
    # Of another name the instruction may be one that asks less: that which begins with its own.
    names = [first, *(name for name in catalogue().mnemonics if name.startswith(first) and name != first)]
    for name in names if len(kept) == len(rest) else names[:1]:
        other = "".join((name, *kept))
        edit = Edit(context.opcode_span(), other)
        is_same = other == "".join(tree.opcode)
        if not is_same and would_do(context, edit):
            return (Fix(f"write '{other}', which need not be executed by all lanes", (edit,)),)
    return ()


def _is_aligned(opcode: tuple[str, ...]) -> bool:
    """Whether all lanes of a warp must execute an instruction together."""
    return ".aligned" in opcode or (Verb.CONVERGES, "") in possible_facts(opcode)
