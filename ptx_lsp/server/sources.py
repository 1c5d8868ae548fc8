"""Lines of the source files that ``.loc`` lines name, for hovers: read when somebody asks, never kept."""

from __future__ import annotations

import os
import stat
from itertools import islice
from pathlib import Path

from pygls.uris import to_fs_path

MOST_BYTES = 4 << 20
"""Longer files are not read: an answer must come at once."""
_LONGEST_LINE = 400
_ELSEWHERE = ("//", "\\\\")
"""How paths on other machines begin."""


def read_line(uri: str, path: str, line: int) -> str | None:
    """A line of a source file, counted from 1, without control characters.

    Args:
        uri: the PTX document's address; relative paths start in its folder.
        path: the name that ``.file`` gives, of either kind of slashes.
        line: which line.

    Returns:
        None if there is no such line, the file is no ordinary one, is too long, or lies on another machine.

    """
    if line < 1 or "\0" in path or path.startswith(_ELSEWHERE):
        return None
    found = Path(path.replace("\\", "/"))
    if not found.is_absolute():
        folder = folder_of(uri)
        if folder is None:
            return None
        found = folder / found
    try:
        with open(found, "rb", opener=_open_without_waiting) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or status.st_size > MOST_BYTES:
                return None
            raw = next(islice(file, line - 1, line), None)
    except (OSError, ValueError):
        return None
    if raw is None:
        return None
    text = raw.decode("utf-8", errors="replace").rstrip("\r\n")[:_LONGEST_LINE]
    return "".join(character for character in text if character == "\t" or character.isprintable())


def folder_of(uri: str) -> Path | None:
    """The folder of a document on this machine; None for others."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return Path(path).parent if path and not path.startswith(_ELSEWHERE) else None


def _open_without_waiting(path: str, flags: int) -> int:
    """Open a file, and be it a pipe that nobody writes to."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
