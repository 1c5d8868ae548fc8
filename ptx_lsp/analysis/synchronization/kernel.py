"""One kernel as rules about asynchronous protocols see it.

Such a rule says that some instruction is missing. It speaks only where the whole protocol
is in sight: in a kernel, not in a function that gets half of it from its caller; without
calls of functions that may do what seems to be missing; and with a body that ends, since text without
``ret`` is a piece of something.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Set

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.known_bits_analysis import KnownBitsAnalysis
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.structure.step_matches import StepMatches
from ptx_lsp.analysis.symbols.calls import read_call
from ptx_lsp.analysis.synchronization.before_and_after import After, Before
from ptx_lsp.analysis.synchronization.branch_guards import BranchGuards
from ptx_lsp.analysis.synchronization.callees import may_be_asynchronous, may_take_part
from ptx_lsp.analysis.synchronization.followed_threads import FollowedThreads
from ptx_lsp.analysis.synchronization.memory_locations import MemoryLocation, MemoryLocations
from ptx_lsp.analysis.synchronization.ordering_facts import OrderingFacts, possible_facts
from ptx_lsp.analysis.synchronization.path_values import PathValues
from ptx_lsp.analysis.synchronization.wait_results import WaitEdges, edges_of
from ptx_lsp.derived_values import once
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.process_cache import memoized
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tree import FunctionHead, Instruction, Operand, OperandKind

_MOST_VALUES = 10_000
"""So many instructions of a kernel are evaluated for addresses."""

_ALL_BITS = (1 << 64) - 1
_IN_A_STEP = 32
"""So many instructions are looked at before a pause."""

FactKey = tuple[Verb, str]
"""The verb of a fact about order, and its object."""


@memoized(256)
def _parts(name: str) -> tuple[str, ...]:
    first, *rest = name.split(".")
    return (first, *(f".{part}" for part in rest))


def begins(step: Step, *names: str) -> bool:
    """Whether the opcode of an instruction begins with one of some names, such as ``cp.async.bulk``."""
    opcode = step.opcode
    return any(opcode[: len(parts)] == parts for parts in map(_parts, names))


@memoized(1 << 10)
def _has_page(opcode: tuple[str, ...]) -> bool:
    """Whether some page describes an instruction: of others nothing is known, and nothing wrong."""
    return bool(catalogue().candidates(opcode))


class _Instructions:
    """The instructions of a kernel; an object of its own, so that what refers to it does not refer to the kernel."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._all: dict[tuple[str, ...], list[Step]] = {}

    def context(self, step: Step) -> StatementContext:
        """An instruction in its surroundings; the same object each time."""
        return self._steps.kept_context(step)

    def all(self, *names: str) -> list[Step]:
        """The instructions that begin with one of some names and can be executed, in the order of the text."""
        found = self._all.get(names)
        if found is None:
            parts = [_parts(name) for name in names]
            opcodes = _opcodes(self._steps.graph)
            wanted = {one for one in opcodes if any(one[: len(words)] == words for words in parts)}
            found = self._all[names] = [*self.having(wanted)]
        return found

    def having(self, opcodes: Set[tuple[str, ...]]) -> Iterator[Step]:
        """The instructions that have one of some opcodes and can be executed, in the order of the text."""
        return self._steps.having(opcodes, self._steps.graph.reachable)


