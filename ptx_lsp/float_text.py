"""Floating-point constants as decimal text and named constants.

Source: PTX ISA, "Floating-Point Constants".
"""

from __future__ import annotations

import math
import struct
from functools import cache
from typing import Literal

FloatFormat = Literal["f", "d"]
"""Single (``0f…``) or double (``0d…``) precision, as the constants and :mod:`struct` name them."""


def decimal(value: float) -> str:
    """The shortest decimal with the given value; infinities and NaN by name.

    >>> decimal(0.1), decimal(float("inf"))
    ('0.1', 'infinity')
    """
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "infinity" if value > 0 else "-infinity"
    return repr(value)


def repr_single(bits: int) -> str:
    """The shortest decimal for the ``.f32`` with these bits.

    >>> repr_single(0x3DCCCCCD)
    '0.1'
    """
    value: float = struct.unpack("<f", struct.pack("<I", bits))[0]
    if value != value or value in (float("inf"), float("-inf")):
        return decimal(value)
    for digits in range(1, 10):
        text = f"{value:.{digits}g}"
        if bits_of_float(float(text), "f") == bits:
            return decimal(float(text))
    return decimal(value)


def bits_of_float(value: float, format_: FloatFormat) -> int | None:
    """The bit pattern of a value in a format; None on overflow."""
    try:
        return int.from_bytes(struct.pack("<" + format_, value), "little")
    except OverflowError:
        return None


def from_bits(bits: int, format_: FloatFormat) -> str:
    """The value that a bit pattern encodes in a format, as the shortest decimal.

    >>> from_bits(0x3F800000, "f"), from_bits(0x3FF0000000000000, "d")
    ('1.0', '1.0')
    """
    if format_ == "f":
        return repr_single(bits)
    value: float = struct.unpack("<d", struct.pack("<Q", bits))[0]
    return decimal(value)


def is_plausible(bits: int, format_: FloatFormat) -> bool:
    """Whether a bit pattern is plausible as a float literal: neither zero, tiny nor huge.

    >>> is_plausible(0x3F800000, "f"), is_plausible(1024, "f")
    (True, False)
    """
    value: float = struct.unpack("<" + format_, bits.to_bytes(4 if format_ == "f" else 8, "little"))[0]
    return math.isinf(value) or (value != 0 and math.frexp(value)[1] in _USUAL)


_USUAL = range(-20, 24)
"""Range of the binary exponent of a plausible float literal."""


def known_constant(bits: int, format_: FloatFormat) -> str | None:
    """The mathematical constant, with its sign, that a bit pattern is the nearest float to; None if there is none.

    >>> known_constant(0x40490FDB, "f"), known_constant(0xBFB8AA3B, "f"), known_constant(0x3F800000, "f")
    ('π', '-log2 e', None)
    """
    top = 31 if format_ == "f" else 63
    name = _constants(format_).get(bits & ~(1 << top))
    return name if name is None or not bits >> top else f"-{name}"


@cache
def _constants(format_: FloatFormat) -> dict[int, str]:
    """Mathematical constants that are frequent in kernels, by bit pattern."""
    pi, e = math.pi, math.e
    values = {
        "π": pi,
        "2π": 2 * pi,
        "π/2": pi / 2,
        "π/4": pi / 4,
        "1/π": 1 / pi,
        "2/π": 2 / pi,
        "1/2π": 0.5 / pi,
        "e": e,
        "ln 2": math.log(2),
        "ln 10": math.log(10),
        "log2 e": 1 / math.log(2),
        "log10 e": 1 / math.log(10),
        "log10 2": math.log10(2),
        "log2 10": math.log2(10),
        "√2": math.sqrt(2),
        "1/√2": math.sqrt(0.5),
        "√π": math.sqrt(pi),
        "1/√π": 1 / math.sqrt(pi),
        "2/√π": 2 / math.sqrt(pi),
        "√(2/π)": math.sqrt(2 / pi),
        "√3": math.sqrt(3),
        "π/180": pi / 180,
        "180/π": 180 / pi,
        "1/3": 1 / 3,
        "2/3": 2 / 3,
    }
    return {bits: name for name, value in values.items() if (bits := bits_of_float(value, format_)) is not None}
