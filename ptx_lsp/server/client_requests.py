"""The requests to the client when it is ready, as plain JSON: for its settings, and to be notified of changes.

They are sent before pygls is imported if there is time, see ``startup/first_findings``; the full server awaits the
responses.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.server.capabilities import SERVER_NAME, registered_for_ptx
from ptx_lsp.server.client.client import Client
from ptx_lsp.server.transport.framing import encode
from ptx_lsp.settings import BUILD_FILE_NAME, FILE_NAME

REGISTRATION = "client/registerCapability"
SETTINGS = "workspace/configuration"


class Request(NamedTuple):
    """A request to the client."""

    method: str
    params: dict[str, Any]


def registration(client: Client) -> Request | None:
    """Registers for changes of settings and of files, and what only documents of PTX have; None if there is nothing."""
    wanted = [_registration(method, options) for method, options in registered_for_ptx(client)]
    if client.supports("workspace", "didChangeConfiguration", "dynamicRegistration"):
        wanted.append(_registration("workspace/didChangeConfiguration", {"section": SERVER_NAME}))
    if client.watches_files:
        patterns = (f"**/{FILE_NAME}", "**/*.ptx", f"**/{BUILD_FILE_NAME}")
        options = {"watchers": [{"globPattern": pattern} for pattern in patterns]}
        wanted.append(_registration("workspace/didChangeWatchedFiles", options))
    return Request(REGISTRATION, {"registrations": wanted}) if wanted else None


def settings_request(client: Client) -> Request | None:
    """Requests our section of the settings; None if the client does not support that."""
    return Request(SETTINGS, {"items": [{"section": SERVER_NAME}]}) if client.has_settings else None


def settings_in(result: object) -> object:
    """The settings in the result of a request for them; None if the client has none."""
    return result[0] if isinstance(result, list | tuple) and result else None


class SentRequests:
    """The requests that were sent without pygls."""

    def __init__(self) -> None:
        self._count = 0
        self._early: deque[tuple[str, str]] = deque()

    def send(self, request: Request, write: Callable[[bytes], object]) -> str:
        """Send a request; its id."""
        self._count += 1
        number = f"{SERVER_NAME}-request-{self._count}"
        write(encode({"jsonrpc": "2.0", "id": number, "method": request.method, "params": request.params}))
        return number

    def send_early(self, request: Request, write: Callable[[bytes], object]) -> str:
        """Send a request for the full server, which comes to it later; its id."""
        number = self.send(request, write)
        self._early.append((number, request.method))
        return number

    def sent_early(self, request: Request) -> str | None:
        """The id of a request that was sent early, each once; None if it was not."""
        if self._early and self._early[0][1] == request.method:
            return self._early.popleft()[0]
        return None


def _registration(method: str, options: object) -> dict[str, Any]:
    return {"id": f"{SERVER_NAME}:{method}", "method": method, "registerOptions": options}
