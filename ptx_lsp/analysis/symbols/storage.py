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
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.constants import integer_or_none
from ptx_lsp.syntax.statement import Statement
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
    known = chunk.derived(_Known)
    if (index, token) not in known:
        known[index, token] = known.layout_in(chunk.statement(index), token)
    return known[index, token]


class _Known(dict[tuple[int, int], "Storage | None"]):
    """The storage of names that a chunk declares, by statement and token, as it is asked for."""

    def __init__(self, _: Chunk) -> None:
        super().__init__()
        self._statement: Statement | None = None
        """The statement that was asked for last: it can declare many names."""
        self._declared: dict[int, tuple[Declaration, Declarator]] = {}
        """The names of this statement by their tokens."""

    def layout_in(self, statement: Statement, token: int) -> Storage | None:
        """The storage of the name declared at a token of a statement."""
        if self._statement is None or self._statement.text != statement.text:
            self._statement = statement
            self._declared = {
                declarator.name: (declaration, declarator)
                for declaration in declarations_in(statement.shape.tree)
                for declarator in declaration.declarators
            }
        declared = self._declared.get(token)
        return _layout(self._statement, *declared) if declared is not None else None


@lru_cache(maxsize=1 << 13)
def bits_of(type_: str) -> int:
    """The size of a type in memory, in bits; 0 for types without a size in memory."""
    word = catalogue().vocabulary.types.get(type_)
    return word.bits if word is not None and word.bits % 8 == 0 and word.kind != "opaque" else 0


def _layout(statement: Statement, declaration: Declaration, declarator: Declarator) -> Storage | None:
    element = bits_of(declaration.type) // 8 * (int(declaration.vector[2:]) if declaration.vector else 1)
    if declaration.align < 0 and not declarator.dimensions:
        return Storage(element, element)
    if declarator.initializer is not None and len(declaration.declarators) == 1:
        statement = Statement(statement.text.partition("=")[0] + ";", statement.shape)  # the dimensions precede it

    def number(token: int) -> int | None:
        return integer_or_none(statement.word(token)) if token >= 0 else None

    align = element if declaration.align < 0 else number(declaration.align)
    if not align or align & (align - 1):
        return None
    dimensions = [number(token) for token in declarator.dimensions]
    known = [count for count in dimensions if count is not None]
    return Storage(element * prod(known) if len(known) == len(dimensions) else None, align)
