"""W834 inverted-wait."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.effects import Control
from ptx_lsp.analysis.dataflow.registers import name_of
from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.ordering_facts import possible_facts
from ptx_lsp.analysis.synchronization.path_results import choice_or_comparison
from ptx_lsp.checks.support.finding import PlacedFinding, RelatedPlace, warning
from ptx_lsp.isa.model.ordering import PHASE, Verb
from ptx_lsp.syntax.tree import Operand, OperandKind

RULE = warning("W834")


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A loop that repeats an `mbarrier.try_wait` or `test_wait` while its result is true.

    The result is true if the phase is complete. This loop ends as soon as the phase is *not* complete, so the code
    after it uses data that has not come; once the phase is complete it does not end.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 8 .b64 full;
    mbarrier.init.shared::cta.b64 [full], 1;
    mbarrier.arrive.shared::cta.b64 _, [full];
    WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0;
    @%p1 bra WAIT;
    //   ^^^ warning[W834]: repeats the wait while the phase is complete; repeat it while '%p1' is false (line 11)
    ret;
    ```

    **Right:** `@!%p1 bra WAIT;`

    ---

    Reported if nothing but computations on registers is between the wait and the jump, and the jump back is taken
    exactly if the result is true. PTX ISA, "mbarrier.test_wait, mbarrier.try_wait".
    """
    kernel = flow.kernel
    if not kernel.is_complete:
        return
    graph, branches = kernel.graph, kernel.path_values.branches
    for wait in kernel.facts.steps(Verb.WAITS, PHASE):
        yield None
        if wait.guarded or not wait.writes:
            continue
        row = _row(graph, wait.node)
        branch = branches.of(row[-1])
        if branch is None or branch.is_exit:
            continue
        others = [one for number in row for one in kernel.steps.of(number) if one not in (wait, branch.step)]
        if not all(_computes(kernel, one) for one in others):
            continue
        yield from flow.preparing_expressions()
        truth = _truth(flow, wait, branch.step, branch.register)
        if truth is None:
            continue
        for following in graph.nodes[row[-1]].successors:
            if _returns_at_once(flow, following, wait.node) and branch.value_on(following) is truth:
                step = branch.step
                repeats = "repeats" if following != branch.next else "does not leave the loop, and repeats"
                message = f"{repeats} the wait while the phase is complete"
                result = f"'{name_of(wait.writes[0])}'" if wait.writes[0] == branch.register else "its result"
                message += f"; repeat it while {result} is false"
                beside = RelatedPlace(wait.place, "the result is true if the phase is complete")
                context = kernel.context(step)
                found = RULE.at(context.opcode_span(), message).related_to(beside)
                yield PlacedFinding(step.place, found)


_DEEPEST = 4
"""So many instructions between a wait and the jump are looked through."""
_LONGEST = 4
"""So many nodes are looked at from a wait on."""


def _computes(kernel: Kernel, step: Step) -> bool:
    """Whether an instruction only computes with registers."""
    return kernel.graph.effects.of(step.chunk, step.statement).results_only and not possible_facts(step.opcode)


def _row(graph: Graph, number: int) -> list[int]:
    """A node and those that always follow it and follow nothing else: a block in braces is a node of its own."""
    row = [number]
    while len(row) < _LONGEST:
        after = graph.nodes[row[-1]].successors
        if len(after) != 1 or graph.nodes[after[0]].predecessors != [row[-1]] or after[0] in row:
            break
        row.append(after[0])
    return row


def _truth(flow: Flow, wait: Step, branch: Step, register: str) -> bool | None:
    """The value of a predicate when the result of the wait is true; None if it does not say whether it is."""
    if_true, if_false = (_value(flow, wait, branch, register, result) for result in (1, 0))
    return None if if_true is None or if_false is None or bool(if_true) is bool(if_false) else bool(if_true)


def _value(flow: Flow, wait: Step, user: Step, register: str, result: int, depth: int = _DEEPEST) -> int | None:
    """The number in a register of the node of a wait, if the result of the wait is 0 or 1."""
    if register == wait.writes[0]:
        return result if flow.steps.definitions(user, register) == (wait,) else None
    made = flow.steps.definitions(user, register)
    if not depth or len(made) != 1 or made[0].guarded:
        return None
    context = flow.steps.context(made[0])
    tree = context.instruction
    if tree is None or made[0].writes != (register,):
        return None

    def number(operand: Operand) -> int | None:
        value = flow.expressions.values.operand(context, operand)
        if value is not None and not value.terms:
            return value.number
        is_plain = operand.kind is OperandKind.NAME and operand.name >= 0 and operand.last - operand.first == 1
        names = [one for one in made[0].reads if name_of(one) == context.word(operand.name)] if is_plain else []
        return _value(flow, wait, made[0], names[0], result, depth - 1) if names else None

    values = [number(one) for one in tree.operands[1:]]
    return None if None in values else choice_or_comparison(made[0].opcode, [one for one in values if one is not None])


def _returns_at_once(flow: Flow, number: int, target: int) -> bool:
    """Whether a node is another one, or leads only there and does nothing."""
    if number == target:
        return True
    node = flow.graph.nodes[number]
    return node.successors == [target] and all(
        flow.graph.effects.of(one.chunk, one.statement).control is Control.JUMP for one in flow.steps.of(number)
    )
