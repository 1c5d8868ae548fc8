"""Input files of the command line: paths are expanded, each file occurs once."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ptx_lsp.source_file import IRREGULAR, STANDARD_INPUT, UnreadableError, error_text, read_source

__all__ = ["STANDARD_INPUT", "InputFile", "UnreadableError", "collect", "read_source"]


class InputFile(NamedTuple):
    """A file to check, or the reason why it cannot be read; its path as the user would write it, its size in bytes."""

    path: str
    size: int = 0
    problem: str | None = None


def collect(paths: Iterable[str]) -> Iterator[InputFile]:
    """The files that paths name, each once; a folder stands for the ``.ptx`` files in it, sorted."""
    seen: set[str] = set()
    for path in paths:
        for source in _files(path):
            identity = os.path.abspath(source.path) if source.path != STANDARD_INPUT else source.path
            if identity not in seen:
                seen.add(identity)
                yield source


def _files(path: str) -> Iterator[InputFile]:
    if path == STANDARD_INPUT:
        yield InputFile(path)
    elif os.path.isdir(path):
        yield from _walk(path)
    else:
        yield _source(path)


def _walk(folder: str) -> Iterator[InputFile]:
    """The ``.ptx`` files in a folder and its subfolders, except hidden ones; links to folders are not followed."""
    problems: list[OSError] = []
    found = False
    for place, folders, names in os.walk(folder, onerror=problems.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if name.lower().endswith(".ptx"):
                found = True
                yield _source(os.path.join(place, name).removeprefix(f".{os.sep}"), is_named=False)
    for error in problems:
        yield InputFile(str(error.filename), problem=error_text(error))
    if not found and not problems:
        yield InputFile(folder, problem="no .ptx file in this folder")


def _source(path: str, *, is_named: bool = True) -> InputFile:
    """A file; a pipe only if the user names it, as in ``ptx-lsp check <(command)``: another one may never end."""
    try:
        status = os.stat(path)
    except (OSError, ValueError) as error:
        return InputFile(path, problem=error_text(error))
    if not stat.S_ISREG(status.st_mode) and not (is_named and stat.S_ISFIFO(status.st_mode)):
        return InputFile(path, problem=IRREGULAR)
    return InputFile(path, status.st_size)
