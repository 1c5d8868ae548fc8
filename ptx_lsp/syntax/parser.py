"""LALR parser for one statement, with tables that Lark builds from ``grammar/ptx.lark``.

The tables are stored next to this file as JSON, so that startup needs neither Lark
(its import alone takes longer than checking a thousand lines) nor table construction.
Tables older than the grammar are rebuilt in memory; ``python -m ptx_lsp.syntax.parser``
stores them. The loop is a textbook shift-reduce parser; it is iterative, so that the
nesting depth is unbounded, and it recovers from errors by insertion or deletion of a terminal.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Generator
from functools import cache, lru_cache
from typing import Any, Protocol
from zlib import crc32

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import run_to_completion

_HERE = os.path.dirname(os.path.abspath(__file__))  # not pathlib: its import takes longer than reading the tables
STORED = os.path.join(_HERE, "tables.json")
GRAMMAR = os.path.join(_HERE, "..", "..", "grammar", "ptx.lark")
END = "$END"
_IN_A_STEP = 512  # the number of terminals, or of rules, after which there is a pause
MAX_REPAIRS = 4  # more problems than this in one statement end the parse without a tree


class Production(NamedTuple):
    """A grammar rule: ``origin`` derives ``length`` symbols; those at ``keep`` are passed to the reducer."""

    origin: str
    length: int
    keep: tuple[int, ...]


class Tables(NamedTuple):
    """The LALR automaton. In ``states`` an action >= 0 shifts to that state, a negative one reduces by ``~action``."""

    stamp: int
    start: int
    end: int
    rules: list[Production]
    states: list[dict[str, int]]
    words: dict[str, str]  # ".reg" -> "SPACE"
    marks: dict[str, str]  # "," -> "COMMA"


class ParseProblem(NamedTuple):
    """The terminal at ``position`` is none of ``expected``; ``inserted`` and ``dropped`` describe the recovery."""

    position: int
    expected: frozenset[str]
    inserted: str = ""
    dropped: bool = False


class Reducer(Protocol):
    """Builds a node: ``children`` are token indices and nodes, ``[first, last)`` is the range of terminals."""

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
    states, rules = tables.states, tables.rules
    stack: list[int] = [tables.start]
    values: list[Any] = []
    starts: list[int] = []
    problems: list[ParseProblem] = []
    position = reductions = 0
    count = len(terminals)
    pending = terminals[0] if terminals else END
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
            following = terminals[position + 1] if position + 1 < count else END
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
            pending = terminals[position] if position < count else END
            continue
        origin, length, keep = rules[~action]
        is_helper = origin[0] == "_"
        if length == 1 and keep and is_helper:  # it passes the value of its symbol on
            stack.pop()
            stack.append(states[stack[-1]][origin])
            continue
        reductions += 1
        if not reductions % _IN_A_STEP:
            yield
        base = len(values) - length
        first = starts[base] if length else position
        children = _children([values[base + index] for index in keep], is_helper)
        value = children if is_helper else reducer(origin, children, first, position)
        if length:
            del stack[-length:], values[base:], starts[base:]
        state = states[stack[-1]][origin]
        if state == tables.end and pending == END:
            return value, problems
        stack.append(state)
        values.append(value)
        starts.append(first)


def _children(kept: list[Any], is_helper: bool) -> list[Any]:
    """Values with those of helpers in their places. Those of a helper stay nested meanwhile: copying is quadratic."""
    if is_helper:
        if not kept or type(kept[0]) is not _Splice:
            return _Splice(kept)
        children: list[Any] = kept[0]
        children.extend(kept[1:])
        return children
    if _Splice not in map(type, kept):
        return kept
    children = []
    waiting = [iter(kept)]
    while waiting:
        for child in waiting[-1]:
            if type(child) is not _Splice:
                children.append(child)
            elif _Splice not in map(type, child):
                children.extend(child)
            else:
                waiting.append(iter(child))
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


@lru_cache(maxsize=1024)
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


@cache
def load() -> Tables:
    """The tables: the stored ones, or rebuilt if they are missing or older than the grammar."""
    try:
        with open(STORED, encoding="utf-8") as file:
            stored = json.load(file)
    except (OSError, ValueError):
        return build(read_grammar())
    try:
        grammar = read_grammar()
    except OSError:  # installed without the grammar: only the stored tables are available
        return _from_json(stored)
    return _from_json(stored) if crc32(grammar.encode("utf-8")) == stored["stamp"] else build(grammar)


def read_grammar() -> str:
    """The text of the grammar in the repository."""
    with open(GRAMMAR, encoding="utf-8") as file:
        return file.read()


def build(grammar: str) -> Tables:
    """Build the tables of a grammar text with Lark."""
    from lark import Lark
    from lark.lexer import Lexer

    class NoLexer(Lexer):
        """A placeholder: tokens come from our tokenizer, Lark only builds the tables."""

        def __init__(self, configuration: object) -> None: ...

        def lex(self, *_: object) -> Any:
            raise NotImplementedError

    lark = Lark(grammar, parser="lalr", lexer=NoLexer, start="statement")
    table: Any = lark.parser.parser._parse_table  # noqa: SLF001  # Lark has no public name for it
    # Lark's order of rules and states varies between runs; the stored form must be deterministic.
    ordered = sorted(lark.rules, key=lambda rule: (rule.origin.name, [symbol.name for symbol in rule.expansion]))
    numbers = {rule: number for number, rule in enumerate(ordered)}
    rules = [
        Production(
            rule.origin.name,
            len(rule.expansion),
            tuple(i for i, symbol in enumerate(rule.expansion) if not getattr(symbol, "filter_out", False)),
        )
        for rule in ordered
    ]
    start, end = table.start_states["statement"], table.end_states["statement"]
    order = {start: 0}
    queue = [start]
    for state in queue:  # grows during iteration: breadth first, rows in the order of their names
        for _, (kind, argument) in sorted(table.states[state].items(), key=lambda item: str(item[0])):
            if str(kind) == "Shift" and argument not in order:
                order[argument] = len(order)
                queue.append(argument)
    states = [
        {
            str(name): order[argument] if str(kind) == "Shift" else ~numbers[argument]
            for name, (kind, argument) in sorted(table.states[state].items(), key=lambda item: str(item[0]))
        }
        for state in queue
    ]
    words, marks = _spellings(lark)
    return Tables(crc32(grammar.encode("utf-8")), order[start], order[end], rules, states, words, marks)


def _spellings(lark: Any) -> tuple[dict[str, str], dict[str, str]]:
    """The spellings of terminals that are fixed words or marks."""
    words: dict[str, str] = {}
    marks: dict[str, str] = {}
    for terminal in lark.terminals:
        if terminal.pattern is None:
            continue
        if terminal.pattern.type == "str":
            spellings = [terminal.pattern.value]
        else:
            spellings = re.sub(r"^\(\?:|\)$|\\", "", terminal.pattern.value).split("|")
        for spelling in spellings:
            known = words if re.fullmatch(r"\.?\w+", spelling) else marks
            known[spelling] = terminal.name
    return dict(sorted(words.items())), dict(sorted(marks.items()))


def _from_json(stored: dict[str, Any]) -> Tables:
    rules = [Production(origin, length, tuple(keep)) for origin, length, keep in stored["rules"]]
    return Tables(**{**stored, "rules": rules})


def to_json(tables: Tables) -> str:
    """The JSON form of the tables."""
    return json.dumps(tables._asdict(), separators=(",", ":")) + "\n"


if __name__ == "__main__":
    with open(STORED, "w", encoding="utf-8") as output:
        output.write(to_json(build(read_grammar())))
