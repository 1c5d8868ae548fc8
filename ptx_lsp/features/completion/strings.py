"""Strings with a meaning: those of ``.pragma`` and ``.language``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ptx_lsp.analysis.cursor.unfinished import Unfinished, Where
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.features.completion.words import lacks, word_item
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.vocabulary.rare_words import PragmaWord


def strings(place: Unfinished) -> Iterator[Item]:
    """The strings that the directive before them takes here; with quotes, unless these are there."""
    dotted = [word for word in place.words if word.startswith(".")]
    if dotted and dotted[-1] == ".pragma":
        yield from _pragmas(place)
    elif dotted and dotted[-1] == ".language":
        for language in catalogue().vocabulary.rare.languages.values():
            yield _string(place, language.name, language.name)


def _pragmas(place: Unfinished) -> Iterator[Item]:
    module = place.context.module
    for pragma in catalogue().vocabulary.rare.pragmas.values():
        if not _stands_here(pragma, place):
            continue
        exists, need = lacks(pragma.gate, module.version, module.target)
        if exists:
            name, _, value = pragma.grammar.partition(" ")
            item = _string(place, pragma.grammar, name, f" ${{1:{value}}}" if value else "")
            shown = word_item(item.label, item.kind, item.typed, key=("pragma", name), need=need)
            yield replace(shown, insert=item.insert or shown.insert, snippet=item.snippet)


def _stands_here(pragma: PragmaWord, place: Unfinished) -> bool:
    """Whether the string goes with a module, the head of a kernel, a body, or a kernel's body."""
    places = pragma.place.split(", ")
    if not place.is_inside:
        return "module" in places
    symbol = place.context.function.symbol
    in_function = symbol is not None and symbol.type == ".func"
    return "function body" in places or not in_function


def _string(place: Unfinished, label: str, text: str, rest: str = "") -> Item:
    """A string as an item; ``rest`` is a place to fill in, after the text."""
    in_quotes = place.where is Where.STRING
    before = "" if in_quotes else '"'
    line = place.behind.split("\n", 1)[0]
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
