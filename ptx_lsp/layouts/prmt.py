"""Which bytes ``prmt`` picks. Source: Data Movement and Conversion Instructions: prmt."""

from __future__ import annotations

_BYTES = tuple(f"{operand}{byte}" for operand in "ab" for byte in range(4))
_MODES = {
    ".f4e": ("3210", "4321", "5432", "6543"),
    ".b4e": ("5670", "6701", "7012", "0123"),
    ".rc8": ("0000", "1111", "2222", "3333"),
    ".ecl": ("3210", "3211", "3222", "3333"),
    ".ecr": ("0000", "1110", "2210", "3210"),
    ".rc16": ("1010", "3232", "1010", "3232"),
}
"""The bytes by mode and the lowest two bits of the selector, the uppermost first."""


def picked(selector: int, mode: str = "") -> tuple[str, str, str, str]:
    """The bytes of the result, the uppermost first; ``sign(b3)``: eight times its sign bit.

    >>> picked(0x5410)
    ('b1', 'b0', 'a1', 'a0')
    >>> picked(1, ".b4e")
    ('b2', 'b3', 'a0', 'a1')
    """
    if mode:
        bytes_ = [_BYTES[int(digit)] for digit in _MODES[mode][selector & 3]]
    else:
        picks = [selector >> 4 * at & 15 for at in (3, 2, 1, 0)]
        bytes_ = [f"sign({_BYTES[pick & 7]})" if pick & 8 else _BYTES[pick] for pick in picks]
    first, second, third, fourth = bytes_
    return first, second, third, fourth
