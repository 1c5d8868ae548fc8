"""The mbarriers of a kernel and who uses them."""

from __future__ import annotations

from ptx_lsp.analysis.flow.steps import Step
from ptx_lsp.analysis.protocols.kernel import Kernel, begins
from ptx_lsp.analysis.protocols.spots import Spot
from ptx_lsp.syntax.tree import Operand

USERS = ("mbarrier", "cp", "st", "red", "tcgen05", "clusterlaunchcontrol", "multimem")
"""First words of the instructions that may name an mbarrier."""

COUNTS_BYTES = ".mbarrier::complete_tx::bytes"


def counts_bytes(step: Step) -> bool:
    """Whether an instruction announces its end as bytes on an mbarrier."""
    return COUNTS_BYTES in step.opcode


def expects_bytes(step: Step) -> bool:
    """Whether an instruction announces bytes to come."""
    return step.opcode[0] == "mbarrier" and ".expect_tx" in step.opcode


def is_arrival(step: Step) -> bool:
    """Whether an instruction brings a phase nearer to its end."""
    return begins(step, "mbarrier.arrive", "mbarrier.arrive_drop", "tcgen05.commit", "cp.async.mbarrier.arrive")


def is_wait(step: Step) -> bool:
    """Whether an instruction asks for the end of a phase."""
    return begins(step, "mbarrier.try_wait", "mbarrier.test_wait")


def names_barrier(step: Step) -> bool:
    """Whether an mbarrier is among the operands."""
    opcode = step.opcode
    return (
        (opcode[0] == "mbarrier" and opcode[1:2] not in ((".pending_count",), (".check_layout",)))
        or begins(step, "cp.async.mbarrier.arrive", "tcgen05.commit")
        or COUNTS_BYTES in opcode
    )


def barrier_operand(kernel: Kernel, step: Step) -> Operand | None:
    """The operand that names the mbarrier."""
    return kernel.operand(step, "addr" if begins(step, "mbarrier", "cp.async.mbarrier.arrive") else "mbar")


def barrier(kernel: Kernel, step: Step) -> Spot | None:
    """The mbarrier that an instruction uses, if the text tells which."""
    operand = barrier_operand(kernel, step)
    return None if operand is None else kernel.places.named(step, operand)


def users(kernel: Kernel) -> list[Step]:
    """The instructions of a kernel that name an mbarrier, in the order of the text."""
    return [step for step in kernel.all(*USERS) if names_barrier(step)]
