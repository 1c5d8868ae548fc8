"""What an editor has told its servers, and what each of them has told the editor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ptx_lsp.server.beside.open_texts import OpenTexts
from ptx_lsp.server.client.lookup import lookup


class EditorState:
    """The notifications of an editor that a server needs when it is started again."""

    def __init__(self) -> None:
        self.initialize: Any = None
        """The parameters of the editor's ``initialize``."""
        self._texts = OpenTexts()
        self._lasting: list[dict[str, Any]] = []

    def note(self, message: dict[str, Any]) -> None:
        """Note a notification."""
        method, params = message.get("method"), message.get("params")
        if method == "textDocument/didChange":
            self._texts.changed(params)
        elif method == "textDocument/didOpen":
            self._texts.opened(params)
        elif method == "textDocument/didClose":
            self._texts.closed(params)
        elif method == "workspace/didChangeConfiguration":
            self._lasting = [*(one for one in self._lasting if one.get("method") != method), message]
        elif method == "workspace/didChangeWorkspaceFolders":
            self._lasting.append(message)

    def messages(self) -> Iterator[dict[str, Any]]:
        """The notifications for a server that has answered ``initialize``."""
        yield {"jsonrpc": "2.0", "method": "initialized", "params": {}}
        yield from self._lasting
        for params in self._texts.openings():
            yield {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": params}


class ServerState:
    """What a server has registered with the editor, and the progress that it reports."""

    def __init__(self) -> None:
        self._registered: dict[str, str] = {}
        self._progress: list[Any] = []

    def note(self, message: dict[str, Any]) -> None:
        """Note a message of the server."""
        method, params = message.get("method"), message.get("params")
        if method == "client/registerCapability":
            for one in _list(params, "registrations"):
                self._registered[str(lookup(one, "id"))] = str(lookup(one, "method"))
        elif method == "client/unregisterCapability":
            for one in _list(params, "unregisterations"):
                self._registered.pop(str(lookup(one, "id")), None)
        elif method == "$/progress":
            token, kind = lookup(params, "token"), lookup(params, "value", "kind")
            if kind == "begin":
                self._progress.append(token)
            elif kind == "end" and token in self._progress:
                self._progress.remove(token)

    def ended(self) -> Iterator[tuple[str, Any]]:
        """Methods and parameters that tell the editor that nothing of it is valid any more; forgets all."""
        for token in self._progress:
            yield "$/progress", {"token": token, "value": {"kind": "end"}}
        if self._registered:
            gone = [{"id": one, "method": method} for one, method in self._registered.items()]
            yield "client/unregisterCapability", {"unregisterations": gone}
        self._progress, self._registered = [], {}


def _list(params: Any, name: str) -> list[Any]:
    found = lookup(params, name)
    return found if isinstance(found, list) else []
