"""prmt: every selector and every mode against the manual's pseudo code, pictures included."""

from __future__ import annotations

import pytest

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.layouts.selectors import (
    SelectedBytes,
    brief_diagram,
    byte_list,
    describe_selection,
    mode_diagram,
    modes,
    selected_bytes,
    selection_diagram,
)

A, B = 0x83_02_81_00, 0x07_86_05_84
"""Two sources whose bytes all differ, some of them negative."""
MODES = (".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16")


def executed(selector: int, mode: str, a: int = A, b: int = B) -> int:
    """The result of ``prmt`` by the manual's pseudocode and its table of modes."""
    both = (b << 32 | a).to_bytes(8, "little")
    low = selector & 3
    match mode:
        case "":
            numbers = [selector >> 4 * at & 15 for at in range(4)]
        case ".f4e":
            numbers = [low, low + 1, low + 2, low + 3]
        case ".b4e":
            numbers = [(low - at) % 8 for at in range(4)]
        case ".rc8":
            numbers = [low] * 4
        case ".ecl":
            numbers = [max(low, at) for at in range(4)]
        case ".ecr":
            numbers = [min(low, at) for at in range(4)]
        case _:
            numbers = [2 * (low & 1) + (at & 1) for at in range(4)]
    found = 0
    for at, number in enumerate(numbers):
        byte = both[number & 7]
        found |= (0xFF * (byte >> 7) if number & 8 else byte) << 8 * at
    return found


def value_of(texts: list[str], a: int = A, b: int = B) -> int:
    """The number whose bytes, the highest first, are shown as ``b1``, ``s(a0)`` or ``0``."""
    found = 0
    for text in texts:
        name = text.removeprefix("s(").removesuffix(")")
        byte = 0 if name == "0" else {"a": a, "b": b}[name[0]] >> 8 * int(name[1]) & 0xFF
        found = found << 8 | (0xFF * (byte >> 7) if text.startswith("s(") else byte)
    return found


def test_every_selector() -> None:
    for selector in range(1 << 16):
        right = executed(selector, "")
        assert value_of(byte_list(selected_bytes(selector)).split()) == right
        assert value_of(selection_diagram(selector)[-1].split()[1:]) == right


def test_the_picture_names_every_byte_of_the_sources() -> None:
    assert selection_diagram(0x5410, names=["%r1", "%r2", "%r3"]) == [
        "         byte 3  byte 2  byte 1  byte 0",
        "a = %r2   3: a3   2: a2   1: a1   0: a0",
        "b = %r3   7: b3   6: b2   5: b1   4: b0",
        "digit         5       4       1       0",
        "d = %r1      b1      b0      a1      a0",
    ]


@pytest.mark.parametrize("mode", MODES)
def test_every_mode(mode: str) -> None:
    assert set(modes()) == set(MODES)
    table = mode_diagram(mode)
    for selector in range(4):
        right = executed(selector, mode)
        for given in (selector, selector + 0xABC0):
            assert value_of(byte_list(selected_bytes(given, mode)).split()) == right
            assert value_of(selection_diagram(given, mode)[-1].split()[1:]) == right
            assert value_of(brief_diagram(selected_bytes(given, mode))[1].split()[1:]) == right
        assert table[selector + 1].split()[0] == str(selector)
        assert value_of(table[selector + 1].split()[1:]) == right


@pytest.mark.parametrize(("zero", "a", "b"), [("b", A, 0), ("a", 0, B), ("ab", 0, 0)])
def test_a_source_that_is_zero(zero: str, a: int, b: int) -> None:
    for selector in range(0, 1 << 16, 7):
        assert value_of(byte_list(selected_bytes(selector, zero=zero)).split(), a, b) == executed(selector, "", a, b)


def test_one_register_twice() -> None:
    for selector in range(0, 1 << 16, 7):
        found = selected_bytes(selector, alike=True)
        assert value_of(byte_list(found).split()) == executed(selector, "", A, A)


