"""The statically known value of a register at the cursor, where it is cheap to compute."""

from __future__ import annotations

from ptx_lsp.analysis.cursor.cursor import Cursor
from ptx_lsp.analysis.dataflow.known_bits import KnownBits
from ptx_lsp.analysis.dataflow.known_bits_analysis import KnownBitsAnalysis
from ptx_lsp.analysis.references.reaching_definitions import is_cheap
from ptx_lsp.analysis.symbols.storage import bits_of
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.isa.catalogue import catalogue

MOST_WRITES = 40
"""The maximum number of instructions that a value may depend on."""
_FOLLOWED = frozenset({"untyped", "signed", "unsigned"})
"""The kinds of types whose values are analyzed."""


def known_value(cursor: Cursor, symbol: Symbol) -> str:
    """Return the known value of the register under the cursor, as text: before the instruction, or after its write.

    Empty if it is unknown, outside instructions, and in long functions.
    """
    context = cursor.context
    if symbol.kind is not SymbolKind.REGISTER or symbol.vector or context.instruction is None:
        return ""
    type_ = catalogue().vocabulary.types.get(symbol.type)
    if type_ is None or type_.kind not in _FOLLOWED or not is_cheap(cursor.semantics, context.function):
        return ""
    bits = _bits(cursor)
    return in_words(bits, symbol.type) if bits is not None else ""


def _bits(cursor: Cursor) -> KnownBits | None:
    context = cursor.context
    semantics, function = cursor.semantics, context.function
    is_there = semantics.has_flow(function)
    flow = semantics.flow(function)
    try:
        node = flow.graph.node_at(context.chunk, context.index)
        if node is None or node.number not in flow.graph.reachable:
            return None
        step = flow.steps.at(node.number, context.index)
        register = flow.graph.registers.key(cursor.word, node.scope)
        values = KnownBitsAnalysis(flow.steps, MOST_WRITES)
        if register in step.writes and is_written(cursor):
            return values.after(step, register)
        return values.before(step, register)
    finally:
        if not is_there:
            semantics.forget_flow(function)


def is_written(cursor: Cursor) -> bool:
    """Whether the word under the cursor is in an operand that the instruction writes."""
    tree, match = cursor.context.instruction, cursor.context.match
    if tree is None or match is None:
        return False
    return any(
        writes and operand.first <= cursor.token < operand.last
        for operand, writes in zip(tree.operands, match.writes, strict=False)
    )


def in_words(bits: KnownBits, type_: str) -> str:
    """Return known bits of a register as text; empty if they are not informative.

    >>> in_words(KnownBits.constant(42), ".b32"), in_words(KnownBits.constant(0xFFFFFFFF), ".s32")
    ('42 (`0x2a`)', '-1 (`0xffffffff`)')
    >>> in_words(KnownBits(0xFFFFFFFF00000007, 0), ".b32"), in_words(KnownBits(0xFFFFFFFFFFFFFFE0, 0), ".b32")
    ('a multiple of 8', '0..31')
    """
    width = bits_of(type_)
    if not width or width > 64:
        return ""
    bits = bits.low(width)
    number = bits.number
    if number is not None:
        return _number(number, type_, width)
    parts = []
    shift = bits.trailing_zeros
    if shift:
        parts.append(f"a multiple of {1 << shift}")
    if bits.most < (1 << width) - 1 << shift and bits.most < (1 << width) - (1 << shift):
        parts.append(f"{bits.least}..{bits.most}" if not bits.least else f"at least {bits.least}, at most {bits.most}")
    return ", ".join(parts)


def _number(number: int, type_: str, width: int) -> str:
    if catalogue().vocabulary.types[type_].kind == "signed" and number >> width - 1:
        return f"{number - (1 << width)} (`{number:#x}`)"
    return f"{number} (`{number:#x}`)" if number > _ONE_DIGIT else str(number)


_ONE_DIGIT = 9