class Kernel:
    """A kernel's instructions, what lies between them, and what their operands mean.

    Args:
        steps: its instructions.
        values: what is known of the bits of registers.
        flagged: the statements of a chunk with which something may be wrong, if they were found already.

    """

    def __init__(self, steps: Steps, values: KnownBitsAnalysis, flagged: Callable[[Chunk], list[int] | None]) -> None:
        self.steps = steps
        self._flagged = flagged
        self._values = values
        self._matches = StepMatches(steps)
        self._instructions = _Instructions(steps)
        self._before: dict[tuple[FactKey, ...], Before] = {}
        self._after: dict[tuple[FactKey, ...], After] = {}
        self._edges: dict[tuple[int, int], WaitEdges | None] = {}
        self.mbarriers: dict[tuple[int, int], MemoryLocation | None] = {}
        """The mbarriers that instructions use, by node and statement, as far as somebody asked."""

    @property
    def graph(self) -> Graph:
        """The control-flow graph."""
        return self.steps.graph

    @once
    def is_known(self) -> bool:
        """Whether all that the kernel does stands in its own text."""
        return run_to_completion(self._finding_known())

    def knowing(self) -> Iterator[None]:
        """Find :attr:`is_known` in steps of a few milliseconds."""
        if "is_known" not in self.__dict__:  # where a cached property keeps its value
            self.__dict__["is_known"] = yield from self._finding_known()

    def _finding_known(self) -> Generator[None, None, bool]:
        symbol = self.graph.function.symbol
        if symbol is None or symbol.type != ".entry" or (yield from self._finding_calls()) or not self.is_complete:
            return False
        opcodes = set()
        for number, opcode in enumerate(filter(None, opcodes_of(self))):
            if may_be_asynchronous(opcode):
                opcodes.add(opcode)
            if not number % _IN_A_STEP:
                yield
        # What takes part in asynchronous work or synchronization, or may be meant to.
        number = 0
        for chunk in self.graph.function.chunks:
            for index in self._doubtful(chunk, opcodes):
                node = self.graph.node_at(chunk, index)
                is_executed = node is not None and node.number in self.graph.reachable
                if node is not None and is_executed and not self._fits(self.steps.at(node.number, index)):
                    return False
                number += 1
                if not number % _IN_A_STEP:
                    yield
            yield
        return True

    def _doubtful(self, chunk: Chunk, opcodes: Set[tuple[str, ...]]) -> list[int]:
        """The instructions of a chunk with some opcodes that may not fit: those that are flagged, if that is known."""
        numbers = {number for number in set(chunk.shapes) if SHAPES[number].opcode in opcodes}
        flagged = self._flagged(chunk) if numbers else ()
        if flagged is not None and all(_has_page(SHAPES[number].opcode) for number in numbers):
            return [index for index in flagged if chunk.shapes[index] in numbers]
        return [index for index, number in enumerate(chunk.shapes) if number in numbers]

    def _fits(self, step: Step) -> bool:
        """Whether nothing is wrong with an instruction; what is wrong may be meant as what seems to be missing."""
        match = self._matches.of(step)
        return match is not None and match.fits

    @once
    def is_complete(self) -> bool:
        """Whether all of the body could be read, and it ends; compilers let impossible ways lead to its last brace."""
        graph = self.graph
        return graph.is_whole and (graph.falls_off not in graph.reachable or graph.module.header.is_generated)

    def _finding_calls(self) -> Generator[None, None, bool]:
        """Whether functions are called that may take part in a protocol."""
        words = frozenset(opcode[0] for opcode in opcodes_of(self) if (Verb.CALLS, "") in possible_facts(opcode))
        names = set()
        for number, step in enumerate(self.steps.all(words) if words else ()):
            if not number % _IN_A_STEP:
                yield
            context = self.context(step)
            call = read_call(context.instruction) if context.instruction is not None else None
            if call is None or call.targets is not None:
                return True
            names.add(context.word(call.target.name))
        return bool(names) and may_take_part(self.graph.module, self.graph.function, frozenset(names))

    @once
    def facts(self) -> OrderingFacts:
        """The facts about order of its instructions."""
        return OrderingFacts(opcodes_of(self), self._instructions.having, self._matches.of)

    @once
    def path_values(self) -> PathValues:
        """Values of registers that are the same on all paths, and on single ones."""
        return PathValues(self.steps, BranchGuards(self.steps), _MOST_VALUES)

    @once
    def threads(self) -> FollowedThreads:
        """The threads whose values are computed at its instructions."""
        head = self.head()
        sizes = head.get(".reqntid") or head.get(".maxntid", ())
        known = [int(size) for size in sizes] if all(map(str.isdecimal, sizes)) else []
        return FollowedThreads(self.steps, self.path_values, known)

    @once
    def places(self) -> MemoryLocations:
        """The places in shared memory that operands name."""
        return MemoryLocations(self.steps)

    def wait_edges(self, wait: Step) -> WaitEdges | None:
        """The edges that the result of a wait for an mbarrier decides; None if it is used otherwise."""
        key = (wait.node, wait.statement)
        if key not in self._edges:
            self._edges[key] = edges_of(self.steps, self.path_values.branches, wait)
        return self._edges[key]

    def context(self, step: Step) -> StatementContext:
        """An instruction in its surroundings; the same object each time."""
        return self._instructions.context(step)

    # ------------------------------------------------------------------ where others stand

    def all(self, *names: str) -> list[Step]:
        """The instructions that begin with one of some names and can be executed, in the order of the text."""
        return self._instructions.all(*names)

    def is_after(self, step: Step, *facts: FactKey) -> bool:
        """Whether an instruction with one of some facts can be executed after ``step``."""
        found = self._before.get(facts)
        if found is None:
            found = self._before[facts] = Before(self.graph, self._with(facts))
        return step in found

    def is_before(self, step: Step, *facts: FactKey) -> bool:
        """Whether an instruction with one of some facts can be executed before ``step``."""
        found = self._after.get(facts)
        if found is None:
            found = self._after[facts] = After(self.graph, self._with(facts))
        return step in found

    def _with(self, facts: tuple[FactKey, ...]) -> list[Step]:
        return [step for fact in facts for step in self.facts.steps(*fact)]

    def leads(self, first: Step, second: Step) -> bool:
        """Whether ``second`` can be executed after ``first``."""
        if first.node == second.node and first.statement < second.statement:
            return True
        return self.graph.reachability.leads(first.node, second.node)

    # ------------------------------------------------------------------ what operands mean

    def operand(self, step: Step, *roles: str) -> Operand | None:
        """The operand that the page of an instruction calls by one of some names."""
        match = self._matches.of(step)
        if match is None or match.mismatches:
            return None
        for at, role in enumerate(match.roles):
            if role in roles:
                tree = SHAPES[step.chunk.shapes[step.statement]].tree
                return tree.operands[at] if isinstance(tree, Instruction) and at < len(tree.operands) else None
        return None

    def spot(self, step: Step, *roles: str) -> MemoryLocation | None:
        """The place in shared memory that such an operand names; None if it is not known."""
        operand = self.operand(step, *roles)
        return None if operand is None else self.places.of(step, operand)

    def constant(self, step: Step, *roles: str) -> int | None:
        """The value of such an operand, if it is known."""
        operand = self.operand(step, *roles)
        if operand is None or operand.kind is not OperandKind.INTEGER:
            return None if operand is None else self._values.number(step, operand)
        value = evaluate(self.context(step).statement, operand)
        return value & _ALL_BITS if isinstance(value, int) else None

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


def opcodes_of(kernel: Kernel) -> frozenset[tuple[str, ...]]:
    """The opcodes of all instructions, whether they can be executed or not; costs next to nothing."""
    return _opcodes(kernel.graph)


def _opcodes(graph: Graph) -> frozenset[tuple[str, ...]]:
    numbers = set().union(*(chunk.shapes for chunk in graph.function.chunks))
    return frozenset(SHAPES[number].opcode for number in numbers)
