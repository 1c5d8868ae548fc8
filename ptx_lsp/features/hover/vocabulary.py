"""Hover of words with one meaning: directives, types, spaces, special registers, targets, common qualifiers."""

from __future__ import annotations

from dataclasses import replace

from ptx_lsp.analysis.cursor.cursor import Cursor
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.features.hover.parts.hover_info import FurtherReading, HoverInfo
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.gate import OPEN, Gate
from ptx_lsp.isa.vocabulary.entries import WordEntry, of_directive, of_space, of_target, of_type, of_version
from ptx_lsp.syntax.kind import Kind

MANUAL = "https://docs.nvidia.com/cuda/parallel-thread-execution/#"
DIRECTIVES = FurtherReading("PTX ISA: Directives", MANUAL + "directives")
TYPES = FurtherReading("PTX ISA: Types", MANUAL + "types")
_SPACES = FurtherReading("PTX ISA: State Spaces", MANUAL + "state-spaces")
_REGISTERS = FurtherReading("PTX ISA: Special Registers", MANUAL + "special-registers")
TARGETS = FurtherReading("PTX ISA: .target", MANUAL + "ptx-module-directives-target")
_VERSIONS = FurtherReading("PTX ISA: .version", MANUAL + "ptx-module-directives-version")

_COMPONENTS = frozenset(".x .y .z .w .r .g .b .a".split())


def qualifier_meaning(word: str) -> str:
    """Return the general meaning of a qualifier, for pages without a specific one; empty if unknown."""
    return catalogue().vocabulary.meaning(word)


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
    facts = (fact for fact in entry.facts if fact not in entry.words)
    notes = (*facts, gate_note(entry.gate, cursor.context.module))
    return HoverInfo(
        cursor.span,
        title=title or f"`{cursor.word}` {entry.kind}",
        code=(entry.grammar,) if entry.grammar else (),
        lead=(entry.words,),
        notes=tuple(filter(None, notes)),
        link=link,
    )


def special_register(cursor: Cursor, component: str = "") -> HoverInfo:
    """Return the hover of a special register with its type, or of one component."""
    register = catalogue().vocabulary.special_registers[cursor.word]
    kind = f".v{register.vector} {register.type}" if register.vector and not component else register.type
    note = gate_note(register.gate, cursor.context.module)
    return HoverInfo(
        cursor.span,
        title=f"`{cursor.word}{component}` special register, `{kind}`",
        lead=(register.words,),
        notes=(note,) if note else (),
        link=_REGISTERS,
    )


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
    return HoverInfo(cursor.span, lead=(f"`{cursor.word}`: not a version of PTX that is known here",), link=_VERSIONS)


def gate_note(gate: Gate, module: Module) -> str:
    """Return a line that states whether the module satisfies a gate; empty for a gate that is always open."""
    if gate == OPEN:
        return ""
    need = gate.why_not(module.version, module.target)
    if need is None:
        return f"✓ {gate.describe()}"
    return f"✗ {gate.describe()}; this module: PTX {module.version}, {module.target}"


def _declares(cursor: Cursor) -> bool:
    """Whether the word is a state space in a head, where ``.param`` and ``.reg`` are not directives."""
    return cursor.token > 0
