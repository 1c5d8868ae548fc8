"""Which settings hold for a document: the project's ``ptx-lsp.toml``, then what the editor sends, which wins."""

from __future__ import annotations

import os
from collections.abc import Mapping

from pygls.uris import to_fs_path

from ptx_lsp.server.capabilities import SERVER_NAME
from ptx_lsp.settings import Configuration, Settings, find, from_mapping

_OF_THE_SERVER = frozenset({"pullDiagnostics", "ownTokenTypes", "commands"})
"""Keys of ``initializationOptions`` that are about the connection, not about checking."""

_NOT_SET: tuple[object, ...] = (None, "", [], {})
"""Values that editors send for settings that the user left alone."""


def section_of(options: object) -> Mapping[str, object]:
    """Our settings in what an editor sends: all of it, or its ``ptx-lsp`` section if it has one."""
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
        self._told: set[str] = set()

    def start(self, options: object) -> None:
        """Take over ``initializationOptions``; they hold where later settings say nothing."""
        self._at_start = section_of(options)
        self._judge()

    def update(self, options: object) -> None:
        """Take over settings that the editor sent later, and look for the files anew.

        Where they say nothing those of the start hold, also key by key in tables.
        """
        self._from_editor = section_of(options)
        self._judge()
        self.forget_files()

    def forget_files(self) -> None:
        """Read every ``ptx-lsp.toml`` again when it is needed."""
        self._by_folder.clear()

    def settings_for(self, uri: str) -> Settings:
        """The settings for the document at ``uri``."""
        base = Settings()
        path = to_fs_path(uri) if uri.startswith("file:") else None
        if path:
            found = self._in_folder(os.path.dirname(path))
            base = found.settings
            self._problems += [f"{found.path}: {problem}" for problem in found.problems]
        return from_mapping(self._from_editor, from_mapping(self._at_start, base)[0])[0]

    def new_problems(self) -> list[str]:
        """What is wrong with the settings and was not told before."""
        found = [problem for problem in dict.fromkeys(self._problems) if problem not in self._told]
        self._told.update(found)
        self._problems.clear()
        return found

    def _judge(self) -> None:
        """Note what is wrong with the editor's settings."""
        for settings in (self._at_start, self._from_editor):
            _, problems = from_mapping(settings)
            self._problems += [f"settings: {problem}" for problem in problems]

    def _in_folder(self, folder: str) -> Configuration:
        if folder not in self._by_folder:
            self._by_folder[folder] = find(folder)
        return self._by_folder[folder]
