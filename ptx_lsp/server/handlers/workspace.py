"""``initialized``, and changes of settings, watched files and workspace folders."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from lsprotocol import types

from ptx_lsp.server.capabilities import SERVER_NAME
from ptx_lsp.server.handlers.completion import warm_up
from ptx_lsp.server.workspace.walk import is_ptx
from ptx_lsp.settings import FILE_NAME

if TYPE_CHECKING:
    from concurrent.futures import Future
    from typing import Any

    from ptx_lsp.server.server import Server

log = logging.getLogger(__name__)


def initialized(server: Server, _: types.InitializedParams) -> None:
    """Register for changes, request the settings, and begin to read the workspace."""
    server.show_problems()
    registrations: list[types.Registration] = []
    if server.client.supports("workspace", "didChangeConfiguration", "dynamicRegistration"):
        registrations.append(_registration(types.WORKSPACE_DID_CHANGE_CONFIGURATION, {"section": SERVER_NAME}))
    if server.client.watches_files:
        options = {"watchers": [{"globPattern": f"**/{FILE_NAME}"}, {"globPattern": "**/*.ptx"}]}
        registrations.append(_registration(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options))
    if registrations:
        server.client_register_capability(types.RegistrationParams(registrations))
    _request_settings(server)
    server.read_workspace()
    warm_up(server)


def configuration_changed(server: Server, params: types.DidChangeConfigurationParams) -> None:
    """Request the changed settings, or use those in the notification."""
    if not _request_settings(server):
        server.configure(params.settings)


def files_changed(server: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Handle changes of PTX files or of a ``ptx-lsp.toml``."""
    uris = [change.uri for change in params.changes]
    for uri in uris:
        server.files.changed(uri)
    if not server.client.pushes and any(map(is_ptx, uris)):
        server.refresh.diagnostics()
    if any(uri.endswith(FILE_NAME) for uri in uris):
        server.configurations.forget_files()
        server.recheck()


def folders_changed(server: Server, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Handle added and removed workspace folders."""
    added, removed = params.event.added, params.event.removed
    server.files.folders_changed([folder.uri for folder in added], [folder.uri for folder in removed])


def reload(server: Server) -> None:
    """Read the settings of files again, and request those of the editor if it supports that."""
    server.configurations.forget_files()
    if not _request_settings(server):
        server.recheck()


def _request_settings(server: Server) -> bool:
    """Request the section of ptx-lsp from the editor; False if it does not support that."""
    if not server.client.supports("workspace", "configuration"):
        return False
    item = types.ConfigurationItem(section=SERVER_NAME)
    answer = server.protocol.send_request(types.WORKSPACE_CONFIGURATION, types.ConfigurationParams([item]))

    def apply(answer: Future[Any]) -> None:
        if answer.cancelled() or answer.exception() is not None:
            log.warning("the editor did not send its settings")
            return
        found = answer.result()
        if found and found[0] is not None:
            server.configure(found[0])

    answer.add_done_callback(apply)
    return True


def _registration(method: str, options: object) -> types.Registration:
    return types.Registration(id=f"{SERVER_NAME}:{method}", method=method, register_options=options)
