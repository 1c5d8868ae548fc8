"""Passes messages between an editor, the server of the host language, and this server."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO

from ptx_lsp.server.beside.merged_capabilities import FIRST_OURS, OF_BOTH, RESOLVED, merged, offered, offered_to_ours
from ptx_lsp.server.beside.merged_tokens import PREFIX, MergedTokens
from ptx_lsp.server.beside.peer import MessageWriter, Peer
from ptx_lsp.server.beside.session_state import EditorState
from ptx_lsp.server.client.lookup import lookup
from ptx_lsp.server.transport.framing import BrokenStreamError, read_body

_MARK = "ptx-lsp"
"""The key that marks the data of items of this server."""
_PTX = ".ptx"
_PATIENCE = 2.0
"""Seconds that a server has to exit when the editor has."""


class Proxy:
    """One connection. A lock orders the messages of the three sides.

    Args:
        command: starts the server of the host language.
        ours: starts this server.
        sink: the stream to the editor.

    """

    def __init__(self, command: Sequence[str], ours: Sequence[str], sink: BinaryIO) -> None:
        self._writer = MessageWriter(sink)
        self._lock = threading.RLock()
        self._asked: dict[str, tuple[Peer, Any]] = {}
        """The requests of servers that the editor has not answered."""
        self._count = 0
        self._findings: dict[str, dict[str, list[Any]]] = {}
        self._has_shut_down = False
        self._is_over = False
        self._editor = EditorState()
        self._tokens = MergedTokens()
        self._other = Peer(command[0], command, self._received)
        self._ours = Peer("ptx-lsp", ours, self._received)

    def serve(self, source: BinaryIO) -> int:
        """Handle the messages of the editor until it ends; the exit status."""
        try:
            while (body := read_body(source)) is not None:
                try:
                    message = json.loads(body)
                except (ValueError, RecursionError):
                    continue
                if not isinstance(message, dict):
                    continue
                with self._lock:
                    self._from_editor(message)
                if message.get("method") == "exit":
                    break
        except (OSError, BrokenStreamError):
            pass
        with self._lock:
            self._is_over = True
        for peer in (self._other, self._ours):
            peer.end(_PATIENCE)
        self._writer.close()
        return 0 if self._has_shut_down else 1

    # ---------------------------------------------------------------- from the editor

    def _from_editor(self, message: dict[str, Any]) -> None:
        method, number, params = message.get("method"), message.get("id"), message.get("params")
        if method is None:
            peer, own = self._asked.pop(str(number), (None, None))
            if peer is not None:
                peer.notify({**message, "id": own})
        elif "id" not in message:
            self._editor.note(message)
            if method == "textDocument/didClose":
                self._tokens.closed(str(lookup(params, "textDocument", "uri")))
            for peer in self._peers_of(params):
                peer.notify(message)
        else:
            self._request(number, str(method), params)

    def _peers_of(self, params: Any) -> tuple[Peer, ...]:
        uri = lookup(params, "textDocument", "uri")
        return (self._ours,) if isinstance(uri, str) and uri.endswith(_PTX) else (self._other, self._ours)

    def _request(self, number: Any, method: str, params: Any) -> None:
        answer = self._answering(number)
        if method == "initialize":
            self._editor.initialize = params
            self._other.ask(
                number, method, offered(params), lambda found, error: self._initialized(number, params, found, error)
            )
        elif method == "shutdown":
            self._has_shut_down = True
            self._shut_down(number, [peer for peer in (self._other, self._ours) if peer.is_ready], answer)
        elif method.startswith(PREFIX) and self._tokens.is_offered and isinstance(params, dict):
            self._semantic_tokens(number, method, params)
        elif self._peers_of(params) == (self._ours,) or _is_of_ours(method, params):
            self._ours.ask(
                number, method, _unmarked(params), lambda found, error: answer(_marked(method, found), error)
            )
        elif method in FIRST_OURS or method in OF_BOTH:
            self._ours.ask(number, method, params, lambda found, _: self._then_other(number, method, params, found))
        else:
            self._other.ask(number, method, params, answer)

    def _shut_down(self, number: Any, peers: list[Peer], answer: Callable[[Any, Any], None]) -> None:
        if peers:
            peers[0].ask(number, "shutdown", None, lambda *_: self._shut_down(number, peers[1:], answer))
        else:
            answer(None, None)

    def _initialized(self, number: Any, params: Any, found: Any, error: Any) -> None:
        theirs = found if isinstance(found, dict) else {}
        self._other.is_initialized = isinstance(found, dict)

        def answer(ours: Any, _: Any) -> None:
            own = lookup(ours, "capabilities")
            self._ours.is_initialized = own is not None
            capabilities = merged(theirs.get("capabilities") or {}, own if isinstance(own, dict) else {})
            self._offer_tokens(capabilities, lookup(theirs, "capabilities"), own)
            self._answering(number)({**theirs, "capabilities": capabilities}, None if own is not None else error)

        self._ours.ask(number, "initialize", offered_to_ours(params), answer)

    def _offer_tokens(self, capabilities: dict[str, Any], theirs: Any, ours: Any) -> None:
        name = "semanticTokensProvider"
        if lookup(self._editor.initialize, "capabilities", "textDocument", "semanticTokens") is not None:
            capabilities[name] = self._tokens.offered(lookup(theirs, name), lookup(ours, name))

    def _semantic_tokens(self, number: Any, method: str, params: Any) -> None:
        """Answer with the tokens of both; an error of one, such as that the text has changed, is that of the answer."""
        answer, uri = self._answering(number), str(lookup(params, "textDocument", "uri"))
        is_part = method == f"{PREFIX}range"
        asked = {key: value for key, value in params.items() if key != "previousResultId"}
        name = method if is_part else f"{PREFIX}full"

        def joined(ours: Any, theirs: Any, error: Any) -> None:
            if error:
                answer(None, error)
            elif is_part:
                answer(self._tokens.part(theirs, ours), None)
            else:
                answer(self._tokens.all(uri, params.get("previousResultId"), theirs, ours), None)

        def then_other(ours: Any, error: Any) -> None:
            if error or not self._tokens.has_theirs or self._other not in self._peers_of(params):
                joined(ours, None, error)
            else:
                self._other.ask(number, name, asked, lambda theirs, error: joined(ours, theirs, error))

        self._ours.ask(number, name, asked, then_other)

    def _then_other(self, number: Any, method: str, params: Any, found: Any) -> None:
        """Answer with what this server found, or else, or also, with what the other one finds."""
        answer = self._answering(number)
        own = _marked(method, found)
        if method in FIRST_OURS and own:
            answer(own, None)
        elif method in FIRST_OURS:
            self._other.ask(number, method, params, answer)
        else:
            joined = lambda theirs, error: answer([*(own or []), *(theirs or [])], None if own else error)  # noqa: E731
            self._other.ask(number, method, params, joined)

    def _answering(self, number: Any) -> Callable[[Any, Any], None]:
        def answer(result: Any, error: Any) -> None:
            self._write({"jsonrpc": "2.0", "id": number, **({"error": error} if error else {"result": result})})

        return answer

    # ---------------------------------------------------------------- from the servers

    def _received(self, peer: Peer, message: dict[str, Any] | None) -> None:
        with self._lock:
            if message is None:
                self._ended(peer)
            elif "method" not in message:
                _, answer = peer.waiting.pop(message.get("id"), (None, None))
                if answer is not None:
                    answer(message.get("result"), message.get("error"))
            else:
                peer.state.note(message)
                self._from_server(peer, message)

    def _from_server(self, peer: Peer, message: dict[str, Any]) -> None:
        if "id" in message:
            number = self._next_number()
            self._asked[number] = peer, message["id"]
            self._write({**message, "id": number})
        elif message["method"] == "textDocument/publishDiagnostics":
            self._published(peer, message)
        else:
            self._write(message)

    def _published(self, peer: Peer, message: dict[str, Any]) -> None:
        params = message.get("params") or {}
        uri = str(params.get("uri"))
        found = self._findings.setdefault(uri, {})
        found[peer.name] = params.get("diagnostics") or []
        joined = [one for findings in found.values() for one in findings]
        if not joined:
            self._findings.pop(uri)
        self._write({**message, "params": {**params, "diagnostics": joined}})

    def _ended(self, peer: Peer) -> None:
        """Start a server again, or go on without it: its requests have no result, its findings go."""
        peer.give_up()
        self._asked = {number: asked for number, asked in self._asked.items() if asked[0] is not peer}
        if self._has_shut_down or self._is_over:
            return
        for uri, found in list(self._findings.items()):
            if found.pop(peer.name, None):
                joined = [one for findings in found.values() for one in findings]
                self._notify("textDocument/publishDiagnostics", {"uri": uri, "diagnostics": joined})
        for method, params in peer.state.ended():
            message = {"jsonrpc": "2.0", "method": method, "params": params}
            self._write(message if method.startswith("$/") else {**message, "id": self._next_number()})
        params = self._editor.initialize
        params = offered(params) if peer is self._other else offered_to_ours(params)
        is_back = peer.is_initialized and peer.start_again(self._next_number(), params, self._editor.messages)
        text = f"ptx-lsp: {peer.name} has ended"
        if peer.is_initialized:
            text += " and is started again" if is_back else " too often and is not started again"
        self._notify("window/showMessage", {"type": 2, "message": text})

    def _next_number(self) -> str:
        self._count += 1
        return f"{_MARK}-beside-{self._count}"

    def _notify(self, method: str, params: dict[str, Any]) -> None:
        self._write({"jsonrpc": "2.0", "method": method, "params": params})

    def _write(self, message: dict[str, Any]) -> None:
        self._writer.write(message)


def _is_of_ours(method: str, params: Any) -> bool:
    """Whether a request is about an item or a command of this server."""
    if method == "workspace/executeCommand":
        return str(lookup(params, "command")).startswith(f"{_MARK}.")
    data = lookup(params, "data")
    return method in RESOLVED and isinstance(data, dict) and _MARK in data


def _marked(method: str, found: Any) -> Any:
    """An answer of this server with marks at the data of its items."""
    items = found.get("items") if isinstance(found, dict) and method == "textDocument/completion" else found
    if isinstance(items, list) and (method in OF_BOTH or method == "textDocument/completion"):
        for item in items:
            if isinstance(item, dict) and "data" in item:
                item["data"] = {_MARK: item["data"]}
    return found


def _unmarked(params: Any) -> Any:
    data = lookup(params, "data")
    return {**params, "data": data[_MARK]} if isinstance(data, dict) and _MARK in data else params


def run(command: Sequence[str]) -> int:
    """Serve the editor on standard input and output with the server of ``command``; the exit status."""
    ours = [sys.executable, "-m", "ptx_lsp", "--stdio"]
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    sys.stdout = sys.stderr
    try:
        proxy = Proxy(command, ours, sink)
    except OSError as error:
        print(f"ptx-lsp: {command[0]} cannot be started: {error.strerror or error}", file=sys.stderr)
        return 2
    return proxy.serve(source)
