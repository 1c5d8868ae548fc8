"""Making mutants of a text: the kinds take turns, so that each gets its share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from benchmarks.mutations import declarations, names, operands, qualifiers, syntax, types
from benchmarks.mutations.kind import Edit, Kind, NoPlace
from benchmarks.mutations.scan import Module

CATALOGUE = (syntax, names, qualifiers, operands, types, declarations)
"""The modules whose import enters their kinds."""


class Mutant(NamedTuple):
    """A whole text with one mistake; ``before`` and ``after`` are the lines touched."""

    kind: Kind
    line: int
    before: str
    after: str
    text: str


def mutants(module: Module, count: int, seed: int, kinds: Sequence[Kind]) -> Iterator[Mutant]:
    """Up to ``count`` different mutants. A kind that has no place in this module is skipped."""
    text = module.text
    random = Random(seed)
    seen: set[Edit] = set()
    misses = 0
    turn = random.randrange(len(kinds))
    while len(seen) < count and misses < 20 * len(kinds):
        kind = kinds[turn % len(kinds)]
        turn += 1
        edit = _edit(kind, module, random)
        if edit is None or text[edit.start : edit.end] == edit.text or edit in seen:
            misses += 1
            continue
        misses = 0
        seen.add(edit)
        mutated = text[: edit.start] + edit.text + text[edit.end :]
        before, after = _lines(text, edit.start, edit.end), _lines(mutated, edit.start, edit.start + len(edit.text))
        yield Mutant(kind, edit.line, before, after, mutated)


def _edit(kind: Kind, module: Module, random: Random) -> Edit | None:
    try:
        return kind.mutate(module, random)
    except NoPlace:
        return None


def _lines(text: str, start: int, end: int) -> str:
    """The whole lines around a span."""
    last = text.find("\n", end)
    return text[text.rfind("\n", 0, start) + 1 : last if last >= 0 else len(text)].strip()
