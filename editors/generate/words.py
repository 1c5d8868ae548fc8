"""The words of PTX that editors colour, out of ``grammar/``: each set sorted, so that files made of it stay the same.

A ``#`` in a word stands for any number: ``.m#n#k#``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from ptx_lsp.features.semantic_tokens.word_classes import ROLES as TYPE_OF_ROLE
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.form import PlaceKind
from ptx_lsp.syntax.automaton.tables import load

ROLES = tuple(TYPE_OF_ROLE)
"""What a qualifier chooses; empty: what the instruction does. Types and state spaces are sets of their own."""

COMPONENTS = tuple(".x .y .z .w .r .g .b .a".split())
"""Parts of a vector register. Source: Using Scalars, Vectors, Arrays, Labels as operands."""

_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"[a-z]\w*(?:[.:]+\w+)*")
_VOCABULARY = catalogue().vocabulary


@cache
def opcode_names() -> tuple[str, ...]:
    """The parts of opcodes that are names, ``add``, ``cp.async.bulk``, as the server's semantic tokens take them.

    What the manual calls ``rcp.approx.ftz.f64`` is ``rcp`` with qualifiers; of what has no page the first word counts.
    """
    return tuple(sorted({*catalogue().names, *mnemonics()}))


@cache
def mnemonics() -> tuple[str, ...]:
    """The first words of the names of all instructions of the manual: ``add``, ``cp``."""
    return tuple(name for name in catalogue().mnemonics if name.isidentifier())


@cache
def name_parts() -> tuple[str, ...]:
    """The further words of all names that the manual uses, with their dots: ``.async``, ``.bulk``."""
    names = (name for name in (*catalogue().names, *_VOCABULARY.mnemonics) if _NAME.fullmatch(name))
    return tuple(sorted({"." + part for name in names for part in name.split(".")[1:]}))


@cache
def types() -> tuple[str, ...]:
    """The types of registers, variables and instructions."""
    return tuple(sorted(_VOCABULARY.types))


@cache
def spaces() -> tuple[str, ...]:
    """The state spaces, ``.shared::cta`` among them."""
    return tuple(sorted(_VOCABULARY.spaces))


@cache
def qualifiers(role: str) -> tuple[str, ...]:
    """The words that can follow an opcode, but types and spaces, of one of :data:`ROLES`; name parts are among them."""
    return tuple(sorted(_by_role()[role]))


@cache
def _by_role() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {role: set() for role in ROLES}
    for word in _written():
        if word in _VOCABULARY.types or word in _VOCABULARY.spaces:
            continue
        role = _VOCABULARY.qualifier_role(word)
        series = _NUMBER.sub("#", word)
        # A series is one only where the lists name it so: `.m#n#k#`, not `.kind::f#`.
        found[role].add(series if role and _VOCABULARY.qualifier_role(series) == role else word)
    return found


def _written() -> Iterable[str]:
    """Every word that stands behind an opcode on some page, and the parts of all names."""
    yield from name_parts()
    for instruction in catalogue().each_instruction():
        for form in instruction.forms:
            for slot in form.slots:
                if slot.kind is PlaceKind.QUALIFIER:
                    yield from (word for word in slot.choices if word)


@cache
def directives() -> dict[str, tuple[str, ...]]:
    """The directives by the place where they stand, as ``grammar/vocabulary/directives.md`` names it.

    State spaces, which begin declarations, are among them, under ``variable``. ``data`` has what begins a line of a
    debug section and is no type: ``.byte``.
    """
    found: dict[str, set[str]] = {}
    for word in _VOCABULARY.directives.values():
        if word.name.startswith("."):
            found.setdefault(word.place, set()).add(word.name)
    keywords = load().words
    found["data"] = {word for word, kind in keywords.items() if kind == "DATA" and word not in _VOCABULARY.types}
    return {place: tuple(sorted(words)) for place, words in sorted(found.items())}


@cache
def all_directives() -> tuple[str, ...]:
    """All directives with a dot."""
    return tuple(sorted({word for words in directives().values() for word in words}))


def debug_directives() -> tuple[str, ...]:
    """The directives that say where lines come from, which most readers look past."""
    of = directives()
    inside = (word for place in (".code_block", ".nv_intermediate_source_section", "data") for word in of[place])
    return tuple(sorted({".file", ".loc", ".loc_intermediate", ".section", ".nv_intermediate_source_section", *inside}))


def directive_words() -> tuple[str, ...]:
    """Words without a dot that are parts of directives: ``inlined_at``; ``generic`` of initializers is among them."""
    return ("function_name", "generic", "inlined_at")


@cache
def special_registers() -> tuple[str, ...]:
    """The special registers without their components: ``%tid``, ``%envreg0``."""
    return tuple(sorted(_VOCABULARY.special_registers))


@cache
def targets() -> tuple[str, ...]:
    """The architectures, oldest first: ``sm_90a``."""
    return tuple(_VOCABULARY.targets)


@cache
def target_options() -> tuple[str, ...]:
    """What ``.target`` takes besides."""
    return tuple(sorted(_VOCABULARY.rare.target_options))


@cache
def versions() -> tuple[str, ...]:
    """The versions of the language, oldest first: ``8.5``."""
    return tuple(map(str, _VOCABULARY.versions))


@cache
def constants() -> tuple[str, ...]:
    """The names that stand for numbers: ``WARP_SZ``."""
    return tuple(sorted(_VOCABULARY.rare.constants))


@cache
def pragmas() -> tuple[str, ...]:
    """The first words of the strings of ``.pragma``."""
    return tuple(sorted(_VOCABULARY.rare.pragmas))


@cache
def opaque_fields() -> tuple[str, ...]:
    """The fields of textures, samplers and surfaces in initializers."""
    return tuple(sorted(_VOCABULARY.rare.opaque_fields))


@cache
def opaque_values() -> tuple[str, ...]:
    """The words that such fields take as values."""
    return tuple(sorted(word for word in _VOCABULARY.rare.opaque_values if word.isidentifier()))


@cache
def data_types() -> tuple[str, ...]:
    """The types that begin a line of a debug section."""
    return tuple(sorted(word for word, kind in load().words.items() if kind == "DATA" and word in _VOCABULARY.types))
