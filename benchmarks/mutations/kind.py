"""What a kind of mistake is, and the helpers that all kinds choose their places with."""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random
from typing import NamedTuple, TypeVar

from benchmarks.mutations.scan import Module, Statement, Token
from benchmarks.mutations.words import TYPES


class Edit(NamedTuple):
    """One replacement; ``line`` is the one that a reader would point at."""

    start: int
    end: int
    text: str
    line: int


Mutator = Callable[[Module, Random], Edit | None]
"""Makes one edit; None if its random choice led nowhere."""


class Kind(NamedTuple):
    """A kind of mistake: its name, the group it is counted in, and how it is made."""

    name: str
    group: str
    mutate: Mutator


KINDS: dict[str, Kind] = {}
"""All kinds by name, in the order of their definition."""


class NoPlace(Exception):  # noqa: N818 - not an error: this module just has no such thing
    """The module has no place for this kind of mistake."""


def kind(group: str) -> Callable[[Mutator], Mutator]:
    """Enter a function as a kind of mistake under its own name."""

    def enter(mutate: Mutator) -> Mutator:
        KINDS[mutate.__name__] = Kind(mutate.__name__, group, mutate)
        return mutate

    return enter


Item = TypeVar("Item")


def pick(random: Random, items: Sequence[Item]) -> Item:
    """One of them; :class:`NoPlace` if there is none."""
    if not items:
        raise NoPlace
    return items[random.randrange(len(items))]


def pick_instruction(module: Module, random: Random, wanted: Callable[[Statement], object]) -> Statement:
    """An instruction that is wanted."""
    return pick(random, [statement for statement in module.instructions if wanted(statement)])


def pick_qualifier(module: Module, random: Random, wanted: Callable[[Token], object]) -> Token:
    """A wanted qualifier of some instruction."""
    statement = pick_instruction(module, random, lambda s: any(map(wanted, s.qualifiers)))
    return pick(random, [token for token in statement.qualifiers if wanted(token)])


def replace(token: Token, text: str) -> Edit:
    """Put ``text`` in the place of a token."""
    return Edit(token.start, token.end, text, token.line)


def replace_all(tokens: Sequence[Token], text: str) -> Edit:
    """Put ``text`` in the place of a run of tokens."""
    return Edit(tokens[0].start, tokens[-1].end, text, tokens[0].line)


def insert(before: Token, text: str) -> Edit:
    """Put ``text`` before a token."""
    return Edit(before.start, before.start, text, before.line)


def is_type(token: Token) -> bool:
    """Whether a token is a fundamental type."""
    return token.text in TYPES


def is_no_type(token: Token) -> bool:
    """Whether a token is something else."""
    return token.text not in TYPES


def misspell(word: str, random: Random) -> str:
    """A word with a letter left out, doubled, swapped with the next or replaced."""
    at = random.randrange(len(word))
    how = random.randrange(4)
    if how == 0:
        return word[:at] + word[at + 1 :]
    if how == 1:
        return word[:at] + word[at] + word[at:]
    if how == 2 and at + 1 < len(word):
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[:at] + random.choice(string.ascii_lowercase) + word[at + 1 :]


def registers(module: Module, function: int) -> dict[str, str]:
    """A register of each declaration in a function, with its type."""
    found = {}
    for statement in module.directives(".reg"):
        types = [token.text for token in statement.tokens if is_type(token)]
        if statement.function != function or not types:
            continue
        for token, following in pairwise(statement.tokens):
            if token.kind == "word":
                found[token.text + ("1" if following.text == "<" else "")] = types[0]
    return found
