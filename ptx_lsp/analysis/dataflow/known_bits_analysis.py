"""What constants and masks tell about a register at some place of a function.

A register that is not written in the same piece before holds what any of the writes left that can reach the
place. Loops are followed to a fixed point: bits start as known and are given up when two ways disagree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ptx_lsp.analysis.dataflow.known_bits import UNKNOWN, KnownBits
from ptx_lsp.analysis.dataflow.operations import compute, integer_types
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind

_MOST_WRITES = 2000

_Write = tuple[Step, str]
"""An instruction, and which of its results."""
_CONSTANTS = frozenset({OperandKind.INTEGER, OperandKind.CONSTANT})


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

    def before(self, step: Step, register: str) -> KnownBits:
        """What is known of a register when ``step`` is about to be executed, with zeros above its own width."""
        return self._joined(self._steps.definitions(step, register), register)

    def after(self, step: Step, register: str) -> KnownBits:
        """What is known of a register that ``step`` writes once it is executed; nothing of others."""
        return self._joined((step,), register) if register in step.writes else UNKNOWN

    def operand(self, step: Step, operand: Operand) -> KnownBits:
        """What is known of an operand of ``step``: a constant or a register; other operands are unknown."""
        number = self._constant(self._steps.context(step).statement, operand)
        if number is not None:
            return number
        register = self._register(step, operand)
        return UNKNOWN if register is None else self.before(step, register)

    # ------------------------------------------------------------------ solving

    def _joined(self, writes: Sequence[Step], register: str) -> KnownBits:
        if not writes:
            return UNKNOWN
        self._solve([(step, register) for step in writes])
        found = self._known[writes[0], register]
        for step in writes[1:]:
            found = found.join(self._known[step, register])
        return found

    def _solve(self, wanted: list[_Write]) -> None:
        """Find the values of some writes, and of all that they depend on."""
        sources: dict[_Write, dict[str, list[_Write]]] = {}
        waiting = [write for write in wanted if write not in self._known]
        while waiting:
            write = waiting.pop()
            if write in sources:
                continue
            if len(sources) >= self._most:
                self._known.update(dict.fromkeys((*sources, *waiting, write), UNKNOWN))
                return
            step, _ = write
            sources[write] = {
                register: [(one, register) for one in self._steps.definitions(step, register)]
                for register in self._needed(step)
            }
            waiting += [one for each in sources[write].values() for one in each if one not in self._known]
        if not sources:
            return
        found: dict[_Write, KnownBits | None] = dict.fromkeys(sources)
        users: dict[_Write, list[_Write]] = {}
        for write, needed in sources.items():
            for each in needed.values():
                for one in each:
                    users.setdefault(one, []).append(write)
        pending = dict.fromkeys(reversed(sources))
        while pending:
            write, _ = pending.popitem()
            result = self._result(write, sources[write], found)
            if result is None:
                continue
            before = found[write]
            joined = result if before is None else before.join(result)
            if joined != before:
                found[write] = joined
                pending.update(dict.fromkeys(users.get(write, ())))
        self._known.update((write, bits or UNKNOWN) for write, bits in found.items())

    def _needed(self, step: Step) -> tuple[str, ...]:
        """The registers that the result depends on; of a guarded instruction also the result itself."""
        if step.updates:
            return ()
        return (*step.reads, *step.writes) if step.guarded else step.reads

    def _result(
        self, write: _Write, sources: Mapping[str, list[_Write]], found: Mapping[_Write, KnownBits | None]
    ) -> KnownBits | None:
        """What a write leaves, by what is found so far; None as long as nothing is found of what it needs."""
        step, register = write
        if register in step.updates:
            return UNKNOWN
        held: dict[str, KnownBits | None] = {}
        for name, writes in sources.items():
            values = [self._known[one] if one in self._known else found[one] for one in writes]
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
        context = self._steps.context(step)
        tree = context.instruction
        if tree is None or not tree.operands or not integer_types(step.opcode):
            return UNKNOWN
        operands: list[KnownBits] = []
        for operand in tree.operands[1:]:
            bits = self._read(step, context.statement, operand, held)
            if bits is None:
                return None
            operands.append(bits)
        destination = tree.operands[0]
        if destination.kind is OperandKind.VECTOR:
            return self._unpacked(step, tree, register, operands)
        if destination.kind is not OperandKind.NAME or destination.pair is not None or destination.selector:
            return UNKNOWN
        return compute(step.opcode, operands)

    def _read(
        self, step: Step, statement: Statement, operand: Operand, held: Mapping[str, KnownBits | None]
    ) -> KnownBits | None:
        """What is known of a source operand; None as long as nothing is found of it."""
        number = self._constant(statement, operand)
        if number is not None:
            return number
        if operand.kind is OperandKind.VECTOR and step.opcode[0] == "mov" and operand.parts:
            width = integer_types(step.opcode)[0][1] // len(operand.parts)
            packed = KnownBits.constant(0)
            for place, part in enumerate(operand.parts):
                bits = self._read(step, statement, part, held)
                if bits is None:
                    return None
                packed |= bits.low(width) << width * place
            return packed
        register = self._register(step, operand)
        return UNKNOWN if register is None else held.get(register, UNKNOWN)

    def _unpacked(self, step: Step, tree: Instruction, register: str, operands: list[KnownBits]) -> KnownBits:
        """One half (quarter …) of what a ``mov`` takes apart."""
        parts = tree.operands[0].parts
        if step.opcode[0] != "mov" or len(operands) != 1 or not parts:
            return UNKNOWN
        width = integer_types(step.opcode)[0][1] // len(parts)
        places = [place for place, part in enumerate(parts) if self._register(step, part) == register]
        return (operands[0] >> width * places[0]).low(width) if len(places) == 1 else UNKNOWN

    def _register(self, step: Step, operand: Operand) -> str | None:
        """The register that an operand is, if it is nothing but that."""
        if operand.kind is not OperandKind.NAME or operand.selector or operand.sign or operand.offset is not None:
            return None
        node = self._graph.nodes[step.node]
        return self._graph.registers.key(step.chunk.statement(step.statement).word(operand.name), node.scope)

    @staticmethod
    def _constant(statement: Statement, operand: Operand) -> KnownBits | None:
        if operand.kind not in _CONSTANTS:
            return None
        number = evaluate(statement, operand)
        return KnownBits.constant(number) if isinstance(number, int) else UNKNOWN
