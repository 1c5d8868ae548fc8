"""URIs of files, their paths, and keys that are independent of the spelling of a URI."""

from __future__ import annotations

import os
from urllib.parse import unquote

from pygls.uris import from_fs_path

from ptx_lsp.server.client.file_uris import path_of_file


def key_of(uri: str) -> str:
    """A key that all spellings of a URI share: the path of a file, otherwise (``untitled:``) the decoded URI.

    >>> key_of("file:///a%20b/x.ptx") == key_of("file:///a b/./x.ptx")
    True
    >>> key_of("untitled:Untitled-1")
    'untitled:Untitled-1'
    """
    path = path_of(uri)
    return os.path.normcase(path) if path is not None else unquote(uri)


def path_of(uri: str) -> str | None:
    """The path of a ``file:`` URI; None for another scheme."""
    path = path_of_file(uri)
    return os.path.normpath(path) if path else None


def uri_of(path: str) -> str:
    """The URI of a file."""
    return str(from_fs_path(path))
