"""The value of a register where an instruction reads it: a walk back over the definitions that reach it, on demand.

Users differ in what they ask: an address and its state space, a place in shared memory, the number of a lane. They
share the walk, its memory and its bounds. :class:`KnownBitsAnalysis` does not: in a loop this walk gives up, where bits
are found by iteration to a fixed point.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from ptx_lsp.analysis.dataflow.steps import Step, Steps

HeldT = TypeVar("HeldT")


class BackwardWalk(ABC, Generic[HeldT]):
    """Values of registers in one function; None stands for an unknown one.

    Args:
        steps: the instructions of the function.
        most: so many instructions are looked at for one question.

    """

    def __init__(self, steps: Steps, most: int) -> None:
        self.steps = steps
        self._most = most
        self._left = most
        self._made: dict[tuple[int, int, str], HeldT | None] = {}

    def held(self, step: Step, register: str) -> HeldT | None:
        """The value of a register when ``step`` reads it, if all definitions that reach it agree."""
        self.begin()
        return self.read(step, register)

    def begin(self) -> None:
        """Begin a question: the bound holds from here on."""
        self._left = self._most

    def read(self, step: Step, register: str) -> HeldT | None:
        """:meth:`held` within a question that is being answered."""
        return self.joined(self.steps.definitions(step, register), register)

    def joined(self, definitions: Sequence[Step], register: str) -> HeldT | None:
        """The common value of several definitions of a register."""
        found: HeldT | None = None
        for one in definitions:
            made = self.made(one, register)
            if made is None:
                return None
            found = made if found is None else self.join(found, made)
            if found is None:
                return None
        return found

    def made(self, step: Step, register: str) -> HeldT | None:
        """The value that an instruction leaves in a register."""
        key = (step.node, step.statement, register)
        if key not in self._made:
            if not self._left:
                return None
            self._left -= 1
            self._made[key] = None  # in a loop: what only depends on itself is unknown
            self._made[key] = None if register in step.updates else self.computed(step, register)
        return self._made[key]

    @abstractmethod
    def join(self, one: HeldT, other: HeldT) -> HeldT | None:
        """The value that holds in either case."""

    @abstractmethod
    def computed(self, step: Step, register: str) -> HeldT | None:
        """The result of an instruction; operands that are registers are asked for by :meth:`read`."""
