"""Snippets: multi-line templates, offered where all their instructions are legal."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.cursor.unfinished import UnfinishedStatement
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.features.completion.statement_directives import block_of
from ptx_lsp.isa.vocabulary.snippets import snippets

_HEADER = ".version"


def snippet_items(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield the snippets for module scope or for a function body."""
    module = place.context.module
    if not place.is_inside and block_of(place):
        return
    here = "body" if place.is_inside else "module"
    for snippet in snippets().values():
        if snippet.place != here:
            continue
        if snippet.body.startswith(_HEADER):
            if module.header.lines or not _is_first(place):
                continue
        elif not snippet.gate.allows(module.version, module.target):
            continue
        yield Item(
            snippet.name,
            ItemKind.SNIPPET,
            place.typed,
            snippet.example,
            snippet.body,
            snippet.name,
            0 if snippet.body.startswith(_HEADER) else 1,
            "snippet",
            key=("snippet", snippet.name),
        )


def _is_first(place: UnfinishedStatement) -> bool:
    """Whether nothing precedes the cursor."""
    return place.context.chunk is place.context.module.document.chunks[0] and place.context.index == 0
