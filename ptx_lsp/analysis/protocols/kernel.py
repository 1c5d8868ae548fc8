"""One kernel as rules about asynchronous protocols see it.

Such a rule says that some instruction is missing. It speaks only where the whole protocol
is in sight: in a kernel, not in a function that gets half of it from its caller; without
calls, which may do what seems to be missing; and with a body that ends, since text without
``ret`` is a piece of something.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from ptx_lsp.analysis.calls import read_call
from ptx_lsp.analysis.flow.steps import Step
from ptx_lsp.analysis.protocols.spots import Places, Spot
from ptx_lsp.analysis.use import Use
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.tree import FunctionHead, Operand, OperandKind

if TYPE_CHECKING:
    from ptx_lsp.analysis.flow.flow import Flow

_HARMLESS = frozenset({"vprintf", "__assertfail", "malloc", "free"})
"""Functions of the driver that every kernel may call, as nvcc names them; none of them touches shared memory."""


@lru_cache(maxsize=256)
def _parts(name: str) -> tuple[str, ...]:
    first, *rest = name.split(".")
    return (first, *(f".{part}" for part in rest))


def begins(step: Step, *names: str) -> bool:
    """Whether the opcode of an instruction begins with one of some names, such as ``cp.async.bulk``."""
    opcode = step.opcode
    return any(opcode[: len(parts)] == parts for parts in map(_parts, names))


def is_copy(step: Step) -> bool:
    """Whether this is a ``cp.async`` that copies, neither a bulk copy nor one of those that wait."""
    return begins(step, "cp.async.ca", "cp.async.cg")


class Kernel:
    """A kernel's instructions, what lies between them, and what their operands mean."""

    def __init__(self, flow: Flow) -> None:
        self.graph = flow.graph
        self.steps = flow.steps
        self._flow = flow
        self._uses: dict[Step, Use] = {}

    @cached_property
    def is_known(self) -> bool:
        """Whether all that the kernel does stands in its own text."""
        symbol = self.graph.function.symbol
        return (
            symbol is not None
            and symbol.type == ".entry"
            and self.is_complete
            and not self._has_calls
        )

    @cached_property
    def is_complete(self) -> bool:
        """Whether all of the body could be read, and it ends."""
        graph = self.graph
        return graph.is_whole and graph.falls_off not in graph.reachable

    @cached_property
    def _has_calls(self) -> bool:
        """Whether functions are called that may take part in a protocol."""
        return any(not self._is_harmless(step) for step in self.steps.all(frozenset({"call"})))

    def _is_harmless(self, step: Step) -> bool:
        use = self.use(step)
        call = read_call(use.instruction) if use.instruction is not None else None
        return call is not None and use.word(call.target.name) in _HARMLESS

    @cached_property
    def places(self) -> Places:
        """Which places in shared memory operands name."""
        return Places(self._flow)

    def use(self, step: Step) -> Use:
        """An instruction in its surroundings; the same object each time."""
        found = self._uses.get(step)
        if found is None:
            found = self._uses[step] = self.steps.use(step)
        return found

    # ------------------------------------------------------------------ where others stand

    def all(self, *names: str) -> Iterator[Step]:
        """The instructions that begin with one of some names and can be executed, in the order of the text."""
        reachable = self.graph.reachable
        for step in self.steps.all(frozenset(_parts(name)[0] for name in names)):
            if begins(step, *names) and step.node in reachable:
                yield step

    def has(self, *names: str) -> bool:
        """Whether there is such an instruction at all."""
        return next(self.all(*names), None) is not None

    def is_behind(self, step: Step, *names: str) -> bool:
        """Whether such an instruction can be executed after ``step``."""
        return any(begins(one, *names) for one in self.steps.after(step))

    def is_before(self, step: Step, *names: str) -> bool:
        """Whether such an instruction can be executed before ``step``."""
        return any(begins(one, *names) for one in self.steps.before(step))

    def run_behind(self, step: Step) -> Iterator[Step]:
        """The instructions that are executed right after ``step``, whatever happens, up to where paths part or meet."""
        nodes, number = self.graph.nodes, step.node
        own = self.steps.of(number)
        yield from own[own.index(step) + 1 :]
        passed = {number}
        while len(nodes[number].successors) == 1:
            number = nodes[number].successors[0]
            if number in passed or len(nodes[number].predecessors) != 1:
                return
            passed.add(number)
            yield from self.steps.of(number)

    def run_before(self, step: Step) -> Iterator[Step]:
        """The instructions that are executed right before ``step``, nearest first, up to where paths part or meet."""
        nodes, number = self.graph.nodes, step.node
        own = self.steps.of(number)
        yield from own[: own.index(step)][::-1]
        passed = {number}
        while len(nodes[number].predecessors) == 1:
            number = nodes[number].predecessors[0]
            if number in passed or len(nodes[number].successors) != 1:
                return
            passed.add(number)
            yield from self.steps.of(number)[::-1]

    # ------------------------------------------------------------------ what operands mean

    def operand(self, step: Step, *roles: str) -> Operand | None:
        """The operand that the page of an instruction calls by one of some names."""
        use = self.use(step)
        if use.match is None or not use.match.fits or use.instruction is None:
            return None
        for role, operand in zip(use.match.roles, use.instruction.operands, strict=False):
            if role in roles:
                return operand
        return None

    def spot(self, step: Step, *roles: str) -> Spot | None:
        """The place in shared memory that such an operand names; None if nobody can tell."""
        operand = self.operand(step, *roles)
        return None if operand is None else self.places.named(step, operand)

    def addresses(self, step: Step) -> Iterator[Spot | None]:
        """The places that the operands in brackets name."""
        tree = self.use(step).instruction
        for operand in () if tree is None else tree.operands:
            if operand.kind is OperandKind.ADDRESS:
                yield self.places.named(step, operand)

    def constant(self, step: Step, *roles: str) -> int | None:
        """The value of such an operand, if it is known."""
        operand = self.operand(step, *roles)
        return None if operand is None else self._flow.values.operand(step, operand).number

    def number(self, step: Step) -> int | None:
        """The constant that is the only operand of an instruction, such as the count of ``wait_group``."""
        use = self.use(step)
        operands = () if use.instruction is None else use.instruction.operands
        value = evaluate(use.statement, operands[0]) if len(operands) == 1 else None
        return value if isinstance(value, int) else None

    def head(self) -> dict[str, tuple[str, ...]]:
        """The directives between the kernel's head and its body, with their numbers."""
        symbol = self.graph.function.symbol
        if symbol is None:
            return {}
        statement = symbol.place.chunk.statement(symbol.place.statement)
        tree = statement.shape.tree
        if not isinstance(tree, FunctionHead):
            return {}
        return {statement.word(one.word): tuple(map(statement.word, one.values)) for one in tree.tuning}
