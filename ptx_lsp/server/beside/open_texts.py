"""The documents that an editor has open, with their present texts: what a server that is started again has to know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ptx_lsp.server.client.columns import Encoding
from ptx_lsp.server.client.lookup import lookup
from ptx_lsp.server.documents.lines import DocumentLines, Position
from ptx_lsp.server.documents.text_parts import TextParts


class _OpenText:
    __slots__ = ("item", "lines", "parts", "version")

    def __init__(self, item: Mapping[str, Any]) -> None:
        self.item = {key: value for key, value in item.items() if key != "text"}
        self.version = item.get("version")
        self._read(str(item.get("text")))

    def _read(self, text: str) -> None:
        self.parts = TextParts(text)
        self.lines = DocumentLines(self.parts.parts, Encoding.UTF_16)

    def change(self, change: Mapping[str, Any]) -> None:
        text, start, end = change.get("text"), _position(change, "start"), _position(change, "end")
        if not isinstance(text, str):
            return
        if start is None or end is None:
            self._read(text)
            return
        span = self.lines.span(start, end)
        self.lines = self.lines.edited(*self.parts.replace(span.start, span.end, text))


class OpenTexts:
    """The open documents. Malformed notifications have no effect."""

    def __init__(self) -> None:
        self._by_uri: dict[str, _OpenText] = {}

    def opened(self, params: Any) -> None:
        """Note ``textDocument/didOpen``."""
        item = lookup(params, "textDocument")
        if isinstance(item, Mapping) and isinstance(item.get("uri"), str):
            self._by_uri[item["uri"]] = _OpenText(item)

    def changed(self, params: Any) -> None:
        """Note ``textDocument/didChange``, with positions in UTF-16."""
        found = self._by_uri.get(str(lookup(params, "textDocument", "uri")))
        changes = lookup(params, "contentChanges")
        if found is not None and isinstance(changes, list):
            found.version = lookup(params, "textDocument", "version")
            for change in changes:
                if isinstance(change, Mapping):
                    found.change(change)

    def closed(self, params: Any) -> None:
        """Note ``textDocument/didClose``."""
        self._by_uri.pop(str(lookup(params, "textDocument", "uri")), None)

    def openings(self) -> Iterator[dict[str, Any]]:
        """The parameters of ``textDocument/didOpen`` of each document with its present text and version."""
        for one in self._by_uri.values():
            text = "".join(part.text for part in one.parts.parts)
            yield {"textDocument": {**one.item, "version": one.version, "text": text}}


def _position(change: Mapping[str, Any], side: str) -> Position | None:
    line, character = (lookup(change, "range", side, part) for part in ("line", "character"))
    return Position(line, character) if isinstance(line, int) and isinstance(character, int) else None
