"""Flow-insensitive propagation of facts: a quick over-approximation before paths are followed.

Most registers of a function have nothing to do with a question such as "which hold a shared address"; this finds the
few nodes that do, so that only their instructions are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, TypeVar

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.register_sets import RegisterSets
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES, Shape

_NODES_IN_A_STEP = 64

FactT = TypeVar("FactT", bound=Hashable)


class FactPropagation(Generic[FactT]):
    """The registers that facts about some results can get to by way of some instructions.

    Args:
        steps: the instructions of the function.
        sets: its registers.

    """

    def __init__(self, steps: Steps, sets: RegisterSets) -> None:
        self._steps = steps
        self._sets = sets
        self.facts: dict[str, set[FactT]] = {}
        """The facts that may hold of each register, somewhere in the function."""
        self._users: dict[tuple[int, int], set[str]] = {}

    def spreading(self, makers: Iterable[tuple[Step, FactT]], follows: Callable[[Shape], bool]) -> Iterator[None]:
        """Spread facts, in steps of a few milliseconds.

        Args:
            makers: instructions, and what holds of their results.
            follows: whether the results of instructions of a shape have the facts of what they read.

        """
        steps, sets = self._steps, self._sets
        waiting: list[tuple[str, int]] = []
        for step, fact in makers:
            for register in step.writes:
                self._add(register, {fact}, step.node, waiting)
        while waiting:
            register, number = waiting.pop()
            # The facts of the register may have grown: what reads it is looked at again.
            for count, reader in enumerate((number, *sets.readers.get(register, ()))):
                if not count % _NODES_IN_A_STEP:
                    yield
                shapes = steps.graph.nodes[reader].chunk.shapes
                for statement in steps.mentions(reader, register):
                    self._users.setdefault((reader, statement), set()).add(register)
                    if follows(SHAPES[shapes[statement]]):
                        step = steps.at(reader, statement)
                        for result in step.writes if register in step.reads else ():
                            self._add(result, self.facts[register], step.node, waiting)

    def _add(self, register: str, facts: set[FactT], number: int, waiting: list[tuple[str, int]]) -> None:
        """Facts hold of a register that node ``number`` writes; what reads it has to be looked at."""
        known = self.facts.setdefault(register, set())
        if not facts <= known:
            known |= facts
            waiting.append((register, number))

    def users(self) -> Iterator[tuple[int, int, set[FactT]]]:
        """The statements that name some of the registers, by node, in the order of the text, with all their facts."""
        for (number, statement), registers in sorted(self._users.items()):
            yield number, statement, set().union(*(self.facts[register] for register in registers))


def step_at(graph: Graph, steps: Steps, chunk: Chunk, statement: int) -> Step | None:
    """The instruction of a statement, if control goes through it."""
    node = graph.node_at(chunk, statement)
    return None if node is None or chunk.kinds[statement] != Kind.INSTRUCTION else steps.at(node.number, statement)