MEANINGS = [
    (0x3210, "", "a unchanged", A),
    (0x7654, "", "b unchanged", B),
    (0x0123, "", "swaps the bytes of a", int.from_bytes(A.to_bytes(4, "little"), "big")),
    (0x1032, "", "swaps the halves of a", (A << 16 | A >> 16) & 0xFFFFFFFF),
    (0x2301, "", "swaps the bytes in each half of a", 0x02_83_00_81),
    (0x0321, "", "rotates a right by 8", (A >> 8 | A << 24) & 0xFFFFFFFF),
    (0x2103, "", "rotates a left by 8", (A << 8 | A >> 24) & 0xFFFFFFFF),
    (0x5410, "", "low halves of a and b", (B & 0xFFFF) << 16 | A & 0xFFFF),
    (0x1054, "", "low halves of b and a", (A & 0xFFFF) << 16 | B & 0xFFFF),
    (0x7632, "", "high halves of a and b", B >> 16 << 16 | A >> 16),
    (0x7610, "", "low half of a, high half of b above it", B >> 16 << 16 | A & 0xFFFF),
    (0x5432, "", "high half of a, low half of b above it", (B << 32 | A) >> 16 & 0xFFFFFFFF),
    (0x4321, "", "the 64 bits of b above a, shifted right by 8", (B << 32 | A) >> 8 & 0xFFFFFFFF),
    (0x0765, "", "the 64 bits of a above b, shifted right by 8", (A << 32 | B) >> 8 & 0xFFFFFFFF),
    (0x1111, "", "byte 1 of a four times", 0x81818181),
    (0x1010, "", "low half of a twice", 0x81008100),
    (0x9999, "", "sign bit of byte 1 of a in every bit", 0xFFFFFFFF),
    (0x9910, "", "low half of a, sign-extended", 0xFFFF8100),
    (0xBBB3, "", "byte 3 of a, sign-extended", 0xFFFFFF83),
    (0x4440, "b", "byte 0 of a, zero-extended", A & 0xFF),
    (0x4432, "b", "high half of a, zero-extended", A >> 16),
    (0x4321, "b", "bytes 1 to 3 of a, zero-extended", A >> 8),
    (0x1044, "b", "a shifted left by 16", A << 16 & 0xFFFFFFFF),
    (0x3044, "b", "", 0x83000000),
    (0x4240, "b", "keeps bytes 0, 2 of a", A & 0x00FF00FF),
    (0x7777, "b", "always 0", 0),
    (0x3240, "", "a with byte 0 of b as byte 1", A & 0xFFFF00FF | (B & 0xFF) << 8),
    (0x7254, "", "b with byte 2 of a as byte 2", B & 0xFF00FFFF | A & 0xFF0000),
    (0x5140, "", "interleaves the low halves of a and b", 0x05_81_84_00),
    (0x6420, "", "even bytes of a and b", 0x86_84_02_00),
    (0x7351, "", "", 0x07_83_05_81),
]


@pytest.mark.parametrize(("selector", "zero", "says", "value"), MEANINGS)
def test_what_picking_is_good_for(selector: int, zero: str, says: str, value: int) -> None:
    assert describe_selection(selected_bytes(selector, zero=zero)) == says
    assert executed(selector, "", A, 0 if "b" in zero else B) == value


@pytest.mark.parametrize(("zero", "alike"), [("", False), ("b", False), ("a", False), ("", True)])
def test_no_two_different_picks_are_called_the_same(zero: str, alike: bool) -> None:
    described: dict[str, SelectedBytes] = {}
    for selector in range(1 << 16):
        found = selected_bytes(selector, zero=zero, alike=alike)
        meaning = describe_selection(found)
        assert len(meaning) <= 60
        if meaning:
            assert described.setdefault(meaning, found) == found, meaning


def test_named_selectors_are_what_they_are_called() -> None:
    named = [one for one in catalogue().vocabulary.named_values if one.is_for("c", ["prmt", ".b32"])]
    assert len(named) > 15
    for one in named:
        assert describe_selection(selected_bytes(int(one.text, 16))) == one.means
    assert not [one for one in catalogue().vocabulary.named_values if one.is_for("c", ["prmt", ".b32", ".f4e"])]
