"""The mbarriers of a kernel and who uses them."""

from __future__ import annotations

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.synchronization.kernel import Kernel, opcodes_of
from ptx_lsp.analysis.synchronization.memory_locations import MemoryLocation
from ptx_lsp.analysis.synchronization.ordering_facts import possible_facts
from ptx_lsp.isa.model.ordering import BYTES, PHASE, Verb
from ptx_lsp.syntax.tree import Operand

COUNTS_BYTES = ".mbarrier::complete_tx::bytes"


def counts_bytes(step: Step) -> bool:
    """Whether an instruction announces its end as bytes on an mbarrier."""
    return COUNTS_BYTES in step.opcode


def expects_bytes(step: Step) -> bool:
    """Whether an instruction announces bytes to come."""
    return (Verb.EXPECTS, BYTES) in possible_facts(step.opcode)


def is_arrival(step: Step) -> bool:
    """Whether an instruction brings a phase nearer to its end."""
    return (Verb.ARRIVES, PHASE) in possible_facts(step.opcode)


def is_wait(step: Step) -> bool:
    """Whether an instruction asks for the end of a phase."""
    return (Verb.WAITS, PHASE) in possible_facts(step.opcode)


def _names_barrier(opcode: tuple[str, ...]) -> bool:
    """Whether an mbarrier is among the operands."""
    return COUNTS_BYTES in opcode or any(what in _OF_BARRIER for _, what in possible_facts(opcode))


_OF_BARRIER = frozenset({PHASE, BYTES})
"""The objects of the facts that name an mbarrier."""


def barrier_operand(kernel: Kernel, step: Step) -> Operand | None:
    """The operand that names the mbarrier."""
    roles = (fact.operands[0] for fact in kernel.facts.of(step) if fact.what in _OF_BARRIER and fact.operands)
    role = next(roles, None)
    return None if role is None else kernel.operand(step, role)


def barrier(kernel: Kernel, step: Step) -> MemoryLocation | None:
    """The mbarrier that an instruction uses, if the text says which."""
    operand = barrier_operand(kernel, step)
    return None if operand is None else kernel.places.of(step, operand)


def users(kernel: Kernel) -> list[Step]:
    """The instructions of a kernel that name an mbarrier, in the order of the text."""
    words = {opcode[0] for opcode in opcodes_of(kernel) if _names_barrier(opcode)}
    return [step for step in kernel.all(*sorted(words)) if _names_barrier(step.opcode)]
