"""Answers about the instructions of a kernel that all paths through it ask for again."""

from __future__ import annotations

from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.statements.context import StatementContext, means_the_same_around
from ptx_lsp.analysis.symbols.symbols import Scope, SymbolKind


class StepLookups:
    """Surroundings, writes and definitions of the instructions of a kernel, found once.

    Args:
        steps: the instructions.

    """

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._writers: dict[tuple[int, str], list[Step]] = {}
        self._definitions: dict[tuple[int, int, str], tuple[Step, ...]] = {}
        self._registers: dict[tuple[Scope, str], str] = {}
        """The keys of registers by names that mean the same everywhere in a scope."""

    def context(self, step: Step) -> StatementContext:
        """The statement of an instruction in its surroundings; the same object each time."""
        return self._steps.kept_context(step)

    def register(self, step: Step, name: str) -> str | None:
        """The key of the register that a name means in an instruction; None if it means something else."""
        graph = self._steps.graph
        place = graph.nodes[step.node].scope, name
        found = self._registers.get(place)
        if found is None:
            context = self.context(step)
            symbol = context.visible(name)
            if symbol is None or symbol.kind is not SymbolKind.REGISTER:
                return None
            found = graph.registers.key(name, place[0])
            if means_the_same_around(context, symbol):
                self._registers[place] = found
        return found

    def writers(self, node: int, register: str) -> list[Step]:
        """The instructions of a node that write a register, the last one first."""
        key = (node, register)
        found = self._writers.get(key)
        if found is None:
            named = self._steps.naming(node, register)
            found = [one for one in named if register in one.writes or register in one.updates]
            found.reverse()
            self._writers[key] = found
        return found

    def definitions(self, step: Step, register: str) -> tuple[Step, ...]:
        """The instructions whose value a register may have when ``step`` reads it, nearest first."""
        key = (step.node, step.statement, register)
        found = self._definitions.get(key)
        if found is None:
            found = self._definitions[key] = self._steps.definitions(step, register)
        return found
