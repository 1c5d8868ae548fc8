"""Qualifiers that can follow in an opcode so that a legal instruction remains reachable."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.cursor.unfinished import UnfinishedStatement
from ptx_lsp.features.completion.habits import usual_words
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.features.completion.word_items import kind_of, word_item
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.completion.newer import newer_offers, opcode_names
from ptx_lsp.isa.completion.offers import can_become, offers, readings, required
from ptx_lsp.isa.model.gate import Need
from ptx_lsp.isa.model.language_level import DOCUMENTED
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.process_cache import memoized

_REQUIRED, _OTHER, _TYPE = range(3)
_GONE = Need()
_CONFLICT_PENALTY = 3
"""Added to the rank of a word that is incompatible with the words after the cursor."""


def qualifiers(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield the qualifiers, usual ones first; each followed by longer names that begin with it.

    In the middle of an opcode, words compatible with those after the cursor come first.
    """
    version, target = place.context.module.version, place.context.module.target
    opcode = _without_mistakes(place.opcode)
    written = "".join(opcode)
    names = [name[len(written) :] for name in catalogue().names if name.startswith(f"{written}.")]
    roles = _roles(opcode)
    for word, rank in _ranked(place, opcode, version, target):
        part_of_name = word not in roles and any(name == word or name.startswith(f"{word}.") for name in names)
        kind = ItemKind.INSTRUCTION if part_of_name else kind_of(word)
        yield word_item(
            word, kind, place.typed, rank=rank, key=("qualifier", word, written), detail=roles.get(word, "")
        )
        for name in names if part_of_name else ():
            if name.startswith(f"{word}.") and opcode_names(version, target).get(written + name, _GONE) is None:
                key = ("instruction", written + name)
                yield word_item(name, ItemKind.INSTRUCTION, place.typed, rank=rank, key=key)
    for word, need in newer_offers(opcode, version, target).items():
        yield word_item(word, kind_of(word), place.typed, key=("qualifier", word, written), need=need)


def _ranked(
    place: UnfinishedStatement, opcode: tuple[str, ...], version: Version, target: Target
) -> Iterator[tuple[str, int]]:
    """Yield the words with their ranks: what is usual first, the rest as the pages have it."""
    words, following = offers(opcode, version, target), place.following
    scores = usual_words(place, opcode, words)
    usual = sorted(scores, key=lambda word: (-scores[word], word))
    ranks = {word: rank for rank, word in enumerate(usual)}
    needed = required(opcode, version, target)
    order = catalogue().shared.order
    for word in words:
        rank = ranks.get(word)
        if rank is None:
            kind = _TYPE if order.get(word) == "type" else _REQUIRED if word in needed else _OTHER
            rank = len(words) + kind
        if following and not can_become((*opcode, word, *following), version, target):
            rank += len(words) + _CONFLICT_PENALTY
        yield word, rank


@memoized(256)
def _roles(opcode: tuple[str, ...]) -> dict[str, str]:
    """Return the slot names of words, such as ``scope`` for ``.cta``; none where the name equals the word."""
    found: dict[str, str] = {}
    for reading in readings(opcode, DOCUMENTED):
        for place in reading.form.qualifiers:
            name = reading.form.slots[place].name
            if place not in reading.placed:
                for word in reading.form.choices[place]:
                    if word is not None and word != name:
                        found.setdefault(word, name.lstrip(".").rpartition("::")[2])
    return found


def _without_mistakes(opcode: tuple[str, ...]) -> tuple[str, ...]:
    """Remove words that no form of the instruction has, so that completion continues after a typing error."""
    known = _known_words(opcode[0]) if opcode else frozenset()
    return (*opcode[:1], *(word for word in opcode[1:] if word in known))


@memoized(256)
def _known_words(mnemonic: str) -> frozenset[str]:
    pages = catalogue().beginning_with((mnemonic,))
    return frozenset(word for page in pages for form in page.prepared.get(mnemonic, ()) for word in form.homes)
