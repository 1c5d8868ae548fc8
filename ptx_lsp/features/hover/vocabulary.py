"""Hover of words with one meaning: directives, types, spaces, special registers, targets, common qualifiers."""

from __future__ import annotations

from dataclasses import replace

from ptx_lsp.analysis.cursor.cursor import Cursor
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.features.hover.parts.hover_info import FurtherReading, HoverInfo
from ptx_lsp.features.hover.parts.qualifier_words import qualifier_meaning
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.gate import OPEN, Gate
from ptx_lsp.isa.vocabulary.entries import (
    WordEntry,
    component_words,
    of_directive,
    of_space,
    of_target,
    of_type,
    of_version,
)
from ptx_lsp.syntax.kind import Kind

MANUAL = "https://docs.nvidia.com/cuda/parallel-thread-execution/#"
DIRECTIVES = FurtherReading("PTX ISA: Directives", MANUAL + "directives")
TYPES = FurtherReading("PTX ISA: Types", MANUAL + "types")
_SPACES = FurtherReading("PTX ISA: State Spaces", MANUAL + "state-spaces")
_REGISTERS = FurtherReading("PTX ISA: Special Registers", MANUAL + "special-registers")
TARGETS = FurtherReading("PTX ISA: .target", MANUAL + "ptx-module-directives-target")
_VERSIONS = FurtherReading("PTX ISA: .version", MANUAL + "ptx-module-directives-version")

_COMPONENTS = frozenset(".x .y .z .w .r .g .b .a".split())


def dotted_word(cursor: Cursor) -> HoverInfo | None:
    """Return the hover of a directive, type or state space outside an opcode, or of a vector component."""
    word = cursor.word
    vocabulary = catalogue().vocabulary
    is_directive = word in vocabulary.directives and cursor.context.instruction is None
    if word in vocabulary.spaces and (not is_directive or _declares(cursor)):
        return shown(cursor, of_space(vocabulary.spaces[word]), link=_SPACES)
    if is_directive:
        return shown(cursor, of_directive(vocabulary.directives[word]), link=DIRECTIVES)
    if word in vocabulary.types:
        return shown(cursor, of_type(vocabulary.types[word]), link=TYPES)
    if word in _COMPONENTS and cursor.token > 0:
        owner = replace(cursor, word=cursor.context.word(cursor.token - 1), token=cursor.token - 1)
        if owner.word in vocabulary.special_registers and cursor.context.scope.lookup(owner.word) is None:
            return special_register(owner, word)
    if word in _COMPONENTS:
        return HoverInfo(cursor.span, lead=(f"`{word}`: one element of a vector",))
    meaning = qualifier_meaning(word)
    return HoverInfo(cursor.span, title=f"`{word}`", lead=(meaning,)) if meaning else None


def shown(cursor: Cursor, entry: WordEntry, link: FurtherReading, title: str = "") -> HoverInfo:
    """Return the hover of a vocabulary entry for the word under the cursor."""
    facts = (fact for fact in entry.facts if fact and fact not in entry.words)
    return HoverInfo(
        cursor.span,
        title=title or f"`{cursor.word}` {entry.kind}",
        availability=availability_here(entry.gate, cursor.context.module),
        link=link,
        code=(entry.grammar,) if entry.grammar else (),
        lead=(entry.words,),
        notes=tuple(facts),
    )


def special_register(cursor: Cursor, component: str = "") -> HoverInfo:
    """Return the hover of a special register with its type, or of the component that is read."""
    vocabulary = catalogue().vocabulary
    register = vocabulary.special_registers[cursor.word]
    component = component or _component_after(cursor)
    kind = f".v{register.vector} {register.type}" if register.vector and not component else register.type
    return HoverInfo(
        cursor.span,
        title=f"`{cursor.word}{component}` special register, `{kind}`",
        availability=availability_here(register.gate, cursor.context.module),
        link=_REGISTERS,
        lead=(component_words(vocabulary, register.name, component),),
    )


def _component_after(cursor: Cursor) -> str:
    """Return the component after a register: ``.x``; empty if there is none."""
    statement = cursor.context.statement
    following = statement.word(cursor.token + 1) if cursor.token + 1 < len(statement.tokens) else ""
    return following if following in _COMPONENTS else ""


def target(cursor: Cursor) -> HoverInfo:
    """Return the hover of a target architecture."""
    return shown(cursor, of_target(catalogue().vocabulary.targets[cursor.word]), link=TARGETS)


def version(cursor: Cursor) -> HoverInfo | None:
    """Return the hover of the number in a ``.version`` directive, with its CUDA toolkit; None for other numbers."""
    statement = cursor.context.statement
    if statement.shape.kind is not Kind.HEADER or statement.word(0) != ".version":
        return None
    vocabulary = catalogue().vocabulary
    for known, word in vocabulary.versions.items():
        if str(known) == cursor.word:
            return shown(cursor, of_version(word, vocabulary), link=_VERSIONS, title=f"PTX {known}")
    return HoverInfo(cursor.span, lead=(f"`{cursor.word}`: unknown version of PTX",), link=_VERSIONS)


def availability_here(gate: Gate, module: Module) -> str:
    """Return the versions and targets that have something, and this module's if it lacks them; empty if all have it."""
    if gate == OPEN:
        return ""
    if gate.why_not(module.version, module.target) is None:
        return gate.describe()
    return f"✗ {gate.describe()}; this module: PTX {module.version}, {module.target}"


def _declares(cursor: Cursor) -> bool:
    """Whether the word is a state space in a head, where ``.param`` and ``.reg`` are not directives."""
    return cursor.token > 0
