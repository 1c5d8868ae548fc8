"""The targets for which an open document of another language is compiled."""

from __future__ import annotations

import os

from ptx_lsp.embedded.compile_commands import CompileCommands, find_compile_commands
from ptx_lsp.server.client.file_uris import path_of_file
from ptx_lsp.settings import Settings


def targets_of(uri: str, settings: Settings) -> tuple[str, ...]:
    """The targets that the settings or the build name; empty if nothing names them."""
    if settings.target is not None:
        return (settings.target,)
    path = path_of_file(uri)
    if path is None:
        return ()
    found = find_compile_commands(os.path.dirname(path))
    return CompileCommands(found).targets(path) if found is not None else ()
