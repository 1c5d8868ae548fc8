"""Accesses to named variables and parameters at constant offsets, with known addresses.

Source: PTX ISA, "Addresses as Operands"; the size of an access is specified on the page of the instruction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.matcher import Matcher, matcher_of
from ptx_lsp.analysis.statements.operand_advice import ABOUT_ADDRESSES, advised_operands
from ptx_lsp.analysis.symbols.storage import Storage, bits_of, layout_of
from ptx_lsp.analysis.symbols.symbols import Scope, Symbol
from ptx_lsp.analysis.symbols.used_names import used_names
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.isa.model.operand_pattern import Count
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import Bound, RecentlyUsed, memoized
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind


class NamedAccess(NamedTuple):
    """One access with known symbol, offset and size."""

    operand: Operand
    """The address operand."""
    symbol: Symbol
    layout: Storage
    offset: int
    size: int
    """The number of bytes read or written; 0 if the page does not specify it."""
    align: int
    """The required alignment of the address in bytes."""

    @property
    def is_outside(self) -> bool:
        """Whether some of the accessed bytes are outside the named variable."""
        end = self.offset + max(self.size, 1)
        return self.offset < 0 or self.layout.size is not None and end > self.layout.size


class _Address(NamedTuple):
    """The specification of an address operand of a shape."""

    operand: Operand
    base: Operand
    number: int
    """The index of its name in the used names."""
    size: int
    align: int


def has_named_address(shape: Shape) -> bool:
    """Whether statements of a shape may access a variable by name, with an access specified on their page."""
    tree = shape.tree
    return isinstance(tree, Instruction) and bool(_bases(shape)) and _has_address_advice(tree.opcode)


def _bases(shape: Shape) -> list[tuple[Operand, Operand, int]]:
    """The addresses of a shape that begin with a name other than a numbered register, and the index of the name."""
    tree = shape.tree
    assert isinstance(tree, Instruction)
    others = {token: number for number, (token, prefix) in enumerate(shape.names) if not prefix}
    found = []
    for operand in tree.operands if others else ():
        base = operand.parts[0] if operand.kind is OperandKind.ADDRESS and operand.parts else operand
        is_address = operand.kind is OperandKind.ADDRESS or operand.indexed
        if is_address and base.kind is OperandKind.NAME and base.name in others and not base.selector:
            found.append((operand, base, others[base.name]))
    return found


@memoized(1 << 12)
def _has_address_advice(opcode: tuple[str, ...]) -> bool:
    return any(
        row.cells[-1][0] in ABOUT_ADDRESSES
        for page in catalogue().candidates(opcode)
        for form in page.forms
        for advice in form.advice
        for row in advice.table.rows
    )


_SHAPES = Bound(1 << 12)
"""Of what is known of shapes by all matchers together."""


class _KnownAddresses:
    """The addresses of a shape. The form may depend on the names, the access size does not."""

    def __init__(self, deciding: tuple[Operand, ...]) -> None:
        self._deciding = deciding
        """The constant operands, if some access size depends on one of them."""
        self._by_constants: dict[tuple[str, ...], tuple[_Address, ...]] = {}

    def of(self, statement: Statement) -> tuple[_Address, ...] | None:
        """Those of a statement of the shape; None if not known."""
        return self._by_constants.get(self._constants(statement))

    def add(self, statement: Statement, addresses: tuple[_Address, ...]) -> None:
        """Keep those of a statement."""
        if len(self._by_constants) < _MOST_OF_A_SHAPE:
            self._by_constants[self._constants(statement)] = addresses

    def _constants(self, statement: Statement) -> tuple[str, ...]:
        return tuple([statement.word(token) for one in self._deciding for token in range(one.first, one.last)])


_MOST_OF_A_SHAPE = 64


def _known_addresses(_: Matcher) -> RecentlyUsed[int, _KnownAddresses]:
    """The addresses of each shape that a matcher knows."""
    return RecentlyUsed(_SHAPES)


def accesses(context: StatementContext) -> tuple[NamedAccess, ...]:
    """The accesses of an instruction to named variables, except trivially valid ones; cached for several checks."""
    return context.derived(_accesses)


def _accesses(context: StatementContext) -> tuple[NamedAccess, ...]:
    return tuple(_found(context))


def _found(context: StatementContext) -> Iterator[NamedAccess]:
    shape = context.statement.shape
    if shape.errors or shape.kind != Kind.INSTRUCTION:
        return
    matcher = matcher_of(context.module)
    known = matcher.derived(_known_addresses)
    of_shape = known.find(shape.id)
    addresses = of_shape.of(context.statement) if of_shape is not None else None
    if addresses is None:
        addresses = tuple(_addresses(context))
        if context.match is not None and context.match.fits:
            if of_shape is None:
                of_shape = known[shape.id] = _KnownAddresses(_deciding(context))
            of_shape.add(context.statement, addresses)
    if not addresses:
        return
    named = list(_named(context.statement, context.scope, addresses))
    # With another fault the cached addresses of the shape may not apply to this statement.
    if named and matcher.is_fine(shape, context.codes, context.statement):
        yield from named


def may_be_wrong(module: Module, scope: Scope, statement: Statement) -> bool:
    """Whether some access of a statement is perhaps misaligned or outside of its variable; a quick look."""
    of_shape = matcher_of(module).derived(_known_addresses).find(statement.shape.id)
    addresses = of_shape.of(statement) if of_shape is not None else None
    return addresses is None or any(
        one.is_outside or one.layout.align < one.align or one.offset % one.align
        for one in _named(statement, scope, addresses)
    )


def _named(statement: Statement, scope: Scope, addresses: tuple[_Address, ...]) -> Iterator[NamedAccess]:
    names = used_names(statement.text, statement.shape)
    for operand, base, number, size, align in addresses:
        symbol = scope.lookup(names[number])
        offset = _offset(statement, base, size)
        if symbol is None or not offset and bits_of(symbol.type) * (symbol.vector or 1) >= align * 8:
            continue  # common case: a parameter is read with its own type
        layout = layout_of(symbol)
        if layout is not None and offset is not None:
            yield NamedAccess(operand, symbol, layout, offset, size, align)


_PLAIN_OFFSET = re.compile(r"\[[\w$%]++\+(0|[1-9]\d*+)\]")


def _offset(statement: Statement, base: Operand, size: int) -> int | None:
    if base.offset is None:
        return 0
    text = statement.text
    if "+0]" in text and text.count("+") == 1 and not base.indexed:
        return 0
    plain = _PLAIN_OFFSET.findall(text) if text.count("[") == 1 and "/" not in text else ()
    value = int(plain[0]) if len(plain) == 1 else evaluate(statement, base.offset)
    if not isinstance(value, int):
        return None
    return value * size if base.indexed else value


def _addresses(context: StatementContext) -> Iterator[_Address]:
    bases = {operand: (base, number) for operand, base, number in _bases(context.statement.shape)}
    for operand, size, align in extents(context):
        if operand in bases:
            yield _Address(operand, *bases[operand], size, align)


Extents = tuple[tuple[Operand, int, int], ...]


def extents(context: StatementContext) -> Extents:
    """The addresses specified on the page: operand, size of the access in bytes (0 if unknown), required alignment."""
    return context.derived(_extents)


def _known_extents(_: Matcher) -> RecentlyUsed[int, tuple[Match, Extents]]:
    """The match of the last statement of each shape, and its addresses, where they do not depend on constants."""
    return RecentlyUsed(_SHAPES)


def _extents(context: StatementContext) -> Extents:
    found, shape = context.match, context.statement.shape
    if found is None or not found.fits or not found.form.advice:
        return ()
    known = matcher_of(context.module).derived(_known_extents)
    last = known.find(shape.id)
    if last is not None and last[0] is found:
        return last[1]
    extents = tuple(_found_extents(context))
    if not _depends_on_constants(context):
        known[shape.id] = found, extents
    return extents


def _found_extents(context: StatementContext) -> Iterator[tuple[Operand, int, int]]:
    found = context.match
    for one in advised_operands(context):
        verb, *words = (str(word) for word in one.words[0])
        if found is None or verb not in ABOUT_ADDRESSES:
            continue
        total = 1
        for word in words:
            total *= _number(context, found, word) or 0
        if total:
            yield one.operand, total if verb == "access" else 0, total


def _number(context: StatementContext, found: Match, word: str) -> int | None:
    """A number, the bytes of a type, the elements of a vector, or the value of a constant operand."""
    if word.isdecimal():
        return int(word)
    if not word.startswith("."):
        tree = context.instruction
        if tree is None or word not in found.roles:
            return None
        value = evaluate(context.statement, tree.operands[found.roles.index(word)])
        return value if isinstance(value, int) and value > 0 else None
    place = found.form.slot_numbers.get(word)
    written = word if place is None else found.values[place]
    if written is None:
        return 1
    return bits_of(written) // 8 or Count(word, ()).of(written) or 1


def _deciding(context: StatementContext) -> tuple[Operand, ...]:
    """The constant operands of an instruction, if the size of an access depends on one of them."""
    tree = context.instruction
    if tree is None or not _depends_on_constants(context):
        return ()
    return tuple(one for one in tree.operands if one.kind in (OperandKind.INTEGER, OperandKind.CONSTANT))


def _depends_on_constants(context: StatementContext) -> bool:
    """Whether the access size or alignment depends on the value of a constant operand."""
    return any(
        not str(word).startswith(".") and not str(word).isdecimal()
        for one in advised_operands(context)
        for word in one.words[0][1:]
        if one.words[0][0] in ABOUT_ADDRESSES
    )
