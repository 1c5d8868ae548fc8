"""The targets that a build names: ``compile_commands.json``, as CMake and others write it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from ptx_lsp.embedded.host_comments import existing
from ptx_lsp.settings import BUILD_FILE_NAME

_FOLDERS = ("", "build")
"""The folders of a project in which it is looked for."""
_LARGEST = 1 << 28
"""Bytes; a larger file is not read."""
_OPTION = re.compile(
    r"(?:--?gencode|--generate-code|--?arch|--gpu-architecture|--cuda-gpu-arch|--offload-arch)(?:=|\s+|',\s*')"
    r"(?P<value>[^\s'\"]+)"
)
_VIRTUAL = re.compile(r"arch=(compute_\d+[af]?)")
_NAME = re.compile(r"(?:sm|compute)_\d+[af]?")


class CompileCommands:
    """The commands of one build. Whatever is wrong in the file is left out."""

    def __init__(self, path: str) -> None:
        self.path = path

    @cached_property
    def _targets(self) -> dict[str, tuple[str, ...]]:
        """The targets by path, with all links of the path resolved."""
        found: dict[str, list[str]] = {}
        for entry in self._entries():
            words = entry.get("arguments")
            command = " ".join(map(str, words)) if isinstance(words, list) else entry.get("command")
            file, folder = entry.get("file"), entry.get("directory")
            if isinstance(command, str) and isinstance(file, str):
                base = folder if isinstance(folder, str) else os.path.dirname(self.path)
                found.setdefault(os.path.realpath(os.path.join(base, file)), []).extend(targets_in(command))
        return {path: tuple(dict.fromkeys(targets)) for path, targets in found.items()}

    def _entries(self) -> Iterator[dict[str, Any]]:
        try:
            if os.path.getsize(self.path) > _LARGEST:
                return
            with open(self.path, encoding="utf-8", errors="replace") as file:
                entries = json.load(file)
        except (OSError, ValueError, RecursionError):
            return
        yield from (entry for entry in entries if isinstance(entry, dict)) if isinstance(entries, list) else ()

    @cached_property
    def _every(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(target for targets in self._targets.values() for target in targets))

    def targets(self, path: str) -> tuple[str, ...]:
        """The targets of a file; of one that has no command, such as a header, those of all files."""
        return self._targets.get(os.path.realpath(path)) or self._every


def targets_in(command: str) -> tuple[str, ...]:
    """The targets that the options of nvcc or clang in a command name.

    >>> targets_in("nvcc -gencode arch=compute_90a,code=sm_90a -arch=sm_80 -c a.cu")
    ('sm_90a', 'sm_80')
    """
    found: list[str] = []
    for match in _OPTION.finditer(command):
        virtual = _VIRTUAL.search(match["value"])
        found += [virtual[1]] if virtual is not None else _NAME.findall(match["value"])
    return existing(found)


def find_compile_commands(folder: str) -> str | None:
    """The path of the nearest such file: in ``folder``, its parents, or a folder ``build`` in one of them."""
    folder = os.path.abspath(folder)
    while True:
        for inner in _FOLDERS:
            path = os.path.join(folder, inner, BUILD_FILE_NAME)
            if os.path.isfile(path):
                return path
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
