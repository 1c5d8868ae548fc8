"""The last commit as a folder, and when it was made."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def export(folder: Path) -> Path:
    """The files of the last commit."""
    folder.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(_git("archive", "HEAD"))) as archive:
        archive.extractall(folder, filter="data")
    return folder


def epoch() -> int:
    """The time of the last commit, in seconds since 1970: that of all files in what is built."""
    return int(_git("log", "-1", "--format=%ct"))


def uncommitted() -> list[str]:
    """Files that are changed or new."""
    return [line[3:] for line in _git("status", "--porcelain").decode().splitlines()]


def _git(*arguments: str) -> bytes:
    return subprocess.run(("git", "-C", ROOT, *arguments), check=True, stdout=subprocess.PIPE).stdout
