"""LALR parser for one statement, with tables that Lark builds from ``grammar/ptx.lark``.

The loop is a textbook shift-reduce parser; it is iterative, so that the nesting depth is unbounded, and it recovers
from errors by insertion or deletion of a terminal.
"""

from __future__ import annotations

from collections.abc import Generator
from types import GeneratorType
from typing import Any, Protocol

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import memoized
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.automaton.reductions import reductions, successors
from ptx_lsp.syntax.automaton.tables import END, Tables, load

_IN_A_STEP = 512  # the number of terminals, rules or nested helpers after which there is a pause
_MANY = 1 << 13
"""A node of so many terminals may take long to build."""
MAX_REPAIRS = 4  # more problems than this in one statement end the parse without a tree


class ParseProblem(NamedTuple):
    """The terminal at ``position`` is none of ``expected``; ``inserted`` and ``dropped`` describe the recovery."""

    position: int
    expected: frozenset[str]
    inserted: str = ""
    dropped: bool = False


class Reducer(Protocol):
    """Builds a node: ``children`` are token indices and nodes, ``[first, last)`` is the range of terminals.

    One that takes long is built in the steps of a generator.
    """

    def __call__(self, origin: str, children: list[Any], first: int, last: int) -> Any:
        """The node for the rule ``origin``."""


class _Splice(list[Any]):
    """The children of a helper rule (its name starts with ``_``), spliced into those of its parent."""


def parse(
    terminals: list[str], reducer: Reducer, insertable: frozenset[str], drop: bool
) -> tuple[Any, list[ParseProblem]]:
    """The node of the statement (None if recovery fails) and its problems.

    ``insertable`` holds the terminals that error recovery may insert; with ``drop`` it may
    also delete an unexpected terminal.
    """
    return run_to_completion(parsing(terminals, reducer, insertable, drop))


def parsing(
    terminals: list[str], reducer: Reducer, insertable: frozenset[str], drop: bool
) -> Generator[None, None, tuple[Any, list[ParseProblem]]]:
    """:func:`parse` in steps of some hundred terminals or rules."""
    tables = load()
    states, rules, next_states = tables.states, reductions(), successors()
    stack: list[int] = [tables.start]
    values: list[Any] = []
    starts: list[int] = []
    problems: list[ParseProblem] = []
    position = reduced = 0
    count = len(terminals)
    ahead = [*terminals, END]
    pending = ahead[0]
    is_inserted = False  # whether `pending` was inserted and is not in `terminals`
    while True:
        action = states[stack[-1]].get(pending)
        if action is None:
            if len(problems) == MAX_REPAIRS:
                return None, problems
            expected = _acceptable(stack)
            inserted = next(
                (name for name in sorted(insertable & expected) if _fits(tables, stack, [name, pending])), ""
            )
            if inserted:
                problems.append(ParseProblem(position, expected, inserted=inserted))
                pending = inserted
                is_inserted = True
                continue
            following = ahead[position + 1] if position < count else END
            if drop and position < count and _fits(tables, stack, [following]):
                problems.append(ParseProblem(position, expected, dropped=True))
                position += 1
                pending = following
                continue
            problems.append(ParseProblem(position, expected))
            return None, problems
        if action >= 0:
            stack.append(action)
            values.append(position)
            starts.append(position)
            if is_inserted:
                is_inserted = False
            else:
                position += 1
                if not position % _IN_A_STEP:
                    yield
            pending = ahead[position]
            continue
        origin, length, places, is_helper, passes_on = rules[~action]
        if passes_on:
            stack[-1] = next_states[stack[-2]][origin][pending]
            continue
        reduced += 1
        if not reduced % _IN_A_STEP:
            yield
        base = len(values) - length
        if is_helper and length > 1 and places[0] == -length and type(values[base]) is _Splice:  # a list grows
            if len(places) == 2:
                values[base].append(values[places[1]])
            else:
                values[base] += [values[place] for place in places[1:]]
            del stack[-length:], values[base + 1 :], starts[base + 1 :]
            stack.append(next_states[stack[-1]][origin][pending])
            continue
        first = starts[base] if length else position
        kept = [values[places[0]]] if len(places) == 1 else [values[place] for place in places]
        if is_helper:
            value: Any = _Splice(kept)
        else:
            if _Splice in map(type, kept):
                kept = _children(kept) if position - first < _MANY else (yield from _collecting(kept))
            value = reducer(origin, kept, first, position)
            if type(value) is GeneratorType:
                value = yield from value
            if position - first >= _MANY:
                yield
        if length == 1:
            del stack[-1], values[-1], starts[-1]
        elif length:
            del stack[-length:], values[base:], starts[base:]
        state = next_states[stack[-1]][origin][pending]
        if state == tables.end and pending == END:
            return value, problems
        stack.append(state)
        values.append(value)
        starts.append(first)


