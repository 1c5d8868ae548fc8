"""Symbols and scopes.

A :class:`Symbol` is one declaration. A :class:`Scope` is a pair of braces (or a
function with its parameters, or the module): the names declared directly in it
and a link to the enclosing scope. Registers, variables, parameters and labels of a
scope share one name space; inner scopes may shadow outer ones; a label is visible
before its declaration, all other names only after it.

Source: PTX ISA, "Identifiers", "Variables", "Parameterized Variable Names"; the
rules of visibility were measured with ptxas.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from enum import IntEnum
from itertools import islice

from ptx_lsp.analysis.symbols.call_layout import CallLayout
from ptx_lsp.analysis.symbols.prefix_meanings import PrefixMeanings
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import memoized
from ptx_lsp.similar_words import Spellings
from ptx_lsp.syntax.chunk import Chunk


class Place(NamedTuple):
    """A token of a statement of a chunk; stable under edits before the chunk."""

    chunk: Chunk
    statement: int
    token: int


class SymbolKind(IntEnum):
    """The kind of a symbol."""

    REGISTER = 1
    VARIABLE = 2
    PARAMETER = 3
    LABEL = 4
    FUNCTION = 5
    PROTOTYPE = 6
    """Label of a ``.callprototype``."""
    TARGETS = 7
    """Label of a ``.branchtargets`` or ``.calltargets`` list."""
    CONSTANT = 8
    """A constant of unknown value, given from outside: an ``n`` operand of inline assembly."""
    UNKNOWN = 9
    """Text that is not known, given from outside: it may be any operand."""

    @property
    def may_be_used_before(self) -> bool:
        """Whether a use may precede the declaration: only for labels of statements."""
        return self is SymbolKind.LABEL


class FunctionSignature(NamedTuple):
    """The results and parameters of a function or prototype."""

    results: tuple[CallLayout, ...]
    parameters: tuple[CallLayout, ...]
    noreturn: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the last parameter is an array without a size, which a call may omit."""
        return bool(self.parameters) and self.parameters[-1].length == 0


class Symbol(NamedTuple):
    """One declared name. It is its own identity: two with equal properties differ."""

    name: str
    """As declared; only the prefix (``%r``) for a parameterized ``%r<100>``."""
    kind: SymbolKind
    place: Place
    """Its name token."""
    type: str = ""
    """``.b32``, ``.texref`` …; empty for labels and functions."""
    space: str = ""
    """``.reg``, ``.global``, ``.param`` …; empty for labels and functions."""
    vector: int = 0
    """2 or 4 for ``.v2``/``.v4`` variables, else 0."""
    count: int | None = None  # type: ignore[assignment]
    """The number of names that ``prefix<count>`` declares; None for a single name."""
    code: int = 0
    """The operand code of the name for the matcher: an index into :data:`OPERANDS`."""
    is_definition: bool = True
    """False for ``.extern`` and for a function without a body."""
    linkage: str = ""
    """``.extern``, ``.visible``, ``.weak`` or ``.common`` of a declaration in the module."""
    layout: CallLayout | None = None
    """The call layout of registers, parameters and ``.param`` variables."""
    signature: FunctionSignature | None = None
    """The signature of a function or prototype."""
    members: tuple[str, ...] = ()
    """The names in a list of targets, or in the initializer of a table of functions."""

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def at(self, chunk: Chunk, statement: int, name: str) -> Symbol:
        """The symbol that a declaration in another statement introduces which is equal but for the name."""
        new = tuple.__new__  # the constructors of named tuples take twice as long
        place = new(Place, (chunk, statement, self.place.token))
        return new(Symbol, (name, self.kind, place, *self[3:]))

    @property
    def meaning(self) -> object:
        """All properties that affect other statements, as one hashable value."""
        return self.name, self.kind, self.code, self.count, self.type, self.layout, self.signature, self.members


# Symbols are put into tables by the thousand: the method of all objects takes a fifth of the time.
Symbol.__hash__ = object.__hash__  # type: ignore[method-assign]


class OperandTable(list[ActualOperand]):
    """All distinct operand meanings of names. Indices serve as compact cache keys."""

    def __init__(self, first: ActualOperand) -> None:
        super().__init__([first])
        self._codes = {first: 0}

    def code(self, meaning: ActualOperand) -> int:
        """The index of a meaning, added if new."""
        code = self._codes.get(meaning)
        if code is None:
            code = self._codes[meaning] = len(self)
            self.append(meaning)
        return code


OPERANDS = OperandTable(ActualOperand("unknown"))
"""One table for all documents of the process, as memos of the matcher are; entry 0 is an undeclared name."""


def operand_code(meaning: ActualOperand) -> int:
    """The index of ``meaning`` in :data:`OPERANDS`."""
    return OPERANDS.code(meaning)


@memoized(4096)
def split_number(name: str) -> tuple[str, int] | None:
    """A name as prefix and number, if it ends in digits.

    >>> split_number("%rd12")
    ('%rd', 12)
    >>> split_number("%laneid")
    """
    prefix = name.rstrip("0123456789")
    digits = name[len(prefix) :]
    return (prefix, int(digits)) if prefix and 0 < len(digits) <= 9 else None


