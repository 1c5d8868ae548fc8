"""How tokens look by their words alone: without a tree, or where a tree says nothing more."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ptx_lsp.features.semantic_tokens.legend import Modifier, TokenType
from ptx_lsp.features.semantic_tokens.name_classes import Look, look_of
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.terminals import opcode_position
from ptx_lsp.syntax.tokens import Token, TokenKind

Looks = dict[int, Look]
WordMeaning = Callable[[str], int]
"""What a name means in the scope around a statement."""


class Painted(NamedTuple):
    """A token by its index, and its look."""

    token: int
    type: TokenType
    modifiers: Modifier


def paint_words(statement: Statement, meaning: WordMeaning) -> tuple[Painted, ...]:
    """The looks of the tokens of a statement that has no tree, by their words alone."""
    looks: Looks = {}
    vocabulary = catalogue().vocabulary
    tokens = statement.tokens
    is_directive = bool(tokens) and tokens[0].kind is TokenKind.DOT
    opcode = -1 if is_directive else opcode_position(tokens, statement.text)
    in_opcode = False
    for index, token in enumerate(tokens):
        word = statement.text[token.start : token.end]
        if token.kind is TokenKind.NAME:
            look = look_of(meaning(word))
            if index == opcode and word in catalogue().mnemonics:
                look, in_opcode = Look(TokenType.OPCODE), True
                looks[index] = look
                continue
            if look is not None:
                looks[index] = look
            elif word in vocabulary.targets:
                looks[index] = Look(TokenType.CONSTANT)
        elif token.kind is TokenKind.DOT and not is_directive:
            looks[index] = Look(qualifier(word) if in_opcode else TokenType.PROPERTY)
            continue
        else:
            lexical(token, word, looks, index)
        in_opcode = False
    return in_order(looks)


def in_order(looks: Looks) -> tuple[Painted, ...]:
    """Looks by token as a sequence."""
    return tuple(Painted(token, *looks[token]) for token in sorted(looks))


_LEXICAL = {
    TokenKind.INTEGER: Look(TokenType.NUMBER),
    TokenKind.FLOAT: Look(TokenType.NUMBER),
    TokenKind.MALFORMED: Look(TokenType.NUMBER),
    TokenKind.STRING: Look(TokenType.STRING),
    TokenKind.UNCLOSED: Look(TokenType.STRING),
}
KEYWORDS = {
    "function_name": Look(TokenType.DIRECTIVE),
    "inlined_at": Look(TokenType.DIRECTIVE),
    "DWARF": Look(TokenType.DIRECTIVE),
    "WARP_SZ": Look(TokenType.CONSTANT, Modifier.READONLY | Modifier.DEFAULT_LIBRARY),
}


def lexical(token: Token, word: str, looks: Looks, index: int) -> None:
    """A number, a string, or a dotted word outside of an opcode."""
    if token.kind is TokenKind.DOT:
        vocabulary = catalogue().vocabulary
        if word in vocabulary.types:
            looks[index] = Look(TokenType.TYPE)
        elif word in vocabulary.spaces:
            looks[index] = Look(TokenType.SPACE)
        elif vocabulary.qualifier_role(word) == "shape":
            looks[index] = Look(TokenType.SHAPE)
        else:
            looks[index] = Look(TokenType.DIRECTIVE)
    elif (look := _LEXICAL.get(token.kind)) is not None:
        looks[index] = look


ROLES = {
    "rounding": TokenType.ROUNDING,
    "order": TokenType.ORDER,
    "scope": TokenType.SCOPE,
    "cache": TokenType.CACHE,
    "shape": TokenType.SHAPE,
    "": TokenType.QUALIFIER,
}
"""The type of the qualifiers of each role, as ``vocabulary/qualifier_roles.md`` names them."""


def qualifier(word: str) -> TokenType:
    """The type of a dotted word of an opcode that is no part of the name."""
    vocabulary = catalogue().vocabulary
    if word in vocabulary.types:
        return TokenType.TYPE
    if word in vocabulary.spaces:
        return TokenType.SPACE
    return ROLES[vocabulary.qualifier_role(word)]
