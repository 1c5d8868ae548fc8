"""Registers that asynchronous operations read and write while they are in flight."""

from __future__ import annotations

from collections.abc import Generator

from ptx_lsp.analysis.dataflow.registers import name_of
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.synchronization.async_paths import Arrival
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.syntax.tree import OperandKind

COPIES_OF_REGISTERS = frozenset({"mov"})
"""Instructions that compilers put anywhere, also between an operation and its wait; they are no accesses."""
_NODES_IN_A_STEP = 64


def results_of(step: Step) -> frozenset[str]:
    """The registers that an instruction writes."""
    return frozenset(step.writes + step.updates)


def product_registers(kernel: Kernel, step: Step) -> frozenset[str]:
    """The registers that an operation writes, and those of matrices that it reads."""
    return results_of(step) | factors_of(kernel, step)


def touched_registers(kernel: Kernel, step: Step, arrival: Arrival) -> frozenset[str]:
    """The registers of an operation in flight that an instruction accesses: results, or factors that it writes."""
    use = arrival.use
    if use is None:
        return frozenset()
    results = results_of(step)
    changed = (results | factors_of(kernel, step)).intersection(use.writes + use.updates)
    return changed | results.intersection(use.reads)


def factors_of(kernel: Kernel, step: Step) -> frozenset[str]:
    """The registers of vectors that an operation reads while it is in flight; a descriptor is read at once."""
    context = kernel.context(step)
    found: set[str] = set()
    for role in kernel.facts.roles(step, Verb.READS):
        operand = kernel.operand(step, role)
        if operand is not None and operand.kind is OperandKind.VECTOR:
            names = [context.word(part.name) for part in operand.parts if part.name >= 0]
            scope = kernel.graph.nodes[step.node].scope
            found.update(kernel.graph.registers.key(name, scope) for name in names)
    return frozenset(found)


def finding_readers(steps: Steps, registers: frozenset[str]) -> Generator[None, None, dict[str, list[Step]]]:
    """Find the instructions that read some registers, in steps of a few milliseconds."""
    found: dict[str, list[Step]] = {}
    names = {name_of(register) for register in registers}
    for node in steps.graph.nodes:
        if not node.number % _NODES_IN_A_STEP:
            yield
        if names.isdisjoint(node.piece.exposed) and names.isdisjoint(node.piece.written):
            continue
        for step in steps.of(node.number):
            for register in registers.intersection(step.reads):
                found.setdefault(register, []).append(step)
    return found
