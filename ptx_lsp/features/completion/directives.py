"""Words within directives: the grammar gives the expected terminals, the vocabulary the words of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from ptx_lsp.analysis.cursor.unfinished import CursorRegion, UnfinishedStatement
from ptx_lsp.features.completion.declarations import (
    alignment,
    alignments,
    attributes,
    properties,
    spaces,
    types,
    vectors,
)
from ptx_lsp.features.completion.header_values import address_sizes, targets, versions
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.features.completion.listed_names import listed_names
from ptx_lsp.features.completion.statement_directives import statement_directives
from ptx_lsp.features.completion.strings import strings
from ptx_lsp.features.completion.tuning_directives import tuning_directives
from ptx_lsp.features.completion.word_items import lacks, word_item
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.automaton.parser import acceptable
from ptx_lsp.syntax.automaton.tables import load
from ptx_lsp.syntax.terminals import terminals
from ptx_lsp.syntax.tokens import words_and_kinds

__all__ = ["directives", "strings"]


def directives(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield the directives that can begin here, or the words that can follow in one."""
    if place.region is CursorRegion.START:
        yield from statement_directives(place)
        return
    before = [token for token in place.tokens if token.start + place.start < place.typed.start]
    found = terminals(*words_and_kinds(place.text, before)).names
    if found[:1] == ["DOT"]:
        return  # not a directive
    expected = acceptable(found)
    prefix = place.prefix
    for terminal, source in _SOURCES.items():
        if terminal in expected:
            for item in source(place):
                if not prefix or item.label.startswith(".") == prefix.startswith("."):
                    yield item


def _linkages(place: UnfinishedStatement) -> Iterator[Item]:
    return _plain(place, "LINKAGE")


def _functions(place: UnfinishedStatement) -> Iterator[Item]:
    if place.words[0] == ".common":
        return iter(())
    return _plain(place, "FUNCTION")


def _keywords(terminal: str) -> Callable[[UnfinishedStatement], Iterator[Item]]:
    return lambda place: _plain(place, terminal)


def _plain(place: UnfinishedStatement, terminal: str) -> Iterator[Item]:
    """Yield the literal words of a terminal; of directives, only the existing ones."""
    module = place.context.module
    known = catalogue().vocabulary.directives
    for name, its_terminal in load().words.items():
        if its_terminal == terminal:
            kind = ItemKind.DIRECTIVE if name[0] == "." else ItemKind.VALUE
            exists, need = lacks(known[name].gate, module.version, module.target) if name in known else (True, None)
            if exists:
                yield word_item(name, kind, place.typed, key=("directive", name) if name in known else (), need=need)


def _dotted(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield non-keyword dotted words: types, or properties of an attribute; section names are free."""
    if ".attribute" in place.words and place.path[-1][0] == "(" and place.words[-2:][0] in ("(", ",", ".attribute"):
        return properties(place)
    if place.words[0] == ".section":
        return iter(())
    return types(place)


def _named(place: UnfinishedStatement) -> Iterator[Item]:
    return targets(place) if place.words[0] == ".target" else listed_names(place)


def _numbers(place: UnfinishedStatement) -> Iterator[Item]:
    before = place.words[-2:] if place.prefix else place.words[-1:]
    if before and before[0] == ".align":
        return alignments(place)
    if before and before[0] == ".address_size":
        return address_sizes(place)
    return iter(())


_SOURCES: dict[str, Callable[[UnfinishedStatement], Iterator[Item]]] = {
    "FLOAT": versions,
    "NAME": _named,
    "INTEGER": _numbers,
    "STRING": strings,
    "LINKAGE": _linkages,
    "FUNCTION": _functions,
    "SPACE": spaces,
    "PTR": _keywords("PTR"),
    "ALIGN": alignment,
    "ATTRIBUTE": attributes,
    "VECTOR": vectors,
    "DOT": _dotted,
    **{terminal: partial(tuning_directives, terminal) for terminal in ("TUNING", "FLAG", "LANGUAGE", "PRAGMA")},
    "FUNCTION_NAME": _keywords("FUNCTION_NAME"),
    "INLINED_AT": _keywords("INLINED_AT"),
}
"""The source of the words of each terminal, in display order."""