class Scope:
    """The names declared in one pair of braces, or in the module."""

    __slots__ = ("_labels", "_lowest", "_spellings", "groups", "groups_key", "names", "numbered", "parent")

    def __init__(self, parent: Scope | None = None) -> None:
        self.parent = parent
        self.names: dict[str, Symbol] = {}
        self.groups: dict[str, Symbol] = {}
        """Parameterized declarations by prefix: ``%r<100>`` under ``%r``."""
        self.numbered: set[str] = set()
        """Prefixes of single names that end in digits: after ``.reg .f32 %r7`` the prefix determines no type."""
        self.groups_key: PrefixMeanings | None = None
        """The meanings of the prefixes in this scope, as one hashable value; computed on demand by the module."""
        self._spellings: tuple[dict[str, Symbol], Spellings] | None = None
        self._labels: tuple[dict[str, Symbol], Spellings] | None = None
        self._lowest: _LowestNumbers | None = None

    def own(self, name: str) -> Symbol | None:
        """The declaration of ``name`` in this scope, without the enclosing ones."""
        symbol = self.names.get(name)
        if symbol is None and self.groups:
            parts = split_number(name)
            if parts is not None:
                symbol = self.groups.get(parts[0])
                if symbol is not None and parts[1] >= (symbol.count or 0):
                    return None
        return symbol

    def lookup(self, name: str) -> Symbol | None:
        """The innermost declaration of ``name`` visible from this scope, at any position in its scope."""
        parts: tuple[str, int] | None = None
        is_split = False
        scope: Scope | None = self
        while scope is not None:
            symbol = scope.names.get(name)
            if symbol is not None:
                return symbol
            if scope.groups:
                if not is_split:
                    parts, is_split = split_number(name), True
                if parts is not None:
                    symbol = scope.groups.get(parts[0])
                    if symbol is not None and parts[1] < (symbol.count or 0):
                        return symbol
            scope = scope.parent
        return None

    def prefix_code(self, prefix: str) -> int | None:
        """The operand code of all names ``prefix`` + number in this scope; None if the prefix does not determine it."""
        scope: Scope | None = self
        while scope is not None:
            if prefix in scope.numbered:
                return None
            symbol = scope.groups.get(prefix)
            if symbol is not None:
                return symbol.code
            scope = scope.parent
        return None

    def chain(self) -> Iterator[Scope]:
        """This scope and the enclosing ones, from the innermost."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def declare(self, symbol: Symbol) -> Symbol | None:
        """Add a declaration; return the earlier conflicting one, if any, which is kept."""
        if symbol.count is not None:
            earlier = self.groups.get(symbol.name)
            if earlier is None and symbol.name in self.numbered:
                earlier = self._member_of(symbol)
            if earlier is None:
                self.groups[symbol.name] = symbol
            return earlier
        earlier = self.names.get(symbol.name)
        parts = split_number(symbol.name)
        if parts is not None:
            if earlier is None:
                group = self.groups.get(parts[0])
                is_member = group is not None and parts[1] < (group.count or 0)
                if is_member and symbol.kind is SymbolKind.LABEL:
                    return None  # ptxas accepts the label, and the name still denotes the register
                earlier = group if is_member else None
            self.numbered.add(parts[0])
        if earlier is None:
            self.names[symbol.name] = symbol
        return earlier

    def _member_of(self, group: Symbol) -> Symbol | None:
        """The first single name that the parameterized declaration ``group`` redeclares."""
        if self._lowest is None or self._lowest.names is not self.names:
            self._lowest = _LowestNumbers(self.names)
        name = self._lowest.first_below(group.name, group.count or 0)
        return self.names[name] if name is not None else None

    def spellings(self, *, of_labels: bool = False) -> Spellings:
        """The names declared in this scope, or its labels, for suggestions; of a group its first and last member.

        Once a scope is filled, an edit that declares other names gives it another table of names, or makes another
        scope.
        """
        kept = self._labels if of_labels else self._spellings
        if kept is None or kept[0] is not self.names:
            if of_labels:
                kept = self._labels = self.names, Spellings(_labels(self.names))
            else:
                kept = self._spellings = self.names, Spellings([*self.names, *_members(self.groups)])
        return kept[1]


class _LowestNumbers:
    """The numbered names of a table that grows: of each prefix those with a lower number than all before them."""

    def __init__(self, names: dict[str, Symbol]) -> None:
        self.names = names
        self._read = 0
        """The number of names that were read; others come after them."""
        self._found: dict[str, list[tuple[int, str]]] = {}

    def first_below(self, prefix: str, count: int) -> str | None:
        """The first name of a prefix with a number below ``count``. Labels are none: they hide no register."""
        new = [*islice(reversed(self.names.items()), len(self.names) - self._read)]
        self._read = len(self.names)
        for name, symbol in reversed(new):
            parts = split_number(name) if symbol.kind is not SymbolKind.LABEL else None
            if parts is not None:
                found = self._found.setdefault(parts[0], [])
                if not found or parts[1] < found[-1][0]:
                    found.append((parts[1], name))
        known = self._found.get(prefix, [])
        at = bisect_right(known, -count, key=lambda one: -one[0])
        return known[at][1] if at < len(known) else None


def _labels(names: dict[str, Symbol]) -> Iterator[str]:
    return (name for name, symbol in names.items() if symbol.kind is SymbolKind.LABEL)


def _members(groups: dict[str, Symbol]) -> Iterator[str]:
    for prefix, group in groups.items():
        yield f"{prefix}0"
        if group.count and group.count > 1:
            yield f"{prefix}{group.count - 1}"
