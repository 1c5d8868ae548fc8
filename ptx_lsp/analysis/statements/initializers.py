"""Faults of initializers with respect to their declaration.

Source: PTX ISA, "Initializers", "Texture, Sampler, and Surface Types"; the behavior of ptxas was measured.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from enum import Enum
from itertools import count, islice

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.declarations import OPAQUE, sizes
from ptx_lsp.analysis.symbols.special_names import special_names
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import collected, first, run_to_completion
from ptx_lsp.syntax.constants import evaluate, preparing_value
from ptx_lsp.syntax.tokens import TokenKind
from ptx_lsp.syntax.tree import Declaration, Declarator, Operand, OperandKind


class InitialFaultKind(Enum):
    """The kinds of faults of an initializer."""

    NO_SPACE = 1
    """The state space does not allow initializers."""
    EXTERN = 2
    """The variable is ``.extern``."""
    NO_TYPE = 3
    """The type does not allow initializers."""
    FLOAT_WANTED = 4
    INTEGER_WANTED = 5
    NUMBER_WANTED = 6
    """An address for a type that cannot hold one."""
    NOT_GENERIC = 7
    """A function other than ``generic``."""
    ADDRESS_SPACE = 8
    """The address of a variable outside ``.global`` and ``.const``."""
    NO_ADDRESS = 9
    """A name that has no address."""
    FUNCTION_OFFSET = 10
    GENERIC_FUNCTION = 11
    OFFSET = 12
    """An offset that is not an integer."""
    MASK = 13
    """A mask that is not one byte."""
    MASK_TYPE = 14
    """A mask for a type that does not support it."""
    UNKNOWN_FIELD = 15
    UNKNOWN_FIELD_VALUE = 16
    BRACES_WANTED = 20
    NO_BRACES_WANTED = 21
    TOO_MANY = 22
    VECTOR_COUNT = 23
    NAMES_WANTED = 24
    """A value without field name."""
    NO_NAMES_WANTED = 25


BRACE_FAULTS = frozenset(
    {
        InitialFaultKind.BRACES_WANTED,
        InitialFaultKind.NO_BRACES_WANTED,
        InitialFaultKind.TOO_MANY,
        InitialFaultKind.VECTOR_COUNT,
        InitialFaultKind.NAMES_WANTED,
        InitialFaultKind.NO_NAMES_WANTED,
    }
)
"""Faults of the braces rather than of the values."""


class InitialFault(NamedTuple):
    """A fault with its tokens ``[first, last)`` and, where relevant, the expected number of elements."""

    kind: InitialFaultKind
    first: int
    last: int
    wanted: int = 0
    symbol: Symbol | None = None


def initial_faults(context: StatementContext) -> tuple[tuple[Declarator, InitialFault], ...]:
    """The first fault of each initializer, if the statement is a declaration."""
    return context.derived(_initial_faults)


def preparing_initial_faults(context: StatementContext) -> Iterator[None]:
    """Find :func:`initial_faults` in steps."""
    yield from context.deriving(_initial_faults, _finding(context))


def _initial_faults(context: StatementContext) -> tuple[tuple[Declarator, InitialFault], ...]:
    return run_to_completion(_finding(context))


def _finding(context: StatementContext) -> Generator[None, None, tuple[tuple[Declarator, InitialFault], ...]]:
    tree = context.statement.shape.tree
    return tuple((yield from collected(_faults_in(context, tree)))) if isinstance(tree, Declaration) else ()


def _faults_in(context: StatementContext, tree: Declaration) -> Iterator[tuple[Declarator, InitialFault] | None]:
    vocabulary = catalogue().vocabulary
    word = vocabulary.types.get(tree.type)
    if word is None or not (word.declared or word.tolerated or word.arrays):
        return
    extern = tree.linkage >= 0 and context.word(tree.linkage) == ".extern"
    for number, declarator in enumerate(tree.declarators, 1):
        if not number % _IN_A_STEP:
            yield None
        value = declarator.initializer
        if value is None:
            continue
        at_name = (declarator.name, declarator.name + 1)
        if not vocabulary.spaces[tree.space].initialized:
            yield declarator, InitialFault(InitialFaultKind.NO_SPACE, *at_name)
        elif extern:
            yield declarator, InitialFault(InitialFaultKind.EXTERN, *at_name)
        else:
            found = yield from first(_Reader(context, tree).value(value, sizes(context.statement, declarator)))
            if found is not None:
                yield declarator, found


_IN_A_STEP = 1024
"""Values that are compared between two pauses."""


class _Reader:
    """Compares an initializer with its declaration, from the outermost braces inwards."""

    def __init__(self, context: StatementContext, tree: Declaration) -> None:
        self.context = context
        self.type = tree.type
        self.vector = int(tree.vector[2:]) if tree.vector else 0
        word = catalogue().vocabulary.types[tree.type]
        self.takes = word.initial
        self.is_packed = bool(word.holder)
        self.elements = {kind for what, kind in _KINDS_OF_NUMBERS if what in self.takes}
        """The kinds of values that have no fault as elements."""
        if self.vector or tree.type in OPAQUE:
            self.elements.clear()

    def value(self, value: Operand, dimensions: list[int]) -> Iterator[InitialFault | None]:
        """The faults of the value of an array, vector or single element, with pauses.

        Braces may be nested without a bound.
        """
        nested = [iter((value,))]
        for step in count(1):
            if not nested:
                return
            if not step % _IN_A_STEP:
                yield None
            part, depth = next(nested[-1], None), len(nested) - 1
            if part is None:
                nested.pop()
            elif depth and part.kind is OperandKind.FIELD:
                continue  # ignored by ptxas
            elif depth and part.kind is OperandKind.LIST and (depth < len(dimensions) or self.vector):
                yield _about(InitialFaultKind.BRACES_WANTED, next(self._numbers(part)))
            elif depth < len(dimensions):
                kinds = {one.kind for one in part.parts}
                fault = None if _fits(part, kinds, dimensions[depth]) else self._fault_of_array(part, dimensions[depth])
                if fault is not None:
                    yield fault
                elif depth + 1 < len(dimensions) or not kinds <= self.elements:
                    nested.append(iter(part.parts))
            elif self.type in OPAQUE:
                yield from self._opaque(part)
            elif self.vector:
                yield from self._vector(part)
            elif part.kind not in self.elements:
                yield from self._scalar(part)

    def _fault_of_array(self, value: Operand, wanted: int) -> InitialFault | None:
        """The fault of the braces of an array of ``wanted`` elements, 0 for any number; None without one."""
        if value.kind is not OperandKind.VECTOR:
            return _about(InitialFaultKind.BRACES_WANTED, value)
        if not 0 < wanted < value.last - value.first:
            return None  # an element takes a token at least
        extra = next(islice(self._elements(value), wanted, None), None)
        return None if extra is None else InitialFault(InitialFaultKind.TOO_MANY, extra.first, value.last - 1, wanted)

    def _vector(self, value: Operand) -> Iterator[InitialFault | None]:
        if value.kind is not OperandKind.VECTOR:
            yield _about(InitialFaultKind.BRACES_WANTED, value)
            return
        if sum(1 for _ in self._elements(value)) != self.vector:
            yield _about(InitialFaultKind.VECTOR_COUNT, value)._replace(wanted=self.vector)
            return
        for part in value.parts:
            yield from self._scalar(part)

    def _elements(self, value: Operand) -> Iterator[Operand]:
        """The elements in braces; runs of numbers are expanded."""
        for part in value.parts:
            if part.kind is OperandKind.LIST:
                yield from self._numbers(part)
            else:
                yield part

    def _numbers(self, run: Operand) -> Iterator[Operand]:
        """The numbers of a LIST."""
        tokens = self.context.statement.tokens
        start = run.first
        for at in range(run.first, run.last):
            if tokens[at].kind is TokenKind.MARK:
                if self.context.word(at) == ",":
                    start = at + 1
            else:
                kind = OperandKind.FLOAT if tokens[at].kind is TokenKind.FLOAT else OperandKind.INTEGER
                yield Operand(kind, start, at + 1)

    def _scalar(self, value: Operand) -> Iterator[InitialFault | None]:
        if value.last - value.first > _IN_A_STEP:
            yield from self._evaluating(value)
        match value.kind:
            case OperandKind.VECTOR:
                if not self.is_packed:  # ptxas accepts arbitrary braces here
                    yield _about(InitialFaultKind.NO_BRACES_WANTED, value)
            case OperandKind.FIELD:
                yield _about(InitialFaultKind.NO_NAMES_WANTED, value)
            case OperandKind.LIST:
                for step, number in enumerate(self._numbers(value), 1):
                    if not step % _IN_A_STEP:
                        yield None
                    yield from self._number(number)
            case OperandKind.INTEGER | OperandKind.FLOAT | OperandKind.CONSTANT:
                yield from self._number(value)
            case OperandKind.MASK:
                yield from self._mask(value)
            case _:
                yield from self._address(value, "addresses")

    def _evaluating(self, value: Operand) -> Iterator[None]:
        """Find the values of the long expressions of an element in steps."""
        for part in (value, value.offset, *(value.parts[:1] if value.kind is OperandKind.MASK else ())):
            if part is not None and part.kind is OperandKind.CONSTANT:
                yield from preparing_value(self.context.statement, part)

    def _number(self, value: Operand) -> Iterator[InitialFault]:
        if not self.takes:
            yield _about(InitialFaultKind.NO_TYPE, value)
            return
        kind = self._kind(value)
        if kind == "integers" and kind not in self.takes:
            yield _about(InitialFaultKind.FLOAT_WANTED, value)
        elif kind == "floats" and kind not in self.takes:
            yield _about(InitialFaultKind.INTEGER_WANTED, value)

    def _kind(self, value: Operand) -> str:
        """Whether a constant is an integer or a float; empty if it has a fault of its own."""
        if value.kind is not OperandKind.CONSTANT:
            return "floats" if value.kind is OperandKind.FLOAT else "integers"
        number = evaluate(self.context.statement, value)
        return "" if number is None else "floats" if isinstance(number, float) else "integers"

    def _mask(self, value: Operand) -> Iterator[InitialFault]:
        """``0xFF00(name)``."""
        mask = evaluate(self.context.statement, Operand(OperandKind.INTEGER, value.first, value.first + 1))
        part = value.parts[0]
        is_number = part.kind in (OperandKind.INTEGER, OperandKind.FLOAT, OperandKind.CONSTANT)
        if not self.takes:
            yield _about(InitialFaultKind.NO_TYPE, value)
        elif is_number and "integers" not in self.takes:
            yield _about(InitialFaultKind.FLOAT_WANTED, value)
        elif not is_number and "bytes" not in self.takes:
            yield _about(InitialFaultKind.MASK_TYPE, value)
        elif mask not in _MASKS:
            yield InitialFault(InitialFaultKind.MASK, value.first, value.first + 1)
        elif not is_number:
            yield from self._address(part, "bytes")
        elif self._kind(part) == "floats":
            yield _about(InitialFaultKind.INTEGER_WANTED, part)

    def _address(self, value: Operand, what: str) -> Iterator[InitialFault]:
        """``name``, ``name+4``, ``generic(name)+4``."""
        is_generic = value.kind is OperandKind.GENERIC
        if is_generic and self.context.word(value.name) != "generic":
            yield InitialFault(InitialFaultKind.NOT_GENERIC, value.name, value.name + 1)
            return
        if what not in self.takes:
            yield _about(InitialFaultKind.NUMBER_WANTED if self.takes else InitialFaultKind.NO_TYPE, value)
            return
        name = value.parts[0].name if is_generic else value.name
        yield from self._symbol(name, value, is_generic=is_generic)
        if value.offset is not None:
            number = evaluate(self.context.statement, value.offset)
            if isinstance(number, float):
                yield _about(InitialFaultKind.OFFSET, value.offset)

    def _symbol(self, token: int, value: Operand, *, is_generic: bool) -> Iterator[InitialFault]:
        symbol = self.context.symbols.get(token)
        at = token, token + 1
        if symbol is None:
            name = self.context.word(token)
            if self.context.scope.lookup(name) is None and name in special_names():
                yield InitialFault(InitialFaultKind.NO_ADDRESS, *at)
        elif symbol.kind is SymbolKind.FUNCTION:
            if is_generic:
                yield InitialFault(InitialFaultKind.GENERIC_FUNCTION, *at, symbol=symbol)
            elif value.offset is not None:
                yield InitialFault(
                    InitialFaultKind.FUNCTION_OFFSET, value.offset.first, value.offset.last, symbol=symbol
                )
        elif not symbol.space:
            yield InitialFault(InitialFaultKind.NO_ADDRESS, *at, symbol=symbol)
        elif not catalogue().vocabulary.spaces[symbol.space].initialized:
            yield InitialFault(InitialFaultKind.ADDRESS_SPACE, *at, symbol=symbol)

    def _opaque(self, value: Operand) -> Iterator[InitialFault]:
        """``{ width = 16, filter_mode = linear }``."""
        if value.kind is not OperandKind.VECTOR:
            yield _about(InitialFaultKind.BRACES_WANTED, value)
            return
        for part in value.parts:
            if part.kind is OperandKind.FIELD:
                yield from self._field(part)
            else:
                yield _about(InitialFaultKind.NAMES_WANTED, part)

    def _field(self, field: Operand) -> Iterator[InitialFault]:
        rare = catalogue().vocabulary.rare
        known = rare.opaque_fields.get(self.context.word(field.name))
        if known is None or self.type not in known.owners:
            yield InitialFault(InitialFaultKind.UNKNOWN_FIELD, field.name, field.name + 1)
        elif (
            field.parts[0].kind is OperandKind.NAME and self.context.word(field.parts[0].name) not in rare.opaque_values
        ):
            yield _about(InitialFaultKind.UNKNOWN_FIELD_VALUE, field.parts[0])


_KINDS_OF_NUMBERS = (("integers", OperandKind.INTEGER), ("floats", OperandKind.FLOAT))


def _fits(value: Operand, kinds: set[OperandKind], wanted: int) -> bool:
    """Whether a value has certainly no more than the ``wanted`` elements of an array, 0 for any number."""
    fits = not wanted or len(value.parts) <= wanted and OperandKind.LIST not in kinds
    return fits and value.kind is OperandKind.VECTOR


_MASKS = frozenset(0xFF << 8 * byte for byte in range(8))


def _about(kind: InitialFaultKind, value: Operand) -> InitialFault:
    return InitialFault(kind, value.first, value.last)
