"""Names that a module declares more than once: declarations and definitions.

Source: PTX ISA, "Linking Directives"; the behavior of ptxas was measured. For variables it compares type, vector and
dimensions, but neither state space nor alignment; for functions see :mod:`ptx_lsp.analysis.symbols.function_agreement`.
"""

from __future__ import annotations

from ptx_lsp.analysis.symbols.declarations import sizes
from ptx_lsp.analysis.symbols.function_agreement import functions_agree
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Declaration, Declarator, Operand, OperandKind


class _DeclaredVariable(NamedTuple):
    """The properties of a declared variable."""

    linkage: str
    type: tuple[str, str]
    """The vector length and the type."""
    dimensions: tuple[int, ...]
    """0 for an omitted dimension."""


class Redeclarations:
    """Faults of redeclarations: pairs of a symbol and an earlier declaration."""

    def __init__(self) -> None:
        self.duplicates: list[tuple[Symbol, Symbol]] = []
        """Defined twice, or functions with incompatible declarations."""
        self.differing: list[tuple[Symbol, Symbol]] = []
        """Of different types."""
        self.hidden: list[tuple[Symbol, Symbol]] = []
        """Declared ``.extern`` and then defined without linkage."""
        self.names: set[str] = set()
        """All names that are declared again, with or without faults."""
        self._dimensions: dict[str, tuple[int, ...]] = {}
        self._variables: dict[tuple[Chunk, int], dict[int, _DeclaredVariable]] = {}
        """The variables of the statements that were compared, by token: one can declare very many."""
        self._chunk: Chunk | None = None
        self._statement = 0
        self._declarators: dict[int, _DeclaredVariable] = {}
        """Those of the last one."""

    def add(self, symbol: Symbol, earlier: Symbol, definition: Symbol | None) -> None:
        """Compare a declaration with the first of its name, and with its definition if there is one already."""
        self.names.add(symbol.name)
        if not (symbol.kind is earlier.kind is SymbolKind.VARIABLE) or symbol.count or earlier.count:
            if not _may_stand_twice(earlier, definition, symbol):
                self.duplicates.append((symbol, definition or earlier))
            return
        one, other = self._declared(earlier), self._declared(symbol)
        if one is None or other is None:
            return
        before = self._dimensions.get(symbol.name, one.dimensions)
        dimensions = _joined(before, other.dimensions) if before or other.dimensions else ()
        if symbol.is_definition and definition is not None:
            self.duplicates.append((symbol, definition))
        elif one.type != other.type or dimensions is None:
            self.differing.append((symbol, earlier))
        elif symbol.is_definition and not other.linkage:
            self.hidden.append((symbol, earlier))
        if dimensions is not None:
            self._dimensions[symbol.name] = dimensions

    def _declared(self, symbol: Symbol) -> _DeclaredVariable | None:
        chunk, index, token = symbol.place
        if chunk is not self._chunk or index != self._statement:
            if (chunk, index) not in self._variables:
                self._variables[chunk, index] = _declared_variables(chunk.statement(index))
            self._chunk, self._statement, self._declarators = chunk, index, self._variables[chunk, index]
        return self._declarators.get(token)

    def renew(self, renewed: dict[Symbol, Symbol]) -> None:
        """Replace symbols by equal ones with another place."""
        for pairs in (self.duplicates, self.differing, self.hidden):
            pairs[:] = [(renewed.get(later, later), renewed.get(earlier, earlier)) for later, earlier in pairs]


def _may_stand_twice(earlier: Symbol, defined: Symbol | None, later: Symbol) -> bool:
    """Whether ptxas accepts another declaration of a module-level name."""
    if earlier.kind is not later.kind:
        return False
    if later.kind is SymbolKind.FUNCTION:
        return defined is None and functions_agree(earlier, later)
    return not (earlier.is_definition and later.is_definition)


def _joined(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...] | None:
    """The common dimensions of two declarations of an array; None if they differ."""
    if len(one) != len(other) or one[1:] != other[1:]:
        return None
    if one and one[0] != other[0] and one[0] and other[0]:
        return None
    return (one[0] or other[0], *one[1:]) if one else one


def _declared_variables(statement: Statement) -> dict[int, _DeclaredVariable]:
    """The variables that a statement declares, by token."""
    tree = statement.shape.tree
    if not isinstance(tree, Declaration):
        return {}
    linkage = statement.word(tree.linkage) if tree.linkage >= 0 else ""
    single = _DeclaredVariable(linkage, (tree.vector, tree.type), ())
    return {
        one.name: single._replace(dimensions=_dimensions(statement, one)) if one.dimensions else single
        for one in tree.declarators
    }


def _dimensions(statement: Statement, declarator: Declarator) -> tuple[int, ...]:
    """The dimensions; an omitted first one is computed from the initializer."""
    dimensions = sizes(statement, declarator)
    value = declarator.initializer
    if dimensions[:1] == [0] and value is not None and value.kind is OperandKind.VECTOR:
        dimensions[0] = sum(_count(statement, part) for part in value.parts)
    return tuple(dimensions)


def _count(statement: Statement, part: Operand) -> int:
    if part.kind is not OperandKind.LIST:
        return 1
    return statement.words[part.first : part.last].count(",") + 1
