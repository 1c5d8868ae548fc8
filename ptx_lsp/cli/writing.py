"""Safe replacement of the text of a file.

Usually the new text is written to a temporary file in the same folder, which then replaces the old one atomically:
readers see one or the other, and a full disk does no harm. If the new file would differ in more than its text, since
the old one has several hard links or an owner that only root can set, the old file is overwritten in place.
"""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from typing import BinaryIO

from ptx_lsp.source_file import IRREGULAR

_KEPT = 0o1777
"""The mode bits to keep: set-user-ID and set-group-ID are cleared, as by any write to the file."""


class ChangedError(OSError):
    """Another program has changed the file since it was read."""

    def __init__(self) -> None:
        super().__init__("was changed by another program and is not written")


def replace_text(path: str, before: str, after: str) -> None:
    """Replace the text ``before`` of a file by ``after``; links, owner and permissions are kept.

    Raises:
        ChangedError: the file has another text.
        OSError: the file cannot be written; its text is unchanged.

    """
    path = os.path.realpath(path)  # symbolic links are kept
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode):
        raise OSError(IRREGULAR)
    if not os.access(path, os.W_OK):
        raise PermissionError(13, "Permission denied")
    old, new = (text.encode("utf-8", "surrogateescape") for text in (before, after))
    if status.st_nlink > 1 or not _replaced(path, status, old, new):
        _overwrite(path, old, new)


def _replaced(path: str, status: os.stat_result, old: bytes, new: bytes) -> bool:
    """Replace the file by a new one; False if its owner, permissions or attributes cannot be kept."""
    folder = os.path.dirname(path)
    try:
        number, temporary = tempfile.mkstemp(prefix=".ptx-lsp-", dir=folder)
    except PermissionError:
        return False
    try:
        with os.fdopen(number, "wb") as file:
            file.write(new)
            _flush(file)
            has_metadata = _copy_metadata(file, path, status)
        if not has_metadata:
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


def _copy_metadata(file: BinaryIO, path: str, status: os.stat_result) -> bool:
    """Copy owner, permissions and attributes from the file at ``path``; False if that fails."""
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
    """The names of a file's extended attributes, such as its access control list, without capabilities."""
    try:
        return [name for name in os.listxattr(path) if name != "security.capability"]
    except (AttributeError, OSError):  # the system or the file system has none
        return []


def _overwrite(path: str, old: bytes, new: bytes) -> None:
    """Overwrite a file in place; restore its text if that fails."""
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
    """Replace the content of an unbuffered file."""
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
    """Flush the new entry of a folder to disk, on systems where a folder can be opened."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
