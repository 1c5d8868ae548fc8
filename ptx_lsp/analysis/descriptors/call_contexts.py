"""A function and how it was called: what a value depends on beside its place in the text."""

from __future__ import annotations

from ptx_lsp.analysis.dataflow.registers import Register
from ptx_lsp.analysis.descriptors.argument_flow import Reached
from ptx_lsp.analysis.descriptors.local_memory import Memories, Memory
from ptx_lsp.analysis.descriptors.memory_accesses import StatementKey
from ptx_lsp.analysis.module.function import Function

_DEEPEST = 6
"""So many calls deep a value is followed."""


class CallContext:
    """One call of a function, or the function by itself."""

    __slots__ = ("_callers", "_inner", "_memories", "call", "definitions", "depth", "memory", "parent")

    def __init__(
        self, memory: Memory, memories: Memories, parent: CallContext | None = None, call: StatementKey | None = None
    ) -> None:
        self.memory = memory
        self.definitions = memory.definitions
        self.parent = parent
        self.call = call
        """The call in the parent."""
        self.depth: int = 0 if parent is None else parent.depth + 1
        self._memories = memories
        self._callers: tuple[CallContext, ...] | None = None
        self._inner: dict[StatementKey, tuple[CallContext, Reached] | None] = {}

    def forget(self) -> None:
        """Give up the calls in this one, and the callers: they refer to this."""
        for found in self._inner.values():
            if found is not None:
                found[0].forget()
        self._inner.clear()
        self._callers = None

    def inner(self, at: StatementKey) -> tuple[CallContext, Reached] | None:
        """The function that a statement calls, called there; None if it is not here, or too deep."""
        if at not in self._inner:
            reached = self.memory.passing.reached(*at) if self.depth < _DEEPEST else None
            self._inner[at] = (
                None
                if reached is None
                else (CallContext(self._memories.of(reached.function), self._memories, self, at), reached)
            )
        return self._inner[at]

    def called(self) -> tuple[CallContext, ...]:
        """The function as each of its callers calls it, if this is the function by itself and all of them are here."""
        if self._callers is None:
            callers = self.memory.passing.callers if self.parent is None and self.depth > -_DEEPEST else None
            self._callers = tuple(self._called(caller, at) for caller, at in callers or ())
        return self._callers

    def _called(self, caller: Function, at: StatementKey) -> CallContext:
        around = CallContext(self._memories.of(caller), self._memories)
        around.depth = self.depth - 1
        return CallContext(self.memory, self._memories, around, at)

    def argument(self, parameter: Register) -> tuple[CallContext, Register] | None:
        """The variable that is passed as a parameter, and who passes it."""
        if self.parent is None or self.call is None:
            return None
        reached = self.parent.memory.passing.reached(*self.call)
        name = reached.argument(parameter.name) if reached is not None else None
        passed = self.parent.definitions.register(name, *self.call) if name else None
        return (self.parent, passed) if passed is not None else None
