"""Textual notation of packed values, with ``?`` for unknown digits."""

from __future__ import annotations

import re

from ptx_lsp.value_text import truncated

MAX_DIGITS = 1000
"""Maximum number of digits, more than any value has; Python rejects decimals of more than 4300 digits."""
_NUMBER = re.compile(r"0[xX][0-9a-fA-F?_]+|0[bB][01?_]+|-?\d+")


def parse_value(word: str, width: int) -> tuple[int, int]:
    """Parse a value of ``width`` bits; return it with the mask of its known bits.

    >>> [hex(part) for part in parse_value("0x40?0", 16)]
    ['0x4000', '0xff0f']

    Raises:
        ValueError: for a text that is not a number, or has too many bits.

    """
    if not _NUMBER.fullmatch(word):
        raise ValueError(f"'{truncated(word)}' is not a number; expected 0x…, 0b… or decimal")
    digits = word.replace("_", "")
    whole = (1 << width) - 1
    base = {"0x": 16, "0b": 2}.get(digits[:2].lower(), 10)
    value = int(digits.replace("?", "0"), base) if len(digits) <= MAX_DIGITS else whole + 1
    if value < 0:
        value &= whole
    if value > whole:
        raise ValueError(f"'{truncated(word)}' has more than {width} bits")
    if "?" not in digits:
        return value, whole
    top = "f" if base == 16 else "1"
    unknown = int("".join(top if digit == "?" else "0" for digit in digits[2:]), base)
    return value, whole & ~unknown


def format_value(value: int, known: int, width: int) -> str:
    """The shortest text that :func:`parse_value` reads as this value.

    >>> format_value(0x4000, 0xFF0F, 16), format_value(0b100, 0b110, 4)
    ('0x40?0', '0b?10?')
    """
    nibbles = [(value >> at & 15, known >> at & 15) for at in reversed(range(0, width, 4))]
    if all(sure in (0, 15) for _, sure in nibbles):
        return "0x" + "".join(f"{digit:x}" if sure else "?" for digit, sure in nibbles)
    bits = reversed(range(width))
    return "0b" + "".join(f"{value >> at & 1}" if known >> at & 1 else "?" for at in bits)
