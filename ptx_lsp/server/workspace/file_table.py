"""The PTX files of a workspace by key: their paths, URIs, stamps and texts on disk."""

from __future__ import annotations

import os
from collections.abc import Iterable

from ptx_lsp.server.client.lookup import lookup
from ptx_lsp.server.workspace.module_reading import text_of
from ptx_lsp.server.workspace.uris import path_of, uri_of
from ptx_lsp.server.workspace.walk import is_below, is_walked, stamp_of


def folders_of(params: object) -> list[object]:
    """The URIs of the workspace folders in the parameters of ``initialize``."""
    folders = lookup(params, "workspaceFolders")
    if isinstance(folders, list):
        return [lookup(folder, "uri") for folder in folders]
    path = lookup(params, "rootPath")
    return [lookup(params, "rootUri") or (uri_of(path) if isinstance(path, str) and path else None)]


class FileTable:
    """The files of a workspace, whether open or closed; keys are those of ``uris.key_of``.

    Args:
        folders: the URIs of the workspace folders.

    """

    def __init__(self, folders: Iterable[object] = ()) -> None:
        self.folders: list[str] = []
        """The paths of the workspace folders."""
        self.stamps: dict[str, tuple[int, int]] = {}
        """The last known state of each file on disk, see ``walk.stamp_of``."""
        self._schemes = {"file", "untitled"}
        self._uris: dict[str, str] = {}
        self._paths: dict[str, str] = {}
        self.add_folders(folders)

    def add_folders(self, uris: Iterable[object]) -> None:
        """Add workspace folders."""
        for uri in uris:
            if isinstance(uri, str):
                self._schemes.add(_scheme(uri))
            path = path_of(uri) if isinstance(uri, str) else None
            if path is not None and path not in self.folders:
                self.folders.append(path)

    def remove_folders(self, uris: Iterable[str]) -> None:
        """Remove workspace folders."""
        removed = {path for path in map(path_of, uris) if path is not None}
        self.folders = [folder for folder in self.folders if folder not in removed]

    def has_scheme(self, uri: str) -> bool:
        """Whether documents of the workspace have URIs of this scheme."""
        return _scheme(uri) in self._schemes

    def current_stamp(self, path: str) -> tuple[int, int] | None:
        """The present stamp of a file; None if it does not exist, or if a walk of the folders would not find it."""
        return stamp_of(path) if any(is_walked(path, folder) for folder in self.folders) else None

    def add(self, key: str, path: str, stamp: tuple[int, int]) -> None:
        """Add or update a file on disk."""
        self.stamps[key] = stamp
        self._paths[key] = path

    def set_uri(self, key: str, uri: str) -> None:
        """Record the client's spelling of a URI."""
        self._uris[key] = uri

    def remove(self, key: str) -> None:
        """Remove a file."""
        self.stamps.pop(key, None)
        self._paths.pop(key, None)
        self._uris.pop(key, None)

    def path(self, key: str) -> str | None:
        """The path of a file on disk."""
        return self._paths.get(key)

    def client_uri(self, key: str) -> str | None:
        """The URI of a file in the client's spelling; None if the client has not named it."""
        return self._uris.get(key)

    def uri(self, key: str) -> str:
        """The URI of a file, if possible in the client's spelling."""
        return self._uris.get(key) or uri_of(self._paths[key])

    def name(self, key: str) -> str:
        """A short name of a file: its path relative to its workspace folder."""
        path = self._paths.get(key) or path_of(self.uri(key))
        if path is None:
            return self.uri(key)
        folder = next((folder for folder in self.folders if is_below(path, folder)), os.path.dirname(path))
        return path.removeprefix(folder).lstrip(os.sep).replace(os.sep, "/")

    def text(self, key: str) -> str | None:
        """The text of a file on disk; None if it cannot be read or is too large."""
        path = self._paths.get(key)
        return text_of(path) if path is not None else None


def _scheme(uri: str) -> str:
    return uri.partition(":")[0]
