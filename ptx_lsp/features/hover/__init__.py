"""Hover: a description of the word under the cursor, most important facts first.

:func:`hover` builds plain data; ``render`` converts it to text for the client.
"""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.cursor.cursor import Cursor, CursorKind, at, touched
from ptx_lsp.analysis.references.reaching_definitions import awaits_flow, awaits_structure
from ptx_lsp.analysis.references.register_writes import is_register
from ptx_lsp.analysis.references.synchronization import needs_preparing
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.symbols.symbols import SymbolKind
from ptx_lsp.features.hover.addresses import bracketed
from ptx_lsp.features.hover.constants import constant
from ptx_lsp.features.hover.declared_names import declared_name, unknown_name
from ptx_lsp.features.hover.descriptors import descriptor
from ptx_lsp.features.hover.fragments import braced, fragment
from ptx_lsp.features.hover.instruction import instruction
from ptx_lsp.features.hover.packed_literals import packed_literal, selector
from ptx_lsp.features.hover.parts.hover_info import HoverInfo
from ptx_lsp.features.hover.qualifier import qualifier
from ptx_lsp.features.hover.rare_words import in_initializer, plain_word, quoted
from ptx_lsp.features.hover.source_locations import Locate, ReadLine, source_line
from ptx_lsp.features.hover.vocabulary import dotted_word, special_register, target, version
from ptx_lsp.syntax.tree import OperandKind


def preparing(semantics: Semantics, offset: int) -> Iterator[None] | None:
    """Return steps of some milliseconds that a hover needs first; None if it can be made at once.

    They find the barriers of a long function, for an instruction that synchronizes, make its graph, for the values of
    registers and addresses, and find its loops, for a label.
    """
    cursor = at(semantics, offset)
    if cursor is not None and cursor.symbol is not None and cursor.symbol.kind is SymbolKind.LABEL:
        function = cursor.context.module.function_of(cursor.symbol.place.chunk)
        return semantics.structuring(function) if awaits_structure(semantics, function) else None
    if cursor is None or is_register(cursor.context, cursor.symbol):
        found = touched(semantics.module, offset) if cursor is None else None
        context = cursor.context if cursor is not None else found[0] if found is not None else None
        if context is None or context.instruction is None or not awaits_flow(semantics, context.function):
            return None
        return semantics.flow(context.function).preparing(only_graph=True)
    if cursor.what is not CursorKind.OPCODE:
        return None
    if needs_preparing(semantics, cursor.context):
        return semantics.finding_barriers(cursor.context.function)
    tree = cursor.context.instruction
    has_addresses = tree is not None and any(one.kind is OperandKind.ADDRESS for one in tree.operands)
    if not has_addresses or not awaits_flow(semantics, cursor.context.function):
        return None
    return semantics.flow(cursor.context.function).preparing(only_graph=True)


def hover(
    semantics: Semantics, offset: int, read_line: ReadLine | None = None, locate: Locate | None = None
) -> HoverInfo | None:
    """Return the hover at ``offset``; None in white space, comments and most punctuation.

    Args:
        semantics: the document.
        offset: the cursor.
        read_line: reads a line of a source file that ``.loc`` names; without it only the name is shown.
        locate: gives the address of a line of such a file.

    """
    cursor = at(semantics, offset)
    if cursor is None:
        return bracketed(semantics, offset) or bracketed(semantics, offset - 1) or braced(semantics.module, offset)
    return _describe(cursor, read_line, locate)


def _describe(cursor: Cursor, read_line: ReadLine | None, locate: Locate | None) -> HoverInfo | None:
    if (place := source_line(cursor, read_line, locate)) is not None:
        return place
    if (field := in_initializer(cursor)) is not None:
        return field
    if (packed := descriptor(cursor)) is not None:
        return packed
    if (held := fragment(cursor)) is not None:
        return held
    if cursor.symbol is not None:
        return declared_name(cursor, cursor.symbol)
    match cursor.what:
        case CursorKind.OPCODE:
            return instruction(cursor)
        case CursorKind.QUALIFIER:
            return qualifier(cursor)
        case CursorKind.NUMBER:
            return version(cursor) or packed_literal(cursor) or constant(cursor)
        case CursorKind.SPECIAL:
            return special_register(cursor)
        case CursorKind.DIRECTIVE:
            return selector(cursor) or dotted_word(cursor)
        case CursorKind.TARGET:
            return target(cursor)
        case CursorKind.NAME:
            return plain_word(cursor) or unknown_name(cursor)
        case CursorKind.STRING:
            return quoted(cursor)
