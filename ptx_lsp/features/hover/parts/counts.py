"""Numbers as text."""

from __future__ import annotations

_NUMBERS = {1: "once", 2: "twice"}


def times_in_words(count: int) -> str:
    """Return a number of times as text.

    >>> times_in_words(1), times_in_words(2), times_in_words(3)
    ('once', 'twice', '3 times')
    """
    return _NUMBERS.get(count, f"{count:,} times")


def counted(count: int, noun: str) -> str:
    """Return a number with its noun in singular or plural.

    >>> counted(1, "byte"), counted(1200, "byte")
    ('1 byte', '1,200 bytes')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
