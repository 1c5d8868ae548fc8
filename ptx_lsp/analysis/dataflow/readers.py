"""The instructions that read the value that an instruction leaves in a register."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from ptx_lsp.analysis.dataflow.registers import name_of
from ptx_lsp.analysis.dataflow.steps import Step, Steps


def readers_of(
    steps: Steps, step: Step, register: str, limit: int, among: Iterable[int] | None = None
) -> list[Step]:
    """The instructions that may read a register with the value that ``step`` gives it.

    Empty if there are more than ``limit`` of them, or if they are more than ``limit`` nodes away and ``among`` is
    None.

    Args:
        steps: the instructions of the function.
        step: the instruction.
        register: the register.
        limit: so many are found.
        among: the nodes that may read the register before they write it. Of those far away all count to which a path
            leads, also if it writes the register.

    """
    nodes, name = steps.graph.nodes, name_of(register)
    own = steps.all_naming(step.node, register)
    found, goes_on = _reads([one for one in own if one.statement > step.statement], register)
    waiting = deque(nodes[step.node].successors if goes_on else ())
    seen = set(waiting)
    while waiting:
        if len(seen) > limit:
            if among is None:
                return []
            leads, near = steps.graph.reachability.leads, seen - {*waiting}
            far = [one for one in among if one not in near and leads(step.node, one)]
            found += [one for number in far[:limit] for one in _reads(steps.all_naming(number, register), register)[0]]
            return found if len(far) <= limit and len(found) <= limit else []
        node, goes_on = nodes[waiting.popleft()], True
        if name in node.piece.written or name in node.piece.exposed:
            more, goes_on = _reads(steps.all_naming(node.number, register), register)
            found += more
        fresh = [one for one in node.successors if goes_on and one not in seen]
        seen.update(fresh)
        waiting.extend(fresh)
    return found if len(found) <= limit else []


def _reads(run: Iterable[Step], register: str) -> tuple[list[Step], bool]:
    """The steps of ``run`` that read a register before one surely writes it, and whether none does."""
    found = []
    for step in run:
        if register in step.reads or register in step.updates:
            found.append(step)
        if register in step.writes and not step.guarded:
            return found, False
    return found, True
