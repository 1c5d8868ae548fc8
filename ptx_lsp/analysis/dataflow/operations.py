"""Results of single instructions, as far as bits are known.

Source: PTX ISA, "Integer Arithmetic Instructions", "Logic and Shift Instructions", "Data Movement and Conversion
Instructions". What is not listed here is unknown.
"""

# ruff: noqa: ARG001  (all operations have one signature, whatever they need of it)

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from ptx_lsp.analysis.dataflow.known_bits import UNKNOWN, KnownBits
from ptx_lsp.process_cache import memoized

_TYPE = re.compile(r"\.([bus])(8|16|32|64)").fullmatch


def integer_types(opcode: Sequence[str]) -> list[tuple[str, int]]:
    """The integer types among the qualifiers: letter and width.

    >>> integer_types(["cvt", ".u64", ".s32"])
    [('u', 64), ('s', 32)]
    """
    return [(found[1], int(found[2])) for word in opcode if (found := _TYPE(word))]


Computation = Callable[[Sequence[KnownBits]], KnownBits]
"""From what is known of the operands after the destination to what is known of the result."""


def compute(opcode: Sequence[str], operands: Sequence[KnownBits]) -> KnownBits:
    """The result of an instruction, cut to the width of its type.

    Args:
        opcode: the mnemonic and its qualifiers.
        operands: what is known of the operands after the destination.

    Returns:
        :data:`UNKNOWN` for instructions that are not followed.

    """
    return computation(tuple(opcode))(operands)


@memoized(1024)
def computation(opcode: tuple[str, ...]) -> Computation:
    """The computation of instructions with an opcode, as :func:`compute` does it."""
    types = integer_types(opcode)
    operation = _OPERATIONS.get(opcode[0])
    if operation is None or not types or not _is_plain(opcode):
        return unknown
    letter, width = types[0]
    if opcode[0] == "cvt":
        return partial(_cvt, types) if len(types) == 2 else unknown
    if ".wide" in opcode:
        return partial(_wide, operation, letter, width)
    return partial(_plain, operation, letter, width)


def unknown(operands: Sequence[KnownBits]) -> KnownBits:
    """The computation of instructions that are not followed."""
    return UNKNOWN


def _plain(operation: _Operation, letter: str, width: int, operands: Sequence[KnownBits]) -> KnownBits:
    return operation(letter, width, [one.low(width) for one in operands]).low(width)


def _wide(operation: _Operation, letter: str, width: int, operands: Sequence[KnownBits]) -> KnownBits:
    extended = [one.signed(width) if letter == "s" else one.low(width) for one in operands[:2]]
    return operation(letter, 2 * width, [*extended, *operands[2:]]).low(2 * width)


_NOT_FOLLOWED = frozenset({".sat", ".hi", ".cc", ".wrap", ".rn", ".rz", ".relu", ".sync"})


def _is_plain(opcode: Sequence[str]) -> bool:
    return _NOT_FOLLOWED.isdisjoint(opcode)


_Operation = Callable[[str, int, Sequence[KnownBits]], KnownBits]


def _first(letter: str, width: int, operands: Sequence[KnownBits]) -> KnownBits:
    return operands[0]


def _add(letter: str, width: int, operands: Sequence[KnownBits]) -> KnownBits:
    return operands[0].plus(operands[1])


def _sub(letter: str, width: int, operands: Sequence[KnownBits]) -> KnownBits:
    return operands[0].minus(operands[1])


def _mul(letter: str, width: int, operands: Sequence[KnownBits]) -> KnownBits:
    return operands[0].times(operands[1])


def _mad(letter: str, width: int, operands: Sequence[KnownBits]) -> KnownBits:
    return operands[0].times(operands[1]).plus(operands[2])


def _neg(letter: str, width: int, operands: Sequence[KnownBits]) -> KnownBits:
    return KnownBits.constant(0).minus(operands[0])


def _and(letter: str, width: int, operands: Sequence[KnownBits]) -> KnownBits:
    return operands[0] & operands[1]


def _or(letter: str, width: int, operands: Sequence[KnownBits]) -> KnownBits:
    return operands[0] | operands[1]


def _xor(letter: str, width: int, operands: Sequence[KnownBits]) -> KnownBits:
    return operands[0] ^ operands[1]


def _not(letter: str, width: int, operands: Sequence[KnownBits]) -> KnownBits:
    return ~operands[0]


def _shl(letter: str, width: int, operands: Sequence[KnownBits]) -> KnownBits:
    by = operands[1].low(32).number
    return UNKNOWN if by is None else operands[0] << min(by, width)


def _shr(letter: str, width: int, operands: Sequence[KnownBits]) -> KnownBits:
    by = operands[1].low(32).number
    if by is None:
        return UNKNOWN
    if letter != "s":
        return operands[0] >> min(by, width)
    by = min(by, width - 1)
    extended = operands[0].signed(width)
    above = ~(-1 % (1 << 64) >> by) % (1 << 64)  # where copies of the sign come in
    shifted = (extended >> by) & KnownBits.constant(~above)
    if not extended.known >> 63:
        return KnownBits(shifted.known & ~above, shifted.value)
    return KnownBits(shifted.known, shifted.value | (above if extended.value >> 63 else 0))


def _selp(letter: str, width: int, operands: Sequence[KnownBits]) -> KnownBits:
    return operands[0].join(operands[1])


def _bfe(letter: str, width: int, operands: Sequence[KnownBits]) -> KnownBits:
    position, length = (one.low(8).number for one in operands[1:3])
    if position is None or length is None or letter == "s" or position + length > width:
        return UNKNOWN
    return (operands[0] >> position).low(length) if length else KnownBits.constant(0)


def _bfi(letter: str, width: int, operands: Sequence[KnownBits]) -> KnownBits:
    field, into = operands[:2]
    position, length = (one.low(8).number for one in operands[2:4])
    if position is None or length is None or position + length > width:
        return UNKNOWN
    mask = KnownBits.constant(((1 << length) - 1) << position)
    return into & ~mask | field << position & mask


def _lop3(letter: str, width: int, operands: Sequence[KnownBits]) -> KnownBits:
    table = operands[3].low(8).number
    if table is None:
        return UNKNOWN
    found = KnownBits.constant(0)
    for row in range(8):
        if table >> row & 1:
            one, two, three = (
                operand if row >> (2 - place) & 1 else ~operand for place, operand in enumerate(operands[:3])
            )
            found |= one & two & three
    return found


def _prmt(letter: str, width: int, operands: Sequence[KnownBits]) -> KnownBits:
    selector = operands[2].low(16).number
    if selector is None or selector & 0x8888:
        return UNKNOWN
    source = operands[0].low(32) | operands[1].low(32) << 32
    found = KnownBits.constant(0)
    for place in range(4):
        found |= (source >> 8 * (selector >> 4 * place & 7)).low(8) << 8 * place
    return found


def _cvt(types: Sequence[tuple[str, int]], operands: Sequence[KnownBits]) -> KnownBits:
    operand = operands[0]
    (_, to), (letter, width) = types
    return (operand.signed(width) if letter == "s" else operand.low(width)).low(to)


_OPERATIONS: dict[str, _Operation] = {
    "mov": _first,
    "cvt": _first,
    "add": _add,
    "sub": _sub,
    "mul": _mul,
    "mad": _mad,
    "neg": _neg,
    "and": _and,
    "or": _or,
    "xor": _xor,
    "not": _not,
    "shl": _shl,
    "shr": _shr,
    "selp": _selp,
    "bfe": _bfe,
    "bfi": _bfi,
    "lop3": _lop3,
    "prmt": _prmt,
}
