"""Descriptions of the effects of constants, parsed and compared with the result of the instruction."""

from __future__ import annotations

import random
import re

import pytest

from ptx_lsp.features.hover.parts.constant_effects import bits_in_words, constant_effect, runs

from .test_bits import execute


def said(opcode: str, *operands: int | str, at: int = -1) -> str:
    """The effect of the last constant of an instruction, or of the one at ``at``."""
    values = [one if isinstance(one, int) else None for one in operands]
    words = opcode.replace(".", " .").split()
    return constant_effect(words, values, at % len(operands), [str(one) for one in operands])


@pytest.mark.parametrize(
    ("opcode", "operands", "words"),
    [
        ("and.b32", ("a", 16383), "keeps bits 0–13 of `a`: `a` modulo 16384"),
        ("and.b32", ("a", 1), "keeps bit 0 of `a`: whether it is odd"),
        ("and.b32", ("a", 65280), "keeps bits 8–15 of `a`"),
        ("and.b32", ("a", 0x00FF00FF), "keeps bits 0–7, 16–23 of `a`"),
        ("and.b32", ("a", 0xF0F), "keeps bits 0–3, 8–11 of `a`"),
        ("and.b32", ("a", -16), "clears bits 0–3: `a` rounded down to a multiple of 16"),
        ("and.b64", ("a", -128), "clears bits 0–6: `a` rounded down to a multiple of 128"),
        ("and.b32", ("a", 0x7FFFFFFF), "clears bit 31, the sign, of `a`"),
        ("and.b32", ("a", -2147483648), "keeps bit 31, the sign, of `a`"),
        ("and.b32", ("a", ~0x100), "clears bit 8 of `a`"),
        ("and.b32", ("a", 0x55555555), "keeps 16 of 32 bits of `a`"),
        ("and.b32", ("a", 0), "always 0"),
        ("and.b32", ("a", 0xFFFFFFFF), "`a` unchanged"),
        ("and.b16", ("a", -1), "`a` unchanged"),
        ("or.b32", ("a", 0x8000), "sets bit 15 of `a`"),
        ("or.b32", ("a", 3), "sets bits 0, 1 of `a`"),
        ("or.b16", ("a", -1), "always all ones"),
        ("or.b32", ("a", 0), "`a` unchanged"),
        ("xor.b32", ("a", -1), "inverts all bits of `a`"),
        ("xor.b32", ("a", 0x80000000), "flips bit 31, the sign, of `a`"),
        ("xor.b64", ("a", 0xFFFFFFFF), "flips bits 0–31 of `a`"),
        ("shl.b32", ("a", 4), "`a` × 16"),
        ("shl.b32", ("a", 0), "`a` unchanged"),
        ("shl.b32", ("a", 32), "always 0: all 32 bits are shifted out"),
        ("shl.b64", ("a", 63), "`a` × 9223372036854775808"),
        ("shr.u32", ("a", 4), "`a` ÷ 16, rounded down"),
        ("shr.b32", ("a", 4), "`a` ÷ 16, rounded down, without a sign"),
        ("shr.u32", ("a", 31), "bit 31 of `a` alone"),
        ("shr.u32", ("a", 40), "always 0: all 32 bits are shifted out"),
        ("shr.s32", ("a", 4), "`a` ÷ 16, rounded down"),
        ("shr.s32", ("a", 31), "sign of `a` in every bit: 0 or -1"),
        ("shr.s32", ("a", 99), "sign of `a` in every bit: 0 or -1"),
        ("shr.s64", ("a", 32), "`a` ÷ 4294967296, rounded down"),
        ("shf.l.wrap.b32", ("a", "a", 7), "rotates `a` left by 7, which is right by 25"),
        ("shf.r.wrap.b32", ("a", "a", 8), "rotates `a` right by 8, which is left by 24"),
        ("shf.l.wrap.b32", ("a", "a", 39), "rotates `a` left by 7, which is right by 25"),
        ("shf.l.wrap.b32", ("a", "b", 4), "`b` << 4, filled from the top of `a`"),
        ("shf.r.wrap.b32", ("a", "b", 4), "`a` >> 4, filled from the bottom of `b`"),
        ("shf.l.clamp.b32", ("a", "b", 32), "`a` unchanged"),
        ("shf.r.clamp.b32", ("a", "b", 40), "`b` unchanged"),
        ("shf.l.wrap.b32", ("a", "b", 32), "`b` unchanged"),
        ("shf.r.wrap.b32", ("a", "b", 0), "`a` unchanged"),
        ("bfe.u32", ("a", 4, 14), "bits 4–17 of `a`, zero-extended"),
        ("bfe.s32", ("a", 16, 8), "bits 16–23 of `a`, sign-extended"),
        ("bfe.u32", ("a", 30, 8), "bits 30, 31 of `a`, zero-extended"),
        ("bfe.u32", ("a", 31, 1), "bit 31 of `a`, zero-extended"),
        ("bfe.u32", ("a", 4, 0), "always 0: a field of no bits"),
        ("bfe.u32", ("a", 32, 4), "always 0: the field begins above the highest bit"),
        ("bfe.s64", ("a", 70, 4), "sign of `a` in every bit"),
        ("bfe.u64", ("a", "b", 4), "a field of 4 bits of `a`"),
        ("bfi.b32", ("a", "b", 8, 4), "bits 8–11 of `d` are the low 4 bits of `a`"),
        ("bfi.b32", ("a", "b", 31, 4), "bit 31 of `d` is the low bit of `a`"),
        ("bfi.b32", ("a", "b", 8, 0), "`b` unchanged"),
        ("bfi.b64", ("a", "b", 64, 3), "`b` unchanged"),
        ("bfi.b64", ("a", "b", "c", 3), "`b` with the low 3 bits of `a` inserted"),
        ("bmsk.clamp.b32", (8, 4), "`0x00000f00`: bits 8–11"),
        ("bmsk.clamp.b32", (32, 4), "always 0"),
        ("bmsk.wrap.b32", (32, 4), "`0x0000000f`: bits 0–3"),
        ("szext.clamp.s32", ("a", 12), "bits 0–11 of `a`, sign-extended"),
        ("szext.wrap.u32", ("a", 32), "always 0"),
        ("szext.clamp.u32", ("a", 32), "`a` unchanged"),
        ("mul.lo.s32", ("a", 12), ""),
        ("mul.lo.s32", ("a", 16), "`a` × 16, a shift by 4"),
        ("mul.lo.s32", ("a", -1), "`a` negated"),
        ("mul.wide.u32", ("a", -1), ""),
        ("mul.wide.u32", ("a", 8), "`a` × 8, a shift by 3"),
        ("mul.hi.u32", ("a", 1 << 30), "`a` ÷ 4, rounded down"),
        ("mul.hi.u32", ("a", 0xAAAAAAAB), "`a` × 0.6666666667, rounded down: the constant ÷ 2^32"),
        ("div.u32", ("a", 8), "`a` ÷ 8, the same as `a` >> 3"),
        ("div.s32", ("a", 8), "`a` ÷ 8, rounded towards 0"),
        ("rem.u32", ("a", 8), "keeps bits 0–2 of `a`"),
        ("add.s32", ("a", 8), ""),
        ("cvt.u32.u64", ("a", 8), ""),
        ("and.pred", ("a", 1), ""),
    ],
)
def test_in_words(opcode: str, operands: tuple[int | str, ...], words: str) -> None:
    assert said(opcode, *operands) == words


