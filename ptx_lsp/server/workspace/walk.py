"""Finds the PTX files below the folders of a workspace."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from typing import NamedTuple

MOST_FILES = 20_000
"""Files that are looked at in a workspace."""
MOST_FOLDERS = 50_000
"""Folders that are looked into: somebody may have opened a whole disk."""
LARGEST = 16 << 20
"""Bytes; a larger file is not read unless it is opened."""

_PASSED_OVER = frozenset({"node_modules", "__pycache__"})


class FileState(NamedTuple):
    """A file, and by what to tell whether it changed since."""

    path: str
    stamp: tuple[int, int]
    """When it was changed, in nanoseconds, and its size in bytes."""


def walk(folders: Iterable[str]) -> Iterator[FileState | None]:
    """The PTX files in folders and below them, each once; None after each folder, when others may have their turn.

    Hidden folders and those of package managers are passed over, links to folders are not followed: what they lead to
    is either found without them or not part of the workspace.
    """
    roots = [os.path.normpath(folder) for folder in folders]
    pending = [root for root in dict.fromkeys(roots) if not any(is_below(root, other) for other in roots)]
    pending.reverse()
    visited = 0
    while pending and visited < MOST_FOLDERS:
        folder = pending.pop()
        visited += 1
        below = []
        for entry in _entries(folder):
            try:
                if entry.is_dir(follow_symlinks=False):
                    if not entry.name.startswith(".") and entry.name not in _PASSED_OVER:
                        below.append(entry.path)
                elif is_ptx(entry.name) and entry.is_file() and not _is_found_elsewhere(entry, roots):
                    status = entry.stat()
                    yield FileState(entry.path, (status.st_mtime_ns, status.st_size))
            except OSError:
                continue  # it went away, or is a link to nowhere
        pending += reversed(below)
        yield None


def stamp_of(path: str) -> tuple[int, int] | None:
    """By what to tell whether a file changed; None if there is no such file, or it is a pipe or a device."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return (status.st_mtime_ns, status.st_size) if stat.S_ISREG(status.st_mode) else None


def is_ptx(name: str) -> bool:
    """Whether a file is PTX by its name."""
    return name.lower().endswith(".ptx")


def is_below(path: str, folder: str) -> bool:
    """Whether a path lies in a folder or deeper."""
    return path.startswith(folder.rstrip(os.sep) + os.sep)


def _is_found_elsewhere(entry: os.DirEntry[str], roots: Iterable[str]) -> bool:
    """Whether an entry is a link to a file that belongs to the workspace without it."""
    if not entry.is_symlink():
        return False
    target = os.path.realpath(entry.path)
    return is_ptx(target) and any(is_below(target, os.path.realpath(root)) for root in roots)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError:
        return []
