"""Mistakes in names."""

from __future__ import annotations

import re
from random import Random

from benchmarks.mutations.kind import Edit, kind, misspell, pick, pick_instruction, replace
from benchmarks.mutations.scan import Module, Statement, Token

_SPECIAL = re.compile(r"%(n?tid|n?ctaid|laneid|warpid|clock\d*|globaltimer|cluster\w*|lanemask_\w+|envreg\d+)")


def pick_register(module: Module, random: Random) -> tuple[Statement, Token]:
    """An instruction and one of the registers among its operands."""

    def registers(statement: Statement) -> list[Token]:
        return [token for operand in statement.operands for token in operand if module.is_register(token)]

    statement = pick_instruction(module, random, registers)
    return statement, pick(random, registers(statement))


@kind("names")
def register_undefined(module: Module, random: Random) -> Edit | None:
    """An undeclared register."""
    _, old = pick_register(module, random)
    return replace(old, pick(random, (f"{old.text}x", f"{old.text}99999", f"{old.text[1:]}_", "%zz7")))


@kind("names")
def special_register_misspelt(module: Module, random: Random) -> Edit | None:
    """``%tdi``."""
    operands = [token for s in module.instructions for operand in s.operands for token in operand]
    old = pick(random, [token for token in operands if token.is_percent and _SPECIAL.fullmatch(token.text)])
    return replace(old, "%" + misspell(old.text[1:], random))


@kind("names")
def label_undefined(module: Module, random: Random) -> Edit | None:
    """A branch to an undefined label."""
    statement = pick_instruction(module, random, lambda s: s.opcode and s.opcode.text == "bra" and s.operands)
    return replace(statement.operands[0][0], "$L__nowhere")


@kind("names")
def name_undefined(module: Module, random: Random) -> Edit | None:
    """A misspelt name of a variable, parameter or function."""
    places = [
        token
        for statement in module.instructions
        if statement.opcode and statement.opcode.text != "bra"
        for operand in statement.operands
        for token in operand
        if token.kind == "word" and token.text[0] not in "%_" and len(token.text) > 2
    ]
    old = pick(random, places)
    return replace(old, f"{old.text}_nope")


@kind("names")
def label_duplicated(module: Module, random: Random) -> Edit | None:
    """A label repeated."""
    name, colon = pick(random, [s for s in module.statements if s.kind == "label"]).tokens
    return Edit(colon.end, colon.end, f" {name.text}:", colon.line)
