"""Notations of a number.

Source: PTX ISA, "Integer Constants", "Floating-Point Constants".
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from ptx_lsp.features.hover.parts.hover_info import HoverInfo, HoverRow
from ptx_lsp.float_text import bits_of_float, decimal, repr_single
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.constants import MAX_DIGITS
from ptx_lsp.text import Span

_BITS32, _BITS64 = 1 << 32, 1 << 64
_PLAUSIBLE = range(-20, 24)
_PLAUSIBLE_HALF = range(-8, 12)
"""The binary exponents for which an integer constant is shown as a half-precision float."""


def number(word: str, span: Span, type_: str = "", *, negative: bool = False) -> HoverInfo | None:
    """Return the hover of a constant: ``0x1F``, ``0b101``, ``017``, ``42U``, ``1.5e3``, ``0f3F800000``.

    Args:
        word: the constant without its sign.
        span: its place.
        type_: the type of its operand, if known: it determines the notations that are shown.
        negative: whether a minus sign precedes it.

    """
    if len(word) > MAX_DIGITS:
        return None
    lower = word.lower().rstrip("u") if not word.lower().startswith(("0f", "0d")) else word.lower()
    sign, shown = (-1, f"-{word}") if negative else (1, word)
    try:
        if lower.startswith(("0f", "0d")):
            bits = bytes.fromhex(lower[2:])
            value: float = struct.unpack(">f" if lower[1] == "f" else ">d", bits)[0]
            return floating(shown, math.copysign(1.0, sign) * value, span, type_)
        if lower.startswith(("0x", "0b")):
            return integer(shown, sign * int(lower, 0), span, type_)
        if lower.isdecimal():
            return integer(shown, sign * int(lower, 8 if lower.startswith("0") else 10), span, type_)
        return floating(shown, sign * float(lower), span, type_)
    except (ValueError, struct.error):
        return None


def integer(word: str, value: int, span: Span, type_: str = "") -> HoverInfo:
    """Return the hover of an integer: decimal, hexadecimal, binary, and its bits interpreted in the operand's type."""
    found = catalogue().vocabulary.types.get(type_)
    bits = found.bits if found is not None and found.bits > 1 else 0
    width = bits or (32 if -_BITS32 // 2 <= value < _BITS32 else 64)
    pattern = value % (1 << max(width, 32 if value >= 0 else width, value.bit_length() if value > 0 else 0))
    rows = [
        HoverRow("decimal", str(value)),
        HoverRow("hexadecimal", f"0x{pattern:x}"),
        HoverRow("binary", _grouped(pattern)),
    ]
    if value >= 0 and (found is None or found.kind != "unsigned"):
        widths = (bits,) if bits else (32, 64)
        rows += [HoverRow(f"as .s{size}", str(value - (1 << size))) for size in widths if value >> (size - 1) == 1]
    if value < 0 and found is not None and found.kind == "unsigned":
        rows.append(HoverRow(f"as {type_}", str(pattern)))
    if value > 1 and value & (value - 1) == 0:
        rows.append(HoverRow("power of 2", f"2^{value.bit_length() - 1}"))
    elif value > 1 and value & (value + 1) == 0:
        rows.append(HoverRow("mask", f"the lowest {value.bit_length()} bits"))
    if value >= 0:
        rows += _as_floats(pattern, type_, found.kind if found is not None else "untyped")
    title = f"`{word}` integer constant" + (f", read as `{type_}`" if found is not None else "")
    return HoverInfo(span, title=title, rows=tuple(rows))


def _as_floats(pattern: int, type_: str, kind: str) -> Iterator[HoverRow]:
    """Yield the bits as floats: in the type itself, or for untyped bits in each plausible format."""
    if "float" in kind:
        yield HoverRow(f"as {type_}", as_float(pattern, type_))
        return
    if kind != "untyped" or not 1 << 12 <= pattern < _BITS64:
        return
    for format_, types in ((".f16", (".b16",)), (".f32", ("", ".b32")), (".f16x2", (".b32",)), (".f64", (".b64",))):
        is_wanted = type_ in types and (format_ != ".f32" or pattern >= 1 << 16)
        if is_wanted and pattern >> _FORMATS[format_] == 0 and _is_plausible(pattern, format_):
            yield HoverRow(f"as {format_}", as_float(pattern, format_))


_FORMATS = {".f16": 16, ".bf16": 16, ".f32": 32, ".f16x2": 32, ".bf16x2": 32, ".f64": 64, ".f32x2": 64}
"""The supported float formats, with their sizes in bits."""


def _is_plausible(pattern: int, format_: str) -> bool:
    """Whether a bit pattern is a plausible float: neither tiny nor huge."""
    values = list(_values(pattern, format_))
    if format_ == ".f16x2":
        return all(math.isfinite(value) and math.frexp(value)[1] in _PLAUSIBLE_HALF and value for value in values)
    return all(math.isinf(value) or math.frexp(value)[1] in _PLAUSIBLE for value in values)


def as_float(pattern: int, format_: str) -> str:
    """Return bits as a float, or a packed pair with the lower half first; for other formats the bits.

    >>> as_float(0x3F800000, ".f32"), as_float(0xBC003800, ".f16x2"), as_float(0x3FC0, ".bf16")
    ('1.0', '{0.5, -1.0}', '1.5')
    """
    if format_ not in _FORMATS or pattern >> _FORMATS[format_]:
        return f"{pattern:#x}"
    if format_ == ".f32":
        return repr_single(pattern)
    values = [decimal(value) for value in _values(pattern, format_)]
    return f"{{{', '.join(values)}}}" if len(values) > 1 else values[0]


def _values(pattern: int, format_: str) -> Iterator[float]:
    if format_.endswith("x2"):
        half = _FORMATS[format_] // 2
        for part in (pattern & (1 << half) - 1, pattern >> half):
            yield from _values(part, format_[:-2])
        return
    bits = pattern << 16 if format_ == ".bf16" else pattern
    letters = {".f16": "<He", ".bf16": "<If", ".f32": "<If", ".f64": "<Qd"}[format_]
    value: float = struct.unpack("<" + letters[2], struct.pack(letters[:2], bits))[0]
    yield value


def floating(word: str, value: float, span: Span, type_: str = "") -> HoverInfo:
    """Return the hover of a float: its value, and its bits in both formats or in that of its known type."""
    single = bits_of_float(value, "f")
    is_single = word.lower().lstrip("-").startswith("0f") and single is not None
    rows = [HoverRow("value", repr_single(single) if is_single and single is not None else decimal(value))]
    if type_ != ".f64":
        rows.append(HoverRow(".f32", "does not fit"))
        if single is not None:
            nearest: float = struct.unpack("<f", single.to_bytes(4, "little"))[0]
            rows[-1] = HoverRow(".f32", f"0f{single:08X}{_exactly(nearest, word)}")
    if type_ != ".f32":
        rows.append(HoverRow(".f64", f"0d{bits_of_float(value, 'd'):016X}{_exactly(value, word)}"))
    rows = [row for row in rows if row.text.lower() != word.lower()]
    return HoverInfo(span, title=f"`{word}` floating-point constant", rows=tuple(rows))


def _exactly(value: float, word: str) -> str:
    """Return the exact value of a float; empty if that is the written or the shortest notation."""
    if not math.isfinite(value):
        return ""
    exact = Decimal(value)
    try:
        if exact in (Decimal(word), Decimal(repr(value))):
            return ""
    except InvalidOperation:  # written as a bit pattern
        if exact == Decimal(repr(value)):
            return ""
    if not _SMALLEST < abs(exact) < _LARGEST:
        return f", about {value:.16e}"
    text = f"{exact:f}"
    return f", exactly {text if len(text) <= _LONGEST_EXACT else text[: _LONGEST_EXACT - 1] + '…'}"


_SMALLEST, _LARGEST = Decimal("1e-6"), Decimal("1e16")
_LONGEST_EXACT = 32


def _grouped(pattern: int) -> str:
    """Return binary digits in groups of four, without leading groups of zeros."""
    digits = f"{pattern:b}"
    digits = digits.zfill(-(-len(digits) // 4) * 4)
    return " ".join(digits[at : at + 4] for at in range(0, len(digits), 4))
