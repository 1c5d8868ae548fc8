"""What a name is to the eye: the type and modifiers of its token, by what it means.

A meaning is a number: an index into ``OPERANDS`` for most names, negative for those that the matcher knows nothing of.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from ptx_lsp.analysis.symbols.special_names import special_code, special_names
from ptx_lsp.analysis.symbols.symbols import OPERANDS, Scope, Symbol, SymbolKind
from ptx_lsp.features.semantic_tokens.legend import Modifier, TokenType
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version

UNKNOWN = 0
UNAVAILABLE = -1
"""A special register that the module does not have."""
_UNDECLARABLE = -1
"""Minus the kind of a symbol: one whose type nothing can have."""


class TokenClass(NamedTuple):
    """How a token looks."""

    type: TokenType
    modifiers: Modifier = Modifier.NONE


def meaning(name: str, scope: Scope, version: Version, target: Target) -> int:
    """What a name means in a scope."""
    symbol = scope.lookup(name)
    if symbol is not None:
        return symbol.code or _UNDECLARABLE - symbol.kind
    if name in special_names():
        return special_code(name, version, target) or UNAVAILABLE
    return UNKNOWN


@cache
def class_of(number: int) -> TokenClass | None:
    """How a name of this meaning looks; None for one that nothing declares: its colour is no promise."""
    if number == UNKNOWN:
        return None
    if number == UNAVAILABLE:
        return TokenClass(TokenType.SPECIAL, Modifier.READONLY | Modifier.DEFAULT_LIBRARY | Modifier.UNAVAILABLE)
    if number < 0:
        return TokenClass(_BY_KIND[SymbolKind(_UNDECLARABLE - number)])
    written = OPERANDS[number]
    match written.kind:
        case "register":
            return register(written.type)
        case "special":
            return TokenClass(TokenType.SPECIAL, Modifier.READONLY | Modifier.DEFAULT_LIBRARY)
        case "function":
            return TokenClass(TokenType.FUNCTION)
        case "label":
            return TokenClass(TokenType.LABEL)
        case _:
            return variable(written.space, written.role)


def declared(symbol: Symbol) -> TokenClass:
    """How the name of a declaration looks where it is declared."""
    token_class = class_of(symbol.code) or TokenClass(_BY_KIND[symbol.kind])
    modifiers = token_class.modifiers | Modifier.DECLARATION
    if symbol.kind is SymbolKind.FUNCTION and symbol.is_definition:
        modifiers |= Modifier.DEFINITION
    return TokenClass(token_class.type, modifiers)


_BY_KIND = {
    SymbolKind.REGISTER: TokenType.REGISTER,
    SymbolKind.VARIABLE: TokenType.VARIABLE,
    SymbolKind.PARAMETER: TokenType.PARAMETER,
    SymbolKind.LABEL: TokenType.LABEL,
    SymbolKind.FUNCTION: TokenType.FUNCTION,
    SymbolKind.PROTOTYPE: TokenType.LABEL,
    SymbolKind.TARGETS: TokenType.LABEL,
}
_WIDTHS = {16: Modifier.BITS16, 32: Modifier.BITS32, 64: Modifier.BITS64, 128: Modifier.BITS128}
_SPACES = {
    ".global": Modifier.GLOBAL,
    ".tex": Modifier.GLOBAL,
    ".shared": Modifier.SHARED,
    ".const": Modifier.CONST | Modifier.READONLY,
    ".local": Modifier.LOCAL,
}
_KERNEL_PARAMETER = "kernel parameter"


def register(declared_type: str) -> TokenClass:
    """A register of a type such as ``.b32`` or ``.v4.f32``."""
    name = "." + declared_type.rpartition(".")[2]
    if name == ".pred":
        return TokenClass(TokenType.PREDICATE)
    word = catalogue().vocabulary.types.get(name)
    if word is None:
        return TokenClass(TokenType.REGISTER)
    modifiers = _WIDTHS.get(word.bits, Modifier.NONE)
    if "float" in word.kind:
        modifiers |= Modifier.FLOAT
    return TokenClass(TokenType.REGISTER, modifiers)


def variable(space: str, role: str) -> TokenClass:
    """A variable of a state space; ``role`` says what a ``.param`` one is to its function."""
    if space == ".param":
        readonly = Modifier.READONLY if role == _KERNEL_PARAMETER else Modifier.NONE
        return TokenClass(TokenType.PARAMETER, readonly)
    return TokenClass(TokenType.VARIABLE, _SPACES.get(space, Modifier.NONE))
