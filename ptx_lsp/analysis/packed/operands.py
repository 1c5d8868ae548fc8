"""Which operands of an instruction are packed values, and what is known of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from ptx_lsp.analysis.packed.known import KnownValues, composed
from ptx_lsp.analysis.use import Use
from ptx_lsp.isa.match import Match
from ptx_lsp.layouts.choose import layout_of
from ptx_lsp.layouts.decode import Reading, decode
from ptx_lsp.layouts.layout import Layout
from ptx_lsp.layouts.load import layouts
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
"""The instructions whose values can be wrong: those whose descriptors nothing else can read."""


def is_looked_at(opcode: Sequence[str]) -> bool:
    """Whether an instruction can take a value that is worth looking for: a descriptor, a cache policy, a mask of CTAs.

    >>> is_looked_at(("ld", ".global", ".b32")), is_looked_at(("ld", ".global", ".L2::cache_hint", ".b32"))
    (False, True)
    """
    return is_tensor_instruction(opcode) or announces(opcode)


def is_tensor_instruction(opcode: Sequence[str]) -> bool:
    """Whether an instruction takes descriptors."""
    return opcode[0] in OPCODES


def announces(opcode: Sequence[str]) -> bool:
    """Whether a word of an ordinary instruction announces such a value: ``.L2::cache_hint``."""
    words = _announcing().get(opcode[0])
    return words is not None and opcode[0] not in OPCODES and not words.isdisjoint(opcode)


@cache
def _announcing() -> dict[str, frozenset[str]]:
    """For the other instructions the words of which one announces such a value, by the first part of their names."""
    found: dict[str, frozenset[str]] = {}
    for layout in layouts().values():
        for place in layout.places if layout.shorts else ():
            wanted = frozenset(word for is_wanted, words in place.when.parts if is_wanted for word in words)
            for name in place.instructions:
                first = name.partition(".")[0]
                found[first] = found.get(first, frozenset()) | wanted
    return found


def packed_operands(use: Use) -> Iterator[PackedOperand]:
    """The operands of an instruction whose layout has a short line: those that are worth looking for."""
    tree = use.instruction
    if tree is None or not is_looked_at(tree.opcode):
        return
    match = use.match
    if match is None:
        return
    for operand, role in zip(tree.operands, match.roles, strict=False):
        packed = packed_operand(use, match, operand, role)
        if packed is not None and packed.layout.shorts:
            yield packed


def packed_operand(use: Use, match: Match, operand: Operand, role: str) -> PackedOperand | None:
    """An operand, or a part of one, with the layout that its name on the page has; None where that is none."""
    tree = use.instruction
    if tree is None or not role:
        return None
    context = frozenset((*(word for word in match.values if word), *tree.opcode, str(use.module.target)))
    for name in match.instruction.names:
        layout = layout_of(name, role, context)
        if layout is not None:
            return PackedOperand(operand, role, layout, context)
    return None


def read_operand(use: Use, packed: PackedOperand, values: KnownValues) -> KnownOperand:
    """What is known of a packed operand of an instruction."""
    has_address = packed.layout.width == 64 and "start" in packed.layout.keys
    fact = values.operand(use.chunk, use.index, packed.operand, descriptor=has_address)
    layout, context = packed.layout, packed.context
    value, known, assumed = composed(fact, layout.width)
    sure = fact.sure
    return KnownOperand(
        packed, decode(layout, value, context, known), assumed, decode(layout, sure.value, context, sure.known)
    )
