"""Values in a pipe between two processes of the server: the length of each, then its pickle.

Only the server and the process that it has started hold the ends of the pipe.
"""

from __future__ import annotations

import pickle
from typing import IO

LENGTH = 4
"""Bytes of a length."""


def packed(value: object) -> bytes:
    """A value with its length."""
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return len(data).to_bytes(LENGTH, "big") + data


def length_of(head: bytes) -> int:
    """The number of bytes that follow the first :data:`LENGTH`."""
    return int.from_bytes(head, "big")


def unpacked(data: bytes) -> object:
    """The value of bytes without their length."""
    value: object = pickle.loads(data)
    return value


def read(source: IO[bytes]) -> object:
    """The next value of a stream; None at its end."""
    head = source.read(LENGTH)
    data = source.read(length_of(head)) if len(head) == LENGTH else b""
    return unpacked(data) if data else None
