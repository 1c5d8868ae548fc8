"""The words of declarations and parameters: spaces, alignment, vectors, types, attributes.

Which go together is what the checks of declarations say; tests ask them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ptx_lsp.analysis.cursor.unfinished import Unfinished
from ptx_lsp.analysis.statements.heads import POINTED_TO
from ptx_lsp.analysis.symbols.declarations import LARGEST_VECTOR, OPAQUE, VECTORS
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.features.completion.words import lacks, word_item
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.vocabulary.vocabulary import TypeWord

_LARGEST_ALIGNMENT = 8
"""As a power of two; ptxas takes any, and no access needs more than 256 bytes."""
_COMMON = (".b32", ".b64", ".f32", ".u32", ".u64", ".s32", ".pred", ".b16", ".f16", ".f64")


def spaces(place: Unfinished) -> Iterator[Item]:
    """The state spaces that can be declared here, or that a pointer can point into."""
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


def types(place: Unfinished) -> Iterator[Item]:
    """The types that can be declared in the space that is written; common ones of registers first."""
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


def vectors(place: Unfinished) -> Iterator[Item]:
    """The lengths of declared vectors."""
    if _space(place) not in ("", ".param", ".tex"):
        for word in VECTORS:
            yield word_item(word, ItemKind.TYPE, place.typed, rank=2, key=("word", word))


def alignment(place: Unfinished) -> Iterator[Item]:
    """``.align``, for what lies in memory."""
    if _space(place) != ".reg":
        yield word_item(".align", ItemKind.DIRECTIVE, place.typed, key=("directive", ".align"), rank=2)


def alignments(place: Unfinished) -> Iterator[Item]:
    """Powers of two."""
    for power in range(_LARGEST_ALIGNMENT + 1):
        yield word_item(str(1 << power), ItemKind.VALUE, place.typed, detail="bytes" if power else "byte")


def attributes(place: Unfinished) -> Iterator[Item]:
    """``.attribute`` where something can have one: ``.global`` variables and functions."""
    word = catalogue().vocabulary.directives[".attribute"]
    if _space(place) not in ("", ".global") or in_parameters(place):
        return
    exists, need = lacks(word.gate, place.context.module.version, place.context.module.target)
    if exists:
        item = word_item(word.name, ItemKind.DIRECTIVE, place.typed, key=("directive", word.name), need=need, rank=2)
        yield replace(item, snippet=".attribute($1)")


def properties(place: Unfinished) -> Iterator[Item]:
    """What can stand in the brackets of ``.attribute``."""
    module = place.context.module
    for word in catalogue().vocabulary.directives.values():
        if word.place == ".attribute":
            exists, need = lacks(word.gate, module.version, module.target)
            if exists:
                yield word_item(word.name, ItemKind.DIRECTIVE, place.typed, key=("directive", word.name), need=need)


def in_parameters(place: Unfinished) -> bool:
    """Whether the cursor stands among the parameters or results of a head."""
    return any(bracket == "(" for bracket, _ in place.path) and ".attribute" not in _own_words(place)


def is_kernel(place: Unfinished) -> bool:
    """Whether the head is that of a kernel."""
    return ".entry" in place.words


def _fits(word: TypeWord, space: str, vector: str, place: Unfinished) -> bool:
    """Whether a variable, register or parameter can have the type."""
    parameter = in_parameters(place)
    if vector:
        return word.vector and int(vector[2:]) * word.bits <= LARGEST_VECTOR
    if word.name == ".pred":
        return space == ".reg"
    if word.name in OPAQUE:
        if word.name == ".samplerref" and not place.context.module.has_separate_samplers:
            return False
        return (space == ".global" and not place.is_inside and not parameter) or (parameter and is_kernel(place))
    if word.holder and space == ".param" and not parameter:
        return False
    return space != ".tex" or word.name in (".u32", ".u64")


def _own_words(place: Unfinished) -> tuple[str, ...]:
    """The words of the declaration or parameter at the cursor that are before it."""
    end = place.typed.start - place.start
    words = [place.text[token.start : token.end] for token in place.tokens if token.end <= end]
    if any(bracket == "(" for bracket, _ in place.path):
        opened = max((at for at, word in enumerate(words) if word in ("(", ",")), default=-1)
        if words[opened - 1 : opened] != [".attribute"]:
            return tuple(words[opened + 1 :])
    return tuple(words)


def _space(place: Unfinished) -> str:
    known = catalogue().vocabulary.spaces
    return next((word for word in _own_words(place) if word in known), "")


def _is_pointer(place: Unfinished) -> bool:
    return ".ptr" in _own_words(place)
