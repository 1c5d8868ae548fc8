"""The token classes of words that do not depend on a parse tree."""

from __future__ import annotations

from collections.abc import Callable

from ptx_lsp.features.semantic_tokens.legend import Modifier, TokenType
from ptx_lsp.features.semantic_tokens.name_classes import TokenClass, class_of
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.terminals import opcode_index
from ptx_lsp.syntax.tokens import Token, TokenKind, words_and_kinds

TokenClasses = dict[int, TokenClass]
WordMeaning = Callable[[str], int]
"""Maps a name to its meaning in the scope of a statement."""


class ClassifiedToken(NamedTuple):
    """The index of a token, with its type and modifiers."""

    token: int
    type: TokenType
    modifiers: Modifier


def classify_words(statement: Statement, meaning: WordMeaning) -> tuple[ClassifiedToken, ...]:
    """Return the token classes of a statement without a tree."""
    classes: TokenClasses = {}
    vocabulary = catalogue().vocabulary
    tokens = statement.tokens
    is_directive = bool(tokens) and tokens[0].kind is TokenKind.DOT
    opcode = -1 if is_directive else opcode_index(*words_and_kinds(statement.text, tokens))
    in_opcode = False
    for index, token in enumerate(tokens):
        word = statement.text[token.start : token.end]
        if token.kind is TokenKind.NAME:
            token_class = class_of(meaning(word))
            if index == opcode and word in catalogue().mnemonics:
                token_class, in_opcode = TokenClass(TokenType.OPCODE), True
                classes[index] = token_class
                continue
            if token_class is not None:
                classes[index] = token_class
            elif word in vocabulary.targets:
                classes[index] = TokenClass(TokenType.CONSTANT)
        elif token.kind is TokenKind.DOT and not is_directive:
            classes[index] = TokenClass(qualifier(word) if in_opcode else TokenType.PROPERTY)
            continue
        else:
            lexical(token, word, classes, index)
        in_opcode = False
    return in_order(classes)


def in_order(classes: TokenClasses) -> tuple[ClassifiedToken, ...]:
    """Convert a mapping from token index to class into a sorted sequence."""
    return tuple(ClassifiedToken(token, *classes[token]) for token in sorted(classes))


_LEXICAL = {
    TokenKind.INTEGER: TokenClass(TokenType.NUMBER),
    TokenKind.FLOAT: TokenClass(TokenType.NUMBER),
    TokenKind.MALFORMED: TokenClass(TokenType.NUMBER),
    TokenKind.STRING: TokenClass(TokenType.STRING),
    TokenKind.UNCLOSED: TokenClass(TokenType.STRING),
}
KEYWORDS = {
    "function_name": TokenClass(TokenType.DIRECTIVE),
    "inlined_at": TokenClass(TokenType.DIRECTIVE),
    "DWARF": TokenClass(TokenType.DIRECTIVE),
    "WARP_SZ": TokenClass(TokenType.CONSTANT, Modifier.READONLY | Modifier.DEFAULT_LIBRARY),
}


def lexical(token: Token, word: str, classes: TokenClasses, index: int) -> None:
    """Classify a number, a string, or a dotted word outside an opcode."""
    if token.kind is TokenKind.DOT:
        vocabulary = catalogue().vocabulary
        if word in vocabulary.types:
            classes[index] = TokenClass(TokenType.TYPE)
        elif word in vocabulary.spaces:
            classes[index] = TokenClass(TokenType.SPACE)
        elif vocabulary.qualifier_role(word) == "shape":
            classes[index] = TokenClass(TokenType.SHAPE)
        else:
            classes[index] = TokenClass(TokenType.DIRECTIVE)
    elif (token_class := _LEXICAL.get(token.kind)) is not None:
        classes[index] = token_class


ROLES = {
    "rounding": TokenType.ROUNDING,
    "order": TokenType.ORDER,
    "scope": TokenType.SCOPE,
    "cache": TokenType.CACHE,
    "shape": TokenType.SHAPE,
    "": TokenType.QUALIFIER,
}
"""The token type of each qualifier role, as named in ``vocabulary/qualifier_roles.md``."""


def qualifier(word: str) -> TokenType:
    """Return the type of a dotted word of an opcode that is not part of the instruction's name."""
    vocabulary = catalogue().vocabulary
    if word in vocabulary.types:
        return TokenType.TYPE
    if word in vocabulary.spaces:
        return TokenType.SPACE
    return ROLES[vocabulary.qualifier_role(word)]
