"""Search for the PTX files in the folders of a workspace."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator

from ptx_lsp.named_tuples import NamedTuple

MOST_FILES = 20_000
"""Limit of files in a workspace."""
MOST_FOLDERS = 50_000
"""Limit of folders to visit: the workspace may be a whole disk."""
LARGEST = 16 << 20
"""Bytes; a larger file is not read unless it is opened."""

_SKIPPED = frozenset({"node_modules", "__pycache__"})


class FileState(NamedTuple):
    """A file and its stamp, which differs after a change."""

    path: str
    stamp: tuple[int, int]
    """Modification time in nanoseconds and size in bytes."""


def walk(folders: Iterable[str]) -> Iterator[FileState | None]:
    """The PTX files in folders and their subfolders, each once; None after each folder, as a place to pause.

    Hidden folders and those of package managers are skipped, links to folders are not followed: their targets are
    found without them or are not part of the workspace.
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
                    if not _is_skipped(entry.name):
                        below.append(entry.path)
                elif is_ptx(entry.name) and entry.is_file() and not _is_found_elsewhere(entry, roots):
                    status = entry.stat()
                    yield FileState(entry.path, (status.st_mtime_ns, status.st_size))
            except OSError:
                continue  # deleted meanwhile, or a dangling link
        pending += reversed(below)
        yield None


def stamp_of(path: str) -> tuple[int, int] | None:
    """The stamp of a file, which differs after a change; None if there is no such file, or it is a pipe or a device."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return (status.st_mtime_ns, status.st_size) if stat.S_ISREG(status.st_mode) else None


def is_ptx(name: str) -> bool:
    """Whether the name is that of a PTX file."""
    return name.lower().endswith(".ptx")


def is_below(path: str, folder: str) -> bool:
    """Whether a path is in a folder or one of its subfolders."""
    return path.startswith(folder.rstrip(os.sep) + os.sep)


def is_walked(path: str, folder: str) -> bool:
    """Whether a path is in a folder, or in one of those subfolders that :func:`walk` visits."""
    return is_below(path, folder) and not any(map(_is_skipped, os.path.relpath(path, folder).split(os.sep)[:-1]))


def _is_skipped(name: str) -> bool:
    """Whether a folder of this name is hidden or that of a package manager."""
    return name.startswith(".") or name in _SKIPPED


def _is_found_elsewhere(entry: os.DirEntry[str], roots: Iterable[str]) -> bool:
    """Whether an entry is a link to a file that the walk finds without it."""
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
