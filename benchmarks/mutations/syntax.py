"""Mistakes in the marks between the words, and in single characters."""

from __future__ import annotations

from random import Random

from benchmarks.mutations.kind import Edit, insert, kind, misspell, pick, pick_instruction, replace
from benchmarks.mutations.scan import Module
from benchmarks.mutations.words import TYPES


@kind("syntax")
def semicolon_missing(module: Module, random: Random) -> Edit | None:
    """A statement without its ``;``."""
    return replace(pick(random, [s.tokens[-1] for s in module.statements if s.tokens[-1].text == ";"]), "")


@kind("syntax")
def comma_missing(module: Module, random: Random) -> Edit | None:
    """A blank instead of a comma."""
    operands = pick_instruction(module, random, lambda s: len(s.operands) > 1).operands
    at = random.randrange(len(operands) - 1)
    before, after = operands[at][-1], operands[at + 1][0]
    return Edit(before.end, after.start, " ", before.line)


@kind("syntax")
def bracket_missing(module: Module, random: Random) -> Edit | None:
    """A missing bracket of an operand."""
    marks = [t for s in module.instructions for t in s.tokens if t.kind == "mark" and t.text in "[](){}"]
    return replace(pick(random, marks), "")


@kind("syntax")
def character_stray(module: Module, random: Random) -> Edit | None:
    """An additional character before a token."""
    return insert(pick(random, module.tokens), pick(random, "#$&*?~^\\`'.:;,=é"))


@kind("syntax")
def character_deleted(module: Module, random: Random) -> Edit | None:
    """A token with a missing character."""
    token = pick(random, module.tokens)
    at = token.start + random.randrange(len(token.text))
    return Edit(at, at + 1, "", token.line)


@kind("syntax")
def literal_malformed(module: Module, random: Random) -> Edit | None:
    """A hexadecimal float with too many, too few or no digits."""
    old = pick(random, [t for t in module.tokens if t.kind == "number" and len(t.text) > 9 and t.text[1] in "fFdD"])
    return replace(old, pick(random, (old.text[:-1], f"{old.text}0", f"{old.text[:-1]}G")))


@kind("syntax")
def directive_misspelt(module: Module, random: Random) -> Edit | None:
    """``.visble``; types in declarations too."""
    words = [
        token
        for statement in module.statements
        if statement.kind in ("directive", "head")
        for token in statement.tokens
        if token.kind == "dot" and token.text[1:2].isalpha()
    ]
    old = pick(random, words)
    word = "." + misspell(old.text[1:], random)
    return replace(old, word) if word != "." and word not in TYPES else None
