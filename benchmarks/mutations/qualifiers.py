"""Mistakes in opcodes and their qualifiers."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from benchmarks.mutations.kind import (
    Edit,
    insert,
    is_no_type,
    kind,
    misspell,
    pick,
    pick_instruction,
    pick_qualifier,
    replace,
    replace_all,
)
from benchmarks.mutations.scan import Module, Statement, Token
from benchmarks.mutations.words import ALL_SPACES, OPCODES, QUALIFIERS, SPACES, TYPES


def _opcode(module: Module, random: Random) -> Token:
    statement = pick_instruction(module, random, lambda s: s.opcode)
    assert statement.opcode is not None
    return statement.opcode


@kind("qualifiers")
def opcode_misspelt(module: Module, random: Random) -> Edit | None:
    """``ad.s32``."""
    opcode = _opcode(module, random)
    for _ in range(20):
        word = misspell(opcode.text, random)
        if word and word not in OPCODES and not word[0].isdigit():
            return replace(opcode, word)
    return None


@kind("qualifiers")
def opcode_uppercase(module: Module, random: Random) -> Edit | None:
    """``ADD.s32``."""
    opcode = _opcode(module, random)
    return replace(opcode, opcode.text.upper())


@kind("qualifiers")
def opcode_replaced(module: Module, random: Random) -> Edit | None:
    """The opcode of another instruction of the file."""
    opcode = _opcode(module, random)
    others = {statement.opcode.text for statement in module.instructions if statement.opcode}
    return replace(opcode, pick(random, sorted(others - {opcode.text})))


@kind("qualifiers")
def qualifier_dropped(module: Module, random: Random) -> Edit | None:
    """``ld.u32`` for ``ld.global.u32``."""
    return replace(pick_qualifier(module, random, is_no_type), "")


def _with_qualifiers(statement: Statement) -> bool:
    return bool(statement.qualifiers)


@kind("qualifiers")
def qualifier_added(module: Module, random: Random) -> Edit | None:
    """An additional qualifier before another one."""
    statement = pick_instruction(module, random, _with_qualifiers)
    present = {token.text for token in statement.qualifiers}
    fresh = pick(random, [word for word in QUALIFIERS if word not in present])
    return insert(pick(random, statement.qualifiers), fresh)


@kind("qualifiers")
def qualifier_doubled(module: Module, random: Random) -> Edit | None:
    """``add.s32.s32``."""
    qualifier = pick(random, pick_instruction(module, random, _with_qualifiers).qualifiers)
    return insert(qualifier, qualifier.text)


@kind("qualifiers")
def qualifier_reordered(module: Module, random: Random) -> Edit | None:
    """Two adjacent qualifiers swapped."""
    qualifiers = pick_instruction(module, random, lambda s: len(s.qualifiers) > 1).qualifiers
    pairs = [pair for pair in pairwise(qualifiers) if pair[0].text != pair[1].text]
    first, second = pick(random, pairs)
    return replace_all((first, second), second.text + first.text)


@kind("qualifiers")
def qualifier_replaced(module: Module, random: Random) -> Edit | None:
    """A random qualifier instead of the right one."""
    old = pick_qualifier(module, random, is_no_type)
    return replace(old, pick(random, [word for word in QUALIFIERS if word != old.text]))


@kind("qualifiers")
def qualifier_misspelt(module: Module, random: Random) -> Edit | None:
    """``ld.globl.u32``."""
    old = pick_qualifier(module, random, is_no_type)
    word = "." + misspell(old.text[1:], random)
    return replace(old, word) if len(word) > 1 and word not in TYPES else None


@kind("qualifiers")
def state_space_swapped(module: Module, random: Random) -> Edit | None:
    """``ld.shared`` for ``ld.global``."""
    old = pick_qualifier(module, random, lambda token: token.text in ALL_SPACES)
    return replace(old, pick(random, [space for space in SPACES if space != old.text]))


@kind("qualifiers")
def vector_width(module: Module, random: Random) -> Edit | None:
    """``.v4`` for ``.v2``, also ``.v3``."""
    old = pick_qualifier(module, random, lambda token: token.text[1:2] in "vx" and token.text[2:].isdigit())
    widths = [width for width in ("1", "2", "3", "4", "8", "16") if width != old.text[2:]]
    return replace(old, old.text[:2] + pick(random, widths))
