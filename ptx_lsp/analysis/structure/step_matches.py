"""The forms that the instructions of a function fit.

Long kernels repeat their instructions with the same registers. The meanings of the names, which take longer to find
than the form, are looked up once for all instructions that have one shape and name the same.
"""

from __future__ import annotations

from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.matcher import matcher_of
from ptx_lsp.analysis.statements.value_limits import value_constants
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.syntax.shape import SHAPES

_Names = tuple[int, tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""The number of a shape, and the keys of what is read, written and updated."""


class StepMatches:
    """The form of each instruction, found when it is first asked for.

    Args:
        steps: the instructions of the function.

    """

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._matcher = matcher_of(steps.graph.module)
        self._of: dict[tuple[int, int], Match | None] = {}
        self._codes: dict[_Names, tuple[int, ...]] = {}
        """The operand codes of the names of instructions."""
        self._alike: dict[_Names, Match | None] = {}
        """The forms of instructions without constants that count."""

    def of(self, step: Step) -> Match | None:
        """The form that an instruction fits, or the nearest one: that of its context."""
        key = step.node, step.statement
        try:
            return self._of[key]
        except KeyError:
            found = self._of[key] = self._found(step)
            return found

    def _found(self, step: Step) -> Match | None:
        number = step.chunk.shapes[step.statement]
        names = number, step.reads, step.writes, step.updates
        if names in self._alike:
            return self._alike[names]
        context = self._steps.kept_context(step)
        codes = self._codes.get(names)
        if codes is not None:
            return self._matcher.match(SHAPES[number], codes, context.statement, values=True)
        found = context.match
        if context.instruction is not None and self._has_all_names(step) and _are_declared_before(context):
            if value_constants(SHAPES[number]):
                self._codes[names] = context.codes
            else:
                self._alike[names] = found
        return found

    def _has_all_names(self, step: Step) -> bool:
        """Whether all names in an instruction are among what it reads, writes and updates: not the labels of jumps."""
        effect = self._steps.graph.effects.of(step.chunk, step.statement)
        words = {*effect.reads, *effect.writes, *effect.updates}
        return len(words) == len(SHAPES[step.chunk.shapes[step.statement]].names)


def _are_declared_before(context: StatementContext) -> bool:
    """Whether the names in an instruction mean the same everywhere in the function, where their keys are the same."""
    module, head = context.module, context.function.symbol
    if context.function.late or context.names.late or head is None:
        return False
    outer, groups, is_before = module.globals.names, module.globals.groups, module.positions.is_before
    return not any(
        (one.name in outer or one.name in groups) and is_before(head.place.chunk, head.place.statement, one.place)
        for one in context.names.symbols.values()
    )
