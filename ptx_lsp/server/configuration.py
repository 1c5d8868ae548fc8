"""The settings of a document: from the project's ``ptx-lsp.toml``, overridden by those that the editor sends.

Imported before pygls, see ``startup/first_findings``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from ptx_lsp.server.capabilities import SERVER_NAME
from ptx_lsp.server.client.file_uris import path_of_file
from ptx_lsp.server.transport.framing import encode
from ptx_lsp.settings import Configuration, Settings, find, from_mapping

_OF_THE_SERVER = frozenset({"pullDiagnostics", "ownTokenTypes", "commands", "token", "registerForPtx"})
"""Keys of ``initializationOptions`` that concern the connection, not the checks."""

_WARNING = 2
_INFO = 3
"""LSP's ``MessageType.Warning``."""

_NOT_SET: tuple[object, ...] = (None, "", [], {})
"""Values that editors send for settings that the user has not set."""


def section_of(options: object) -> Mapping[str, object]:
    """The settings in a message of the editor: its section ``ptx-lsp`` if there is one, otherwise all of it."""
    if isinstance(options, Mapping) and isinstance(options.get(SERVER_NAME), Mapping):
        options = options[SERVER_NAME]
    if not isinstance(options, Mapping):
        return {}
    return {key: value for key, value in options.items() if key not in _OF_THE_SERVER and value not in _NOT_SET}


class Configurations:
    """The settings of all folders in which documents are open."""

    def __init__(self) -> None:
        self._at_start: Mapping[str, object] = {}
        self._from_editor: Mapping[str, object] = {}
        self._by_folder: dict[str, Configuration] = {}
        self._problems: list[str] = []
        self._reported: set[str] = set()

    def start(self, options: object) -> None:
        """Use ``initializationOptions`` as defaults for settings that the editor sends later."""
        self._at_start = section_of(options)
        self._validate()

    def update(self, options: object) -> None:
        """Use new settings from the editor, and read the configuration files again.

        Missing keys, also those of nested tables, keep their values from :meth:`start`.
        """
        self._from_editor = section_of(options)
        self._validate()
        self.forget_files()

    def forget_files(self) -> None:
        """Drop cached configuration files, so that each ``ptx-lsp.toml`` is read again."""
        self._by_folder.clear()

    def settings_for(self, uri: str) -> Settings:
        """The settings for the document at ``uri``."""
        base = Settings()
        path = path_of_file(uri)
        if path:
            found = self._in_folder(os.path.dirname(path))
            base = found.settings
            self._problems += [f"{found.path}: {problem}" for problem in found.problems]
        return from_mapping(self._from_editor, from_mapping(self._at_start, base)[0])[0]

    def folder_of(self, uri: str) -> str | None:
        """The folder of the ``ptx-lsp.toml`` for the document at ``uri``, which patterns in it are relative to."""
        path = path_of_file(uri)
        found = self._in_folder(os.path.dirname(path)).path if path else None
        return os.path.dirname(found) if found is not None else None

    def show_problems(self, write: Callable[[bytes], object]) -> None:
        """Show the user the problems of the settings, each once.

        Args:
            write: sends a framed message.

        """
        found = [problem for problem in dict.fromkeys(self._problems) if problem not in self._reported]
        self._reported.update(found)
        self._problems.clear()
        if found:
            params = {"type": _WARNING, "message": "ptx-lsp: " + "\n".join(found)}
            write(encode({"jsonrpc": "2.0", "method": "window/showMessage", "params": params}))

    def show_once(self, text: str, write: Callable[[bytes], object]) -> None:
        """Show the user some information, unless it was shown before; ``write`` as above."""
        if text not in self._reported:
            self._reported.add(text)
            write(
                encode({"jsonrpc": "2.0", "method": "window/showMessage", "params": {"type": _INFO, "message": text}})
            )

    def _validate(self) -> None:
        """Record the problems of the editor's settings."""
        for settings in (self._at_start, self._from_editor):
            _, problems = from_mapping(settings)
            self._problems += [f"settings: {problem}" for problem in problems]

    def _in_folder(self, folder: str) -> Configuration:
        if folder not in self._by_folder:
            self._by_folder[folder] = find(folder)
        return self._by_folder[folder]
