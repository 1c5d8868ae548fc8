"""Words of declarations and parameters: state spaces, alignment, vectors, types, attributes.

The legal combinations are those of the declaration checks; tests compare the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ptx_lsp.analysis.cursor.unfinished import UnfinishedStatement
from ptx_lsp.analysis.statements.function_heads import POINTED_TO
from ptx_lsp.analysis.symbols.declarations import LARGEST_VECTOR, OPAQUE, VECTORS
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.features.completion.word_items import lacks, word_item
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.vocabulary.records import TypeWord

_LARGEST_ALIGNMENT = 8
"""The binary logarithm of the largest alignment offered. ptxas accepts any; no access needs more than 256 bytes."""
_COMMON = (".b32", ".b64", ".f32", ".u32", ".u64", ".s32", ".pred", ".b16", ".f16", ".f64")


def spaces(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield the state spaces of a declaration here, or of a pointer's target."""
    module, vocabulary = place.context.module, catalogue().vocabulary
    for word in vocabulary.spaces.values():
        if _is_pointer(place):
            gate = vocabulary.directives[word.name].gate if word.name in POINTED_TO else None
        elif in_parameters(place):
            fits = word.name == ".param" or (word.name == ".reg" and not is_kernel(place))
            gate = vocabulary.directives[word.name].gate if fits else None
        elif ".common" in place.words and word.name != ".global":
            gate = None
        else:
            gate = word.body if place.is_inside else word.module
        if gate is not None:
            exists, need = lacks(gate, module.version, module.target)
            if exists:
                yield word_item(word.name, ItemKind.SPACE, place.typed, key=("word", word.name), need=need)


def types(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield the types that are legal in the declared space; common register types first."""
    module, space = place.context.module, _space(place)
    if not space:
        return
    vector = next((word for word in reversed(_own_words(place)) if word in VECTORS), "")
    for word in catalogue().vocabulary.types.values():
        if word.declared is None or not _fits(word, space, vector, place):
            continue
        exists, need = lacks(word.declared, module.version, module.target)
        if exists:
            rank = 0 if space == ".reg" and word.name in _COMMON else 1
            yield word_item(
                word.name,
                ItemKind.TYPE,
                place.typed,
                key=("word", word.name),
                need=need,
                rank=rank,
                detail=word.kind if word.kind == "opaque" else f"{word.bits} bits" if word.bits > 1 else "",
            )


def vectors(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield the vector lengths of a declaration."""
    if _space(place) not in ("", ".param", ".tex"):
        for word in VECTORS:
            yield word_item(word, ItemKind.TYPE, place.typed, rank=2, key=("word", word))


def alignment(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield ``.align``, for declarations in memory."""
    if _space(place) != ".reg":
        yield word_item(".align", ItemKind.DIRECTIVE, place.typed, key=("directive", ".align"), rank=2)


def alignments(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield the powers of two as alignments, in bytes."""
    for power in range(_LARGEST_ALIGNMENT + 1):
        yield word_item(str(1 << power), ItemKind.VALUE, place.typed, detail="bytes" if power else "byte")


def attributes(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield ``.attribute`` where it is legal: ``.global`` variables and functions."""
    word = catalogue().vocabulary.directives[".attribute"]
    if _space(place) not in ("", ".global") or in_parameters(place):
        return
    exists, need = lacks(word.gate, place.context.module.version, place.context.module.target)
    if exists:
        key = ("directive", word.name)
        item = word_item(word.name, ItemKind.DIRECTIVE, place.typed, key=key, need=need, rank=2)
        yield replace(item, snippet=".attribute($1)")


def properties(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield the properties that are legal in the parentheses of ``.attribute``."""
    module = place.context.module
    for word in catalogue().vocabulary.directives.values():
        if word.place == ".attribute":
            exists, need = lacks(word.gate, module.version, module.target)
            if exists:
                yield word_item(word.name, ItemKind.DIRECTIVE, place.typed, key=("directive", word.name), need=need)


def in_parameters(place: UnfinishedStatement) -> bool:
    """Whether the cursor is among the parameters or results of a head."""
    return any(bracket == "(" for bracket, _ in place.path) and ".attribute" not in _own_words(place)


def is_kernel(place: UnfinishedStatement) -> bool:
    """Whether the head is a kernel's."""
    return ".entry" in place.words


def _fits(word: TypeWord, space: str, vector: str, place: UnfinishedStatement) -> bool:
    """Whether the type is legal for the declared variable, register or parameter."""
    parameter = in_parameters(place)
    if vector:
        return word.vector and int(vector[2:]) * word.bits <= LARGEST_VECTOR
    if word.name == ".pred":
        return space == ".reg"
    if word.name in OPAQUE:
        if word.name == ".samplerref" and not place.context.module.header.has_separate_samplers:
            return False
        return (space == ".global" and not place.is_inside and not parameter) or (parameter and is_kernel(place))
    if word.holder and space == ".param" and not parameter:
        return False
    return space != ".tex" or word.name in (".u32", ".u64")


def _own_words(place: UnfinishedStatement) -> tuple[str, ...]:
    """Return the words before the cursor that belong to the same declaration or parameter."""
    end = place.typed.start - place.start
    words = [place.text[token.start : token.end] for token in place.tokens if token.end <= end]
    if any(bracket == "(" for bracket, _ in place.path):
        opened = max((at for at, word in enumerate(words) if word in ("(", ",")), default=-1)
        if words[opened - 1 : opened] != [".attribute"]:
            return tuple(words[opened + 1 :])
    return tuple(words)


def _space(place: UnfinishedStatement) -> str:
    known = catalogue().vocabulary.spaces
    return next((word for word in _own_words(place) if word in known), "")


def _is_pointer(place: UnfinishedStatement) -> bool:
    return ".ptr" in _own_words(place)
