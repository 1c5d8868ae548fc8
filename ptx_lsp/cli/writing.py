"""Texts put in the place of those that files hold, without losing anything on the way.

Usually the new text goes into a file of its own beside the old one, which it then replaces atomically: whoever reads
sees the one or the other, and a full disk does no harm. Where the new file would not be the same to others, since the
old one has several names or an owner that only root can give, the text is written into the old file.
"""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from typing import BinaryIO

from ptx_lsp.source_file import IRREGULAR

_KEPT = 0o1777
"""The bits of a mode that stay. As when a program of its owner writes into it, a file with a new text is no longer
one that runs with the rights of its owner or group."""


class ChangedError(OSError):
    """Another program has changed the file meanwhile."""

    def __init__(self) -> None:
        super().__init__("was changed meanwhile; it is left as it is")


def replace_text(path: str, before: str, after: str) -> None:
    """Give a file that holds ``before`` the text ``after``; links, owner and permissions stay.

    Raises:
        ChangedError: it holds something else by now.
        OSError: it cannot be written; it holds what it held.

    """
    path = os.path.realpath(path)  # links to it stay
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode):
        raise OSError(IRREGULAR)
    if not os.access(path, os.W_OK):
        raise PermissionError(13, "Permission denied")
    old, new = (text.encode("utf-8", "surrogateescape") for text in (before, after))
    if status.st_nlink > 1 or not _replaced(path, status, old, new):
        _overwrite(path, old, new)


def _replaced(path: str, status: os.stat_result, old: bytes, new: bytes) -> bool:
    """Whether a new file has taken the place of the old one: not if it cannot be made like it."""
    folder = os.path.dirname(path)
    try:
        number, temporary = tempfile.mkstemp(prefix=".ptx-lsp-", dir=folder)
    except PermissionError:
        return False
    try:
        with os.fdopen(number, "wb") as file:
            file.write(new)
            _flush(file)
            is_alike = _is_made_alike(file, path, status)
        if not is_alike:
            os.unlink(temporary)
            return False
        with open(path, "rb") as file:
            if file.read() != old:
                raise ChangedError
        os.replace(temporary, path)
    except PermissionError:
        os.unlink(temporary)
        return False
    except BaseException:
        os.unlink(temporary)
        raise
    _flush_folder(folder)
    return True


def _is_made_alike(file: BinaryIO, path: str, status: os.stat_result) -> bool:
    """Whether a new file got the owner, the permissions and the attributes of the one at ``path``."""
    if not hasattr(os, "fchown"):  # Windows
        return True
    number = file.fileno()
    own = os.fstat(number)
    try:
        if (own.st_uid, own.st_gid) != (status.st_uid, status.st_gid):
            os.fchown(number, status.st_uid, status.st_gid)
        os.fchmod(number, status.st_mode & _KEPT)
        for name in _attributes(path):
            os.setxattr(number, name, os.getxattr(path, name))
    except OSError:
        return False
    return True


def _attributes(path: str) -> list[str]:
    """The names of a file's extended attributes, such as its access control list, without the rights of a program."""
    try:
        return [name for name in os.listxattr(path) if name != "security.capability"]
    except (AttributeError, OSError):  # the system or the file system has none
        return []


def _overwrite(path: str, old: bytes, new: bytes) -> None:
    """Write into a file; what it held is written again if that fails."""
    with open(path, "r+b", buffering=0) as file:
        if file.read() != old:
            raise ChangedError
        try:
            _write(file, new)
        except BaseException:
            with suppress(OSError):
                _write(file, old)
            raise
        mode = os.fstat(file.fileno()).st_mode
        if mode & ~_KEPT & 0o7777 and hasattr(os, "fchmod"):
            with suppress(OSError):
                os.fchmod(file.fileno(), mode & _KEPT)


def _write(file: BinaryIO, data: bytes) -> None:
    """Make ``data`` all that an unbuffered file holds."""
    file.seek(0)
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]
    file.truncate()
    _flush(file)


def _flush(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def _flush_folder(folder: str) -> None:
    """Have the new entry of a folder on the disk, where a folder can be opened."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
