"""The packed values of one function, found when somebody asks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from ptx_lsp.analysis.function import Function
from ptx_lsp.analysis.packed.faults import PackedFault, packed_faults, packed_instructions, source_of
from ptx_lsp.analysis.packed.known import KnownValues
from ptx_lsp.analysis.packed.operands import (
    KnownOperand,
    PackedOperand,
    announces,
    packed_operands,
    read_operand,
)
from ptx_lsp.analysis.packed.origin import Origins, Sum
from ptx_lsp.analysis.symbols import Place
from ptx_lsp.analysis.use import Use
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.tree import OperandKind

if TYPE_CHECKING:
    from ptx_lsp.analysis.module import Module

_SHORT = 1000
"""Statements of a function whose values are found while somebody waits."""
_MOST_LOOKED_AT = 1000
"""Instructions in which a register is looked for while somebody types."""
_MOST_OTHERS = 50
"""Loads with a cache policy and the like, of which there can be as many as lines; few registers hold the policies."""


class PackedValues:
    """The packed values of a function as it stands; an edit of it, or of what the module declares, makes this void."""

    def __init__(self, module: Module, function: Function) -> None:
        self._module = module
        self._function = function
        self._values = KnownValues(module, function)
        self._origins = Origins(self._values.writes)
        self.generation = module.generation
        """The state of the module's declarations that it was made with."""

    def operands(self, use: Use) -> Iterator[KnownOperand]:
        """What is known of the packed operands of an instruction."""
        for packed in packed_operands(use):
            yield self.read(use, packed)

    def read(self, use: Use, packed: PackedOperand) -> KnownOperand:
        """What is known of one operand."""
        return read_operand(use, packed, self._values)

    def start_address(self, use: Use, packed: PackedOperand) -> Sum | None:
        """The start address of a matrix descriptor as a sum, in bytes; None if it is no short sum."""
        return self._origins.start_address(use.chunk, use.index, packed.operand)

    def written(self, use: Use, packed: PackedOperand) -> list[Place]:
        """The statements that write the register that a packed operand is."""
        operand = packed.operand
        if operand.kind is not OperandKind.NAME:
            return []
        writes = self._values.writes
        register = writes.register(use.statement.word(operand.name), use.chunk, use.index)
        if register is None:
            return []
        nearest = writes.nearest(register, use.chunk, use.index)
        found = (nearest,) if nearest is not None else writes.of(register)
        return [Place(write.chunk, write.statement, 0) for write in found]

    def literal(self, use: Use, packed: PackedOperand) -> Place | None:
        """The literal that is the whole value of a packed operand; None if it is made in another way."""
        return source_of(use, packed, self._values)[1]

    def becomes(self, chunk: Chunk, index: int, name: str) -> Iterator[tuple[Use, PackedOperand]]:
        """The packed operands that a register is, named as a statement names it, in the order of the text.

        Of a function with very many tensor instructions the first are looked at.
        """
        writes = self._values.writes
        register = writes.register(name, chunk, index)
        if register is None:
            return
        for use in islice(self._takers(), _MOST_LOOKED_AT):
            if name not in use.statement.text:
                continue
            for packed in packed_operands(use):
                operand = packed.operand
                is_name = operand.kind is OperandKind.NAME and use.statement.word(operand.name) == name
                if is_name and writes.register(name, use.chunk, use.index) == register:
                    yield use, packed

    def made_in(self, chunk: Chunk, index: int) -> tuple[tuple[Use, PackedOperand], ...]:
        """The packed operands that a statement helps to build, in the order of the text."""
        return tuple(self._built.get((chunk, index), ()))

    @property
    def is_cheap(self) -> bool:
        """Whether an answer costs a few milliseconds at most: everything is found, or the function is short."""
        return "faults" in self.__dict__ or self.is_short

    @property
    def is_short(self) -> bool:
        """Whether the function is so short that all of it can be looked at while somebody types."""
        return sum(len(chunk.kinds) for chunk in self._function.chunks) <= _SHORT

    @cached_property
    def faults(self) -> tuple[PackedFault, ...]:
        """What is wrong in them."""
        return tuple(packed_faults(self._module, self._function, self._values))

    def _takers(self) -> Iterator[Use]:
        """The instructions that take packed values: all that take descriptors, of the others the first."""
        yield from packed_instructions(self._module, self._function)
        yield from islice(packed_instructions(self._module, self._function, announces), _MOST_OTHERS)

    @cached_property
    def _built(self) -> dict[tuple[Chunk, int], list[tuple[Use, PackedOperand]]]:
        found: dict[tuple[Chunk, int], list[tuple[Use, PackedOperand]]] = {}
        for use in self._takers():
            for packed in packed_operands(use):
                for write in self._values.chain(use.chunk, use.index, packed.operand):
                    found.setdefault((write.chunk, write.statement), []).append((use, packed))
        return found
