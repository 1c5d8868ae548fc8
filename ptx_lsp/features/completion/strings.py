"""String literals of ``.pragma`` and ``.language``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ptx_lsp.analysis.cursor.unfinished import CursorRegion, UnfinishedStatement
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.features.completion.word_items import lacks, word_item
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.vocabulary.rare_words import PragmaWord


def strings(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield the strings that the directive accepts; quotes are added unless they exist."""
    dotted = [word for word in place.words if word.startswith(".")]
    if dotted and dotted[-1] == ".pragma":
        yield from _pragmas(place)
    elif dotted and dotted[-1] == ".language":
        for language in catalogue().vocabulary.rare.languages.values():
            yield _string(place, language.name, language.name)


def _pragmas(place: UnfinishedStatement) -> Iterator[Item]:
    module = place.context.module
    for pragma in catalogue().vocabulary.rare.pragmas.values():
        if not _stands_here(pragma, place):
            continue
        exists, need = lacks(pragma.gate, module.version, module.target)
        if exists:
            name, _, value = pragma.grammar.partition(" ")
            item = _string(place, pragma.grammar, name, f" ${{1:{value}}}" if value else "")
            shown = word_item(item.label, item.kind, item.typed, key=("pragma", name), need=need)
            yield replace(shown, insert=item.insert, snippet=item.snippet)


def _stands_here(pragma: PragmaWord, place: UnfinishedStatement) -> bool:
    """Whether the pragma is legal at the cursor: module, kernel head, function body or kernel body."""
    places = pragma.place.split(", ")
    if not place.is_inside:
        return "module" in places
    symbol = place.context.function.symbol
    in_function = symbol is not None and symbol.type == ".func"
    return "function body" in places or not in_function


def _string(place: UnfinishedStatement, label: str, text: str, rest: str = "") -> Item:
    """Return an item for a string; ``rest`` becomes a tab stop after the text."""
    in_quotes = place.region is CursorRegion.STRING
    before = "" if in_quotes else '"'
    line = place.text_after.split("\n", 1)[0]
    after = "" if in_quotes and line.startswith('"') else '"'
    end = " " if rest else ""
    return Item(
        label,
        ItemKind.VALUE,
        place.typed,
        before + text + end + after,
        before + text + rest + after if rest else "",
        before + text,
        key=("language", text),
    )
