"""Flow-insensitive propagation of facts: a quick over-approximation before paths are followed.

Most registers of a function have nothing to do with a question such as "which hold a shared address"; this finds the
few nodes that do, so that only their instructions are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.register_sets import RegisterSets
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind

FactT = TypeVar("FactT", bound=Hashable)


class FactPropagation(Generic[FactT]):
    """The registers that facts about some results can get to by way of some instructions."""

    def __init__(
        self, steps: Steps, sets: RegisterSets, makers: Iterable[tuple[Step, FactT]], follows: Callable[[Step], bool]
    ) -> None:
        """Spread facts.

        Args:
            steps: the instructions of the function.
            sets: its registers.
            makers: instructions, and what holds of their results.
            follows: whether the results of an instruction have the facts of what it reads.

        """
        self.facts: dict[str, set[FactT]] = {}
        """The facts that may hold of each register, somewhere in the function."""
        self._readers: dict[tuple[int, int], Step] = {}
        waiting: list[tuple[str, int]] = []
        for step, fact in makers:
            for register in step.writes:
                self._add(register, {fact}, step.node, waiting)
        while waiting:
            register, number = waiting.pop()
            # The facts of the register may have grown: what reads it is looked at again.
            for reader in (number, *sets.readers.get(register, ())):
                for step in steps.naming(reader, register):
                    if register not in step.reads:
                        continue
                    self._readers[step.node, step.statement] = step
                    if step.writes and follows(step):
                        for result in step.writes:
                            self._add(result, self.facts[register], step.node, waiting)

    def _add(self, register: str, facts: set[FactT], number: int, waiting: list[tuple[str, int]]) -> None:
        """Facts hold of a register that node ``number`` writes; what reads it has to be looked at."""
        known = self.facts.setdefault(register, set())
        if not facts <= known:
            known |= facts
            waiting.append((register, number))

    def readers(self) -> list[Step]:
        """The instructions that read one of the registers, in the order of the text."""
        return [step for _, step in sorted(self._readers.items(), key=lambda one: one[0])]


def step_at(graph: Graph, steps: Steps, chunk: Chunk, statement: int) -> Step | None:
    """The instruction of a statement, if control goes through it."""
    node = graph.node_at(chunk, statement)
    return None if node is None or chunk.kinds[statement] != Kind.INSTRUCTION else steps.at(node.number, statement)
