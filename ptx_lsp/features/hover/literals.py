"""Numbers: one value in the ways that people read it.

Source: PTX ISA, "Integer Constants", "Floating-Point Constants".
"""

from __future__ import annotations

import struct

from ptx_lsp.analysis.floats import bits_of_float, decimal, repr_single
from ptx_lsp.features.hover.info import HoverInfo, Row
from ptx_lsp.text import Span

_BITS32, _BITS64 = 1 << 32, 1 << 64


def number(word: str, span: Span) -> HoverInfo | None:
    """A constant as it is written: ``0x1F``, ``0b101``, ``017``, ``42U``, ``1.5e3``, ``0f3F800000``."""
    lower = word.lower().rstrip("u") if not word.lower().startswith(("0f", "0d")) else word.lower()
    try:
        if lower.startswith(("0f", "0d")):
            bits = bytes.fromhex(lower[2:])
            return floating(word, struct.unpack(">f" if lower[1] == "f" else ">d", bits)[0], span)
        if lower.startswith(("0x", "0b")):
            return integer(word, int(lower, 0), span)
        if lower.isdecimal():
            return integer(word, int(lower, 8 if lower.startswith("0") else 10), span)
        return floating(word, float(lower), span)
    except (ValueError, struct.error):
        return None


def integer(word: str, value: int, span: Span) -> HoverInfo:
    """An integer constant: decimal, hexadecimal, binary, and as signed where the top bit is set."""
    pattern = value % _BITS64 if value < 0 else value
    width = 32 if pattern < _BITS32 and value >= 0 else 64
    rows = [Row("decimal", str(value)), Row("hexadecimal", f"0x{pattern:x}"), Row("binary", _grouped(pattern))]
    if value >= 0:
        rows += [
            Row(f"as .s{bits}", str(value - (1 << bits)))
            for bits in (32, 64)
            if value >> (bits - 1) == 1
        ]
    if value > 1 and value & (value - 1) == 0:
        rows.append(Row("power of 2", f"2^{value.bit_length() - 1}"))
    if width == 32 and value >= 1 << 16:
        rows.append(Row("as .f32", repr_single(value)))
    return HoverInfo(span, title=f"`{word}` integer constant", rows=tuple(rows))


def floating(word: str, value: float, span: Span) -> HoverInfo:
    """A floating-point constant: its value and the bits in both formats."""
    rows = [Row("value", decimal(value))]
    single = bits_of_float(value, "f")
    rows.append(Row(".f32", f"0f{single:08X}" if single is not None else "does not fit"))
    if single is not None and value == value and struct.unpack("<f", struct.pack("<f", value))[0] != value:
        rows[-1] = Row(".f32", f"0f{single:08X}, rounded: {repr_single(single)}")
    rows.append(Row(".f64", f"0d{bits_of_float(value, 'd'):016X}"))
    return HoverInfo(span, title=f"`{word}` floating-point constant", rows=tuple(rows))


def _grouped(pattern: int) -> str:
    """Binary in groups of four, without leading groups of zeros."""
    digits = f"{pattern:b}"
    digits = digits.zfill(-(-len(digits) // 4) * 4)
    return " ".join(digits[at : at + 4] for at in range(0, len(digits), 4))
