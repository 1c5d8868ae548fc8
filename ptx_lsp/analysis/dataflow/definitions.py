"""The definitions of registers: the statements that write them, found in the text by name; no graph is made.

:meth:`Steps.definitions` finds those that reach a statement on the paths of the graph. It is more precise and costs
more: it needs the blocks of the whole function. Here the answer is the only definition, the nearest one in
straight-line text, or all of them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from operator import attrgetter

from ptx_lsp.analysis.dataflow.effects import words
from ptx_lsp.analysis.dataflow.module_effects import Effects
from ptx_lsp.analysis.dataflow.registers import Register, RegisterMentions, Registers, naming
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.documents.nearby import ChunkPart, runs_before
from ptx_lsp.syntax.kind import HEADS, Kind

_LABEL = bytes([Kind.LABEL])
_STATEMENT = attrgetter("statement")
_MOST_IN_LINE = 16
"""A value that is built in one register has fewer definitions."""
_LONGEST_LINE = 1024
"""Statements from the first of them to the last."""
_FAR = 512
"""The statements above one that are searched in a straight line."""
_BRACES = re.compile(b"[%c%c]" % (Kind.OPEN, Kind.CLOSE)).finditer


class RegisterDefinition(NamedTuple):
    """A statement that writes a register."""

    chunk: Chunk
    statement: int
    guarded: bool
    is_known: bool
    """Whether the instruction fits its page and does not update the register: else its result is unknown."""


def straight_before(function: Function, chunk: Chunk, statement: int) -> Iterator[ChunkPart]:
    """The statements of a function above one, up to a label or so many that what stands there is far; nearest first."""
    for run in runs_before(function.chunks, chunk, statement, _FAR):
        label = run.chunk.kinds.rfind(_LABEL, run.first, run.end)
        yield run._replace(first=max(label + 1, run.first))
        if label >= 0:
            return


def straight_between(function: Function, earlier: Chunk, index: int, later: Chunk, end: int) -> list[ChunkPart] | None:
    """The statements from one up to a later one that is near, last run first; None if a label stands between them."""
    found: list[ChunkPart] = []
    for run in straight_before(function, later, end):
        if run.chunk is earlier:
            return [*found, run._replace(first=index)] if run.first <= index < run.end else None
        found.append(run)
    return None


class Definitions:
    """The definitions of the registers of one function, each found when it is first asked for."""

    def __init__(self, effects: Effects, function: Function) -> None:
        self._effects = effects
        self._module = effects.module
        self._function = function
        self._registers = Registers(function, effects.module.globals)
        self._found: dict[Register, tuple[RegisterDefinition, ...]] = {}
        self._of_chunk: dict[tuple[Register, Chunk], list[RegisterDefinition]] = {}
        self._straight: dict[Register, bool] = {}
        self.register = self._registers.register
        """The register that a name means in a statement of a chunk; None if nothing declares it."""
        self.mentions = RegisterMentions(function)

    def of(self, register: Register) -> tuple[RegisterDefinition, ...]:
        """All definitions of a register, in the order of the text."""
        if register not in self._found:
            for _ in self.finding(register):
                pass
        return self._found[register]

    def finding(self, register: Register) -> Iterator[None]:
        """Find all definitions of a register, in steps of a few milliseconds."""
        if register in self._found:
            return
        found: list[RegisterDefinition] = []
        for chunk in self.mentions.chunks(register.name):
            of_chunk = [*self.within(register, chunk)]
            if of_chunk:
                self._of_chunk[register, chunk] = of_chunk
                found += of_chunk
            yield
        self._found[register] = tuple(found)

    def only(self, register: Register) -> RegisterDefinition | None:
        """The definition of a register that has one."""
        found = self.of(register)
        return found[0] if len(found) == 1 else None

    def nearest(self, register: Register, chunk: Chunk, statement: int) -> RegisterDefinition | None:
        """The definition whose value a statement reads for sure: above it, without a guard, no label between them."""
        for run in straight_before(self._function, chunk, statement):
            if register in self._found:
                every = self._of_chunk.get((register, run.chunk), [])
            else:
                every = [*self.within(register, run.chunk, run.first, run.end)]
            number = bisect_left(every, run.end, key=_STATEMENT)
            if number and every[number - 1].statement >= run.first:
                return None if every[number - 1].guarded else every[number - 1]
        return None

    def single(self, register: Register, chunk: Chunk, statement: int) -> RegisterDefinition | None:
        """The one definition that a statement can read: the only one of the function, the nearest, or the last one.

        The last of those above it, or of all, if all stand in a straight line: a value that is built in one register.
        """
        every = self.of(register)
        if len(every) < 2:  # nothing need be searched
            return every[0] if every else None
        found = self.nearest(register, chunk, statement)
        return found if found is not None else self._settled(register, chunk, statement)

    def _settled(self, register: Register, chunk: Chunk, statement: int) -> RegisterDefinition | None:
        every = self.of(register)
        if not every or not self._are_straight(register):
            return None
        chunks = self._function.chunks
        places = [(chunks.index(one.chunk), one.statement) for one in every]
        here = chunks.index(chunk), statement
        above = [one for one, place in zip(every, places, strict=True) if place < here]
        # Above all of them the value is that of an earlier iteration, or the register has none.
        last = above[-1] if above else every[-1]
        return None if last.guarded else last

    def _are_straight(self, register: Register) -> bool:
        """Whether all definitions of a register stand in a straight line, entered and left at its ends only."""
        if register not in self._straight:
            self._straight[register] = self._is_straight_line(self._found[register])
        return self._straight[register]

    def _is_straight_line(self, definitions: tuple[RegisterDefinition, ...]) -> bool:
        chunks = self._function.chunks
        first, last = definitions[0], definitions[-1]
        start, end = chunks.index(first.chunk), chunks.index(last.chunk)
        count = sum(map(len, chunks[start:end])) + last.statement - first.statement
        if len(definitions) > _MOST_IN_LINE or count > _LONGEST_LINE:
            return False
        for number in range(start, end + 1):
            chunk = chunks[number]
            low = first.statement if number == start else 0
            high = last.statement if number == end else len(chunk)
            if chunk.kinds.find(_LABEL, low, high) >= 0:
                return False
            if any(self._effects.of(chunk, at).targets for at in range(low, high)):
                return False
        return True

    def within(
        self, register: Register, chunk: Chunk, first: int = 0, end: int | None = None
    ) -> Iterator[RegisterDefinition]:
        """The definitions in one chunk, or in some statements of it, in order."""
        name = register.name
        effects = self._effects
        for at, offset in naming(chunk, name, first, end):
            effect = effects.of(chunk, at)
            written = effect.writes + effect.updates if effect.updates else effect.writes
            if written and _is_written(chunk, at, written, name, offset) and self._means(register, chunk, at):
                yield RegisterDefinition(chunk, at, effect.guarded, bool(effect.writes) and not effect.updates)

    # ------------------------------------------------------------------ all places of a name

    def uses(self, register: Register) -> Iterator[tuple[Chunk, int]]:
        """The statements that name a register, in the order of the text, its definitions among them."""
        if register.name[0] != "%" and self.is_of_block(register):
            yield from self.within_block(register)
            return
        for chunk, at in self.mentions.of(register.name):
            if self._means(register, chunk, at):
                yield chunk, at

    def is_of_block(self, register: Register) -> bool:
        """Whether a block of the function declares a name, not its head nor the module."""
        chunk, statement, _ = register.declared
        if chunk not in self._function.segments or chunk.kinds[statement] in HEADS:
            return False
        symbol = self._module.globals.own(register.name)
        return symbol is None or symbol.place != register.declared

    def within_block(self, register: Register) -> Iterator[tuple[Chunk, int]]:
        """The uses in the block that declares a name: quick for names that many blocks declare."""
        chunks = self._function.chunks
        start = chunks.index(register.declared.chunk)
        end = self._block_end(register, start)
        for number in range(start, end[0] + 1):
            chunk = chunks[number]
            for index, _ in naming(chunk, register.name):
                is_inside = (start, register.declared.statement) <= (number, index) < end
                if is_inside and self._means(register, chunk, index):
                    yield chunk, index

    def _block_end(self, register: Register, start: int) -> tuple[int, int]:
        """The end of the block that declares a name: chunk by number, and statement."""
        chunks = self._function.chunks
        depth, at = 0, register.declared.statement
        for number in range(start, len(chunks)):
            for brace in _BRACES(chunks[number].kinds, at):
                depth += 1 if brace[0][0] == Kind.OPEN else -1
                if depth < 0:
                    return number, brace.start()
            at = 0
        return len(chunks) - 1, len(chunks[-1])

    def _means(self, register: Register, chunk: Chunk, statement: int) -> bool:
        return self.register(register.name, chunk, statement) is register


_FIRST_OPERAND = (1,)
"""The words of an instruction that writes its first operand and has no guard: its mnemonic is word 0."""


def _is_written(chunk: Chunk, index: int, written: tuple[int, ...], name: str, offset: int) -> bool:
    """Whether one of some words of a statement is a name that stands at an offset of the chunk first."""
    part = chunk.part(index)
    if written == _FIRST_OPERAND and "/" not in part and name[0] == "%":
        first = offset - chunk.starts()[index]
        if part.find("%") != first:
            return False
        if part.find(",", 0, first) < 0:
            return True
        # A sink stands before it, or a result without "%".
    names = words(part)
    return any(names[place] == name for place in written)
