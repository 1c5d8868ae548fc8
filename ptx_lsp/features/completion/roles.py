"""Names that instructions of the same kind nearby have in the same role: barriers, descriptors, addresses."""

from __future__ import annotations

from collections import Counter

from ptx_lsp.analysis.cursor.completed_statement import CompletedStatement
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind

_MOST_STATEMENTS = 1200
"""Statements before the cursor that are looked at, and half as many after it."""
_MOST_NAMES = 24
"""The names after which the search ends."""


def names_in_role(draft: CompletedStatement) -> list[str]:
    """The names at the place of the cursor in instructions that begin with the same word, the nearest first.

    A name that is there once is not among them: it is a result that nothing else needs. Of an address the place does
    not count: all ``mbarrier`` instructions name a barrier, at different places.
    """
    context = draft.place.context
    mnemonic = draft.tree.opcode[0]
    place = draft.path[0]
    chunk, here = context.chunk, context.index
    function = context.function
    number = function.chunks.index(chunk) if chunk in function.chunks else -1
    if number < 0:
        return []
    found: Counter[str] = Counter()
    for step, most in ((-1, _MOST_STATEMENTS), (1, _MOST_STATEMENTS // 2)):
        at, index = number, here + step
        for _ in range(most):
            while not 0 <= index < len(function.chunks[at]):
                at += step
                if not 0 <= at < len(function.chunks):
                    break
                index = len(function.chunks[at]) - 1 if step < 0 else 0
            if not 0 <= at < len(function.chunks) or len(found) >= _MOST_NAMES:
                break
            shape = SHAPES[function.chunks[at].shapes[index]]
            if shape.kind == Kind.INSTRUCTION and not shape.errors and shape.opcode[:1] == (mnemonic,):
                tree = shape.tree
                assert isinstance(tree, Instruction)
                statement = function.chunks[at].statement(index)
                for name in _names(tree, place):
                    found[statement.word(name)] += 1
            index += step
    return [name for name, count in found.items() if count > 1]


def _names(tree: Instruction, place: int) -> list[int]:
    """The tokens of the names at a place, and of the addresses."""
    found: list[Operand] = [one.parts[0] for one in tree.operands if one.kind is OperandKind.ADDRESS and one.parts]
    if place < len(tree.operands) and tree.operands[place].kind is OperandKind.NAME and place:
        found.append(tree.operands[place])
    return [one.name for one in found if one.name >= 0]
