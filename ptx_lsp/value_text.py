"""Values from outside as a few words of a message, whatever they are and however long."""

from __future__ import annotations

from collections.abc import Mapping

MAX_LENGTH = 60
"""Characters of a value that are shown."""


def describe_value(value: object) -> str:
    r"""A value as Python writes it, cut where it is long; of a table or a list only that it is one.

    Python writes no decimal number of more than 4300 digits, and nothing that is nested too deep.

    >>> shown("sm_90"), shown([[1]]), shown(16**5000)[:8]
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
    """The text, or its beginning.

    >>> short("sm_" + "9" * 100)
    'sm_999999999999999999999999999999999999999999999999999999999…'
    """
    return text if len(text) <= MAX_LENGTH else text[:MAX_LENGTH] + "…"
