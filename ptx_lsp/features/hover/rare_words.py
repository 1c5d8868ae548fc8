"""Hover of context-dependent words without a dot: pragma strings, target options, constants, opaque type fields."""

from __future__ import annotations

from ptx_lsp.analysis.cursor.cursor import Cursor, CursorKind
from ptx_lsp.analysis.module.header import target_of
from ptx_lsp.features.hover.parts.hover_info import FurtherReading, HoverInfo
from ptx_lsp.features.hover.vocabulary import DIRECTIVES, MANUAL, TARGETS, TYPES, shown
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.vocabulary.entries import WordEntry, entries, of_field, of_language, of_pragma, of_target, of_value
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tokens import TokenKind

_PRAGMAS = FurtherReading("PTX ISA: .pragma strings", MANUAL + "descriptions-of-pragma-strings")
_CONSTANTS = FurtherReading("PTX ISA: Predefined Constants", MANUAL + "predefined-constants")


def quoted(cursor: Cursor) -> HoverInfo | None:
    """Return the hover of a string that its directive gives a meaning; None for other strings."""
    statement, vocabulary = cursor.context.statement, catalogue().vocabulary
    before = (statement.word(at) for at in range(cursor.token - 1, -1, -1) if _is_dotted(cursor, at))
    text, link = cursor.word.strip('"'), DIRECTIVES
    entry: WordEntry | None = None
    match next(before, ""):
        case ".pragma":
            entry, link = of_pragma(vocabulary, text), _PRAGMAS
        case ".language":
            entry = of_language(vocabulary, text)
        case _:
            return None
    if entry is None:
        return HoverInfo(cursor.span, lead=(f"`{cursor.word}`: unknown string",), link=link)
    return shown(cursor, entry, link)


def plain_word(cursor: Cursor) -> HoverInfo | None:
    """Return the hover of a word after ``.target``, or of a predefined constant."""
    statement, vocabulary = cursor.context.statement, catalogue().vocabulary
    if statement.shape.kind is Kind.HEADER:
        target = target_of(cursor.word)
        if target is not None:
            return shown(cursor, of_target(vocabulary.targets[str(target)]), TARGETS, f"`{target}` target")
        if cursor.word in vocabulary.rare.target_options:
            return shown(cursor, next(entries(vocabulary, cursor.word)), TARGETS)
    if cursor.word in vocabulary.rare.constants:
        return shown(cursor, next(entries(vocabulary, cursor.word)), _CONSTANTS)
    return None


def in_initializer(cursor: Cursor) -> HoverInfo | None:
    """Return the hover of a field or its value in the initializer of a texture, sampler or surface."""
    if cursor.context.statement.kind is not Kind.VARIABLE or cursor.what not in (CursorKind.NAME, CursorKind.NUMBER):
        return None
    word, vocabulary = cursor.word, catalogue().vocabulary
    entry: WordEntry | None = None
    if _word(cursor, 1) == "=" and _word(cursor, -1) in ("{", ","):
        entry = of_field(vocabulary, word)
    elif _word(cursor, -1) == "=" and _word(cursor, -3) in ("{", ","):
        entry = of_value(vocabulary, word, _word(cursor, -2))
    return shown(cursor, entry, TYPES) if entry is not None else None


def _word(cursor: Cursor, away: int) -> str:
    """Return the word at a distance of ``away`` tokens from the cursor's; empty outside the statement."""
    at = cursor.token + away
    return cursor.context.statement.word(at) if 0 <= at < len(cursor.context.statement.tokens) else ""


def _is_dotted(cursor: Cursor, at: int) -> bool:
    return cursor.context.statement.tokens[at].kind is TokenKind.DOT
