"""Performance-tuning directives between a function's head and its body."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.cursor.unfinished import UnfinishedStatement
from ptx_lsp.features.completion.declarations import is_kernel
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.features.completion.word_items import lacks, word_item
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.automaton.tables import load


def tuning_directives(terminal: str, place: UnfinishedStatement) -> Iterator[Item]:
    """Yield the directives of one terminal that are compatible with the head and its existing directives."""
    module, vocabulary, keywords = place.context.module, catalogue().vocabulary, load().words
    written = {word for word in place.words[:-1] if word in vocabulary.tuning}
    heads = {"entry"} if is_kernel(place) else {"prototype"} if ".callprototype" in place.words else {"func"}
    if heads == {"func"}:
        heads.add("declared func")
    furthest = 0 if is_kernel(place) else max((vocabulary.tuning[word].rank for word in written), default=0)
    for word in vocabulary.tuning.values():
        if keywords.get(word.name) != terminal or not heads & word.heads:
            continue
        if written & {*word.excludes} or word.rank < furthest or (word.name in written and word.name != ".pragma"):
            continue
        if word.name == ".noreturn" and _has_results(place):
            continue
        directive = vocabulary.directives[word.name]
        exists, need = lacks(directive.gate, module.version, module.target)
        if exists:
            useful = not word.beside or bool(written & {*word.beside})
            yield word_item(
                word.name,
                ItemKind.DIRECTIVE,
                place.typed,
                key=("directive", word.name),
                need=need,
                rank=0 if useful and not set(word.requires) - written else 1,
            )


def _has_results(place: UnfinishedStatement) -> bool:
    """Whether the head declares results in parentheses before its name."""
    words = place.words
    at = next((at for at, word in enumerate(words) if word in (".func", ".callprototype")), -1)
    return words[at + 1 : at + 2] == ("(",) and words[at + 1 : at + 3] != ("(", ")")
