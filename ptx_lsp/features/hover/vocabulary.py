"""Words that mean the same everywhere: directives, types, spaces, special registers, targets, common qualifiers."""

from __future__ import annotations

from ptx_lsp.analysis.cursor import Cursor
from ptx_lsp.analysis.module import Module
from ptx_lsp.features.hover.info import HoverInfo, Link
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.gate import OPEN, Gate
from ptx_lsp.syntax.kind import Kind

_MANUAL = "https://docs.nvidia.com/cuda/parallel-thread-execution/#"
_DIRECTIVES = Link("PTX ISA: Directives", _MANUAL + "directives")
_TYPES = Link("PTX ISA: Types", _MANUAL + "types")
_SPACES = Link("PTX ISA: State Spaces", _MANUAL + "state-spaces")
_REGISTERS = Link("PTX ISA: Special Registers", _MANUAL + "special-registers")
_TARGETS = Link("PTX ISA: .target", _MANUAL + "ptx-module-directives-target")
_VERSIONS = Link("PTX ISA: .version", _MANUAL + "ptx-module-directives-version")

_COMPONENTS = frozenset(".x .y .z .w .r .g .b .a".split())


def qualifier_meaning(word: str) -> str:
    """What a qualifier means wherever a page says nothing else; empty if that is not known."""
    vocabulary = catalogue().vocabulary
    if word in vocabulary.qualifiers:
        return vocabulary.qualifiers[word].words
    if word in vocabulary.types:
        return vocabulary.types[word].words
    if word in vocabulary.spaces:
        return vocabulary.spaces[word].words
    return ""


def dotted_word(cursor: Cursor) -> HoverInfo | None:
    """A directive, type or state space outside of an opcode, or the component of a vector."""
    word, module = cursor.word, cursor.use.module
    vocabulary = catalogue().vocabulary
    if word in vocabulary.spaces and (word not in vocabulary.directives or _declares(cursor)):
        space = vocabulary.spaces[word]
        return HoverInfo(cursor.span, title=f"`{word}` state space", lead=(space.words,), link=_SPACES)
    if word in vocabulary.directives:
        directive = vocabulary.directives[word]
        notes = (_place(directive.place), gate_note(directive.gate, module))
        return HoverInfo(
            cursor.span, title=f"`{word}` directive", lead=(directive.words,),
            notes=tuple(filter(None, notes)), link=_DIRECTIVES,
        )
    if word in vocabulary.types:
        found = vocabulary.types[word]
        facts = f"{found.bits} {'bit' if found.bits == 1 else 'bits'}"
        if found.holder and found.holder != word:
            facts += f", lives in `{found.holder}` registers"
        return HoverInfo(cursor.span, title=f"`{word}` type", lead=(found.words,), notes=(facts,), link=_TYPES)
    if word in _COMPONENTS:
        return HoverInfo(cursor.span, lead=(f"`{word}`: one element of a vector",))
    meaning = qualifier_meaning(word)
    return HoverInfo(cursor.span, title=f"`{word}`", lead=(meaning,)) if meaning else None


def _place(place: str) -> str:
    """Where a directive stands."""
    return {"variable": "begins or is part of a declaration", "linkage": "stands before a declaration"}.get(
        place, f"stands in: {place}"
    )


def special_register(cursor: Cursor) -> HoverInfo:
    """A special register with its type."""
    register = catalogue().vocabulary.special_registers[cursor.word]
    kind = f".v{register.vector} {register.type}" if register.vector else register.type
    note = gate_note(register.gate, cursor.use.module)
    return HoverInfo(
        cursor.span, title=f"`{cursor.word}` special register, `{kind}`", lead=(register.words,),
        notes=(note,) if note else (), link=_REGISTERS,
    )


def target(cursor: Cursor) -> HoverInfo:
    """An architecture."""
    found = catalogue().vocabulary.targets[cursor.word]
    notes = [f"PTX {found.version} or newer"]
    if found.family:
        notes.append(f"family `sm_{found.family}`")
    title = f"`{cursor.word}` target"
    return HoverInfo(cursor.span, title=title, lead=(found.words,), notes=tuple(notes), link=_TARGETS)


def version(cursor: Cursor) -> HoverInfo | None:
    """The number of a ``.version`` line with the toolkit that brought it; None for any other number."""
    statement = cursor.use.statement
    if statement.shape.kind is not Kind.HEADER or statement.word(0) != ".version":
        return None
    for known, toolkit in catalogue().vocabulary.versions.items():
        if str(known) == cursor.word:
            origin = f"comes with CUDA {toolkit}" if toolkit else "comes with no CUDA release of its own"
            return HoverInfo(cursor.span, title=f"PTX {known}", lead=(origin,), link=_VERSIONS)
    return HoverInfo(cursor.span, lead=(f"`{cursor.word}`: not a version of PTX that is known here",), link=_VERSIONS)


def gate_note(gate: Gate, module: Module) -> str:
    """Whether the module passes a gate, in a line; empty for a gate that is always open."""
    if gate == OPEN:
        return ""
    need = gate.why_not(module.version, module.target)
    if need is None:
        return f"✓ {gate.describe()}"
    return f"✗ {gate.describe()}; this module: PTX {module.version}, {module.target}"


def _declares(cursor: Cursor) -> bool:
    """Whether the word is a space inside of a head, where ``.param`` and ``.reg`` are no directives."""
    return cursor.token > 0
