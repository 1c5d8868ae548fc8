"""Entries of the vocabulary about a word, list by list, for hovers and ``ptx-lsp explain``."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.isa.model.gate import OPEN, Gate
from ptx_lsp.isa.model.toolkits import VersionWord
from ptx_lsp.isa.vocabulary.records import DirectiveWord, SpaceWord, TargetWord, TypeWord
from ptx_lsp.isa.vocabulary.vocabulary import Vocabulary
from ptx_lsp.named_tuples import NamedTuple


class WordEntry(NamedTuple):
    """One list's line about a word. Words and facts may hold code spans."""

    kind: str
    """``directive``, ``type``, ``special register`` ..."""
    words: str
    grammar: str = ""
    """Its syntax."""
    facts: tuple[str, ...] = ()
    gate: Gate = OPEN


def entries(vocabulary: Vocabulary, word: str) -> Iterator[WordEntry]:
    """All that the lists say of a word; most words are in one list, or in none."""
    if word in vocabulary.types:
        yield of_type(vocabulary.types[word])
    if word in vocabulary.spaces:
        yield of_space(vocabulary.spaces[word])
    if word not in vocabulary.types and word not in vocabulary.spaces and (meaning := vocabulary.meaning(word)):
        yield WordEntry("qualifier", meaning)
    if (register := vocabulary.special_registers.get(word)) is not None:
        kind = f".v{register.vector} {register.type}" if register.vector else register.type
        yield WordEntry("special register", register.words, facts=(f"`{kind}`",), gate=register.gate)
    if word in vocabulary.directives:
        yield of_directive(vocabulary.directives[word])
    if word in vocabulary.targets:
        yield of_target(vocabulary.targets[word])
    for version in vocabulary.versions.values():
        if str(version.version) == word:
            yield of_version(version, vocabulary)
    yield from _rare(vocabulary, word)


def of_type(found: TypeWord) -> WordEntry:
    """A type: its size, where it lives, and what can be declared with it."""
    bits = f"{found.bits} {'bit' if found.bits == 1 else 'bits'}"
    if found.holder:
        bits += f", in `{found.holder}` registers"
    declared = found.declared or found.tolerated
    facts = (bits,) if declared else (bits, "only for instructions: cannot be declared")
    return WordEntry("type", found.words, facts=facts, gate=found.declared or OPEN)


def of_space(found: SpaceWord) -> WordEntry:
    """A state space: who reads and writes it, and from where."""
    facts = [found.access, f"visible to the {found.seen_by}" if found.seen_by else ""]
    facts += ["has generic addresses" if found.generic else "", "can be initialized" if found.initialized else ""]
    return WordEntry("state space", found.words, facts=("; ".join(filter(None, facts)),))


def of_directive(found: DirectiveWord) -> WordEntry:
    """A directive: how and where it is written."""
    place = {"variable": "begins or is part of a declaration", "linkage": "precedes a declaration"}.get(
        found.place, "allowed in: " + (f"`{found.place}`" if found.place.startswith(".") else found.place)
    )
    return WordEntry("directive", found.words, found.grammar, (place,), found.gate)


def of_target(found: TargetWord) -> WordEntry:
    """An architecture."""
    family = (f"family `sm_{found.family}`",) if found.family else ()
    runs_on = {
        "a": f"not forward-compatible: the code runs on `sm_{found.target.number}` devices only",
        "f": "forward-compatible within its family only",
    }
    facts = (f"PTX {found.version} or newer", *family, runs_on.get(found.target.suffix, ""))
    return WordEntry("target", found.words, facts=tuple(filter(None, facts)))


def component_words(vocabulary: Vocabulary, register: str, component: str) -> str:
    """The meaning of a special register, or of one component (``.x``), with its range."""
    words = vocabulary.special_registers[register].words
    if not component:
        return words
    name = component.removeprefix(".")
    range_ = vocabulary.rare.register_ranges.get(register, {}).get(name, "")
    if name == "w":
        return range_ or words
    return f"{words}, along {name}" + (f": {range_}" if range_ else "")


def of_version(found: VersionWord, vocabulary: Vocabulary) -> WordEntry:
    """A version: which toolkit and driver know it, and its new targets."""
    origin = f"since CUDA {found.toolkit}" if found.toolkit else "in no CUDA release"
    if found.driver:
        origin += f", requires driver {found.driver} or newer"
    new = [f"`{name}`" for name, target in vocabulary.targets.items() if target.version == found.version]
    return WordEntry("version of PTX", origin, facts=(f"new targets: {', '.join(new)}",) if new else ())


def of_pragma(vocabulary: Vocabulary, text: str) -> WordEntry | None:
    """The string of a ``.pragma``; None if it is none that is known."""
    found = vocabulary.rare.pragmas.get(text.partition(" ")[0])
    if found is None:
        return None
    return WordEntry("pragma", found.words, f'.pragma "{found.grammar}";', (f"allowed in: {found.place}",), found.gate)


def of_language(vocabulary: Vocabulary, name: str) -> WordEntry | None:
    """A language of ``.language``; None if it is none that is known."""
    found = vocabulary.rare.languages.get(name.lower())
    return WordEntry("language", found.words, facts=(f"number {found.number} for `.language`",)) if found else None


def of_field(vocabulary: Vocabulary, name: str) -> WordEntry | None:
    """A field of textures, samplers and surfaces; None if it is none."""
    found = vocabulary.rare.opaque_fields.get(name)
    if found is None:
        return None
    owners = ", ".join(
        f"`{owner}`" if mode == "both" else f"`{owner}` (`texmode_{mode}`)" for owner, mode in found.owners.items()
    )
    return WordEntry("field", found.words, facts=(f"of {owners}", f"values: {found.values}"), gate=found.gate)


def of_value(vocabulary: Vocabulary, name: str, field: str = "") -> WordEntry | None:
    """A value of such a field, of any if none is given; None if it is no value of it."""
    found = vocabulary.rare.opaque_values.get(name if not name.lower().startswith("0x") else "0x" + name[2:].upper())
    if found is None or not (field or found.field).startswith(found.field):
        return None
    return WordEntry("value", found.words, facts=(f"of `{field or found.field}`",))


def _rare(vocabulary: Vocabulary, word: str) -> Iterator[WordEntry]:
    rare = vocabulary.rare
    if (option := rare.target_options.get(word)) is not None:
        yield WordEntry("target option", option.words, f".target architecture, {word}", gate=option.gate)
    if (constant := rare.constants.get(word)) is not None:
        yield WordEntry("constant", constant.words, facts=(f"`{constant.type}`, {constant.value}",), gate=constant.gate)
    if (field := rare.tensormap_fields.get(word)) is not None:
        each = "one for each dimension" if field.each_dimension else "one value"
        yield WordEntry(
            "field of a tensor-map", field.words, facts=(f"`{field.type}`, {each}", f"values: {field.values}")
        )
    of_text = (of_pragma(vocabulary, word), of_language(vocabulary, word))
    yield from filter(None, (*of_text, of_field(vocabulary, word), of_value(vocabulary, word)))
