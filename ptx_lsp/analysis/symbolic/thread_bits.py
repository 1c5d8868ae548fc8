"""Known bits of registers in one thread, if all variables and parameters were 0: a quick look at what may be wrong.

What it says is no proof: :class:`ThreadPaths` and :class:`SymbolicValues` prove it. But where it says that an address
is a multiple of something, the proof need not be tried. Each register is looked at once, whatever instruction reads it.
"""

from __future__ import annotations

from collections.abc import Mapping

from ptx_lsp.analysis.dataflow.known_bits import UNKNOWN, KnownBits
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.dataflow.transfer_functions import (
    CONSTANTS,
    OperandSource,
    WrittenOperand,
    number_of,
    transfer_function,
    words_of,
)

_ZERO = KnownBits.constant(0)
_MOST_WRITERS = 4
_DEEPEST = 40


class ThreadBits:
    """Known bits in one thread.

    Args:
        steps: the instructions of a function.
        numbers: its special registers.

    """

    def __init__(self, steps: Steps, numbers: Mapping[str | int, int]) -> None:
        self._steps = steps
        self._graph = steps.graph
        self._numbers = numbers
        self._known: dict[str, KnownBits | None] = {}

    def of(self, register: str, depth: int = _DEEPEST) -> KnownBits | None:
        """Known bits of a register, whichever write it has its value from; None while they are being found."""
        if register in self._known:
            return self._known[register]
        self._known[register] = None
        writers = self._graph.writers.get(register, ())
        found: KnownBits | None = UNKNOWN
        if depth and 0 < len(writers) <= _MOST_WRITERS:
            found = None
            for node in writers:
                for step in self._steps.naming(node, register):
                    if register in step.writes or register in step.updates:
                        value = self._written(step, register, depth - 1)
                        if value is not None:
                            found = value if found is None else found.join(value)
        self._known[register] = found
        return found

    def _written(self, step: Step, register: str, depth: int) -> KnownBits | None:
        opcode = step.opcode
        if register in step.updates:
            return UNKNOWN
        if opcode[0] == "ld":
            return _ZERO if any(word.startswith(".param") for word in opcode) else UNKNOWN
        known = transfer_function(step.chunk, step.statement)
        if known is None or not known.operands or known.operands[0].written is not WrittenOperand.NAME:
            return UNKNOWN
        words = words_of(step.chunk, step.statement)
        if opcode[0] == "mov" and words[-1] in self._numbers:
            return KnownBits.constant(self._numbers[words[-1]])
        operands = []
        for source in known.operands[1:]:
            value = self._operand(step, source, words, depth)
            if value is None:
                return None
            operands.append(value)
        if opcode[0] == "cvta":
            return operands[0] if operands else UNKNOWN
        return known.compute(operands) if known.types else UNKNOWN

    def _operand(self, step: Step, source: OperandSource, words: list[str], depth: int) -> KnownBits | None:
        if source.written in CONSTANTS:
            number = number_of(source, words, step.chunk, step.statement)
            return KnownBits.constant(number) if number is not None else UNKNOWN
        if source.written is not WrittenOperand.NAME:
            return UNKNOWN
        name = words[source.word]
        if name in self._numbers:
            return KnownBits.constant(self._numbers[name])
        key = self._graph.registers.key(name, self._graph.nodes[step.node].scope)
        if key in self._graph.writers:
            return self.of(key, depth)
        return UNKNOWN if name[:1] == "%" else _ZERO
