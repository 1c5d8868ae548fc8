"""Message framing on a byte stream: a header with the length, a blank line, the body.

Used without pygls in two places: before it is imported (see ``boot``) and
in the thread that reads ahead (see ``loop``).

Source: LSP specification, "Base Protocol".
"""

from __future__ import annotations

import json
import re
from typing import Any, BinaryIO

MAX_HEADER_LINE = 8192
"""Bytes; a longer line is no header."""

_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d{1,20})[ \t]*\r?\n", re.IGNORECASE)
_LONGEST_LENGTH = 64
"""Bytes of a header with the length, without unusual blanks."""

MAX_BODY = 1 << 31
"""Bytes; a message that announces more than 2 GiB is treated as a broken stream."""


class BrokenStreamError(Exception):
    """The stream cannot be read any further: a body is shorter than announced, or the announced length is absurd."""


def read_body(stream: BinaryIO, most: int = MAX_BODY) -> bytes | None:
    """The body of the next message, of at most so many bytes, or None at the end of the stream.

    Lines that are no header are skipped, for example the output of a wrapper
    script before the first message. A header may also follow other text on its line: if the announced length of a
    message was wrong, the rest of its body stands there, and the messages after it are not lost.

    Raises:
        BrokenStreamError: the announced length is absurd, or the stream ends inside the body.

    """
    length = -1
    begin = b""
    while line := stream.readline(MAX_HEADER_LINE):
        line = begin + line
        begin = b"" if line.endswith(b"\n") else line[-_LONGEST_LENGTH:]
        found = _LENGTH.search(line)
        if found is not None:
            length = int(found[1])
        elif line.partition(b":")[0].strip().lower() == b"content-length":
            length = -1
        elif length >= 0 and not line.strip():
            break
    else:
        return None
    if length > most:
        raise BrokenStreamError(f"a message of {length} bytes is announced")
    body = stream.read(length)
    if len(body) < length:
        raise BrokenStreamError(f"the stream ended after {len(body)} of {length} bytes")
    return body


def frame(body: bytes) -> bytes:
    """``body`` with its header."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def encode(message: dict[str, Any]) -> bytes:
    """A framed message. The JSON is plain ASCII, so lone surrogates survive."""
    return frame(json.dumps(message, separators=(",", ":")).encode("ascii"))
