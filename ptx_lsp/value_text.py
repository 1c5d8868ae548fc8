"""Short descriptions of untrusted values for messages, of any type and size."""

from __future__ import annotations

from collections.abc import Mapping

MAX_LENGTH = 60
"""Characters of a value after which it is truncated."""


def describe_value(value: object) -> str:
    r"""The ``repr`` of a value, truncated if long; only the type for a table or list.

    Large integers are written in hexadecimal: ``repr`` rejects more than 4300 decimal digits.

    >>> describe_value("sm_90"), describe_value([[1]]), describe_value(16**5000)[:8]
    ("'sm_90'", 'a list', '0x100000')
    """
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, str):
        return repr(truncated(value))
    if isinstance(value, int) and value.bit_length() > 4 * MAX_LENGTH:
        return truncated(hex(value))
    return truncated(repr(value))


def truncated(text: str) -> str:
    """The text, truncated to ``MAX_LENGTH`` characters.

    >>> truncated("sm_" + "9" * 100)
    'sm_999999999999999999999999999999999999999999999999999999999…'
    """
    return text if len(text) <= MAX_LENGTH else text[:MAX_LENGTH] + "…"
