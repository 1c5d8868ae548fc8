"""Archives that are the same whenever and wherever they are written: names in order, one time, no owner, two modes."""

from __future__ import annotations

import gzip
import io
import tarfile
import time
import zipfile
from collections.abc import Iterable
from pathlib import Path

FILE, PROGRAM = 0o644, 0o755
_UNIX = 3
_FIRST = 315532800
"""1980-01-01, the earliest time that a zip archive can hold."""


def plain_zip(path: Path, epoch: int) -> None:
    """Write a zip archive anew."""
    with zipfile.ZipFile(path) as archive:
        kept = [(entry.filename, archive.read(entry)) for entry in archive.infolist() if not entry.is_dir()]
    moment = time.gmtime(max(epoch, _FIRST))[:6]
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in sorted(kept):
            entry = zipfile.ZipInfo(name, moment)
            entry.create_system, entry.external_attr = _UNIX, (0o100000 | FILE) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED, compresslevel=9)


def plain_tar(path: Path, epoch: int) -> None:
    """Write a ``.tar.gz`` anew."""
    with tarfile.open(path) as archive:
        files = [
            (entry.name, data.read(), entry.mode)
            for entry in archive
            if entry.isfile() and (data := archive.extractfile(entry)) is not None
        ]
    tar(path, files, epoch)


def tar(path: Path, files: Iterable[tuple[str, bytes, int]], epoch: int) -> None:
    """Write a ``.tar``, or with that ending a ``.tar.gz``, of names, texts and modes."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, data, mode in sorted(files):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.mode = len(data), epoch, PROGRAM if mode & 0o100 else FILE
            archive.addfile(entry, io.BytesIO(data))
    text = whole.getvalue()
    path.write_bytes(gzip.compress(text, 9, mtime=epoch) if path.suffix == ".gz" else text)
