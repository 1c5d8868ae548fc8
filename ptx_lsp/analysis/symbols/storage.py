"""Size and alignment of declared variables and parameters.

Source: PTX ISA, "Array Declarations", "Alignment", "Vectors".
"""

from __future__ import annotations

from functools import lru_cache
from math import prod

from ptx_lsp.analysis.symbols.declarations import declarations_in
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.constants import integer_or_none
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tokens import token_words
from ptx_lsp.syntax.tree import Declaration, Declarator

_IN_MEMORY = frozenset({SymbolKind.VARIABLE, SymbolKind.PARAMETER})


class Storage(NamedTuple):
    """Size and alignment in bytes."""

    size: int | None
    """None if the declaration does not determine it, as in ``.extern .shared .b8 x[]``."""
    align: int


def layout_of(symbol: Symbol) -> Storage | None:
    """The storage of a symbol; None if it is not in addressable memory."""
    if symbol.kind not in _IN_MEMORY or symbol.space == ".reg" or not bits_of(symbol.type):
        return None
    chunk, index, token = symbol.place
    return _layout_in(chunk.part(index), chunk.shapes[index], token)


@lru_cache(maxsize=4096)
def _layout_in(text: str, shape: int, token: int) -> Storage | None:
    """The storage of the name declared at a token of a statement."""
    statement = Statement(text, shape)
    for declaration in declarations_in(statement.shape.tree):
        for declarator in declaration.declarators:
            if declarator.name == token:
                return _layout(statement, declaration, declarator)
    return None


@lru_cache(maxsize=1 << 13)
def bits_of(type_: str) -> int:
    """The size of a type in memory, in bits; 0 for types without a size in memory."""
    word = catalogue().vocabulary.types.get(type_)
    return word.bits if word is not None and word.bits % 8 == 0 and word.kind != "opaque" else 0


def _layout(statement: Statement, declaration: Declaration, declarator: Declarator) -> Storage | None:
    element = bits_of(declaration.type) // 8 * (int(declaration.vector[2:]) if declaration.vector else 1)
    if declaration.align < 0 and not declarator.dimensions:
        return Storage(element, element)
    text = statement.text
    if declarator.initializer is not None and len(declaration.declarators) == 1:
        text = text.partition("=")[0]  # an initializer can be long, and the dimensions precede it
    words = token_words(text)

    def number(token: int) -> int | None:
        return integer_or_none(words[token]) if 0 <= token < len(words) else None

    align = element if declaration.align < 0 else number(declaration.align)
    if not align or align & (align - 1):
        return None
    dimensions = [number(token) for token in declarator.dimensions]
    known = [count for count in dimensions if count is not None]
    return Storage(element * prod(known) if len(known) == len(dimensions) else None, align)
