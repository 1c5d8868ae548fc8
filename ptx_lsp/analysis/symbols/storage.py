"""Size and alignment of declared variables and parameters.

Source: PTX ISA, "Array Declarations", "Alignment", "Vectors".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod

from ptx_lsp.analysis.symbols.declarations import declarations_in
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import memoized
from ptx_lsp.stepwise import listed
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.constants import integer_or_none
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tokens import token_words
from ptx_lsp.syntax.tree import Declaration, Declarator, FunctionHead

_IN_MEMORY = frozenset({SymbolKind.VARIABLE, SymbolKind.PARAMETER})


class Storage(NamedTuple):
    """Size and alignment in bytes."""

    size: int | None
    """None if the declaration does not determine it, as in ``.extern .shared .b8 x[]``."""
    align: int


def layout_of(symbol: Symbol) -> Storage | None:
    """The storage of a symbol; None if it is not in addressable memory."""
    chunk, index, token = symbol.place
    if symbol.kind is not SymbolKind.PARAMETER or not isinstance(SHAPES[chunk.shapes[index]].tree, FunctionHead):
        return layouts_beside(symbol).get(token)
    if symbol.space == ".reg" or not bits_of(symbol.type):
        return None
    known = chunk.derived(_OfParameters).setdefault(index, {})
    if token not in known:
        known[token] = _of_parameter(chunk, index, token)
    return known[token]


def layouts_beside(symbol: Symbol) -> dict[int, Storage | None]:
    """The storage of all names of the statement that declares a symbol, by token, if the symbol is in memory."""
    if symbol.kind not in _IN_MEMORY or symbol.space == ".reg" or not bits_of(symbol.type):
        return {}
    chunk, index, _ = symbol.place
    known = chunk.derived(_Known)
    found = known.get(index)
    if found is None:
        found = known[index] = dict(_all_layouts(chunk.statement(index)))
    return found


def preparing_layout(symbol: Symbol) -> Iterator[None]:
    """Find :func:`layout_of` in steps: all names of a statement are laid out with the first."""
    chunk, index, _ = symbol.place
    known = chunk.derived(_Known)
    if index not in known and symbol.kind in _IN_MEMORY and symbol.space != ".reg" and bits_of(symbol.type):
        known[index] = dict((yield from listed(_all_layouts(chunk.statement(index)))))


class _OfParameters(dict[int, "dict[int, Storage | None]"]):
    """The storage of the parameters that were asked about, by statement and token: a head may have very many."""

    def __init__(self, _: Chunk) -> None:
        super().__init__()


class _Parameters(dict[int, "dict[int, Declaration]"]):
    """The declarations of the parameters of function heads, by statement and the token of the name."""

    def __init__(self, _: Chunk) -> None:
        super().__init__()


def _of_parameter(chunk: Chunk, index: int, token: int) -> Storage | None:
    statement, known = chunk.statement(index), chunk.derived(_Parameters)
    if index not in known:
        declarations = declarations_in(statement.shape.tree)
        known[index] = {declarator.name: one for one in declarations for declarator in one.declarators}
    declaration = known[index].get(token)
    return dict(_layouts(statement, (declaration,))).get(token) if declaration is not None else None


class _Known(dict[int, "dict[int, Storage | None]"]):
    """The storage of the names that a chunk declares, by statement and token; all of a statement at once."""

    def __init__(self, _: Chunk) -> None:
        super().__init__()


def _all_layouts(statement: Statement) -> Iterator[tuple[int, Storage | None]]:
    """The storage of each name that a statement declares, by token."""
    return _layouts(statement, declarations_in(statement.shape.tree))


def _layouts(statement: Statement, declarations: Iterable[Declaration]) -> Iterator[tuple[int, Storage | None]]:
    words: list[str] | None = None
    for declaration in declarations:
        element = bits_of(declaration.type) // 8 * (int(declaration.vector[2:]) if declaration.vector else 1)
        single = Storage(element, element)
        known: dict[tuple[str, ...], Storage | None] = {}  # by sizes: a declaration may have a hundred thousand arrays
        for declarator in declaration.declarators:
            if declaration.align < 0 and not declarator.dimensions:
                yield declarator.name, single
                continue
            if words is None:
                words = _words_before_initializer(statement)
            written = tuple([words[token] if 0 <= token < len(words) else "" for token in declarator.dimensions])
            if written not in known:
                known[written] = _layout(words, declaration, declarator, element)
            yield declarator.name, known[written]


@memoized(1 << 12)
def bits_of(type_: str) -> int:
    """The size of a type in memory, in bits; 0 for types without a size in memory."""
    word = catalogue().vocabulary.types.get(type_)
    return word.bits if word is not None and word.bits % 8 == 0 and word.kind != "opaque" else 0


def _words_before_initializer(statement: Statement) -> list[str]:
    """The words of a declaration up to its initializer, which can be long, if it has a single name."""
    tree = statement.shape.tree
    has_one = isinstance(tree, Declaration) and len(tree.declarators) == 1 and tree.declarators[0].initializer
    return token_words(statement.text.partition("=")[0]) if has_one else statement.words


def _layout(words: list[str], declaration: Declaration, declarator: Declarator, element: int) -> Storage | None:
    def number(token: int) -> int | None:
        return integer_or_none(words[token]) if 0 <= token < len(words) else None

    align = element if declaration.align < 0 else number(declaration.align)
    if not align or align & (align - 1):
        return None
    dimensions = [number(token) for token in declarator.dimensions]
    known = [count for count in dimensions if count is not None]
    return Storage(element * prod(known) if len(known) == len(dimensions) else None, align)
