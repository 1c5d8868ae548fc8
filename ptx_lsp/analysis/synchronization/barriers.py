"""The mbarriers of a kernel and who uses them."""

from __future__ import annotations

from collections.abc import Iterator

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


_OF_BARRIER = frozenset({PHASE, BYTES})
"""The objects of the facts that name an mbarrier."""


def barrier_operand(kernel: Kernel, step: Step) -> Operand | None:
    """The operand that names the mbarrier."""
    roles = (fact.operands[0] for fact in kernel.facts.of(step) if fact.what in _OF_BARRIER and fact.operands)
    role = next(roles, None)
    return None if role is None else kernel.operand(step, role)


def barrier(kernel: Kernel, step: Step) -> MemoryLocation | None:
    """The mbarrier that an instruction uses, if the text says which."""
    key = (step.node, step.statement)
    known = kernel.mbarriers
    if key not in known:
        operand = barrier_operand(kernel, step)
        known[key] = None if operand is None else kernel.places.of(step, operand)
    return known[key]


def users(kernel: Kernel) -> list[Step]:
    """The instructions of a kernel that name an mbarrier, in the order of the text."""
    opcodes = {
        *kernel.facts.opcodes_about(_OF_BARRIER),
        *(opcode for opcode in opcodes_of(kernel) if COUNTS_BYTES in opcode),
    }
    return kernel.facts.having_one_of(opcodes)


_IN_A_STEP = 32


def preparing(kernel: Kernel) -> Iterator[None]:
    """Find what rules about asynchronous work ask first of a kernel, in steps of a few milliseconds.

    Whether it is known, the facts of its instructions, and if it is known the mbarriers that they name and what the
    results of waits decide. All of this is kept, and who asks without these steps gets the same, all at once.
    """
    yield from kernel.facts.preparing()
    yield from kernel.knowing()
    yield from kernel.facts.finding_steps()
    if not kernel.is_known:
        return
    for number, step in enumerate(users(kernel)):
        barrier(kernel, step)
        if not number % _IN_A_STEP:
            yield
    for number, step in enumerate(kernel.facts.steps(Verb.WAITS, PHASE)):
        kernel.wait_edges(step)
        if not number % _IN_A_STEP:
            yield
