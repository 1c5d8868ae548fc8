"""Mistakes in operands: too many, too few, in the wrong order, of the wrong kind."""

from __future__ import annotations

from random import Random

from benchmarks.mutations.kind import Edit, kind, pick, pick_instruction, replace, replace_all
from benchmarks.mutations.scan import Module, Statement, Token


def _joined(operand: list[Token]) -> str:
    return "".join(token.text for token in operand)


def _with_several(statement: Statement) -> bool:
    return len(statement.operands) > 1


@kind("operands")
def operand_missing(module: Module, random: Random) -> Edit | None:
    """``add.s32 %r1, %r2;``."""
    operands = pick_instruction(module, random, _with_several).operands
    at = random.randrange(len(operands))
    if at + 1 < len(operands):
        return Edit(operands[at][0].start, operands[at + 1][0].start, "", operands[at][0].line)
    return Edit(operands[at - 1][-1].end, operands[at][-1].end, "", operands[at][0].line)


@kind("operands")
def operand_extra(module: Module, random: Random) -> Edit | None:
    """An operand repeated at the end."""
    operands = pick_instruction(module, random, lambda s: s.operands).operands
    last = operands[-1][-1]
    return Edit(last.end, last.end, f", {_joined(pick(random, operands))}", last.line)


@kind("operands")
def operands_swapped(module: Module, random: Random) -> Edit | None:
    """Two adjacent operands swapped."""
    operands = pick_instruction(module, random, _with_several).operands
    at = random.randrange(len(operands) - 1)
    first, second = operands[at], operands[at + 1]
    return replace_all([*first, *second], f"{_joined(second)}, {_joined(first)}")


@kind("operands")
def destination_immediate(module: Module, random: Random) -> Edit | None:
    """``add.s32 1, %r2, %r3;``."""
    statement = pick_instruction(
        module, random, lambda s: s.operands and len(s.operands[0]) == 1 and module.is_register(s.operands[0][0])
    )
    return replace(statement.operands[0][0], pick(random, ("0", "1", "0x10", "1.0")))


@kind("operands")
def immediate_for_register(module: Module, random: Random) -> Edit | None:
    """A constant instead of a source register."""

    def sources(statement: Statement) -> list[Token]:
        return [
            operand[0] for operand in statement.operands[1:] if len(operand) == 1 and module.is_register(operand[0])
        ]

    old = pick(random, sources(pick_instruction(module, random, sources)))
    return replace(old, pick(random, ("0", "7", "1.5", "0f3F800000", "0d3FF0000000000000", "-1")))


@kind("operands")
def immediate_wrong(module: Module, random: Random) -> Edit | None:
    """A constant of the wrong kind or far out of range."""
    numbers = [t for s in module.instructions for operand in s.operands for t in operand if t.kind == "number"]
    wrong = "1.5 99999 4294967296 99999999999999999999999 0x 0f3F8 08 -1 300 0f3F800000 foo".split()
    return replace(pick(random, numbers), pick(random, wrong))


@kind("operands")
def brackets_dropped(module: Module, random: Random) -> Edit | None:
    """``%rd1`` for ``[%rd1+4]``."""
    statement = pick_instruction(module, random, lambda s: any(o[0].text == "[" for o in s.operands))
    operand = pick(random, [operand for operand in statement.operands if operand[0].text == "["])
    return replace_all(operand, operand[1].text)


@kind("operands")
def brackets_added(module: Module, random: Random) -> Edit | None:
    """``[%r1]`` for ``%r1``."""
    statement = pick_instruction(module, random, lambda s: any(len(o) == 1 for o in s.operands))
    operand = pick(random, [operand for operand in statement.operands if len(operand) == 1])
    return replace_all(operand, f"[{operand[0].text}]")


@kind("operands")
def vector_element_dropped(module: Module, random: Random) -> Edit | None:
    """``{%r2}`` for ``{%r1, %r2}``."""

    def vectors(statement: Statement) -> list[list[Token]]:
        return [operand for operand in statement.operands if operand[0].text == "{" and len(operand) > 4]

    operand = pick(random, vectors(pick_instruction(module, random, vectors)))
    return Edit(operand[1].start, operand[3].start, "", operand[1].line)
