"""Answers about the instructions of a kernel that all paths through it ask for again."""

from __future__ import annotations

from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.statements.context import StatementContext


class StepLookups:
    """Surroundings, writes and definitions of the instructions of a kernel, found once.

    Args:
        steps: the instructions.

    """

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._writers: dict[tuple[int, str], list[Step]] = {}
        self._definitions: dict[tuple[int, int, str], tuple[Step, ...]] = {}

    def context(self, step: Step) -> StatementContext:
        """The statement of an instruction in its surroundings; the same object each time."""
        return self._steps.kept_context(step)

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
