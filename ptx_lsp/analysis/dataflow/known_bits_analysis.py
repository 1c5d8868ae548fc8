"""Known bits of a register at some place of a function, from constants and masks.

A register that is not written in the same piece before holds what any of the writes left that can reach the
place. Loops are followed to a fixed point: bits start as known and are given up when two ways disagree.

:class:`KnownValues` of descriptors shares the domain and the transfer functions. It is another solver since its values
come through memory and calls, and since it must not need a graph: it joins all definitions of the function instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set

from ptx_lsp.analysis.dataflow.known_bits import UNKNOWN, KnownBits
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.dataflow.transfer_functions import (
    CONSTANTS,
    OperandSource,
    TransferFunction,
    WrittenOperand,
    number_of,
    operand_source,
    transfer_function,
    words_of,
)
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.tree import Operand

_MOST_WRITES = 2000
_ENDED_EARLY = 8 * _MOST_WRITES
"""After questions that have ended before the values of so many writes were found, others end when all are: so the same
writes are not looked at again and again."""

_Write = tuple[Step, str]
"""An instruction, and which of its results."""
_Needed = Mapping[str, list[_Write]]
"""The writes that a result depends on, by their registers."""


class _WrittenStatement(NamedTuple):
    """An instruction and its words, as :attr:`OperandSource.word` counts them."""

    step: Step
    words: Sequence[str]


class _OpenWrites:
    """Writes whose values are not known yet: a question may be answered before all that it depends on is."""

    def __init__(self) -> None:
        self.found: dict[_Write, KnownBits] = {}
        """The bits of some that are known so far; they can only become fewer."""
        self.sources: dict[_Write, _Needed] = {}
        self.users: dict[_Write, list[_Write]] = {}
        self.pending: dict[_Write, None] = {}
        """Those to be computed again, since what they depend on has changed."""


class KnownBitsAnalysis:
    """Known bits of the registers of one function.

    Args:
        steps: its instructions.
        most: a value that depends on more writes than this is unknown.

    """

    def __init__(self, steps: Steps, most: int = _MOST_WRITES) -> None:
        self._steps = steps
        self._most = most
        self._graph = steps.graph
        self._known: dict[_Write, KnownBits] = {}
        self._open = _OpenWrites()
        self._ended_early = 0
        """The writes whose values were left open by questions that ended early."""
        self._varying: set[frozenset[tuple[int, int, str]]] = set()
        """Writes of which it is known that they do not leave one number."""

    def before(self, step: Step, register: str) -> KnownBits:
        """Known bits of a register when ``step`` is about to be executed, with zeros above its own width."""
        return self._joined(self._steps.definitions(step, register), register)

    def after(self, step: Step, register: str) -> KnownBits:
        """Known bits of a register that ``step`` writes once it is executed; none of others."""
        return self._joined((step,), register) if register in step.writes else UNKNOWN

    def operand(self, step: Step, operand: Operand) -> KnownBits:
        """Known bits of an operand of ``step``: a constant or a register; other operands are unknown."""
        source = operand_source(step.chunk, step.statement, operand)
        if source is None:
            return UNKNOWN
        statement = _WrittenStatement(step, words_of(step.chunk, step.statement))
        if source.written in CONSTANTS:
            return _constant(statement, source)
        return self.before(step, self._key(statement, source)) if source.written is WrittenOperand.NAME else UNKNOWN

    def number(self, step: Step, operand: Operand) -> int | None:
        """The value of an operand of ``step``, if all of it is known; found sooner than which bits are."""
        source = operand_source(step.chunk, step.statement, operand)
        if source is None or source.written is not WrittenOperand.NAME:
            return self.operand(step, operand).number
        register = self._key(_WrittenStatement(step, words_of(step.chunk, step.statement)), source)
        writes = [(one, register) for one in self._steps.definitions(step, register)]
        key = frozenset((one.node, one.statement, register) for one, _ in writes)
        if not writes or key in self._varying:
            return None
        numbers = {self._known[one].number for one in writes if one in self._known}
        if self._differ_at_first(writes, numbers) or not self._solve(writes, numbers):
            self._varying.add(key)
            return None
        numbers = {self._known[one].number for one in writes}
        return numbers.pop() if len(numbers) == 1 else None

    # ------------------------------------------------------------------ solving

    def _joined(self, writes: Sequence[Step], register: str) -> KnownBits:
        if not writes:
            return UNKNOWN
        self._solve([(step, register) for step in writes])
        found = self._known[writes[0], register]
        for step in writes[1:]:
            found = found.join(self._known[step, register])
        return found

    def _differ_at_first(self, writes: Sequence[_Write], numbers: set[int | None]) -> bool:
        """Whether some writes leave different numbers already by what is found of those that they depend on."""
        for write in writes:
            if _differ(numbers):
                return True
            if write in self._known:
                continue
            bits = self._open.found.get(write)
            if bits is None:
                bits = self._result(write, self._sources(write), self._open.found)
                if bits is None:
                    continue
                self._leave(write, bits)
            numbers.add(bits.number)
        return _differ(numbers)

    def _solve(self, wanted: list[_Write], numbers: set[int | None] | None = None) -> bool:
        """Find the values of some writes, and of all that they depend on.

        Given the numbers that some of them leave, only if all leave one number, else False: bits become unknown one
        after the other, but the first of them decides it.
        """
        if self._ended_early > _ENDED_EARLY:
            numbers = None
        deciding = frozenset(wanted if numbers is not None else ())
        sources: dict[_Write, _Needed] = {}
        waiting = [write for write in wanted if write not in self._known]
        while waiting:
            write = waiting.pop()
            if write in sources:
                continue
            if len(sources) >= self._most:
                self._give_up((*sources, *waiting, write))
                return True
            sources[write] = self._sources(write)
            waiting += [one for each in sources[write].values() for one in each if one not in self._known]
        if not sources:
            return True
        if self._steps.has_given_up:
            self._give_up(sources)
            return True
        return self._following(sources, deciding, numbers)

    def _following(
        self, sources: dict[_Write, _Needed], deciding: Set[_Write], numbers: set[int | None] | None
    ) -> bool:
        """Follow the values of some writes to a fixed point, as :meth:`_solve`."""
        found, pending = self._open.found, self._open.pending
        now = {write: None for write in reversed(sources) if write in pending}
        while now:
            write, _ = now.popitem()
            del pending[write]
            result = self._result(write, sources[write], found)
            if result is None:
                continue
            before = found.get(write)
            joined = result if before is None else before.join(result)
            if joined == before:
                continue
            now.update((user, None) for user in self._leave(write, joined) if user in sources)
            if numbers is not None and write in deciding:
                numbers.add(joined.number)
                if _differ(numbers):
                    self._ended_early += len(sources)
                    return False
        for write in sources:
            if write not in found:
                self._leave(write, UNKNOWN)
            self._known[write] = found.pop(write)
        return True

    def _leave(self, write: _Write, bits: KnownBits) -> Sequence[_Write]:
        """Note what is left of the bits of a write, and give those that depend on them."""
        self._open.found[write] = bits
        users = self._open.users.get(write, ())
        self._open.pending.update(dict.fromkeys(users))
        return users

    def _sources(self, write: _Write) -> _Needed:
        """The writes that the value of one depends on, by their registers."""
        if write in self._open.sources:
            return self._open.sources[write]
        step, _ = write
        needed = {
            register: [(one, register) for one in self._steps.definitions(step, register)]
            for register in self._needed(step)
        }
        self._open.sources[write] = needed
        self._open.pending[write] = None
        for each in needed.values():
            for one in each:
                self._open.users.setdefault(one, []).append(write)
        return needed

    def _give_up(self, writes: Iterable[_Write]) -> None:
        """Nothing is known of some writes."""
        self._known.update(dict.fromkeys(writes, UNKNOWN))
        self._open.pending.update(dict.fromkeys(self._open.sources))

    def _needed(self, step: Step) -> tuple[str, ...]:
        """The registers that the result depends on; of a guarded instruction also the result itself."""
        known = transfer_function(step.chunk, step.statement)
        if step.updates or known is None or not known.is_followed:
            return ()
        return (*step.reads, *step.writes) if step.guarded else step.reads

    def _result(self, write: _Write, sources: _Needed, found: Mapping[_Write, KnownBits]) -> KnownBits | None:
        """The result of a write, by what is found so far; None as long as nothing is found of what it needs."""
        step, register = write
        if register in step.updates:
            return UNKNOWN
        held: dict[str, KnownBits | None] = {}
        for name, writes in sources.items():
            values = [self._known[one] if one in self._known else found.get(one) for one in writes]
            present = [bits for bits in values if bits is not None]
            if not writes:
                held[name] = UNKNOWN
            elif not present:
                held[name] = None
            else:
                joined = present[0]
                for bits in present[1:]:
                    joined = joined.join(bits)
                held[name] = joined
        result = self._computed(step, register, held)
        old = held.get(register) if step.guarded else None
        if result is None or old is None:
            return result
        return result if not sources[register] else result.join(old)

    def _computed(self, step: Step, register: str, held: Mapping[str, KnownBits | None]) -> KnownBits | None:
        known = transfer_function(step.chunk, step.statement)
        if known is None or not known.is_followed:
            return UNKNOWN
        statement = _WrittenStatement(step, words_of(step.chunk, step.statement))
        operands: list[KnownBits] = []
        for source in known.operands[1:]:
            bits = self._read(known, statement, source, held)
            if bits is None:
                return None
            operands.append(bits)
        destination = known.operands[0]
        if destination.written is WrittenOperand.VECTOR:
            return self._unpacked(known, statement, register, operands)
        return known.compute(operands) if destination.written is WrittenOperand.NAME else UNKNOWN

    def _read(
        self,
        known: TransferFunction,
        statement: _WrittenStatement,
        source: OperandSource,
        held: Mapping[str, KnownBits | None],
    ) -> KnownBits | None:
        """Known bits of a source operand; None as long as nothing is found of it."""
        written = source.written
        if written is WrittenOperand.NAME:
            return held.get(self._key(statement, source), UNKNOWN)
        if written in CONSTANTS:
            return _constant(statement, source)
        if written is WrittenOperand.VECTOR and known.mnemonic == "mov":
            width = known.width // len(source.parts)
            packed = KnownBits.constant(0)
            for place, part in enumerate(source.parts):
                bits = self._read(known, statement, part, held)
                if bits is None:
                    return None
                packed |= bits.low(width) << width * place
            return packed
        return UNKNOWN

    def _unpacked(
        self, known: TransferFunction, statement: _WrittenStatement, register: str, operands: list[KnownBits]
    ) -> KnownBits:
        """One half (quarter …) of what a ``mov`` takes apart."""
        parts = known.operands[0].parts
        if known.mnemonic != "mov" or len(operands) != 1:
            return UNKNOWN
        width = known.width // len(parts)
        named = [place for place, part in enumerate(parts) if part.written is WrittenOperand.NAME]
        places = [place for place in named if self._key(statement, parts[place]) == register]
        return (operands[0] >> width * places[0]).low(width) if len(places) == 1 else UNKNOWN

    def _key(self, statement: _WrittenStatement, source: OperandSource) -> str:
        """The register that a plain name is."""
        node = self._graph.nodes[statement.step.node]
        return self._graph.registers.key(statement.words[source.word], node.scope)


def _differ(numbers: set[int | None]) -> bool:
    """Whether some results are surely not all one number."""
    return None in numbers or len(numbers) > 1


def _constant(statement: _WrittenStatement, source: OperandSource) -> KnownBits:
    number = number_of(source, statement.words, statement.step.chunk, statement.step.statement)
    return KnownBits.constant(number) if number is not None else UNKNOWN
