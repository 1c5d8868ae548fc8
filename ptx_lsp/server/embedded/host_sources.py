"""Opens documents of other languages, and finds the targets for which they are compiled."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.client.file_uris import path_of_file
from ptx_lsp.settings import Settings

if TYPE_CHECKING:
    from ptx_lsp.embedded.source_targets import SourceTargets
    from ptx_lsp.server.embedded.host_document import HostDocument


class OpenedSources:
    """The documents of other languages of one client. What they need is imported for the first one.

    Args:
        encoding: the position encoding.
        folder_of: the folder of the ``ptx-lsp.toml`` for a URI.
        folders: the paths of the folders of the workspace.

    """

    def __init__(
        self, encoding: Encoding, folder_of: Callable[[str], str | None], folders: Callable[[], list[str]]
    ) -> None:
        self._encoding = encoding
        self._folder_of = folder_of
        self._folders = folders
        self._sources: SourceTargets | None = None

    def open(self, uri: str, version: int | None, text: str, settings: Settings, host: str) -> HostDocument:
        """A document in the language ``host``."""
        from ptx_lsp.checks.embedded.host_checker import HostText
        from ptx_lsp.server.embedded.host_document import HostDocument

        file = HostText(text, host, self._targets(uri, settings))
        return HostDocument(uri, version, settings, self._encoding, file, self._targets)

    def forget_files(self) -> None:
        """Read the files of builds again that have changed."""
        if self._sources is not None:
            self._sources.forget()

    def _targets(self, uri: str, settings: Settings) -> tuple[str, ...]:
        """The targets that the settings or the build name; empty if nothing names them."""
        path = path_of_file(uri)
        if path is None:
            return () if settings.target is None else (settings.target,)
        if self._sources is None:
            from ptx_lsp.embedded.source_targets import SourceTargets

            self._sources = SourceTargets()
        return self._sources.of(path, settings, self._base(uri, path))

    def _base(self, uri: str, path: str) -> str:
        """The folder that patterns in settings are relative to: that of their file, else of the workspace."""
        found = self._folder_of(uri)
        if found is not None:
            return found
        around = [folder for folder in self._folders() if path.startswith(os.path.join(folder, ""))]
        return max(around, key=len, default=os.path.dirname(path))
