"""The effect of the constant of a mask, shift, bit field or product, as text.

Source: PTX ISA, "Integer Arithmetic Instructions", "Logic and Shift Instructions".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ptx_lsp.analysis.dataflow.operations import integer_types
from ptx_lsp.named_tuples import NamedTuple

_MOST_RUNS = 4
"""The number of runs of bits above which only the number of bits is stated."""
_LOW_BYTE = 0xFF
_WORD = 32


class _ConstantUse(NamedTuple):
    """An instruction and one of its constant operands."""

    opcode: Sequence[str]
    letter: str
    """The letter of its type: ``s``, ``u`` or ``b``."""
    width: int
    values: Sequence[int | None]
    """The values of the source operands; None for non-constants."""
    at: int
    """The index of the constant among the source operands."""
    texts: Sequence[str]
    """The source operands as written."""
    result: str
    """The destination as written."""

    @property
    def value(self) -> int:
        """The constant."""
        return self.values[self.at] or 0

    def unsigned(self, at: int) -> int | None:
        """Return an operand as an unsigned 32-bit number, such as a shift count."""
        value = self.values[at]
        return None if value is None else value % (1 << _WORD)


def constant_effect(
    opcode: Sequence[str], values: Sequence[int | None], at: int, texts: Sequence[str], result: str = "d"
) -> str:
    """Return the effect of a constant on the other source operands; empty if there is none to report.

    Args:
        opcode: the mnemonic and its qualifiers.
        values: of the operands after the destination; None for registers.
        at: the constant among them.
        texts: these operands as written.
        result: the destination as written.

    >>> constant_effect(["and", ".b32"], [None, 65280], 1, ["%r1", "65280"])
    'keeps bits 8–15 of `%r1`'
    >>> constant_effect(["shr", ".s32"], [None, 4], 1, ["%r1", "4"])
    '`%r1` ÷ 16, rounded down'

    """
    types = integer_types(opcode)
    say, count = _EFFECTS.get(opcode[0], (None, 0))
    if say is None or len(types) != 1 or len(values) != count or not 0 <= at < count or values[at] is None:
        return ""
    letter, width = types[0]
    return say(_ConstantUse(opcode, letter, width, values, at, texts, result))


def runs(pattern: int) -> list[tuple[int, int]]:
    """Return the runs of set bits, as first and last bit.

    >>> runs(0b111001)
    [(0, 0), (3, 5)]
    """
    found: list[tuple[int, int]] = []
    at = 0
    while pattern >> at:
        if pattern >> at & 1:
            end = at
            while pattern >> end + 1 & 1:
                end += 1
            found.append((at, end))
            at = end
        at += 1
    return found


def bits_in_words(pattern: int, width: int) -> str:
    """Return the set bits as text: ``bits 8–15``, ``bit 31``; the number of bits if there are many runs."""
    found = runs(pattern)
    if len(found) > _MOST_RUNS:
        return f"{pattern.bit_count()} of {width} bits"
    several = pattern.bit_count() > 1
    return ("bits " if several else "bit ") + ", ".join(_run(*one) for one in found)


def _run(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}, {last}" if last == first + 1 else f"{first}–{last}"


# ---------------------------------------------------------------------- bit by bit


def _other(use: _ConstantUse) -> str:
    """Return the operand other than the constant, of two."""
    return f"`{use.texts[1 - use.at]}`"


def _and(use: _ConstantUse) -> str:
    width, whole = use.width, (1 << use.width) - 1
    mask, other = use.value & whole, _other(use)
    if mask == 0:
        return "always 0"
    if mask == whole:
        return f"{other} unchanged"
    kept, cleared = runs(mask), runs(mask ^ whole)
    if len(kept) == 1 and kept[0][0] == 0:
        if kept[0][1] == width - 2:
            return f"clears bit {width - 1}, the sign, of {other}"
        more = f": {other} modulo {mask + 1}" if mask > 1 else ": whether it is odd"
        return f"keeps {bits_in_words(mask, width)} of {other}{more}"
    if len(kept) == 1 and kept[0][1] == width - 1 and len(cleared) == 1 and mask != 1 << width - 1:
        size = 1 << cleared[0][1] + 1
        return f"clears {bits_in_words(mask ^ whole, width)}: {other} rounded down to a multiple of {size}"
    if mask == 1 << width - 1:
        return f"keeps bit {width - 1}, the sign, of {other}"
    if len(cleared) < len(kept):
        return f"clears {bits_in_words(mask ^ whole, width)} of {other}"
    return f"keeps {bits_in_words(mask, width)} of {other}"


def _or(use: _ConstantUse) -> str:
    whole = (1 << use.width) - 1
    mask = use.value & whole
    if mask in (0, whole):
        return "always all ones" if mask else f"{_other(use)} unchanged"
    return f"sets {bits_in_words(mask, use.width)} of {_other(use)}"


def _xor(use: _ConstantUse) -> str:
    width, whole = use.width, (1 << use.width) - 1
    mask = use.value & whole
    if mask in (0, whole):
        return f"inverts all bits of {_other(use)}" if mask else f"{_other(use)} unchanged"
    if mask == 1 << width - 1:
        return f"flips bit {width - 1}, the sign, of {_other(use)}"
    return f"flips {bits_in_words(mask, width)} of {_other(use)}"


# ---------------------------------------------------------------------- shifts


def _shl(use: _ConstantUse) -> str:
    if use.at == 0:
        return f"a 1 in bit `{use.texts[1]}`" if use.value == 1 and use.values[1] is None else ""
    count = use.unsigned(1) or 0
    if count >= use.width:
        return f"always 0: all {use.width} bits are shifted out"
    return f"`{use.texts[0]}` × {1 << count}" if count else f"`{use.texts[0]}` unchanged"


def _shr(use: _ConstantUse) -> str:
    if use.at == 0:
        return ""
    count, width, shifted = use.unsigned(1) or 0, use.width, f"`{use.texts[0]}`"
    if count == 0:
        return f"{shifted} unchanged"
    if use.letter == "s":
        if count >= width - 1:
            return f"sign of {shifted} in every bit: 0 or -1"
        return f"{shifted} ÷ {1 << count}, rounded down"
    if count >= width:
        return f"always 0: all {width} bits are shifted out"
    if count == width - 1:
        return f"bit {count} of {shifted} alone"
    signless = ", without a sign" if use.letter == "b" else ""
    return f"{shifted} ÷ {1 << count}, rounded down{signless}"


def _shf(use: _ConstantUse) -> str:
    if use.at != 2:
        return ""
    count, is_left = use.unsigned(2) or 0, ".l" in use.opcode
    count = count % _WORD if ".wrap" in use.opcode else min(count, _WORD)
    low, high = (f"`{text}`" for text in use.texts[:2])
    if count in (0, _WORD):
        return f"{high if is_left == (count == 0) else low} unchanged"
    if low == high:
        way, back = ("left", "right") if is_left else ("right", "left")
        return f"rotates {low} {way} by {count}, which is {back} by {_WORD - count}"
    if is_left:
        return f"{high} << {count}, filled from the top of {low}"
    return f"{low} >> {count}, filled from the bottom of {high}"


# ---------------------------------------------------------------------- fields


def _field(position: int, length: int, width: int) -> str:
    last = min(position + length, width) - 1
    return bits_in_words((1 << last + 1) - (1 << position), width)


def _bfe(use: _ConstantUse) -> str:
    if use.at == 0:
        return ""
    position, length = (None if one is None else one & _LOW_BYTE for one in use.values[1:])
    whole, is_signed = f"`{use.texts[0]}`", use.letter == "s"
    if length == 0:
        return "always 0: a field of no bits"
    if position is not None and position >= use.width:
        return f"sign of {whole} in every bit" if is_signed else "always 0: the field begins above the highest bit"
    if position is None:
        return f"a field of {length} bits of {whole}"
    if length is None:
        return f"a field of {whole} from bit {position} upward"
    filled = "sign-extended" if is_signed else "zero-extended"
    return f"{_field(position, length, use.width)} of {whole}, {filled}"


def _bfi(use: _ConstantUse) -> str:
    if use.at < 2:
        return ""
    position, length = (None if one is None else one & _LOW_BYTE for one in use.values[2:])
    field, rest = (f"`{text}`" for text in use.texts[:2])
    if length == 0 or (position is not None and position >= use.width):
        return f"{rest} unchanged"
    if position is None:
        return f"{rest} with {_low_bits(length or 0)} of {field} inserted"
    if length is None:
        return f"{rest} with bits of {field} inserted from bit {position} upward"
    count = min(length, use.width - position)
    verb = "is" if count == 1 else "are"
    return f"{_field(position, length, use.width)} of `{use.result}` {verb} {_low_bits(count)} of {field}"


def _low_bits(count: int) -> str:
    return f"the low {count} bits" if count > 1 else "the low bit"


def _bmsk(use: _ConstantUse) -> str:
    position, length = (None if one is None else one % (1 << _WORD) for one in use.values[:2])
    if position is None or length is None:
        return ""
    if ".wrap" in use.opcode:
        position, length = position % _WORD, length % _WORD
    mask = ((1 << min(length, _WORD)) - 1) << min(position, _WORD) & (1 << _WORD) - 1
    return f"`{mask:#010x}`: {bits_in_words(mask, _WORD)}" if mask else "always 0"


def _szext(use: _ConstantUse) -> str:
    if use.at != 1:
        return ""
    count, whole = use.unsigned(1) or 0, f"`{use.texts[0]}`"
    if ".wrap" in use.opcode:
        count %= _WORD
    if count >= _WORD:
        return f"{whole} unchanged"
    if count == 0:
        return "always 0"
    filled = "sign-extended" if use.letter == "s" else "zero-extended"
    return f"{_field(0, count, _WORD)} of {whole}, {filled}"


# ---------------------------------------------------------------------- products


def _mul(use: _ConstantUse) -> str:
    if use.at > 1:
        return ""
    other, width = f"`{use.texts[1 - use.at]}`", use.width
    pattern = use.value % (1 << width)
    value = pattern - (1 << width) if use.letter == "s" and pattern >> width - 1 else pattern
    if ".hi" in use.opcode:
        if value > 0 and value & value - 1 == 0 and value > 1:
            return f"{other} ÷ {1 << width - value.bit_length() + 1}, rounded down"
        return f"{other} × {value / (1 << width):.10g}, rounded down: the constant ÷ 2^{width}" if value > 1 else ""
    if pattern == (1 << width) - 1 and ".wide" not in use.opcode:
        return f"{other} negated" if use.opcode[0] == "mul" else f"{other} is subtracted"
    if value in (0, 1):
        return ("always 0" if value == 0 else f"{other} unchanged") if use.opcode[0] == "mul" else ""
    if value > 1 and value & value - 1 == 0:
        return f"{other} × {value}, a shift by {value.bit_length() - 1}"
    return ""


def _div(use: _ConstantUse) -> str:
    value = use.value
    if use.at != 1 or value < 2 or value & value - 1:
        return ""
    if use.letter == "u":
        return f"`{use.texts[0]}` ÷ {value}, the same as `{use.texts[0]}` >> {value.bit_length() - 1}"
    return f"`{use.texts[0]}` ÷ {value}, rounded towards 0"


def _rem(use: _ConstantUse) -> str:
    value = use.value
    if use.at != 1 or value < 2 or value & value - 1 or use.letter != "u":
        return ""
    return f"keeps {bits_in_words(value - 1, use.width)} of `{use.texts[0]}`"


_EFFECTS: dict[str, tuple[Callable[[_ConstantUse], str], int]] = {
    "and": (_and, 2),
    "or": (_or, 2),
    "xor": (_xor, 2),
    "shl": (_shl, 2),
    "shr": (_shr, 2),
    "shf": (_shf, 3),
    "bfe": (_bfe, 3),
    "bfi": (_bfi, 4),
    "bmsk": (_bmsk, 2),
    "szext": (_szext, 2),
    "mul": (_mul, 2),
    "mad": (_mul, 3),
    "div": (_div, 2),
    "rem": (_rem, 2),
}
"""The function that describes the effect, and the number of source operands."""
