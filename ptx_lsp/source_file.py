"""Reading source files as text without loss of bytes."""

from __future__ import annotations

import os
import stat
import sys
from typing import BinaryIO

STANDARD_INPUT = "-"
_OTHER_FORMATS = {
    b"\x7fELF": "an ELF file (a cubin or a program), not PTX text; 'cuobjdump -ptx' extracts PTX",
    b"\x50\xed\x55\xba": "a fat binary, not PTX text; 'cuobjdump -ptx' extracts PTX",
    b"PK\x03\x04": "a ZIP archive, not PTX text",
    b"\x1f\x8b": "compressed with gzip, not PTX text",
    b"\xff\xfe": "UTF-16 text; save it as ASCII or UTF-8",
    b"\xfe\xff": "UTF-16 text; save it as ASCII or UTF-8",
}
"""Signatures of file formats that are passed by mistake, with the message."""
HEAD = 8192
"""The number of leading characters in which a NUL marks a binary file."""
BINARY = "a binary file, not PTX text"


IRREGULAR = "a pipe, device or socket, not a file"


class UnreadableError(Exception):
    """A file or folder cannot be read; the text of the exception is the reason."""


def read_source(path: str, *, only_regular: bool = False, at_most: int = -1) -> str:
    """The text of a file, or of standard input for ``-``; with ``only_regular`` a pipe or device is refused.

    A file of more than ``at_most`` bytes is refused, even if it has grown since it was found; -1 is no limit.

    Bytes that are not UTF-8 become lone surrogates (PEP 383): every byte keeps its own offset, and
    the checks report that it is not ASCII. Raises :class:`UnreadableError`.
    """
    try:
        if path == STANDARD_INPUT:
            if sys.stdin is None:
                raise UnreadableError("standard input is closed")
            data = sys.stdin.buffer.read()
        else:
            with open(path, "rb", opener=_open_without_blocking if only_regular else None) as file:
                if only_regular and not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise UnreadableError(IRREGULAR)
                data = file.read() if at_most < 0 else _read_at_most(file, at_most)
        _reject_other_formats(data)
        return data.decode("utf-8", "surrogateescape")
    except (OSError, ValueError) as error:
        raise UnreadableError(error_text(error)) from error
    except MemoryError as error:
        raise UnreadableError("too big for this machine's memory") from error


def _open_without_blocking(path: str, flags: int) -> int:
    """Open a file; a pipe without a writer does not block."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _read_at_most(file: BinaryIO, most: int) -> bytes:
    if os.fstat(file.fileno()).st_size > most or len(data := file.read(most + 1)) > most:
        raise UnreadableError(f"larger than {most >> 20} MB")
    return data


def _reject_other_formats(data: bytes) -> None:
    for start, what in _OTHER_FORMATS.items():
        if data.startswith(start):
            raise UnreadableError(what)
    if is_binary(data[:HEAD].decode("latin-1")):
        raise UnreadableError(BINARY)


def is_binary(head: str) -> bool:
    r"""Whether a file with these first :data:`HEAD` characters is binary.

    PTX extracted from a program can end with the NUL of a C string, which the checks report.

    >>> is_binary("ret;\0mov"), is_binary("\0\0"), is_binary("ret;\n\0")
    (True, True, False)
    """
    text = head.rstrip("\0")
    return "\0" in text or bool(head) and not text


def error_text(error: Exception) -> str:
    """The reason of a read error, for the user."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
