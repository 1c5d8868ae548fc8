"""Which operands of an instruction are packed values, and what is known of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ptx_lsp.analysis.packed.known import KnownValues, composed
from ptx_lsp.analysis.use import Use
from ptx_lsp.layouts.choose import layout_of
from ptx_lsp.layouts.decode import Reading, decode
from ptx_lsp.layouts.layout import Layout
from ptx_lsp.syntax.tree import Operand


class PackedOperand(NamedTuple):
    """An operand whose bits have meanings."""

    operand: Operand
    role: str
    """Its name on the instruction's page."""
    layout: Layout
    context: frozenset[str]


class KnownOperand(NamedTuple):
    """What is known of it."""

    packed: PackedOperand
    reading: Reading
    assumed: int
    """The bits that are known only if the address does not carry."""
    proved: Reading
    """The same from the proved bits alone: what is wrong in it is wrong."""


OPCODES = frozenset({"wgmma", "tcgen05"})
"""The instructions whose operands are looked at: those whose descriptors nothing else can read."""


def packed_operands(use: Use) -> Iterator[PackedOperand]:
    """The operands of an instruction whose layout has a short line: those that are worth looking for."""
    tree = use.instruction
    if tree is None or tree.opcode[0] not in OPCODES:
        return
    match = use.match
    if match is None:
        return
    context = frozenset((*(word for word in match.values if word), *tree.opcode, str(use.module.target)))
    for operand, role in zip(tree.operands, match.roles, strict=False):
        for name in match.instruction.names:
            layout = layout_of(name, role, context) if role else None
            if layout is not None and layout.short:
                yield PackedOperand(operand, role, layout, context)
                break


def read_operand(use: Use, packed: PackedOperand, values: KnownValues) -> KnownOperand:
    """What is known of a packed operand of an instruction."""
    fact = values.operand(use.chunk, use.index, packed.operand, descriptor=packed.layout.width == 64)
    layout, context = packed.layout, packed.context
    value, known, assumed = composed(fact, layout.width)
    sure = fact.sure
    return KnownOperand(
        packed, decode(layout, value, context, known), assumed, decode(layout, sure.value, context, sure.known)
    )
