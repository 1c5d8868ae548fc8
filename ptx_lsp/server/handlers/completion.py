"""``textDocument/completion`` and ``completionItem/resolve``."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from ptx_lsp.features.completion import completion
from ptx_lsp.features.completion.documentation import documentation
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.completion.newer import opcode_names_read_ahead
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.server.client.client import Client
from ptx_lsp.server.client.lookup import lookup
from ptx_lsp.server.convert import offset_of
from ptx_lsp.server.documents.diagnostic_json import range_json
from ptx_lsp.server.documents.document import OpenDocument
from ptx_lsp.server.transport.raw_json import RawJson
from ptx_lsp.text import Span

if TYPE_CHECKING:
    from ptx_lsp.server.embedded.fragment_view import FragmentView
    from ptx_lsp.server.server import Server

_KINDS = {
    ItemKind.INSTRUCTION: types.CompletionItemKind.Keyword,
    ItemKind.QUALIFIER: types.CompletionItemKind.Property,
    ItemKind.TYPE: types.CompletionItemKind.Class,
    ItemKind.SPACE: types.CompletionItemKind.Module,
    ItemKind.DIRECTIVE: types.CompletionItemKind.Keyword,
    ItemKind.REGISTER: types.CompletionItemKind.Variable,
    ItemKind.SPECIAL: types.CompletionItemKind.Unit,
    ItemKind.VARIABLE: types.CompletionItemKind.Variable,
    ItemKind.PARAMETER: types.CompletionItemKind.Variable,
    ItemKind.LABEL: types.CompletionItemKind.Reference,
    ItemKind.FUNCTION: types.CompletionItemKind.Function,
    ItemKind.CONSTANT: types.CompletionItemKind.Value,
    ItemKind.VALUE: types.CompletionItemKind.Value,
    ItemKind.FIELD: types.CompletionItemKind.Field,
    ItemKind.TARGET: types.CompletionItemKind.Unit,
    ItemKind.VERSION: types.CompletionItemKind.Value,
    ItemKind.SNIPPET: types.CompletionItemKind.Snippet,
}
"""Only kinds of LSP 1.0, which every client knows."""
_DEPRECATED, _SNIPPET = 1, 2
_DETAIL = 20
"""Columns."""
_DELAY, _PAUSE = 0.5, 0.001
"""Seconds before the first step of the warm-up, and between two steps."""
_quoted = json.encoder.encode_basestring_ascii


def complete(server: Server, params: types.CompletionParams) -> RawJson | None:
    """The completion items at the cursor; ``completionItem/resolve`` adds their documentation."""
    document = server.find_at(params.text_document.uri, params.position)
    if document is None:
        return None
    offset = offset_of(params.position, document)
    trigger = params.context.trigger_character if params.context is not None else None
    items = completion(document.checker.semantics, offset, document.settings.completion, trigger or "")
    return RawJson(_Writer(server.client, document, offset).list(items))


def resolve_item(server: Server, item: types.CompletionItem) -> types.CompletionItem:
    """An item with its documentation; unchanged if it is not from this server."""
    data = item.data
    if not isinstance(data, list) or len(data) < 3 or not all(isinstance(word, str) for word in data):
        return item
    *key, version, target = data
    try:
        found = documentation(tuple(key), Version.parse(version), Target.parse(target))
    except ValueError:
        return item
    if found is not None:
        formats = server.client.capability("textDocument", "completion", "completionItem", "documentationFormat")
        takes_markdown = isinstance(formats, list) and bool(formats) and formats[0] == types.MarkupKind.Markdown.value
        kind = types.MarkupKind.Markdown if takes_markdown else types.MarkupKind.PlainText
        item.documentation = types.MarkupContent(kind, found.markdown if takes_markdown else found.plain)
    return item


def warm_up(server: Server) -> None:
    """Load the data of the first completion, the instruction pages and names, a few milliseconds at a time."""
    steps = _warm_up_steps(server)

    def next_step() -> None:
        if next(steps, True) is None:
            asyncio.get_running_loop().call_later(_PAUSE, next_step)

    asyncio.get_running_loop().call_later(_DELAY, next_step)


def _warm_up_steps(server: Server) -> Iterator[None]:
    for instruction in catalogue().each_instruction():
        for _ in instruction.prepared:
            yield
    modules = [document.checker.module for document in server.documents]
    for version, target in {(module.version, module.target) for module in modules}:
        yield from opcode_names_read_ahead(version, target)


class _Writer:
    """Serializes items for one client."""

    def __init__(self, client: Client, document: OpenDocument | FragmentView, offset: int) -> None:
        own = client.capability("textDocument", "completion", "completionItem")
        self.snippets = lookup(own, "snippetSupport") is True
        tags = lookup(own, "tagSupport", "valueSet")
        self.tags = isinstance(tags, list) and _DEPRECATED in tags
        self.deprecated = lookup(own, "deprecatedSupport") is True
        self.label_details = lookup(own, "labelDetailsSupport") is True
        self.replaces = lookup(own, "insertReplaceSupport") is True
        self.always_filters = not self.replaces
        """For Neovim, which treats an item with an edit but without ``filterText`` as filtered by the server."""
        self.preselects = lookup(own, "preselectSupport") is True
        defaults = client.capability("textDocument", "completion", "completionList", "itemDefaults")
        self.defaults = frozenset(defaults) if isinstance(defaults, list) else frozenset()
        self.document = document
        self._written = str if isinstance(document, OpenDocument) else document.written
        self.offset = offset
        module = document.checker.module
        self.module = [str(module.version), str(module.target)]
        self._ranges: dict[Span, str] = {}

    def list(self, items: list[Item]) -> str:
        """A ``CompletionList``."""
        shown = [item for item in items if self.snippets or item.kind is not ItemKind.SNIPPET]
        common = shown[0].typed if shown and "editRange" in self.defaults else None
        parts = ",".join([self._item(number, item, common) for number, item in enumerate(shown)])
        head = f'"itemDefaults":{{"editRange":{self._range(common)}}},' if common is not None else ""
        return f'{{"isIncomplete":false,{head}"items":[{parts}]}}'

    def _item(self, number: int, item: Item, common: Span | None) -> str:
        snippet = item.snippet if self.snippets else ""
        text = self._written(snippet or item.insert or item.label)
        match = self._written(item.match or item.insert or item.label)
        parts = [f'{{"label":{_quoted(item.label)},"kind":{_KINDS[item.kind].value},"sortText":"{number:04}"']
        detail = self._detail(item)
        if detail:
            parts.append(f',"detail":{_quoted(detail)}')
            if self.label_details:
                parts.append(f',"labelDetails":{{"description":{_quoted(detail)}}}')
        if match != item.label or (self.always_filters and item.typed.start < self.offset):
            parts.append(f',"filterText":{_quoted(match)}')
        if snippet:
            parts.append(f',"insertTextFormat":{_SNIPPET}')
        if item.needs and self.tags:
            parts.append(f',"tags":[{_DEPRECATED}]')
        elif item.needs and self.deprecated:
            parts.append(',"deprecated":true')
        if item.preselect and self.preselects:
            parts.append(',"preselect":true')
        if item.typed == common:
            if text != item.label:
                parts.append(f',"textEditText":{_quoted(text)}')
        else:
            parts.append(f',"textEdit":{{"newText":{_quoted(text)},{self._edit_range(item.typed)}}}')
        if item.key:
            parts.append(f',"data":{json.dumps([*item.key, *self.module])}')
        return "".join(parts) + "}"

    @staticmethod
    def _detail(item: Item) -> str:
        if not item.needs:
            return item.detail
        return f"requires {item.needs}" if len(item.needs) <= _DETAIL - len("requires ") else item.needs

    def _edit_range(self, typed: Span) -> str:
        """``"range":…``, or ``"insert":…,"replace":…`` for clients that support both."""
        whole = self._range(typed)
        return whole[1:-1] if self.replaces else f'"range":{whole}'

    def _range(self, typed: Span) -> str:
        """The range to replace; an object with ``insert`` and ``replace`` if the client supports both."""
        known = self._ranges.get(typed)
        if known is None:
            known = range_json(typed, self.document.lines)
            if self.replaces:
                before = range_json(Span(typed.start, max(self.offset, typed.start)), self.document.lines)
                known = f'{{"insert":{before},"replace":{known}}}'
            self._ranges[typed] = known
        return known
