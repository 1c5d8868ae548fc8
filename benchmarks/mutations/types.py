"""Mistakes in types."""

from __future__ import annotations

from random import Random

from benchmarks.mutations.kind import Edit, is_type, kind, pick, pick_instruction, pick_qualifier, registers, replace
from benchmarks.mutations.names import pick_register
from benchmarks.mutations.scan import Module
from benchmarks.mutations.words import BOGUS_TYPES, COMMON_TYPES, TYPES


@kind("types")
def type_dropped(module: Module, random: Random) -> Edit | None:
    """``add`` for ``add.s32``."""
    return replace(pick_qualifier(module, random, is_type), "")


@kind("types")
def type_bogus(module: Module, random: Random) -> Edit | None:
    """``add.i32``."""
    return replace(pick_qualifier(module, random, is_type), pick(random, BOGUS_TYPES))


@kind("types")
def type_width(module: Module, random: Random) -> Edit | None:
    """Another width: ``.u64`` for ``.u32``."""
    old = pick_qualifier(module, random, is_type)
    family, width = TYPES[old.text]
    others = [name for name in COMMON_TYPES if TYPES[name][0] == family and TYPES[name][1] != width]
    return replace(old, pick(random, others))


@kind("types")
def type_class(module: Module, random: Random) -> Edit | None:
    """Another class of types: ``.f32`` for ``.u32``."""
    old = pick_qualifier(module, random, is_type)
    family, width = TYPES[old.text]
    others = [name for name in COMMON_TYPES if TYPES[name][0] != family and TYPES[name][1] == width]
    return replace(old, pick(random, others))


@kind("types")
def register_wrong_type(module: Module, random: Random) -> Edit | None:
    """``%f1`` for ``%r7``."""
    statement, old = pick_register(module, random)
    known = registers(module, statement.function)
    own = known.get(old.text) or known.get(old.text.rstrip("0123456789") + "1")
    others = [name for name, type_ in known.items() if own and TYPES[type_] != TYPES[own]]
    return replace(old, pick(random, others))


@kind("types")
def guard_not_predicate(module: Module, random: Random) -> Edit | None:
    """``@%r1`` before an instruction without a guard."""
    statement = pick_instruction(module, random, lambda s: not s.guard)
    others = [name for name, type_ in registers(module, statement.function).items() if type_ != ".pred"]
    first = statement.tokens[0]
    return Edit(first.start, first.start, f"@{pick(random, others)} ", first.line)