def test_the_constant_may_come_first() -> None:
    assert said("and.b32", 15, "a", at=0) == "keeps bits 0–3 of `a`: `a` modulo 16"
    assert said("mul.lo.u32", 4, "a", at=0) == "`a` × 4, a shift by 2"
    assert said("mad.lo.u32", "a", 4, "b", at=1) == "`a` × 4, a shift by 2"
    assert said("mad.lo.u32", "a", 4, 1, at=2) == ""
    assert said("shl.b32", 1, "a", at=0) == "a 1 in bit `a`"
    assert said("shl.b32", 3, "a", at=0) == ""


def test_runs_of_bits() -> None:
    assert runs(0) == []
    assert bits_in_words(0b1011_0110, 8) == "bits 1, 2, 4, 5, 7"


def bits_of(words: str, width: int) -> int:
    """The mask that ``bits 8–15, 24`` stands for."""
    found = 0
    for run in re.findall(r"\d+(?:–\d+)?", words):
        first, _, last = run.partition("–")
        found |= (1 << int(last or first) + 1) - (1 << int(first))
    assert found >> width == 0
    return found


def test_masks_mean_what_is_said() -> None:
    chance = random.Random(5)
    for _ in range(3000):
        name, width = chance.choice(("and", "or", "xor")), chance.choice((16, 32, 64))
        low = chance.randrange(width)
        mask = ((1 << chance.randrange(1, width - low + 1)) - 1) << low
        if chance.random() < 0.5:
            mask ^= (1 << width) - 1
        words, value = said(f"{name}.b{width}", "a", mask), chance.getrandbits(width)
        right = execute(f"{name}.b{width}", [value, mask])
        whole = (1 << width) - 1
        found = re.match(r"(keeps|clears|sets|flips) bits? ([\d–, ]+)", words)
        if found is None:
            assert words in ("always 0", "`a` unchanged", "always all ones", "inverts all bits of `a`"), words
            assert right == {"always 0": 0, "`a` unchanged": value, "always all ones": whole}.get(words, value ^ whole)
            continue
        bits = bits_of(found[2].rstrip(", "), width)
        changed = {"keeps": value & bits, "clears": value & ~bits, "sets": value | bits, "flips": value ^ bits}
        assert changed[found[1]] == right, words
        if multiple := re.search(r"multiple of (\d+)", words):
            assert right == value // int(multiple[1]) * int(multiple[1])
        if modulo := re.search(r"modulo (\d+)", words):
            assert right == value % int(modulo[1])


def test_fields_mean_what_is_said() -> None:
    chance = random.Random(6)
    for _ in range(2000):
        width = chance.choice((32, 64))
        position, length, value = chance.randrange(width), chance.randrange(1, width + 1), chance.getrandbits(width)
        words = said(f"bfe.u{width}", "a", position, length)
        bits = bits_of(words.partition(" of ")[0], width)
        assert (value & bits) >> position == value >> position & (1 << length) - 1, words
        into, words = chance.getrandbits(width), said(f"bfi.b{width}", "a", "b", position, length)
        bits = bits_of(words.partition(" of ")[0], width)
        mask = ((1 << length) - 1) << position & (1 << width) - 1
        assert bits == mask, words
        count = int(found[1]) if (found := re.search(r"low (\d+) bits", words)) else 1
        assert into & ~bits | (value & (1 << count) - 1) << position == into & ~mask | value << position & mask
