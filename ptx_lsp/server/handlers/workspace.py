"""Settings: fetched from the editor where it can be asked, else taken as they are pushed."""

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
    """Ask to be told of changes, and for the settings themselves."""
    server.show_problems()
    watched: list[types.Registration] = []
    if server.client.supports("workspace", "didChangeConfiguration", "dynamicRegistration"):
        watched.append(_registration(types.WORKSPACE_DID_CHANGE_CONFIGURATION, {"section": SERVER_NAME}))
    if server.client.watches_files:
        options = {"watchers": [{"globPattern": f"**/{FILE_NAME}"}, {"globPattern": "**/*.ptx"}]}
        watched.append(_registration(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options))
    if watched:
        server.client_register_capability(types.RegistrationParams(watched))
    _fetch(server)
    server.read_workspace()
    warm_up(server)


def configuration_changed(server: Server, params: types.DidChangeConfigurationParams) -> None:
    """Settings changed: fetch them, or take what came along."""
    if not _fetch(server):
        server.configure(params.settings)


def files_changed(server: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """PTX files of the workspace changed, came or went, or a ``ptx-lsp.toml``."""
    uris = [change.uri for change in params.changes]
    for uri in uris:
        server.files.changed(uri)
    if not server.client.pushes and any(map(is_ptx, uris)):
        server.refresh.diagnostics()
    if any(uri.endswith(FILE_NAME) for uri in uris):
        server.configurations.forget_files()
        server.recheck()


def folders_changed(server: Server, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Folders were added to the workspace or taken out of it."""
    added, removed = params.event.added, params.event.removed
    server.files.folders_changed([folder.uri for folder in added], [folder.uri for folder in removed])


def reload(server: Server) -> None:
    """Read the settings of files again, and fetch those of the editor where it can be asked."""
    server.configurations.forget_files()
    if not _fetch(server):
        server.recheck()


def _fetch(server: Server) -> bool:
    """Ask the editor for our section; False if it cannot be asked."""
    if not server.client.supports("workspace", "configuration"):
        return False
    item = types.ConfigurationItem(section=SERVER_NAME)
    answer = server.protocol.send_request(types.WORKSPACE_CONFIGURATION, types.ConfigurationParams([item]))

    def take(answer: Future[Any]) -> None:
        if answer.cancelled() or answer.exception() is not None:
            log.warning("the editor did not tell its settings")
            return
        found = answer.result()
        if found and found[0] is not None:
            server.configure(found[0])

    answer.add_done_callback(take)
    return True


def _registration(method: str, options: object) -> types.Registration:
    return types.Registration(id=f"{SERVER_NAME}:{method}", method=method, register_options=options)
