"""The mbarriers of a kernel and who uses them."""

from __future__ import annotations

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.synchronization.kernel import Kernel, begins, opcodes_of
from ptx_lsp.analysis.synchronization.memory_locations import MemoryLocation
from ptx_lsp.syntax.tree import Operand

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


def _names_barrier(opcode: tuple[str, ...]) -> bool:
    """Whether an mbarrier is among the operands."""
    if COUNTS_BYTES in opcode:
        return True
    if opcode[:1] == ("mbarrier",):
        return opcode[1:2] not in ((".pending_count",), (".check_layout",))
    return opcode[:3] == ("cp", ".async", ".mbarrier") or opcode[:2] == ("tcgen05", ".commit")


def barrier_operand(kernel: Kernel, step: Step) -> Operand | None:
    """The operand that names the mbarrier."""
    return kernel.operand(step, "addr" if begins(step, "mbarrier", "cp.async.mbarrier.arrive") else "mbar")


def barrier(kernel: Kernel, step: Step) -> MemoryLocation | None:
    """The mbarrier that an instruction uses, if the text says which."""
    operand = barrier_operand(kernel, step)
    return None if operand is None else kernel.places.of(step, operand)


def users(kernel: Kernel) -> list[Step]:
    """The instructions of a kernel that name an mbarrier, in the order of the text."""
    words = {opcode[0] for opcode in opcodes_of(kernel) if _names_barrier(opcode)}
    return [step for step in kernel.all(*sorted(words)) if _names_barrier(step.opcode)]
