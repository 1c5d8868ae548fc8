"""Whatever the unknown bits are, the known bits of a result are right: tried with random instructions and bits."""

from __future__ import annotations

import random

import pytest

from ptx_lsp.analysis.dataflow.known_bits import UNKNOWN, KnownBits
from ptx_lsp.analysis.dataflow.operations import compute

OPCODES = """
    mov.b16 mov.u32 mov.b64 add.s32 add.u64 add.u16 sub.s32 sub.u64 mul.lo.u32 mul.lo.s64 mul.wide.u32 mul.wide.s32
    mul.wide.u16 mad.lo.s32 mad.wide.u32 neg.s32 neg.s64 and.b32 and.b64 or.b32 or.b64 xor.b32 xor.b16 not.b32 not.b64
    shl.b32 shl.b64 shl.b16 shr.u32 shr.s32 shr.b64 shr.s64 shr.s16 selp.b32 selp.s64 bfe.u32 bfe.u64 bfi.b32 bfi.b64
    lop3.b32 prmt.b32 cvt.u64.u32 cvt.s64.s32 cvt.u16.u32 cvt.s32.s16 cvt.u32.u8 cvt.s64.s8 cvt.u8.u64
""".split()
SMALL = {"shl": (1,), "shr": (1,), "bfe": (1, 2), "bfi": (2, 3), "lop3": (3,), "prmt": (2,)}
"""Operands that are mostly constants: shift counts, positions, tables, selectors."""


def signed(value: int, width: int) -> int:
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value


def execute(opcode: str, values: list[int]) -> int:
    """The result of an instruction by the manual, for known values."""
    name, *words = opcode.split(".")
    letter, width = words[-1][0], int(words[-1][1:])
    own = [signed(value, width) if letter == "s" else value & ((1 << width) - 1) for value in values]
    mask = (1 << width) - 1
    count = values[1] & 0xFFFFFFFF if len(values) > 1 else 0
    match name:
        case "mov" | "selp":
            return own[0] & mask
        case "add":
            return own[0] + own[1] & mask
        case "sub":
            return own[0] - own[1] & mask
        case "mul" if words[0] == "wide":
            return own[0] * own[1] & ((1 << 2 * width) - 1)
        case "mad" if words[0] == "wide":
            return own[0] * own[1] + values[2] & ((1 << 2 * width) - 1)
        case "mul":
            return own[0] * own[1] & mask
        case "mad":
            return own[0] * own[1] + own[2] & mask
        case "neg":
            return -own[0] & mask
        case "and":
            return own[0] & own[1]
        case "or":
            return own[0] | own[1]
        case "xor":
            return own[0] ^ own[1]
        case "not":
            return ~own[0] & mask
        case "shl":
            return own[0] << min(count, width) & mask
        case "shr":
            return own[0] >> min(count, width) & mask
        case "bfe":
            return own[0] >> (own[1] & 255) & ((1 << (own[2] & 255)) - 1)
        case "bfi":
            field = ((1 << (own[3] & 255)) - 1) << (own[2] & 255)
            return (own[1] & ~field | own[0] << (own[2] & 255) & field) & mask
        case "lop3":
            bits = 0
            for place in range(32):
                row = (own[0] >> place & 1) << 2 | (own[1] >> place & 1) << 1 | own[2] >> place & 1
                bits |= (own[3] >> row & 1) << place
            return bits
        case "prmt":
            source = own[0] | own[1] << 32
            return sum((source >> 8 * (own[2] >> 4 * place & 7) & 255) << 8 * place for place in range(4))
        case "cvt":
            return own[0] & ((1 << int(words[0][1:])) - 1)
    raise AssertionError(name)


def _operands(name: str, width: int, rng: random.Random) -> list[tuple[KnownBits, int]]:
    """Values with what is known of them."""
    found = []
    for place in range(4):
        value = rng.choice([rng.getrandbits(64), rng.getrandbits(8), -rng.getrandbits(8) % (1 << 64)])
        known = rng.choice([0, -1, rng.getrandbits(64), ~rng.getrandbits(6), rng.getrandbits(64) | rng.getrandbits(64)])
        if place in SMALL.get(name, ()):
            known = -1
            value = {"prmt": rng.getrandbits(16) & 0x7777, "lop3": rng.getrandbits(8)}.get(name, rng.randrange(width))
            if name in ("bfe", "bfi") and place == SMALL[name][1]:
                value = rng.randrange(width - found[-1][1] + 1)
        known %= 1 << 64
        found.append((KnownBits(known, value & known), value))
    return found


@pytest.mark.parametrize("opcode", OPCODES)
def test_known_bits_are_right(opcode: str) -> None:
    rng = random.Random(opcode)
    name, *words = opcode.split(".")
    told = 0
    for _ in range(400):
        operands = _operands(name, int(words[-1][1:]), rng)
        found = compute([name, *(f".{word}" for word in words)], [bits for bits, _ in operands])
        exact = execute(opcode, [value for _, value in operands])
        assert exact & found.known == found.value, f"{opcode} {operands}"
        told += bin(found.known & 0xFFFF).count("1")
    assert told, "nothing is ever known"


@pytest.mark.parametrize("opcode", OPCODES)
def test_constants_give_constants(opcode: str) -> None:
    rng = random.Random(opcode)
    name, *words = opcode.split(".")
    for _ in range(50):
        values = [value for _, value in _operands(name, int(words[-1][1:]), rng)]
        if name == "selp":
            values[1] = values[0]
        found = compute([name, *(f".{word}" for word in words)], list(map(KnownBits.constant, values)))
        assert found.number == execute(opcode, values)


def test_what_is_not_followed_is_unknown() -> None:
    assert compute(["add", ".sat", ".s32"], [KnownBits.constant(1), KnownBits.constant(2)]) == UNKNOWN
    assert compute(["add", ".f32"], [KnownBits.constant(1), KnownBits.constant(2)]) == UNKNOWN
    assert compute(["popc", ".b32"], [KnownBits.constant(1)]) == UNKNOWN


def test_trailing_zeros() -> None:
    assert KnownBits.constant(48).trailing_zeros == 4
    assert KnownBits.constant(0).trailing_zeros == 64
    assert UNKNOWN.trailing_zeros == 0
    assert (UNKNOWN << 5).trailing_zeros == 5
