"""Random operations of a client, as :mod:`tests.model.session` carries them out."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

from . import sources, texts
from .client import Message
from .places import Text, difference
from .profiles import PROJECT_SETTINGS, SETTINGS, folder
from .requests import Ask
from .session import Operation, Session
from .state import CHANGED, FILES, PTX, SETTINGS_FILES, SOURCES, UNTITLED, URIS, Document, uri_of

_NOISE = ("", "[]", "{", '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":[]}', "nonsense", "\ufeff{}", '{"method":1}')
_LONGEST_TEXT = 40_000
"""Characters; an edit of a longer document shortens it."""


class Actions:
    """Draws operations for a session.

    Args:
        session: the session; its model decides what is possible.
        draw: the source of chance.

    """

    def __init__(self, session: Session, draw: random.Random) -> None:
        self._session = session
        self._model = session.model
        self._draw = draw
        self._number = 1
        self._former: dict[str, list[str]] = {}
        """Former texts of each document, which undo brings back."""
        self._kinds = (
            (self._edit, 44),
            (self._type, 5),
            (self._request, 34),
            (self._cancel, 4),
            (self._open, 4),
            (self._close, 1.5),
            (self._save, 1.5),
            (self._disk, 2),
            (self._settings, 1.2),
            (self._folders, 0.8),
            (self._wait, 3),
            (self._odd, 1),
        )

    def all(self, late: int) -> Iterator[Operation]:
        """Operations without end; each is carried out before the next is drawn.

        Args:
            late: the number of actions before ``initialized``.

        """
        yield from self._at_first()
        makers, weights = zip(*self._kinds, strict=True)
        for number in itertools.count():
            if number == late:
                yield _notify("initialized")
            yield from self._draw.choices(makers, weights)[0]() if self._model.documents else self._open()

    def _at_first(self) -> Iterator[Operation]:
        """Files on disk, and settings of the client."""
        for name in FILES:
            if self._draw.random() < 0.4:
                yield ["write", name, texts.document(self._draw)]
        if self._draw.random() < 0.3:
            yield ["write", self._draw.choice(SETTINGS_FILES), self._draw.choice(PROJECT_SETTINGS)]
        if self._draw.random() < 0.5:
            yield ["settings", self._draw.choice(SETTINGS)]

    # ------------------------------------------------------------------ documents

    def _some(self) -> tuple[str, Document]:
        return self._draw.choice(list(self._model.documents.items()))

    def _open(self) -> Iterator[Operation]:
        draw, model = self._draw, self._model
        uri = draw.choice(URIS)
        if uri in model.documents and draw.random() > 0.1:
            return
        on_disk = model.read(uri)
        language = draw.choice(SOURCES.get(uri, (PTX,)))
        text = on_disk.text if on_disk is not None and draw.random() < 0.6 else self._text(language)
        version = draw.choice((0, 1, 1, 1, 7, self._number))
        self._former[uri] = []
        item = {"uri": uri, "languageId": language, "version": version, "text": text}
        yield _notify("textDocument/didOpen", textDocument=item)

    def _text(self, language: str) -> str:
        """A text for a new document."""
        return texts.document(self._draw) if language == PTX else sources.document(self._draw, language)

    def _piece(self, document: Document) -> str:
        """What someone pastes into a document."""
        draw = self._draw
        return texts.piece(draw) if document.is_ptx else sources.piece(draw, document.language)

    def _close(self) -> Iterator[Operation]:
        uri, document = self._some()
        yield _notify("textDocument/didClose", textDocument={"uri": uri})
        if self._draw.random() < 0.4:
            text = document.text.text if self._draw.random() < 0.7 else self._text(document.language)
            item = {**document.item(uri), "text": text}
            yield _notify("textDocument/didOpen", textDocument=item)

    def _change(self, uri: str, document: Document, *changes: Message) -> Operation:
        former = self._former.setdefault(uri, [])
        former.append(document.text.text)
        del former[:-12]
        step = 1 if self._draw.random() < 0.98 else self._draw.choice((0, 5))
        version = {"uri": uri, "version": document.version + step}
        return _notify("textDocument/didChange", textDocument=version, contentChanges=list(changes))

    def _edit(self) -> Iterator[Operation]:
        """One notification with any kind of change."""
        draw = self._draw
        uri, document = self._some()
        text, kind = document.text, draw.random()
        if kind < 0.08 and self._former.get(uri):
            old = text.text
            edit = difference(old, draw.choice(self._former[uri]))
            yield self._change(uri, document, _replacement(text, edit.start, edit.end, edit.new))
        elif kind < 0.12:
            yield self._change(uri, document, {"text": self._new_text(uri, document)})
        else:
            changes = []
            for _ in range(draw.choice((1, 1, 1, 1, 2, 3, 6))):
                changes.append(self._replacement(document, text))
                text = text.changed(changes[-1])
            if draw.random() < 0.02:
                changes.insert(0, {"text": self._text(document.language)})
            yield self._change(uri, document, *changes)

    def _new_text(self, uri: str, document: Document) -> str:
        kind = self._draw.random()
        if kind < 0.5 and self._former.get(uri):
            return self._draw.choice(self._former[uri])
        if kind < 0.7:
            return texts.other_line_ends(self._draw, document.text.text)
        return self._text(document.language)

    def _replacement(self, document: Document, text: Text) -> Message:
        """A change of a few characters or lines."""
        draw, length = self._draw, len(text.text)
        start = draw.randrange(length + 1)
        if draw.random() < 0.25:  # whole lines
            line = draw.randrange(text.lines)
            start = text.offset({"line": line, "character": 0})
            end = text.offset({"line": line + draw.choice((0, 1, 1, 2, 5)), "character": 0})
        else:
            end = min(length, start + draw.choice((0, 0, 0, 0, 1, 1, 2, 5, 20, 200)))
        if length > _LONGEST_TEXT:
            end = min(length, start + length // 2)
        kind = draw.random()
        if kind < 0.2:
            new = ""
        elif kind < 0.3:
            source = draw.randrange(length + 1)
            new = text.text[source : source + draw.choice((20, 100, 400))]
        elif kind < 0.35:
            new = draw.choice(("\n", "\r\n", "\r", " ", "\t", ";"))
        else:
            new = self._piece(document)
        if draw.random() < 0.05:
            new = texts.other_line_ends(draw, new)
        found = _replacement(text, start, end, new)
        if draw.random() < 0.03:
            found["range"]["end"]["character"] += draw.choice((1, 1000, 2**31 - 1 - 10**6))
        return found

    def _type(self) -> Iterator[Operation]:
        """A piece letter by letter, perhaps with mistakes, requests and undo."""
        draw = self._draw
        uri, document = self._some()
        offset = draw.randrange(len(document.text.text) + 1)
        letters = self._piece(document)[: draw.choice((5, 20, 40))]
        for number, letter in enumerate(letters):
            document = self._model.documents.get(uri, document)
            text = document.text
            at = min(offset + number, len(text.text))
            yield self._change(uri, document, _replacement(text, at, at, letter))
            if draw.random() < 0.1:
                yield from self._request()

    # ------------------------------------------------------------------ requests

    def _ask(self) -> Ask:
        uri, document = self._some()
        results = {
            method: found if method.startswith(("callHierarchy", "workspace")) else found[-2:]
            for method, found in self._session.results.items()
        }
        published = self._session.client.published.get(uri, {}).get("diagnostics", [])
        token = self._session.tokens.get(uri, ("", []))[0]
        return Ask(self._draw, uri, document.text, results, published, token)

    def _request(self) -> Iterator[Operation]:
        draw = self._draw
        method = draw.choice(list(self._session.makers))
        for params in self._session.makers[method](self._ask()):
            if draw.random() < 0.01:
                params = _spoiled(draw, params)
            if draw.random() < 0.02:
                params = {**params, "workDoneToken": self._number, "partialResultToken": f"part-{self._number}"}
                if method != "workspace/diagnostic":
                    params.pop("partialResultToken")
            self._number += 1
            number: Any = self._number + 1000 if draw.random() < 0.9 else f"text-{self._number}"
            yield ["send", {"jsonrpc": "2.0", "id": number, "method": method, "params": params}]
            if draw.random() < 0.05:
                yield _notify("$/cancelRequest", id=number)

    def _cancel(self) -> Iterator[Operation]:
        pending = list(self._session.client.pending)
        number = (
            self._draw.choice(pending) if pending and self._draw.random() < 0.9 else self._draw.choice((1, "x", -1))
        )
        yield _notify("$/cancelRequest", id=number)

    # ------------------------------------------------------------------ files, settings, the rest

    def _save(self) -> Iterator[Operation]:
        uri, document = self._some()
        name = next((name for name in FILES if uri_of(name) == uri), None)
        if name is not None:
            yield ["write", name, document.text.text]
            yield from self._report()

    def _disk(self) -> Iterator[Operation]:
        draw = self._draw
        kind, name = draw.random(), draw.choice(FILES)
        if kind < 0.15:
            yield ["write", draw.choice(SETTINGS_FILES), draw.choice(PROJECT_SETTINGS)]
        elif kind < 0.2:
            yield ["delete", draw.choice(SETTINGS_FILES)]
        elif kind < 0.6:
            yield ["write", name, texts.document(draw)]
        elif kind < 0.75:
            yield ["delete", name]
        else:
            yield from self._rename(name, draw.choice(FILES))
        yield from self._report()

    def _rename(self, before: str, after: str) -> Iterator[Operation]:
        """A file gets another name; an editor closes and opens its document."""
        document = self._model.documents.get(uri_of(before))
        yield ["move", before, after]
        if document is not None and self._draw.random() < 0.8 and before != after:
            yield _notify("textDocument/didClose", textDocument={"uri": uri_of(before)})
            item = {**document.item(uri_of(after)), "version": 1}
            yield _notify("textDocument/didOpen", textDocument=item)

    def _report(self) -> Iterator[Operation]:
        """Sometimes the changes on disk are reported at once, else later."""
        if self._session.watches and self._draw.random() < 0.6:
            files = [*map(uri_of, FILES), *map(uri_of, SETTINGS_FILES)]
            changes = [{"uri": uri, "type": kind} for uri, kind in self._model.unreported.items()]
            if self._draw.random() < 0.1:
                changes.append({"uri": self._draw.choice(files), "type": CHANGED})
            yield _notify("workspace/didChangeWatchedFiles", changes=changes)

    def _settings(self) -> Iterator[Operation]:
        chosen = self._draw.choice(SETTINGS)
        yield ["settings", chosen]
        yield _notify("workspace/didChangeConfiguration", settings={"ptx-lsp": chosen})

    def _folders(self) -> Iterator[Operation]:
        draw = self._draw
        added, removed = ([folder(draw) for _ in range(draw.randrange(2))] for _ in range(2))
        yield _notify("workspace/didChangeWorkspaceFolders", event={"added": added, "removed": removed})

    def _wait(self) -> Iterator[Operation]:
        yield self._draw.choice((["wait"], ["wait"], ["pause", 0.005], ["pause", 0.03]))

    def _odd(self) -> Iterator[Operation]:
        """What a client should not send."""
        draw = self._draw
        kind = draw.random()
        if kind < 0.3:
            yield ["raw", draw.choice(_NOISE)]
        elif kind < 0.5:
            self._number += 1
            yield ["send", {"jsonrpc": "2.0", "id": self._number + 1000, "method": "no/method", "params": {}}]
        elif kind < 0.7:
            yield _notify("textDocument/didSave", textDocument={"uri": UNTITLED})
        else:
            uri = draw.choice(URIS)
            if uri not in self._model.documents:
                change = {"text": "x"}
                version = {"uri": uri, "version": 3}
                yield _notify("textDocument/didChange", textDocument=version, contentChanges=[change])
                yield _notify("textDocument/didClose", textDocument={"uri": uri})


def _notify(method: str, **params: object) -> Operation:
    return ["send", {"jsonrpc": "2.0", "method": method, "params": params}]


def _replacement(text: Text, start: int, end: int, new: str) -> Message:
    return {"range": text.range(start, end), "text": new}


def _spoiled(draw: random.Random, params: Message) -> Message:
    """The parameters with one of them missing or wrong."""
    if not params:
        return params
    name = draw.choice(list(params))
    found = dict(params)
    if draw.random() < 0.5:
        del found[name]
    else:
        found[name] = draw.choice((None, 1, "x", [], {}, {"line": -1, "character": -1}, [None], 2**40))
    return found
