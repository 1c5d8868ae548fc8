"""The reductions of the automaton, in the form in which the parser makes them."""

from __future__ import annotations

from functools import cache

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.automaton.tables import Production, load


class Reduction(NamedTuple):
    """A grammar rule as it is reduced."""

    origin: str
    length: int
    places: tuple[int, ...]
    """The values that are passed to the reducer, counted from the end of the stack: -1 is the last one."""
    is_helper: bool
    """Whether its value is a list, spliced into that of another rule."""
    passes_on: bool
    """Whether its value is that of its only symbol."""


@cache
def reductions() -> list[Reduction]:
    """The rules of the grammar, by number."""
    return [
        Reduction(
            rule.origin,
            rule.length,
            tuple([place - rule.length for place in rule.keep]),
            rule.origin[0] == "_",
            _passes_on(rule),
        )
        for rule in load().rules
    ]


def _passes_on(rule: Production) -> bool:
    return rule.length == 1 and bool(rule.keep) and rule.origin[0] == "_"


class Successors(dict[str, int]):
    """The states after a rule is reduced in a state, by the terminal that follows.

    Further rules that only pass the value on are reduced too: a number in a list of initial values is a factor, a term,
    a value, an initializer and an element.

    Args:
        row: the actions and successors of the state.
        origin: the rule.

    """

    def __init__(self, row: dict[str, int], origin: str) -> None:
        self._row = row
        self._origin = origin

    def __missing__(self, terminal: str) -> int:
        """The state before a terminal that did not follow before."""
        states, rules = load().states, reductions()
        state = self._row[self._origin]
        while (action := states[state].get(terminal, 0)) < 0 and rules[~action].passes_on:
            state = self._row[rules[~action].origin]
        self[terminal] = state
        return state


@cache
def successors() -> list[dict[str, Successors]]:
    """For each state the states after the rules that are reduced there."""
    rules = {rule.origin for rule in load().rules}
    return [{name: Successors(row, name) for name in row if name in rules} for row in load().states]
