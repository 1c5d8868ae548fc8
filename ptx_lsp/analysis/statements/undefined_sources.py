"""Sources of instructions that compilers leave undefined on purpose."""

from __future__ import annotations

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.tree import OperandKind


def is_packing(context: StatementContext) -> bool:
    """Whether a ``mov`` makes one register of several, or keeps a part of one."""
    tree = context.instruction
    if tree is None:
        return False
    target, source = tree.operands[0], tree.operands[-1]
    keeps_part = target.kind is OperandKind.VECTOR and any(part.kind is OperandKind.SINK for part in target.parts)
    return keeps_part or source.kind is OperandKind.VECTOR


_PLAIN = ("prmt", ".b32")
"""The form whose selector names a byte for each byte of the result; other modes need all sources."""
_PACKING = frozenset({0x3340, 0x5410})
"""Selectors by which compilers make one register of two bytes or of two halves; any of them may be undefined."""


def picked_sources(context: StatementContext) -> frozenset[str]:
    """The names of the sources of which a ``prmt`` needs a byte; those of packed bytes or halves it does not need."""
    tree = context.instruction
    assert tree is not None
    *sources, selector = tree.operands[1:4]
    names = [context.text_of(one) for one in sources]
    code = evaluate(context.statement, selector)
    if not isinstance(code, int) or len(tree.opcode) > len(_PLAIN):
        return frozenset((*names, context.text_of(selector)))
    if code in _PACKING:
        return frozenset()
    return frozenset(names[code >> at >> 2 & 1] for at in (0, 4, 8, 12))
