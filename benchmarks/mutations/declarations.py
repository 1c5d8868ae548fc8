"""Mistakes whose consequences show elsewhere: in declarations, braces and the header."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from benchmarks.mutations.kind import Edit, is_type, kind, pick, pick_instruction, replace, replace_all
from benchmarks.mutations.scan import Module, Statement, Token
from benchmarks.mutations.words import TARGETS, TYPES, VERSIONS

_DECLARATIONS = (".reg", ".shared", ".local", ".global", ".const", ".param", ".visible", ".extern")


@kind("declarations")
def register_declaration_removed(module: Module, random: Random) -> Edit | None:
    """The ``.reg`` declaration of some registers removed."""
    return replace_all(pick(random, module.directives(".reg")).tokens, "")


@kind("declarations")
def register_declaration_retyped(module: Module, random: Random) -> Edit | None:
    """Registers declared with another type."""
    old = next(token for token in pick(random, module.directives(".reg")).tokens if is_type(token))
    others = [name for name in (".pred", ".b16", ".b32", ".b64", ".f32", ".f64") if TYPES[name] != TYPES[old.text]]
    return replace(old, pick(random, others))


@kind("declarations")
def register_count_lowered(module: Module, random: Random) -> Edit | None:
    """``%r<50>`` for ``%r<100>``."""
    counts = [
        count
        for statement in module.directives(".reg")
        for angle, count in pairwise(statement.tokens)
        if angle.text == "<" and int(count.text) > 2
    ]
    old = pick(random, counts)
    return replace(old, str(int(old.text) // 2))


@kind("declarations")
def declaration_duplicated(module: Module, random: Random) -> Edit | None:
    """A declaration repeated."""
    statement = pick(random, [s for s in module.directives(*_DECLARATIONS) if s.tokens[-1].text == ";"])
    first, last = statement.tokens[0], statement.tokens[-1]
    return Edit(last.end, last.end, " " + module.text[first.start : last.end], statement.line)


@kind("declarations")
def alignment_bad(module: Module, random: Random) -> Edit | None:
    """An alignment that is not a power of two."""
    numbers = [
        number
        for statement in module.statements
        for word, number in pairwise(statement.tokens)
        if word.text == ".align"
    ]
    return replace(pick(random, numbers), pick(random, ("3", "0", "5", "7", "12", "-4", "x")))


@kind("declarations")
def address_unaligned(module: Module, random: Random) -> Edit | None:
    """A constant offset that breaks the natural alignment."""

    def addresses(statement: Statement) -> list[list[Token]]:
        if statement.opcode is None or statement.opcode.text not in ("ld", "st", "atom", "red"):
            return []
        if not any(is_type(token) and TYPES[token.text][1] > 8 for token in statement.qualifiers):
            return []
        return [operand for operand in statement.operands if operand[0].text == "["]

    operand = pick(random, addresses(pick_instruction(module, random, addresses)))
    return replace_all(operand, f"[{operand[1].text}+{pick(random, (1, 3, 5))}]")


@kind("declarations")
def call_argument_dropped(module: Module, random: Random) -> Edit | None:
    """A call without its first argument."""
    lists = [
        operand
        for statement in module.instructions
        if statement.opcode and statement.opcode.text == "call"
        for operand in statement.operands
        if operand[0].text == "(" and len(operand) > 2
    ]
    operand = pick(random, lists)
    end = 3 if operand[2].text == "," else 2
    return Edit(operand[1].start, operand[end].start, "", operand[1].line)


@kind("declarations")
def brace_missing(module: Module, random: Random) -> Edit | None:
    """A function body without its opening or closing brace."""
    return replace(pick(random, [s.tokens[0] for s in module.statements if s.kind == "brace"]), "")


@kind("header")
def version_lowered(module: Module, random: Random) -> Edit | None:
    """A lower ``.version``."""
    old = pick(random, module.directives(".version")).tokens[1]
    return replace(old, pick(random, [version for version in VERSIONS if _numbers(version) < _numbers(old.text)]))


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


@kind("header")
def target_changed(module: Module, random: Random) -> Edit | None:
    """Another ``.target``."""
    old = pick(random, module.directives(".target")).tokens[1]
    return replace(old, pick(random, [target for target in TARGETS if target != old.text]))


@kind("header")
def header_line_removed(module: Module, random: Random) -> Edit | None:
    """No ``.version``, ``.target`` or ``.address_size``."""
    return replace_all(pick(random, module.directives(".version", ".target", ".address_size")).tokens, "")


@kind("header")
def address_size_changed(module: Module, random: Random) -> Edit | None:
    """The other address size."""
    return replace(pick(random, module.directives(".address_size")).tokens[1], pick(random, ("32", "16", "x")))
