"""The packed values of one function, found on demand."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

from ptx_lsp.analysis.dataflow.control_flow_graph import Graphs
from ptx_lsp.analysis.descriptors.consumers import goes_to
from ptx_lsp.analysis.descriptors.faults import PackedFault, packed_faults, source_of
from ptx_lsp.analysis.descriptors.known_values import KnownValues
from ptx_lsp.analysis.descriptors.packed_operands import (
    KnownOperand,
    PackedOperand,
    has_address,
    is_looked_at,
    looked_at_shapes,
    packed_operands,
    read_operand,
)
from ptx_lsp.analysis.descriptors.terms import Unknown
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.derived_values import once
from ptx_lsp.layouts.layout import Field
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tree import Operand, OperandKind

if TYPE_CHECKING:
    from ptx_lsp.analysis.descriptors.address_sums import Origins, Sum

_MOST_LOOKED_AT = 400
"""Statements that are looked at for one answer about the consumers of a value."""


class PackedValues:
    """The packed values of a function as it stands; an edit of it, or of what the module declares, makes this void."""

    def __init__(self, graphs: Graphs, function: Function) -> None:
        self._graphs = graphs
        self._function = function
        self._values = KnownValues(graphs, function)
        self._faults: tuple[PackedFault, ...] | None = None

    @once
    def _origins(self) -> Origins:
        from ptx_lsp.analysis.descriptors.address_sums import Origins  # only what is shown asks for them

        return Origins(self._values.definitions)

    def operands(self, context: StatementContext) -> Iterator[KnownOperand]:
        """The packed operands of an instruction with their values."""
        for packed in packed_operands(context):
            yield self.read(context, packed)

    def read(self, context: StatementContext, packed: PackedOperand) -> KnownOperand:
        """One packed operand with its value."""
        return read_operand(context, packed, self._values)

    def start_address(self, context: StatementContext, packed: PackedOperand) -> Sum | None:
        """The start address of a matrix descriptor as a sum, in bytes; None if it is no short sum."""
        return self._origins.start_address(context.chunk, context.index, packed.operand)

    def unknown(self, context: StatementContext, known: KnownOperand) -> list[tuple[list[Field], list[Unknown]]]:
        """The fields that are not known, those together that come from the same things."""
        found: dict[tuple[Unknown, ...], list[Field]] = {}
        operand, layout = known.packed.operand, known.packed.layout
        for one in known.reading.fields:
            if one.code is None:
                sources = self._values.origins(
                    context.chunk, context.index, operand, one.field.mask, descriptor=has_address(layout)
                )
                found.setdefault(tuple(sources), []).append(one.field)
        return [(fields, list(sources)) for sources, fields in found.items()]

    def written(self, context: StatementContext, packed: PackedOperand) -> list[Place]:
        """The statements that write the register that a packed operand is."""
        operand = packed.operand
        if operand.kind is not OperandKind.NAME:
            return []
        definitions = self._values.definitions
        register = definitions.register(context.statement.word(operand.name), context.chunk, context.index)
        if register is None:
            return []
        single = definitions.single(register, context.chunk, context.index)
        found = (single,) if single is not None else definitions.of(register)
        return [Place(definition.chunk, definition.statement, 0) for definition in found]

    def literal(self, context: StatementContext, packed: PackedOperand) -> Place | None:
        """The literal that is the whole value of a packed operand; None if it is made in another way."""
        return source_of(context, packed, self._values)[1]

    def number(self, context: StatementContext, operand: Operand, bits: int) -> int | None:
        """The lowest bits of an operand as a number, if they are known."""
        sure = self._values.operand(context.chunk, context.index, operand, descriptor=False).sure.low(bits)
        return sure.number

    def becomes(self, chunk: Chunk, index: int, name: str) -> Iterator[tuple[StatementContext, PackedOperand]]:
        """The packed operands that a register is, named as a statement names it, in the order of the text."""
        definitions = self._values.definitions
        register = definitions.register(name, chunk, index)
        if register is not None:
            for reader, at in definitions.uses(register):
                yield from self._named(reader, at, name)

    def made_in(
        self, chunk: Chunk, index: int, most: int = _MOST_LOOKED_AT
    ) -> tuple[tuple[StatementContext, PackedOperand], ...]:
        """The packed operands that a statement helps to build, in the order of the text.

        Args:
            chunk: where the statement stands.
            index: which of the chunk's it is.
            most: so many statements are looked at on the way.

        """
        if not self.has_any:
            return ()
        found: dict[tuple[int, int], list[str]] = {}
        order = {one: number for number, one in enumerate(self._function.chunks)}
        for reader, at, name in goes_to(self._values.definitions, chunk, index, is_looked_at, most):
            found.setdefault((order[reader], at), []).append(name)
        return tuple(
            one
            for (number, at), names in sorted(found.items())
            for one in self._named(self._function.chunks[number], at, *names)
        )

    def _named(self, chunk: Chunk, index: int, *names: str) -> Iterator[tuple[StatementContext, PackedOperand]]:
        context = StatementContext(self._graphs.module, self._function, chunk, index)
        for packed in packed_operands(context):
            operand = packed.operand
            if operand.kind is OperandKind.NAME and context.statement.word(operand.name) in names:
                yield context, packed

    @once
    def has_any(self) -> bool:
        """Whether some instruction of the function takes packed values; costs next to nothing."""
        wanted = looked_at_shapes()
        return any(not wanted.isdisjoint(chunk.shapes) for chunk in self._function.chunks)

    def finding_faults(self) -> Generator[None, None, tuple[PackedFault, ...]]:
        """The faults that the function itself shows: they stay, whatever other functions become.

        They are found once, in steps of some milliseconds.
        """
        if self._faults is None:
            values = KnownValues(self._graphs, self._function, is_alone=True) if self.has_others else self._values
            faults = []
            for one in packed_faults(self._graphs.module, self._function, values):
                if one is None:
                    yield
                else:
                    faults.append(one)
            self._faults = tuple(faults)
        return self._faults

    @once
    def has_others(self) -> bool:
        """Whether what is known may be taken over from other functions, so that an edit of those makes it void."""
        symbol = self._function.symbol
        if symbol is None or symbol.type != ".entry":
            return True
        numbers = set().union(*(chunk.shapes for chunk in self._function.chunks))
        return any(SHAPES[number].opcode[:1] == ("call",) for number in numbers)
