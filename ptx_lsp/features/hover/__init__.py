"""Hover: what is under the cursor, answer first.

:func:`hover` builds plain data; ``render`` turns it into text for the client at hand.
"""

from __future__ import annotations

from ptx_lsp.analysis.cursor import Cursor, What, at
from ptx_lsp.analysis.module import Module
from ptx_lsp.features.hover.info import HoverInfo
from ptx_lsp.features.hover.instruction import instruction, qualifier
from ptx_lsp.features.hover.literals import number
from ptx_lsp.features.hover.names import declared_name, unknown_name
from ptx_lsp.features.hover.rare_words import in_initializer, plain_word, quoted
from ptx_lsp.features.hover.vocabulary import dotted_word, special_register, target, version


def hover(module: Module, offset: int) -> HoverInfo | None:
    """What can be said of the word at ``offset``; None in blanks, comments and punctuation."""
    cursor = at(module, offset)
    return _describe(cursor) if cursor is not None else None


def _describe(cursor: Cursor) -> HoverInfo | None:
    if (field := in_initializer(cursor)) is not None:
        return field
    if cursor.symbol is not None:
        return declared_name(cursor, cursor.symbol)
    match cursor.what:
        case What.OPCODE:
            return instruction(cursor)
        case What.QUALIFIER:
            return qualifier(cursor)
        case What.NUMBER:
            return version(cursor) or number(cursor.word, cursor.span)
        case What.SPECIAL:
            return special_register(cursor)
        case What.DIRECTIVE:
            return dotted_word(cursor)
        case What.TARGET:
            return target(cursor)
        case What.NAME:
            return plain_word(cursor) or unknown_name(cursor)
        case What.STRING:
            return quoted(cursor)
