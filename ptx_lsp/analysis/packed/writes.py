"""Which statements of a function write a register."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ptx_lsp.analysis.flow.effects import words
from ptx_lsp.analysis.function import Function
from ptx_lsp.analysis.symbols import Place, Scope
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES

if TYPE_CHECKING:
    from ptx_lsp.analysis.module import Module

_LABEL = bytes([Kind.LABEL])


class Register(NamedTuple):
    """A register of a function: a name and the declaration that it means where it stands."""

    name: str
    declared: Place | None


class Write(NamedTuple):
    """A statement that writes a register."""

    chunk: Chunk
    statement: int
    guarded: bool
    is_known: bool
    """Whether the instruction is one that fits its page: else nobody knows what it leaves."""


class Writes:
    """The writes of the registers of one function, found by chunk when they are first asked for."""

    def __init__(self, module: Module, function: Function) -> None:
        self._module = module
        self._function = function
        self._by_chunk: dict[Chunk, dict[str, list[int]]] = {}
        self._known: dict[Register, tuple[Write, ...]] = {}

    def register(self, name: str, chunk: Chunk, statement: int) -> Register | None:
        """The register that a name means in a statement; None if it is none of this function."""
        scope: Scope = self._module.scope_of(chunk, statement)
        symbol = scope.lookup(name)
        return Register(name, symbol.place) if symbol is not None else None

    def of(self, register: Register) -> tuple[Write, ...]:
        """All writes of a register, in the order of the text."""
        found = self._known.get(register)
        if found is None:
            found = self._known[register] = tuple(self._find(register))
        return found

    def nearest(self, register: Register, chunk: Chunk, statement: int) -> Write | None:
        """The write whose value a statement reads for sure: above it, without a guard, no label between them."""
        earlier = [at for at in self._in(chunk).get(register.name, ()) if at < statement]
        if not earlier:
            return None
        at = earlier[-1]
        if chunk.kinds.find(_LABEL, at, statement) >= 0 or self._means(register, chunk, at) is False:
            return None
        write = self._write(chunk, at)
        return None if write.guarded else write

    def _find(self, register: Register) -> Iterator[Write]:
        for chunk in self._function.chunks:
            for at in self._in(chunk).get(register.name, ()):
                if self._means(register, chunk, at):
                    yield self._write(chunk, at)

    def _means(self, register: Register, chunk: Chunk, statement: int) -> bool:
        return self.register(register.name, chunk, statement) == register

    def _write(self, chunk: Chunk, statement: int) -> Write:
        effect = self._module.effects.of(chunk, statement)
        return Write(chunk, statement, effect.guarded, bool(effect.writes))

    def _in(self, chunk: Chunk) -> dict[str, list[int]]:
        """The statements of a chunk by the names that they write."""
        found = self._by_chunk.get(chunk)
        if found is None:
            found = self._by_chunk[chunk] = {}
            effects = self._module.effects
            writing: dict[int, tuple[int, ...]] = {}
            for at, number in enumerate(chunk.shapes):
                places = writing.get(number)
                if places is None or SHAPES[number].errors:
                    effect = effects.of(chunk, at)
                    places = writing[number] = (*effect.writes, *effect.updates)
                if places:
                    names = words(chunk.part(at))
                    for place in places:
                        found.setdefault(names[place], []).append(at)
        return found
