"""From paths on the command line to texts: folders walked, files read without losing a byte."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

STANDARD_INPUT = "-"
_FOREIGN = {
    b"\x7fELF": "an ELF file (a cubin or a program), not PTX text; 'cuobjdump -ptx' extracts PTX",
    b"\x50\xed\x55\xba": "a fat binary, not PTX text; 'cuobjdump -ptx' extracts PTX",
    b"PK\x03\x04": "a ZIP archive, not PTX text",
    b"\x1f\x8b": "compressed with gzip, not PTX text",
    b"\xff\xfe": "UTF-16 text; save it as ASCII or UTF-8",
    b"\xfe\xff": "UTF-16 text; save it as ASCII or UTF-8",
}
"""How files begin that people pass by mistake."""
_HEAD = 1024
"""Bytes at the beginning in which a NUL means: no text."""


class UnreadableError(Exception):
    """A file or folder that cannot be read; its text says why."""


class Source(NamedTuple):
    """Something to check, or why it cannot be: ``path`` as the user would write it, size in bytes."""

    path: str
    size: int = 0
    problem: str | None = None


def collect(paths: Iterable[str]) -> Iterator[Source]:
    """What the paths name, each once: files as they are, folders by the ``.ptx`` files in them, sorted."""
    seen: set[str] = set()
    for path in paths:
        for source in _files(path):
            identity = os.path.abspath(source.path) if source.path != STANDARD_INPUT else source.path
            if identity not in seen:
                seen.add(identity)
                yield source


def _files(path: str) -> Iterator[Source]:
    if path == STANDARD_INPUT:
        yield Source(path)
    elif os.path.isdir(path):
        yield from _walk(path)
    else:
        yield _source(path)


def _walk(folder: str) -> Iterator[Source]:
    """The ``.ptx`` files below a folder; hidden folders are passed over, links to folders not followed."""
    problems: list[OSError] = []
    found = False
    for place, folders, names in os.walk(folder, onerror=problems.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if name.lower().endswith(".ptx"):
                found = True
                yield _source(os.path.join(place, name).removeprefix(f".{os.sep}"))
    for error in problems:
        yield Source(str(error.filename), problem=_reason(error))
    if not found and not problems:
        yield Source(folder, problem="no .ptx file in this folder")


def _source(path: str) -> Source:
    try:
        status = os.stat(path)
    except (OSError, ValueError) as error:
        return Source(path, problem=_reason(error))
    if stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode) or stat.S_ISSOCK(status.st_mode):
        return Source(path, problem="a device or socket, not a file")
    return Source(path, status.st_size)


def read(path: str) -> str:
    """The text of a file, or of standard input for ``-``.

    Bytes that are not UTF-8 become lone surrogates (PEP 383): every byte keeps a place of its own, and
    the checks say that it is not ASCII. Raises :class:`UnreadableError`.
    """
    try:
        if path == STANDARD_INPUT:
            data = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as file:
                data = file.read()
        _refuse_foreign(data)
        return data.decode("utf-8", "surrogateescape")
    except (OSError, ValueError) as error:
        raise UnreadableError(_reason(error)) from error
    except MemoryError as error:
        raise UnreadableError("too big for this machine's memory") from error


def _refuse_foreign(data: bytes) -> None:
    for start, what in _FOREIGN.items():
        if data.startswith(start):
            raise UnreadableError(what)
    # PTX taken out of a program can end in the NUL of a C string: that much is left to the checks.
    if b"\0" in data[:_HEAD].rstrip(b"\0"):
        raise UnreadableError("a binary file, not PTX text")


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
