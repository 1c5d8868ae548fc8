"""The tables of the LALR parser, which Lark builds from ``grammar/ptx.lark``.

They are stored next to this file as JSON, so that startup needs neither Lark (its import alone takes longer than
checking a thousand lines) nor table construction. Tables older than the grammar are rebuilt in memory;
``python -m ptx_lsp.syntax.automaton.tables`` stores them.
"""

from __future__ import annotations

import json
import os
import re
from functools import cache
from typing import Any
from zlib import crc32

from ptx_lsp.named_tuples import NamedTuple

_HERE = os.path.dirname(os.path.abspath(__file__))  # not pathlib: its import takes longer than reading the tables
STORED = os.path.join(_HERE, "tables.json")
GRAMMAR = os.path.join(_HERE, "..", "..", "..", "grammar", "ptx.lark")
END = "$END"


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
