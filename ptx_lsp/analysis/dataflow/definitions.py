"""Which statements of a function write a register."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ptx_lsp.analysis.dataflow.effects import words
from ptx_lsp.analysis.descriptors.register_mentions import RegisterMentions, standing
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.symbols.symbols import Place, Scope
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import HEADS, Kind

if TYPE_CHECKING:
    from ptx_lsp.analysis.module.module import Module

_LABEL = bytes([Kind.LABEL])
_BRACES = re.compile(b"[%c%c]" % (Kind.OPEN, Kind.CLOSE)).finditer


class Register:
    """A register of a function: a name and the declaration that it means where it stands; there is one of each."""

    __slots__ = ("declared", "name", "writes")

    def __init__(self, name: str, declared: Place) -> None:
        self.name = name
        self.declared = declared
        self.writes: tuple[Write, ...] | None = None
        """What writes it, in the order of the text; None until somebody asks :meth:`RegisterWrites.of`."""


class Write(NamedTuple):
    """A statement that writes a register."""

    chunk: Chunk
    statement: int
    guarded: bool
    is_known: bool
    """Whether the instruction is one that fits its page: else nobody knows what it leaves."""


class RegisterWrites:
    """The writes of the registers of one function, found by name when they are first asked for."""

    def __init__(self, module: Module, function: Function) -> None:
        self._module = module
        self.function = function
        self.mentions = RegisterMentions(function)
        self._segments: dict[Chunk, tuple[list[int], list[Scope]]] = {}
        self._registers: dict[Scope, dict[str, Register | None]] = {}
        self._declared: dict[tuple[str, Place], Register] = {}

    def register(self, name: str, chunk: Chunk, statement: int) -> Register | None:
        """The register that a name means in a statement; None if it is none of this function."""
        scope = self._scope_of(chunk, statement)
        known = self._registers.get(scope)
        if known is None:
            known = self._registers[scope] = {}
        try:
            return known[name]
        except KeyError:
            symbol = scope.lookup(name)
            found = None
            if symbol is not None:
                key = (name, symbol.place)
                found = self._declared.get(key)
                if found is None:
                    found = self._declared[key] = Register(name, symbol.place)
            known[name] = found
            return found

    def _scope_of(self, chunk: Chunk, statement: int) -> Scope:
        known = self._segments.get(chunk)
        if known is None:
            segments = self.function.segments[chunk]
            known = self._segments[chunk] = ([one.end for one in segments], [one.scope for one in segments])
        at = bisect_right(known[0], statement)
        return known[1][at] if at < len(known[1]) else self._module.globals

    def of(self, register: Register) -> tuple[Write, ...]:
        """All writes of a register, in the order of the text."""
        if register.writes is None:
            register.writes = tuple(self._find(register))
        return register.writes

    def nearest(self, register: Register, chunk: Chunk, statement: int) -> Write | None:
        """The write whose value a statement reads for sure: above it, without a guard, no label between them."""
        found = None
        for write in self.of(register):
            if write.chunk is chunk and write.statement < statement:
                found = write
        if found is None or found.guarded or chunk.kinds.find(_LABEL, found.statement, statement) >= 0:
            return None
        return found

    def reads(self, register: Register) -> Iterator[tuple[Chunk, int]]:
        """The statements in which a register stands, in the order of the text, those that write it too."""
        if register.name[0] != "%" and self.is_of_block(register):
            yield from self.within_block(register)
            return
        for chunk, at in self.mentions.of(register.name):
            if self._means(register, chunk, at):
                yield chunk, at

    def is_of_block(self, register: Register) -> bool:
        """Whether a block of the function declares a name, not its head nor the module."""
        chunk, statement, _ = register.declared
        if chunk not in self.function.segments or chunk.kinds[statement] in HEADS:
            return False
        symbol = self._module.globals.own(register.name)
        return symbol is None or symbol.place != register.declared

    def within_block(self, register: Register) -> Iterator[tuple[Chunk, int]]:
        """The same, looked for in the block that declares it alone: quick for names that stand in many blocks."""
        chunks = self.function.chunks
        start = chunks.index(register.declared.chunk)
        end = self._block_end(register, start)
        for number in range(start, end[0] + 1):
            chunk = chunks[number]
            for index, _ in standing(chunk, register.name):
                is_inside = (start, register.declared.statement) <= (number, index) < end
                if is_inside and self._means(register, chunk, index):
                    yield chunk, index

    def _block_end(self, register: Register, start: int) -> tuple[int, int]:
        """Where the block ends that declares a name: chunk by number, and statement."""
        chunks = self.function.chunks
        depth, at = 0, register.declared.statement
        for number in range(start, len(chunks)):
            for brace in _BRACES(chunks[number].kinds, at):
                depth += 1 if brace[0][0] == Kind.OPEN else -1
                if depth < 0:
                    return number, brace.start()
            at = 0
        return len(chunks) - 1, len(chunks[-1])

    def _find(self, register: Register) -> Iterator[Write]:
        name = register.name
        effects = self._module.effects
        for chunk in self.mentions.chunks(name):
            for at, offset in standing(chunk, name):
                effect = effects.of(chunk, at)
                written = effect.writes + effect.updates if effect.updates else effect.writes
                if written and _is_written(chunk, at, written, name, offset) and self._means(register, chunk, at):
                    yield Write(chunk, at, effect.guarded, bool(effect.writes))

    def _means(self, register: Register, chunk: Chunk, statement: int) -> bool:
        return self.register(register.name, chunk, statement) is register


_FIRST_OPERAND = (1,)
"""The words of an instruction that writes its first operand and has no guard: its mnemonic is word 0."""


def _is_written(chunk: Chunk, index: int, written: tuple[int, ...], name: str, offset: int) -> bool:
    """Whether one of some words of a statement is a name that stands at an offset of the chunk first."""
    part = chunk.part(index)
    if written == _FIRST_OPERAND and "/" not in part and name[0] == "%":
        return part.find("%") == offset - chunk.starts()[index]
    names = words(part)
    return any(names[place] == name for place in written)
