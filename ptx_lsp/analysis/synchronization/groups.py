"""Groups of asynchronous work: started, committed, waited for.

``cp.async``, bulk copies out of shared memory and ``wgmma`` share one scheme: what was started
since the last commit forms a group, and ``wait_group N`` waits until at most the N youngest
groups are unfinished.

Source: PTX ISA, "cp.async.wait_group", "cp.async.bulk.wait_group", "wgmma.wait_group".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.synchronization.kernel import Kernel, begins
from ptx_lsp.syntax.constants import evaluate


class Scheme(NamedTuple):
    """The instructions of one kind of groups."""

    commit: str
    wait: str
    others: tuple[str, ...] = ()
    """Other instructions that wait for the work, or signal its end."""

    @property
    def waits(self) -> tuple[str, ...]:
        """All that the work is waited for with."""
        return (self.wait, *self.others)


COPIES = Scheme("cp.async.commit_group", "cp.async.wait_group", ("cp.async.wait_all", "cp.async.mbarrier.arrive"))
BULK_COPIES = Scheme("cp.async.bulk.commit_group", "cp.async.bulk.wait_group")
PRODUCTS = Scheme("wgmma.commit_group", "wgmma.wait_group")


def pending(kernel: Kernel, step: Step, scheme: Scheme) -> Iterator[Step]:
    """The instructions in straight line after ``step`` that are executed while its work may still be under way."""
    commits = 0
    for one in kernel.run_after(step):
        if begins(one, scheme.commit):
            commits += 1
        elif begins(one, *scheme.others):
            return
        elif begins(one, scheme.wait):
            left = _unfinished(kernel, one)
            if left is None or (commits and commits > left):
                return
        yield one


def _unfinished(kernel: Kernel, wait: Step) -> int | None:
    """The number of groups that a wait leaves unfinished: the constant that is its only operand."""
    context = kernel.context(wait)
    operands = () if context.instruction is None else context.instruction.operands
    value = evaluate(context.statement, operands[0]) if len(operands) == 1 else None
    return value if isinstance(value, int) else None