def _children(kept: list[Any]) -> list[Any]:
    """Values with those of helpers in their places. Those of a helper stay nested meanwhile: copying is quadratic."""
    return run_to_completion(_collecting(kept))


def _collecting(kept: list[Any]) -> Generator[None, None, list[Any]]:
    """:func:`_children` in steps of some thousand helpers."""
    children: list[Any] = []
    waiting = [iter(kept)]
    entered = 0
    while waiting:
        for child in waiting[-1]:
            if type(child) is not _Splice:
                children.append(child)
            elif _Splice not in map(type, child):
                children.extend(child)
            else:
                waiting.append(iter(child))
                entered += 1
                if not entered % _IN_A_STEP:
                    yield
                break
        else:
            waiting.pop()
    return children


def _fits(tables: Tables, stack: list[int], terminals: list[str]) -> bool:
    """Whether the automaton accepts these terminals next."""
    stack = stack.copy()
    for terminal in terminals:
        while True:
            action = tables.states[stack[-1]].get(terminal)
            if action is None:
                return False
            if action >= 0:
                stack.append(action)
                break
            rule = tables.rules[~action]
            if rule.length:
                del stack[-rule.length :]
            stack.append(tables.states[stack[-1]][rule.origin])
            if terminal == END and stack[-1] == tables.end:
                return True
    return True


def _acceptable(stack: list[int]) -> frozenset[str]:
    """The terminals that may come next."""
    return _acceptable_often(tuple(stack)) if len(stack) <= _KEPT_DEPTH else _acceptable_after(stack)


@memoized(1024)
def _acceptable_often(states: tuple[int, ...]) -> frozenset[str]:
    return _acceptable_after(list(states))


_KEPT_DEPTH = 256
"""Longer stacks are not kept: those of statements with brackets nested deep are nearly as long as the statement."""


def _acceptable_after(stack: list[int]) -> frozenset[str]:
    """The row of a state is a superset: a reduction may lead to an error."""
    tables = load()
    row = tables.states[stack[-1]]
    return frozenset(name for name in row if (name.isupper() or name == END) and _fits(tables, stack, [name]))


def acceptable(terminals: list[str]) -> frozenset[str]:
    """The terminals that may follow a prefix of a statement; unexpected terminals of the prefix are skipped."""
    tables = load()
    stack = [tables.start]
    for terminal in terminals:
        _shift(tables, stack, terminal)
    return _acceptable(stack)


def _shift(tables: Tables, stack: list[int], terminal: str) -> None:
    """Shift a terminal; the stack, which can be as long as the statement, is unchanged if the automaton rejects it."""
    kept = len(stack)
    removed: list[int] = []  # what stood above the part that is kept
    while True:
        action = tables.states[stack[-1]].get(terminal)
        if action is None:
            stack[kept:] = removed
            return
        if action >= 0:
            stack.append(action)
            return
        rule = tables.rules[~action]
        length = len(stack) - rule.length
        if length < kept:
            removed[:0] = stack[length:kept]
            kept = length
        del stack[length:]
        stack.append(tables.states[stack[-1]][rule.origin])
