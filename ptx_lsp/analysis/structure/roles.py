"""Counts of instructions by their role: matrix products, loads, stores, barriers."""

from __future__ import annotations

from collections.abc import Iterable

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.process_cache import memoized
from ptx_lsp.syntax.shape import SHAPES

Counts = tuple[tuple[str, int], ...]
"""Roles with their counts, in the order of the vocabulary; none is 0."""


@memoized(1 << 12)
def role_of(shape: int) -> str:
    """The role of the instructions of a shape, by its number; empty for those without one."""
    opcode = SHAPES[shape].opcode
    roles, names = catalogue().vocabulary.rare.instruction_roles, catalogue().names
    words = "".join(opcode).split(".")
    while words:
        name = ".".join(words)
        if name in roles:
            return roles[name]
        if len(words) > 1 and name in names:
            return ""
        words.pop()
    return ""


@memoized(1 << 12)
def name_of(shape: int) -> str:
    """The name of the instructions of a shape, without their qualifiers: ``mbarrier.try_wait``; empty without one."""
    words = "".join(SHAPES[shape].opcode).split(".")
    longest = (".".join(words[:count]) for count in range(len(words), 1, -1))
    names = catalogue().names
    return next((name for name in longest if name in names), words[0])


def counts_of(shapes: Iterable[int]) -> Counts:
    """The counts of some statements, by the numbers of their shapes."""
    found = dict.fromkeys(dict.fromkeys(catalogue().vocabulary.rare.instruction_roles.values()), 0)
    for shape in shapes:
        role = role_of(shape)
        if role:
            found[role] += 1
    return tuple((role, count) for role, count in found.items() if count)


def added(one: Counts, other: Counts) -> Counts:
    """The counts of two together."""
    found = dict.fromkeys(dict.fromkeys(catalogue().vocabulary.rare.instruction_roles.values()), 0)
    for role, count in (*one, *other):
        found[role] += count
    return tuple((role, count) for role, count in found.items() if count)
