"""Lines of the source files that ``.loc`` lines name, for hovers; read on demand, not cached."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from itertools import islice
from types import ModuleType

from ptx_lsp.server.client.file_uris import path_of_file

MOST_BYTES = 4 << 20
"""Larger files are not read, to keep hovers fast."""
_LONGEST_LINE = 400
_NOT_LOCAL = ("//", "\\\\", "\\??\\")
"""Prefixes of normalized paths on other machines and to devices; on Windows the last one means the second."""


def read_line(uri: str, folders: Sequence[str], path: str, line: int) -> str | None:
    """A line of a source file, counted from 1, without control characters.

    Args:
        uri: the URI of the PTX document, whose folder is the base of relative paths.
        folders: the folders of the workspace.
        path: the path in ``.file``, with either kind of slashes.
        line: the line number.

    Returns:
        None if there is no such line, or the file is not regular, too large, or not :func:`readable_path`.

    """
    found = readable_path(folder_of(uri), folders, path) if line > 0 else None
    if found is None:
        return None
    try:
        with open(found, "rb", opener=_open_nonblocking) as file:
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
    """The folder of a document; None if the document is no file."""
    path = path_of_file(uri)
    return os.path.dirname(path) if path else None


def readable_path(folder: str | None, folders: Sequence[str], path: str) -> str | None:
    """The absolute path of a file that a document names, if it is in the document's folder or in the workspace.

    A PTX file may be from anywhere: it must not make the server, or an editor that follows a link, open other files.
    Symbolic links count as the file that they lead to. The file itself need not exist.

    Args:
        folder: the document's folder; None if it has none.
        folders: the folders of the workspace.
        path: the path as written, with either kind of slashes.

    """
    found = local_path(folder, path)
    roots = [*folders, *([folder] if folder else [])]
    real_roots = [os.path.realpath(root) for root in roots]
    if found is None or not _is_in(found, [*roots, *real_roots]):  # first by its name: nothing else is looked at
        return None
    return found if _is_in(os.path.realpath(found), real_roots) else None


def _is_in(path: str, folders: Sequence[str]) -> bool:
    path = os.path.normcase(path)
    return any(path.startswith(os.path.normcase(os.path.join(folder, ""))) for folder in folders)


def local_path(folder: str | None, path: str, system: ModuleType = os.path) -> str | None:
    r"""The absolute path of a local file that a document names.

    Args:
        folder: the document's folder, the base of relative paths; None if it has none.
        path: the path as written, with either kind of slashes.
        system: the path module, ``ntpath`` on Windows.

    Returns:
        None if the path is on another machine or cannot be resolved.

    >>> import ntpath, posixpath
    >>> local_path("/home/me", r"src\a.cu", posixpath), local_path("C:\\me", "/src/a.cu", ntpath)
    ('/home/me/src/a.cu', 'C:\\src\\a.cu')
    >>> local_path("C:\\me", r"/\server/share/a.cu", ntpath) is None
    True
    """
    if "\0" in path:
        return None
    whole: str = system.normpath(system.join(folder or "", path.replace("\\", "/")))
    return None if whole.startswith(_NOT_LOCAL) or not system.isabs(whole) else whole


def _open_nonblocking(path: str, flags: int) -> int:
    """Open a file without blocking, even a pipe without a writer."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
