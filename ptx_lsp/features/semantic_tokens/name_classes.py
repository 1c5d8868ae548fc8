"""The token class of a name, by the symbol that it is bound to.

A meaning is a number: an index into ``OPERANDS`` for most names, negative for names unknown to the matcher.
"""

from __future__ import annotations

from functools import cache

from ptx_lsp.analysis.symbols.special_names import special_code, special_names
from ptx_lsp.analysis.symbols.symbols import OPERANDS, Scope, Symbol, SymbolKind
from ptx_lsp.features.semantic_tokens.legend import Modifier, TokenType
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.named_tuples import NamedTuple

UNKNOWN = 0
UNAVAILABLE = -1
"""A special register that is not available in the module."""
_UNDECLARABLE = -1
"""Minus the kind of a symbol whose declared type is invalid."""


class TokenClass(NamedTuple):
    """The type and modifiers of a token."""

    type: TokenType
    modifiers: Modifier = Modifier.NONE


def meaning(name: str, scope: Scope, version: Version, target: Target) -> int:
    """Return the meaning of a name in a scope."""
    symbol = scope.lookup(name)
    if symbol is not None:
        return symbol.code or _UNDECLARABLE - symbol.kind
    if name in special_names():
        return special_code(name, version, target) or UNAVAILABLE
    return UNKNOWN


@cache
def class_of(number: int) -> TokenClass | None:
    """Return the token class of a meaning; None for an undeclared name, which is not highlighted."""
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
    """Return the token class of a name at its declaration."""
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
    """Return the token class of a register of a type such as ``.b32`` or ``.v4.f32``."""
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
    """Return the token class of a variable in a state space; ``role`` is the role of a ``.param`` variable."""
    if space == ".param":
        readonly = Modifier.READONLY if role == _KERNEL_PARAMETER else Modifier.NONE
        return TokenClass(TokenType.PARAMETER, readonly)
    return TokenClass(TokenType.VARIABLE, _SPACES.get(space, Modifier.NONE))
