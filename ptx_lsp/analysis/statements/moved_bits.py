"""Instructions that only move bits: which bits of their results come from given bits of a register.

Source: PTX ISA, "Logic and Shift Instructions", "Data Movement and Conversion Instructions", "Integer Arithmetic
Instructions". Bits are numbers: bit ``i`` is set if it is one of those that are asked about.
"""

from __future__ import annotations

from collections.abc import Sequence

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.patterns import compiled_on_use
from ptx_lsp.process_cache import memoized
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind

_TYPE = compiled_on_use(r"\.([bus])(8|16|32|64)")
ALL = (1 << 64) - 1

_COUNT = (1 << 32) - 1
"""Counts of shifts are 32-bit numbers without sign."""

Moved = list[tuple[str, int]]
"""Registers that an instruction writes, each with those of its bits that are asked about."""


def moved_bits(context: StatementContext, name: str, bits: int) -> Moved | None:
    """The bits of the results of an instruction that come from ``bits`` of the register ``name``.

    Empty if none of the bits gets into a result. None if the instruction does something else with them: computes,
    compares, stores, jumps.
    """
    tree = context.instruction
    if tree is None or not may_move_bits(tree.opcode):
        return None
    if tree.guard is not None and context.word(tree.guard.name) == name:
        return None
    types = _types(tree.opcode)
    if tree.opcode[0] == "shfl" and types:
        return _shuffled(context, tree, name, bits & _low(types[0][1]))
    if not types or len(tree.opcode) != 1 + len(types):
        return _stored(context, tree, name, bits, types)
    (_, width), *_ = types
    operands = [context.text_of(one) for one in tree.operands]
    numbers = [evaluate(context.statement, one) for one in tree.operands]
    is_first = len(operands) > 1 and operands[1] == name and name not in operands[2:]
    match tree.opcode[0], numbers:
        case "st", _:
            return _stored(context, tree, name, bits, types)
        case "mov", _:
            return _copied(context, tree, name, bits & _low(width))
        case "prmt", [_, _, _, int(selector)]:
            return [(operands[0], _permuted(operands[1:3], name, bits, selector))]
        case "cvt", _ if is_first and len(types) == 2:
            letter, source = types[1]
            return [(operands[0], _extended(bits & _low(source), letter, source) & _low(width))]
        case "and", [_, _, int(mask)] | [_, int(mask), _]:
            return [(operands[0], bits & mask & _low(width))]
        case "or", [_, _, int(mask)] | [_, int(mask), _]:
            return [(operands[0], bits & ~mask & _low(width))]
        case (("or" | "xor"), [_, None, None]) if operands[1] != operands[2]:
            return [(operands[0], bits & _low(width))]
        case "shl", [_, _, int(by)] if is_first:
            return [(operands[0], bits << min(by & _COUNT, width) & _low(width))]
        case "shr", [_, _, int(by)] if is_first:
            signed = _extended(bits & _low(width), types[0][0], width)
            return [(operands[0], signed >> min(by & _COUNT, width) & _low(width))]
        case "bfe", [_, _, int(first), int(count)] if is_first and types[0][0] == "u":
            return [(operands[0], bits >> (first & 0xFF) & _low(min(count & 0xFF, width)))]
        case "bfi", [_, _, _, int(first), int(count)]:
            field = _low(min(count & 0xFF, width)) << (first & 0xFF)
            inserted = bits << (first & 0xFF) & field if operands[1] == name else 0
            return [(operands[0], (inserted | (bits & ~field if operands[2] == name else 0)) & _low(width))]
    return None


@memoized(512)
def may_move_bits(opcode: tuple[str, ...]) -> bool:
    """Whether instructions with an opcode may only move bits: mostly those without qualifiers but types."""
    return opcode[0] in _OF_MORE_WORDS or len(opcode) == 1 + len(_types(opcode)) > 1


_OF_MORE_WORDS = frozenset({"shfl", "st"})


@memoized(512)
def _types(opcode: tuple[str, ...]) -> list[tuple[str, int]]:
    """The types of integers in an opcode, by their letters and widths."""
    return [(found[1], int(found[2])) for word in opcode if (found := _TYPE().fullmatch(word))]


def _low(count: int) -> int:
    return (1 << count) - 1


def _extended(bits: int, letter: str, width: int) -> int:
    """Bits of a number of some width with the copies of its sign above."""
    return bits | (ALL & ~_low(width) if letter == "s" and bits >> (width - 1) & 1 else 0)


def _permuted(sources: Sequence[str], name: str, bits: int, selector: int) -> int:
    found = 0
    for place in range(4):
        at = selector >> 4 * place & 7
        if sources[at >> 2] == name:
            found |= (bits >> 8 * (at & 3) & 0xFF) << 8 * place
    return found


def _shuffled(context: StatementContext, tree: Instruction, name: str, bits: int) -> Moved | None:
    """The value that a ``shfl`` takes from another lane."""
    result, value, *others = (context.text_of(one) for one in tree.operands)
    return [(result.partition("|")[0].strip(), bits)] if value == name and name not in others else None


def _copied(context: StatementContext, tree: Instruction, name: str, bits: int) -> Moved | None:
    """The result of a ``mov``: of a register, of one into several, or of several into one."""
    target, source = tree.operands
    parts = [context.text_of(one) for one in (source.parts if _is_vector(source) else (source,))]
    results = [context.text_of(one) for one in (target.parts if _is_vector(target) else (target,))]
    if name not in parts or (len(parts) > 1 and len(results) > 1):
        return None
    (_, whole), *_ = _types(tree.opcode)
    size = whole // len(parts)
    value = 0
    for at, part in enumerate(parts):
        if part == name:
            value |= (bits & _low(size)) << at * size
    size = whole // len(results)
    return [(result, value >> at * size & _low(size)) for at, result in enumerate(results) if result != "_"]


def _is_vector(operand: Operand) -> bool:
    return operand.kind is OperandKind.VECTOR


def _stored(
    context: StatementContext, tree: Instruction, name: str, bits: int, types: Sequence[tuple[str, int]]
) -> Moved | None:
    """A store of one register leaves out the bits above its type."""
    if tree.opcode[0] != "st" or len(types) != 1 or len(tree.operands) != 2:
        return None
    address, value = tree.operands
    is_alone = not _is_vector(value) and context.text_of(value) == name and name not in context.text_of(address)
    return [] if is_alone and not bits & _low(types[0][1]) else None
