"""The targets of sources by their paths: those of settings, else of the build."""

from __future__ import annotations

import os

from ptx_lsp.embedded.compile_commands import CompileCommands, find_compile_commands
from ptx_lsp.embedded.path_patterns import path_fits
from ptx_lsp.settings import Settings


class SourceTargets:
    """The targets of sources: those of ``ptx-lsp.toml`` or the editor, else of ``compile_commands.json``.

    A ``compile_commands.json`` is read once, and again after :meth:`forget` if it has changed.
    """

    def __init__(self) -> None:
        self._by_folder: dict[str, CompileCommands | None] = {}
        self._by_path: dict[str, tuple[object, CompileCommands]] = {}

    def of(self, path: str, settings: Settings, base: str) -> tuple[str, ...]:
        """The targets of a source; empty if nothing names them.

        Args:
            path: its path.
            settings: its settings.
            base: the folder that the patterns in the settings are relative to.

        """
        if settings.targets:
            relative = os.path.relpath(os.path.abspath(path), base).replace(os.sep, "/")
            fitting = [targets for pattern, targets in settings.targets if path_fits(relative, pattern)]
            if fitting:
                return fitting[-1]
        if settings.target is not None:
            return (settings.target,)
        commands = self._commands(os.path.dirname(os.path.abspath(path)))
        return commands.targets(path) if commands is not None else ()

    def forget(self) -> None:
        """Look for the files of builds again."""
        self._by_folder.clear()

    def _commands(self, folder: str) -> CompileCommands | None:
        if folder not in self._by_folder:
            found = find_compile_commands(folder)
            self._by_folder[folder] = self._read(found) if found is not None else None
        return self._by_folder[folder]

    def _read(self, path: str) -> CompileCommands | None:
        try:
            status = os.stat(path)
        except OSError:
            return None
        stamp = status.st_mtime_ns, status.st_size
        known = self._by_path.get(path)
        if known is None or known[0] != stamp:
            known = self._by_path[path] = stamp, CompileCommands(path)
        return known[1]
