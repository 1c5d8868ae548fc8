"""The token under the cursor, classified once for all features."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import Place, Symbol
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.tokens import TokenKind
from ptx_lsp.syntax.tree import Declaration, FunctionHead, Instruction, Label
from ptx_lsp.text import Span


class CursorKind(Enum):
    """The kinds of tokens under the cursor."""

    OPCODE = auto()
    """The name of an instruction."""
    QUALIFIER = auto()
    """A dotted word of an opcode."""
    NAME = auto()
    """A name, declared in the text or undeclared."""
    SPECIAL = auto()
    """A special register."""
    NUMBER = auto()
    """An integer or floating-point constant."""
    DIRECTIVE = auto()
    """A dotted word outside of an opcode: directive, space, type; also a selector such as ``.x``."""
    TARGET = auto()
    """An architecture in a ``.target`` line."""
    STRING = auto()
    """Text in quotes, quotes included."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """A token with its context."""

    what: CursorKind
    word: str
    span: Span
    """The span of the token in the document."""
    token: int
    context: StatementContext
    """The statement around it."""
    semantics: Semantics
    """The module around it."""
    symbol: Symbol | None = None
    """For a name its declaration, if there is one."""


def at(semantics: Semantics, offset: int) -> Cursor | None:
    """The token that the cursor at ``offset`` touches; None in blanks, comments and punctuation.

    Between two tokens, the one after the cursor takes precedence over the one before it.
    """
    document = semantics.module.document
    if not document.chunks or not 0 <= offset <= document.length:
        return None
    found = _touched(semantics, offset, 0)
    if found is None and offset > 0:
        found = _touched(semantics, offset - 1, 1)
    return found


def _touched(semantics: Semantics, offset: int, before: int) -> Cursor | None:
    """The token that holds the character at ``offset``; ``before`` is 1 if the cursor is directly after it."""
    document = semantics.module.document
    if offset >= document.length:
        return None
    number, index, inside = document.locate(offset)
    chunk = document.chunks[number]
    statement = chunk.statement(index)
    for token, (kind, start, end) in enumerate(statement.tokens):
        if start <= inside < end:
            if before and inside + before != end:
                return None
            return _cursor(semantics, Place(chunk, index, token), kind, Span(start, end).shifted(offset - inside))
        if start > inside:
            return None
    return None


def _cursor(semantics: Semantics, place: Place, kind: TokenKind, span: Span) -> Cursor | None:
    module, (chunk, index, token) = semantics.module, place
    context = StatementContext(module, module.function_of(chunk), chunk, index)
    word, tree = context.word(token), context.statement.shape.tree
    if isinstance(tree, Instruction) and token in tree.opcode_tokens:
        what = CursorKind.OPCODE if token == tree.opcode_tokens[0] else CursorKind.QUALIFIER
        return Cursor(what, word, span, token, context, semantics)
    if kind in (TokenKind.INTEGER, TokenKind.FLOAT):
        return Cursor(CursorKind.NUMBER, word, span, token, context, semantics)
    if kind == TokenKind.DOT:
        return Cursor(CursorKind.DIRECTIVE, word, span, token, context, semantics)
    if kind == TokenKind.STRING:
        return Cursor(CursorKind.STRING, word, span, token, context, semantics)
    if kind != TokenKind.NAME:
        return None
    symbol = _declared_here(context, token) or context.symbols.get(token) or context.scope.lookup(word)
    if symbol is not None:
        return Cursor(CursorKind.NAME, word, span, token, context, semantics, symbol)
    vocabulary = catalogue().vocabulary
    if word in vocabulary.special_registers:
        return Cursor(CursorKind.SPECIAL, word, span, token, context, semantics)
    if word in vocabulary.targets:
        return Cursor(CursorKind.TARGET, word, span, token, context, semantics)
    return Cursor(CursorKind.NAME, word, span, token, context, semantics)


def _declared_here(context: StatementContext, token: int) -> Symbol | None:
    """The symbol that is declared by the token."""
    tree = context.statement.shape.tree
    if not isinstance(tree, Label | Declaration | FunctionHead):
        return None
    place = context.place._replace(token=token)
    word = context.word(token)
    function = context.function
    candidates = [context.scope.own(word), function.scope.own(word), *function.globals]
    candidates += [scope.groups.get(word) for scope in context.scope.chain()]
    return next((symbol for symbol in candidates if symbol is not None and symbol.place == place), None)


def touched(module: Module, offset: int) -> tuple[StatementContext, int, int] | None:
    """The statement and token that contain the character at ``offset``, and the offset of the statement.

    None in blanks and comments. Unlike :func:`at` it includes punctuation and does not resolve symbols.
    """
    document = module.document
    if not document.chunks or not 0 <= offset < document.length:
        return None
    number, index, inside = document.locate(offset)
    chunk = document.chunks[number]
    context = StatementContext(module, module.function_of(chunk), chunk, index)
    token = next((at for at, (_, start, end) in enumerate(context.statement.tokens) if start <= inside < end), None)
    return None if token is None else (context, token, offset - inside)
