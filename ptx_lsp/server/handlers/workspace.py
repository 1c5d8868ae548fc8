"""``initialized``, and changes of settings, watched files and workspace folders."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from ptx_lsp.server.client_requests import registration, settings_in, settings_request
from ptx_lsp.server.documents.free_memory import return_large_blocks
from ptx_lsp.server.handlers.completion import warm_up
from ptx_lsp.server.transport.event_loop import call_later
from ptx_lsp.server.workspace.walk import is_ptx
from ptx_lsp.settings import BUILD_FILE_NAME, FILE_NAME

if TYPE_CHECKING:
    from concurrent.futures import Future
    from typing import Any

    from lsprotocol import types

    from ptx_lsp.server.server import Server

log = logging.getLogger(__name__)

_MEMORY_DELAY = 1.0
"""Seconds until the C library is asked how to treat memory: an import that the first findings need not wait for."""


def initialized(server: Server, _: types.InitializedParams) -> None:
    """Register for changes, request the settings, and begin to read the workspace."""
    server.show_problems()
    changes = registration(server.client)
    if changes is not None:
        server.ask(changes)
    _request_settings(server)
    server.read_workspace()
    warm_up(server)
    call_later(_MEMORY_DELAY, return_large_blocks)


def configuration_changed(server: Server, params: types.DidChangeConfigurationParams) -> None:
    """Request the changed settings, or use those in the notification."""
    if not _request_settings(server):
        server.configure(params.settings)


def files_changed(server: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Handle changes of PTX files, of a ``ptx-lsp.toml`` or of a ``compile_commands.json``."""
    uris = [change.uri for change in params.changes]
    for uri in uris:
        server.files.changed(uri)
    if not server.client.pushes and any(map(is_ptx, uris)):
        server.refresh.diagnostics()
    if any(uri.endswith((FILE_NAME, BUILD_FILE_NAME)) for uri in uris):
        server.configurations.forget_files()
        server.sources.forget_files()
        server.recheck()


def folders_changed(server: Server, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Handle added and removed workspace folders."""
    added, removed = params.event.added, params.event.removed
    server.files.folders_changed([folder.uri for folder in added], [folder.uri for folder in removed])


def reload(server: Server) -> None:
    """Read the settings of files again, and request those of the editor if it supports that."""
    server.configurations.forget_files()
    server.sources.forget_files()
    server.recheck()  # an editor that has no settings, or none now, sends nothing that would cause it
    _request_settings(server)


def _request_settings(server: Server) -> bool:
    """Request the section of ptx-lsp from the editor; False if it does not support that."""
    request = settings_request(server.client)
    if request is None:
        return False

    def apply(answer: Future[Any]) -> None:
        if answer.cancelled() or answer.exception() is not None:
            log.warning("the editor did not send its settings")
            return
        settings = settings_in(answer.result())
        if settings is not None:
            server.configure(settings)

    server.ask(request).add_done_callback(apply)
    return True
