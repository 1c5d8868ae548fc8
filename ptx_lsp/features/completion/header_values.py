"""Values of header directives: versions, targets with options, address sizes."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.cursor.unfinished import UnfinishedStatement
from ptx_lsp.analysis.module.header import ADDRESS_SIZES
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.features.completion.word_items import lacks, word_item
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.gate import Need
from ptx_lsp.isa.model.target import Target


def versions(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield the PTX versions, newest first, each with the CUDA toolkit that introduced it."""
    for word in reversed(catalogue().vocabulary.versions.values()):
        detail = f"CUDA {word.toolkit}" if word.toolkit else ""
        text = str(word.version)
        yield word_item(text, ItemKind.VERSION, place.typed, key=("word", text), detail=detail)


def targets(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield the architectures, newest first; after an architecture, its options."""
    module, vocabulary = place.context.module, catalogue().vocabulary
    names = [word for word in place.words[1:] if word in vocabulary.targets]
    if place.prefix in names:
        names.remove(place.prefix)
    if names:
        yield from _options(place, vocabulary.targets[names[-1]].target)
        return
    written = any(line.directive == ".version" for line in module.header.lines)
    for name, word in reversed(vocabulary.targets.items()):
        need = Need(version=word.version) if written and word.version > module.version else None
        detail = f"PTX {word.version}" if word.target.suffix else word.words.partition(":")[0]
        yield word_item(name, ItemKind.TARGET, place.typed, key=("word", name), need=need, detail=detail)


def _options(place: UnfinishedStatement, target: Target) -> Iterator[Item]:
    module = place.context.module
    for option in catalogue().vocabulary.rare.target_options.values():
        if option.name in place.words or (option.before is not None and target.implies(option.before)):
            continue
        exists, need = lacks(option.gate, module.version, target)
        if exists:
            yield word_item(option.name, ItemKind.VALUE, place.typed, key=("word", option.name), need=need)


def address_sizes(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield the address sizes, 64 first, since all current targets support it."""
    for bits in sorted(ADDRESS_SIZES, reverse=True):
        yield word_item(str(bits), ItemKind.VALUE, place.typed, detail="bits")
