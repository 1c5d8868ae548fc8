"""The forms that the instructions of a function fit.

Long kernels repeat their instructions with the same registers. The meanings of the names, which take longer to find
than the form, are looked up once for all instructions that have one shape and name the same.
"""

from __future__ import annotations

from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.statements.context import StatementContext, means_the_same_around
from ptx_lsp.analysis.statements.matcher import matcher_of
from ptx_lsp.analysis.statements.value_limits import value_constants
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.shape import SHAPES

_Names = tuple[int, tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""The number of a shape, and the keys of what is read, written and updated."""


class _Known(NamedTuple):
    """The meanings of the names in instructions that have one shape and name the same."""

    codes: tuple[int, ...]
    """The operand codes of the names."""
    declared: list[Place]
    """Declarations; it is known of the instructions after them."""
    has_values: bool
    """Whether the form may depend on constants."""
    match: Match | None
    """The form, if it does not."""


class StepMatches:
    """The form of each instruction, found when it is first asked for.

    Args:
        steps: the instructions of the function.

    """

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._matcher = matcher_of(steps.graph.module)
        self._is_before = steps.graph.module.positions.is_before
        self._of: dict[tuple[int, int], Match | None] = {}
        self._seen: set[_Names] = set()
        self._known: dict[_Names, _Known] = {}

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
        known = self._known.get(names)
        if known is not None and not any(self._is_before(step.chunk, step.statement, one) for one in known.declared):
            if not known.has_values:
                return known.match
            statement = self._steps.kept_context(step).statement
            return self._matcher.match(SHAPES[number], known.codes, statement, values=True)
        context = self._steps.kept_context(step)
        if names not in self._seen:
            self._seen.add(names)  # nothing is noted of what may be there once
        elif known is None and context.instruction is not None and self._has_all_names(step):
            declared = _declarations_inside(context)
            if declared is not None:
                has_values = bool(value_constants(SHAPES[number]))
                self._known[names] = _Known(context.codes, declared, has_values, context.match)
        return context.match

    def _has_all_names(self, step: Step) -> bool:
        """Whether all names in an instruction are among what it reads, writes and updates: not the labels of jumps."""
        effect = self._steps.graph.effects.of(step.chunk, step.statement)
        words = {*effect.reads, *effect.writes, *effect.updates}
        return len(words) == len(SHAPES[step.chunk.shapes[step.statement]].names)


def _declarations_inside(context: StatementContext) -> list[Place] | None:
    """The declarations of the names in an instruction after which they mean what they do here; often there are none.

    None if a name means something else here than it may after another declaration.
    """
    found = []
    for token, _ in context.statement.shape.names:
        name = context.word(token)
        symbol, innermost = context.symbols.get(token), context.scope.lookup(name)
        if symbol is not innermost:
            return None
        may_be_late = symbol is not None and not symbol.kind.may_be_used_before
        if symbol is not None and may_be_late and not means_the_same_around(context, symbol):
            found.append(symbol.place)
    return found
