"""One session: a server process, the client, the model, and the operations that drive them.

An operation is plain data, so that a session can be recorded, replayed and shortened:

``["send", message]``, ``["raw", text]``, ``["write", file, text]``, ``["delete", file]``, ``["move", file, file]``,
``["settings", value]`` (the client's own settings), ``["wait"]`` for all answers, ``["pause", seconds]`` and
``["check", seed]``, which compares with a fresh server.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from time import sleep
from typing import Any, NamedTuple

from .answers import changed_tokens, check_places, edits_by_document, text_edits, with_own_diagnostics
from .client import Answered, Client, Message
from .forks import Forks, Plan
from .places import Text
from .requests import Maker, requests_of
from .state import ROOT, Model

Operation = list[Any]

_KEPT_RESULTS = 4


class Options(NamedTuple):
    """The circumstances of a session."""

    params: Message
    """Those of ``initialize``."""
    plan: Plan
    is_forked: bool = True
    """Whether the server is a fork; otherwise it is the real command."""
    holds: bool = False
    """Whether the client answers requests only when it waits itself."""
    applies: bool = False
    """Whether the client applies edits that the server requests."""


class Session:
    """A server and its model.

    Args:
        options: the circumstances.
        forks: the process that forks servers.
        root: a folder for the session alone.

    """

    def __init__(self, options: Options, forks: Forks, root: Path) -> None:
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(parents=True)
        self._root = root
        self.options = options
        self.forks = forks
        self.results: dict[str, list[Any]] = {}
        """The last results by method."""
        self.tokens: dict[str, tuple[str, list[int]]] = {}
        """``resultId`` and data of the last semantic tokens by document, as a client has them."""
        self.steps = 0
        self.requests = 0
        self.client = self.connect(options)
        answer = self.client.ask("initialize", options.params)
        self.capabilities: Message = answer["result"]["capabilities"]
        self.makers: dict[str, Maker] = requests_of(self.capabilities)
        folders = [one["name"] for one in options.params["workspaceFolders"]]
        self.model = Model(root, self.capabilities["positionEncoding"], folders)

    def connect(self, options: Options) -> Client:
        """Start a server."""
        forks = self.forks if options.is_forked else None
        names = (ROOT, self._root.as_uri())
        return Client(forks, options.plan, self._respond, holds=options.holds, names=names)

    @property
    def pushes(self) -> bool:
        """Whether the server publishes diagnostics."""
        about = self.options.params["capabilities"].get("textDocument", {})
        asked = (self.options.params["initializationOptions"] or {}).get("pullDiagnostics") is True
        return "diagnostic" not in about or ("publishDiagnostics" in about and not asked)

    @property
    def watches(self) -> bool:
        """Whether the client reports changes of files."""
        return bool(self.options.params["capabilities"]["workspace"]["didChangeWatchedFiles"]["dynamicRegistration"])

    @property
    def _has_configuration(self) -> bool:
        """Whether the server requests the settings."""
        return bool(self.options.params["capabilities"].get("workspace", {}).get("configuration"))

    def execute(self, operation: Operation) -> None:
        """Carry out an operation.

        Raises:
            FailureError: the server broke a promise.

        """
        self.steps += 1
        match operation:
            case ["send", message]:
                self.send(message)
            case ["raw", text]:
                self.client.send(text.encode())
            case ["write", name, text]:
                self.model.write(name, text)
            case ["delete", name]:
                self.model.delete(name)
            case ["move", before, after]:
                self._move(before, after)
            case ["settings", value]:
                self.model.own_settings = value
            case ["wait"]:
                self.client.wait_for_all()
            case ["pause", seconds]:
                sleep(seconds)
        self.client.drain()
        self.take_answers()

    def send(self, message: Message) -> None:
        """Send a message, which the model follows."""
        self.model.apply(message, self.client.clock)
        if message.get("method") == "workspace/didChangeConfiguration" and not self._has_configuration:
            self.model.sent_settings = message["params"]["settings"]["ptx-lsp"]
        self.requests += "id" in message
        self.client.send(message)

    def _move(self, before: str, after: str) -> None:
        if self.model.path(before).exists():
            text = self.model.path(before).read_bytes().decode()
            self.model.delete(before)
            self.model.write(after, text)

    # ------------------------------------------------------------------ answers

    def take_answers(self) -> None:
        """Check the answers that have arrived."""
        answers, self.client.answers = self.client.answers, {}
        for answered in answers.values():
            self._take(answered)

    def _take(self, answered: Answered) -> None:
        request, result = answered.request, answered.answer.get("result")
        if result is None:
            return
        method, params = request["method"], request["params"]
        uri = _document_of(params)
        kept = self.results.setdefault(method, [])
        kept.append(result)
        del kept[:-_KEPT_RESULTS]
        if method.startswith("textDocument/semanticTokens/full") and isinstance(uri, str):
            self._take_tokens(uri, params, result)
        if "resolve" not in method.lower():
            own = with_own_diagnostics(result, params)
            check_places(own, uri or "", lambda uri: self._texts(uri, answered))
        if method == "textDocument/rename":
            for one, edits in edits_by_document(result).items():
                self._check_overlap(one, edits, answered)
        if method.endswith("ormatting"):
            self._check_overlap(uri or "", result, answered)

    def _check_overlap(self, uri: str, edits: Any, answered: Answered) -> None:
        texts = self._texts(uri, answered)
        if len(texts) == 1:
            text_edits(edits, texts[0])

    def _texts(self, uri: str, answered: Answered) -> list[Text]:
        document = self.model.documents.get(uri)
        if document is None or document.history[0][0] > answered.sent_at:
            return []  # closed, or opened since
        return document.texts(answered.sent_at, answered.answered_at)

    def _take_tokens(self, uri: str, params: Message, result: Any) -> None:
        if "edits" in result:
            known, data = self.tokens.get(uri, ("", []))
            if known == params["previousResultId"]:
                self.tokens[uri] = result["resultId"], changed_tokens(data, result["edits"])
        else:
            self.tokens[uri] = result["resultId"], result["data"]

    # ------------------------------------------------------------------ requests of the server

    def _respond(self, method: str, params: Any) -> Message:
        if method == "workspace/configuration":
            if self.model.own_settings is None:
                return {"error": {"code": -32603, "message": "no settings"}}
            self.model.sent_settings = self.model.own_settings
            return {"result": [self.model.own_settings]}
        if method == "workspace/applyEdit":
            return {"result": {"applied": self.options.applies and self._apply(params["edit"])}}
        return {"result": None}

    def _apply(self, edit: Any) -> bool:
        """Apply an edit if it is for the present version of one document."""
        changes = edit.get("documentChanges") or []
        if len(changes) != 1:
            return False
        uri, version = changes[0]["textDocument"]["uri"], changes[0]["textDocument"]["version"]
        document = self.model.documents.get(uri)
        if document is None or document.version != version:
            return False
        text = document.text
        items = [
            {"range": text.range(one.start, one.end), "text": one.new}
            for one in reversed(text_edits(changes[0]["edits"], text))
        ]
        params = {"textDocument": {"uri": uri, "version": version + 1}, "contentChanges": items}
        self.send({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": params})
        return True

    def close(self, *, is_orderly: bool) -> None:
        """End the server; ``is_orderly``: by ``shutdown``, with all checks of the end."""
        try:
            self.client.leave(is_orderly=is_orderly)
        finally:
            shutil.rmtree(self.model.root, ignore_errors=True)


def _document_of(params: Any) -> str | None:
    """The URI of the document that a request is about."""
    for name in ("textDocument", "item"):
        if isinstance(params.get(name), dict):
            return str(params[name].get("uri"))
    return None
