"""Instructions that pass on the number of a lane, and comparisons of it that differ within a warp.

Source: PTX ISA, "Special Registers: %laneid, %tid".
"""

from __future__ import annotations

import re

from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tokens import token_words
from ptx_lsp.syntax.tree import Instruction, OperandKind

WARP = 32
LONGEST_ROW = 1024
"""A CTA has at most so many threads."""
EQUALITY = (".eq", ".ne")
_FOLLOWED = frozenset({"elect", "mov", "cvt", "and", "or", "xor", "not", "rem", "selp", "setp"})
_SHORT_NUMBER = re.compile(r"[1-9][0-9]{0,8}").fullmatch


def may_follow(shape: Shape) -> bool:
    """Whether results of instructions can be known from lane numbers: comparisons are made with a constant."""
    if _FOLLOWED.isdisjoint(shape.opcode[:1]):
        return False
    return shape.opcode[0] != "setp" or bool(shape.constants)


def may_divide(shape: Shape, text: str) -> bool:
    """Whether a comparison with a constant may have different results in one warp, whatever is compared with it.

    The number of a lane is compared so mostly with a multiple of what a warp has.
    """
    tree = shape.tree
    if not isinstance(tree, Instruction) or len(shape.opcode) != 3 or shape.opcode[1] in EQUALITY:
        return True  # a register that has one of two values may be compared with one of them
    operand = tree.operands[-1]
    word = token_words(text)[operand.first] if operand.kind is OperandKind.INTEGER and not operand.sign else ""
    return not _SHORT_NUMBER(word) or (int(word) < LONGEST_ROW and divides(shape.opcode[1], int(word), None))


def divides(comparison: str, constant: int, largest: int | None) -> bool:
    """Whether a comparison of lane numbers with a constant has different results in one warp.

    >>> divides(".eq", 0, None), divides(".lt", 64, None), divides(".lt", 16, None), divides(".lt", 16, 15)
    (True, False, True, False)
    """
    if comparison in EQUALITY:
        return constant >= 0 and (largest is None or constant <= largest)
    if comparison in (".le", ".gt", ".ls", ".hi"):
        constant += 1
    elif comparison not in (".lt", ".ge", ".lo", ".hs"):
        return False
    if largest is None:
        return constant > 0 and constant % WARP != 0
    return 0 < constant <= largest
