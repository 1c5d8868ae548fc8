"""Lines of the source files that ``.loc`` lines name, for hovers: read when somebody asks, never kept."""

from __future__ import annotations

import os
import stat
from itertools import islice
from types import ModuleType

from pygls.uris import to_fs_path

MOST_BYTES = 4 << 20
"""Longer files are not read: an answer must come at once."""
_LONGEST_LINE = 400
_ELSEWHERE = ("//", "\\\\", "\\??\\")
"""How normal paths on other machines and to devices begin; the last one stands for the second on Windows."""


def read_line(uri: str, path: str, line: int) -> str | None:
    """A line of a source file, counted from 1, without control characters.

    Args:
        uri: the PTX document's address; relative paths start in its folder.
        path: the name that ``.file`` gives, of either kind of slashes.
        line: which line.

    Returns:
        None if there is no such line, the file is no ordinary one, is too long, or lies on another machine.

    """
    found = local_path(folder_of(uri), path) if line > 0 else None
    if found is None:
        return None
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


def folder_of(uri: str) -> str | None:
    """The folder of a document; None if it is no file."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return os.path.dirname(path) if path else None


def local_path(folder: str | None, path: str, system: ModuleType = os.path) -> str | None:
    r"""Where a file is whose name stands in a document: never on another machine.

    Args:
        folder: the document's folder, in which relative names start; None if it has none.
        path: the name, of either kind of slashes.
        system: the rules for paths, ``ntpath`` on Windows.

    Returns:
        None if that is on another machine, or cannot be known.

    >>> import ntpath, posixpath
    >>> local_path("/home/me", r"src\a.cu", posixpath), local_path("C:\\me", "/src/a.cu", ntpath)
    ('/home/me/src/a.cu', 'C:\\src\\a.cu')
    >>> local_path("C:\\me", r"/\server/share/a.cu", ntpath) is None
    True
    """
    if "\0" in path:
        return None
    whole: str = system.normpath(system.join(folder or "", path.replace("\\", "/")))
    return None if whole.startswith(_ELSEWHERE) or not system.isabs(whole) else whole


def _open_without_waiting(path: str, flags: int) -> int:
    """Open a file, and be it a pipe that nobody writes to."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
