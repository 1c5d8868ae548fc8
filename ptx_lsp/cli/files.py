"""Input files of the command line: paths are expanded, each file occurs once."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.source_file import IRREGULAR, STANDARD_INPUT, UnreadableError, error_text, read_source

__all__ = ["STANDARD_INPUT", "InputFile", "UnreadableError", "collect", "read_source"]


class InputFile(NamedTuple):
    """A file to check, or the reason why it cannot be read; its path as the user would write it, its size in bytes."""

    path: str
    size: int = 0
    problem: str | None = None
    host: str | None = None
    """The language of a source with inline assembly: ``cuda-cpp``; None for PTX."""


HostOf = Callable[[str], str | None]
"""Gives the language of a path, or None if sources of its kind have no inline assembly."""


def collect(paths: Iterable[str], host_of: HostOf | None = None) -> Iterator[InputFile]:
    """The files that paths name, each once; a folder stands for the ``.ptx`` files in it, sorted.

    With ``host_of`` also for the sources of other languages that it knows.
    """
    seen: set[str] = set()
    for path in paths:
        for source in _files(path, host_of):
            identity = os.path.abspath(source.path) if source.path != STANDARD_INPUT else source.path
            if identity not in seen:
                seen.add(identity)
                yield source


def _files(path: str, host_of: HostOf | None) -> Iterator[InputFile]:
    if path == STANDARD_INPUT:
        yield InputFile(path, host=host_of(path) if host_of is not None else None)
    elif os.path.isdir(path):
        yield from _walk(path, host_of)
    else:
        source = _source(path)
        is_ptx = path.lower().endswith(".ptx")
        if host_of is not None and not is_ptx and source.problem is None:
            source = source._replace(host=host_of(path))
        yield source


def _walk(folder: str, host_of: HostOf | None) -> Iterator[InputFile]:
    """The ``.ptx`` files in a folder and its subfolders, except hidden ones; links to folders are not followed."""
    problems: list[OSError] = []
    found = False
    for place, folders, names in os.walk(folder, onerror=problems.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            is_ptx = name.lower().endswith(".ptx")
            host = host_of(name) if host_of is not None and not is_ptx else None
            if is_ptx or host is not None:
                found = True
                source = _source(os.path.join(place, name).removeprefix(f".{os.sep}"), is_named=False)
                # A link that leads nowhere is worth a word only if it is of PTX.
                if is_ptx or source.problem is None:
                    yield source._replace(host=host)
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
