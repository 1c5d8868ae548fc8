"""Sources of instructions that compilers leave undefined on purpose."""

from __future__ import annotations

from collections.abc import Callable

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.tree import Instruction, OperandKind


def needs_value(context: StatementContext, name: str, is_first: bool, *, is_sure: bool) -> bool:
    """Whether an instruction needs the value of a register that it reads.

    Compilers copy what may have no value yet into the variables of a loop, and move the padding of structures.

    Args:
        context: the instruction.
        name: the register.
        is_first: whether it is the first of those that it reads, without that of the guard.
        is_sure: whether some paths to the instruction write the register.

    """
    tree = context.instruction
    assert tree is not None
    needs = _NEEDS.get(tree.opcode[0])
    return needs is None or needs(_Read(context, tree, name, is_first, is_sure))


def may_lack_values(opcode: tuple[str, ...]) -> bool:
    """Whether :func:`needs_value` may be false for instructions with an opcode."""
    return opcode[0] in _NEEDS


class _Read(NamedTuple):
    """A register that an instruction reads, with the arguments of :func:`needs_value`."""

    context: StatementContext
    tree: Instruction
    name: str
    is_first: bool
    is_sure: bool


def _selects(read: _Read) -> bool:
    """Whether ``selp`` decides by a register: the compiler gives no value to what it never selects."""
    return read.context.text_of(read.tree.operands[-1]).lstrip("!") == read.name


def _stores(read: _Read) -> bool:
    """Whether a store writes more of a register than the padding of a structure, which is last."""
    *_, last = stored_parts(read.context) or [read.context.text_of(read.tree.operands[-1])]
    return last != read.name or _PADDING.isdisjoint(read.tree.opcode)


_NEEDS: dict[str, Callable[[_Read], bool]] = {
    "selp": _selects,
    "mov": lambda read: not (read.is_sure or _is_packing(read.context)),
    "prmt": lambda read: read.name in _picked_sources(read.context),
    "shfl": lambda read: not read.is_first,
    "st": _stores,
}
"""Whether an instruction needs the value of a register that it reads; all others need it."""


_PADDING = frozenset({".b8", ".u8", ".s8"})
"""Types of the stores by which compilers copy a byte of a structure that was never set."""


def stored_parts(context: StatementContext) -> list[str]:
    """The registers of the vector that an instruction stores; none if it stores no vector."""
    tree = context.instruction
    if tree is None or not tree.operands or tree.operands[-1].kind is not OperandKind.VECTOR:
        return []
    return [context.text_of(one) for one in tree.operands[-1].parts]


def _is_packing(context: StatementContext) -> bool:
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


def _picked_sources(context: StatementContext) -> frozenset[str]:
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
