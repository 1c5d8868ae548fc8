"""Predicates that differ between the lanes of a warp, and the code that only some lanes of a warp execute.

Only what is certain counts: the number of a lane, or of a thread in its row, compared with a constant that divides
the lanes of some warp; and the predicate of ``elect.sync``, which one lane gets.

Source: PTX ISA, "Special Registers: %laneid, %tid", "elect.sync".
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import count

from ptx_lsp.analysis.dataflow.backward_walk import BackwardWalk
from ptx_lsp.analysis.dataflow.branch_regions import BranchRegion, BranchRegions
from ptx_lsp.analysis.dataflow.control_flow_graph import BasicBlock, Graph
from ptx_lsp.analysis.dataflow.effects import words
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.dividing_comparisons import (
    EQUALITY,
    LONGEST_ROW,
    WARP,
    divides,
    may_divide,
    may_follow,
)
from ptx_lsp.derived_values import once
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import collected, run_to_completion, without_pauses
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tree import FunctionHead, Operand, OperandKind

_MOST_STEPS = 64
_NODES_BETWEEN_PAUSES = 64
_JUMPS_BETWEEN_PAUSES = 16
_LOOKS_BETWEEN_PAUSES = 64
_COUNT = re.compile(r"%tid\.x|%laneid|elect\.")
_LANE = ""


class LaneNumber(NamedTuple):
    """A number from 0 to ``largest`` that counts lanes; None: the threads of a row, as many as there are."""

    largest: int | None


class Divided(NamedTuple):
    """A predicate, or a register that has one of two values, that differs between lanes of a warp."""

    origin: Step
    """The comparison, or ``elect``."""
    values: tuple[int, ...] = ()
    """The two values of a register; empty for a predicate."""


def finding_origins(function: Function) -> Generator[None, None, bool]:
    """Whether some instruction may be the origin of what differs between lanes: a quick look, in steps."""
    looks = count(1)
    for chunk in function.chunks:
        for number in set(chunk.shapes):
            shape = SHAPES[number]
            if shape.opcode[:1] == ("elect",):
                return True
            if shape.opcode[:1] != ("setp",) or not may_follow(shape):
                continue
            for index in [index for index, one in enumerate(chunk.shapes) if one == number]:
                if not next(looks) % _LOOKS_BETWEEN_PAUSES:
                    yield
                if may_divide(shape, chunk.part(index)):
                    return True
    return False


class Divergence(BackwardWalk["LaneNumber | Divided"]):
    """Facts about the lanes in one function."""

    def __init__(self, graph: Graph, steps: Steps) -> None:
        super().__init__(steps, _MOST_STEPS)
        self._graph = graph
        self._counting: dict[str, bool] = {}
        self._jumps: tuple[BasicBlock, ...] | None = None
        self._sources: dict[str, tuple[str, ...]] = {}

    @once
    def _row(self) -> int:
        """The most threads in a row of a CTA: fewer if the head of a kernel says so."""
        symbol = self._graph.function.symbol
        if symbol is None:
            return LONGEST_ROW
        statement = symbol.place.chunk.statement(symbol.place.statement)
        head = statement.shape.tree
        tunings = head.tuning if isinstance(head, FunctionHead) else ()
        rows = [
            int(word)
            for one in tunings
            if statement.word(one.word) in (".reqntid", ".maxntid")
            and one.values
            and (word := statement.word(one.values[0])).isdecimal()
        ]
        return min((*rows, LONGEST_ROW))

    def divided(self, step: Step) -> Divided | None:
        """The instruction that makes the guard of ``step`` differ between lanes of a warp; None if unsure."""
        if not step.guarded or not self._may_count(step.reads[0]):
            return None
        found = self.held(step, step.reads[0])
        return found if isinstance(found, Divided) and not found.values else None

    def finding_divided(self, step: Step) -> Generator[None, None, Divided | None]:
        """:meth:`divided` in steps of a few milliseconds."""
        if step.guarded:
            yield from self._looking(step.reads[0])
        return self.divided(step)

    def _may_count(self, register: str) -> bool:
        """Whether a register may have to do with the number of a lane: a quick look at what writes it."""
        return run_to_completion(self._looking(register))

    def _looking(self, register: str) -> Generator[None, None, bool]:
        """:meth:`_may_count` in steps of a few milliseconds."""
        known = self._counting.get(register)
        if known is not None:
            return known
        waiting, seen = [register], {register}
        while waiting:
            one = waiting.pop()
            if one not in self._sources:
                found = yield from collected(self._find_sources(one))
                self._sources[one] = tuple(dict.fromkeys(found))
            for read in self._sources[one]:
                if read == _LANE or self._counting.get(read) or len(seen) > _MOST_STEPS:
                    self._counting[register] = True
                    return True
                if read not in seen and read not in self._counting:
                    seen.add(read)
                    waiting.append(read)
        self._counting.update(dict.fromkeys(seen, False))
        return False

    def _find_sources(self, register: str) -> Iterator[str | None]:
        """The registers that the writers of a register read; :data:`_LANE` if they read or elect a lane.

        None is a pause.
        """
        graph, looks = self._graph, count(1)
        for number in graph.writers.get(register, ()):
            chunk = graph.nodes[number].chunk
            for statement in self.steps.mentions(number, register):
                if not next(looks) % _LOOKS_BETWEEN_PAUSES:
                    yield None
                shape = SHAPES[chunk.shapes[statement]]
                if not may_follow(shape) or shape.opcode[0] == "setp" and not may_divide(shape, chunk.part(statement)):
                    continue
                step = self.steps.at(number, statement)
                if register in step.writes:
                    if _COUNT.search(chunk.part(statement)):
                        yield _LANE
                    yield from step.reads

    @once
    def branches(self) -> tuple[tuple[Step, Divided, BranchRegion], ...]:
        """Branches that divide warps: the branch, what it decides by, and the nodes that only some lanes come to."""
        return tuple(without_pauses(self._finding_branches()))

    def preparing(self) -> Iterator[None]:
        """Find :attr:`branches` in steps of some milliseconds."""
        if "branches" not in self.__dict__:
            found = yield from collected(self._finding_branches())
            self.__dict__.setdefault("branches", tuple(found))

    def finding_jumps(self) -> Generator[None, None, tuple[BasicBlock, ...]]:
        """Find the nodes that end with a jump whose guard may have to do with lanes, in steps of some milliseconds."""
        if self._jumps is None:
            found = yield from collected(self._looking_for_jumps())
            self._jumps = tuple(found)
        return self._jumps

    def _looking_for_jumps(self) -> Iterator[BasicBlock | None]:
        reachable = self._graph.reachable
        for node in self._graph.nodes:
            if not node.number % _NODES_BETWEEN_PAUSES:
                yield None
            piece = node.piece
            if piece.guarded and piece.control and node.number in reachable:
                may_divide = yield from self._looking(self._guard(node))
                if may_divide:
                    yield node

    def _finding_branches(self) -> Iterator[tuple[Step, Divided, BranchRegion] | None]:
        jumps = yield from self.finding_jumps()
        for number, node in enumerate(jumps, 1):
            if not number % _JUMPS_BETWEEN_PAUSES:
                yield None
            branch = self.steps.at(node.number, node.piece.end - 1)
            divided = self.divided(branch) if branch.opcode[0] != "trap" else None
            region = self._regions.of(node.number) if divided is not None else BranchRegion()
            if divided is not None and region.size:
                yield branch, divided, region
            if region.nodes:
                yield None  # it was searched

    def _guard(self, node: BasicBlock) -> str:
        """The predicate of the jump at the end of a node."""
        last = node.piece.end - 1
        word = words(node.chunk.part(last))[self._graph.effects.of(node.chunk, last).reads[0]]
        return self._graph.registers.key(word, node.scope)

    def innermost(self, nodes: Iterable[int]) -> dict[int, Step]:
        """Of some nodes those that only some lanes come to, each with the nearest branch around it that divides."""
        found = self._regions.innermost([region for _, _, region in self.branches], nodes)
        return {number: self.branches[index][0] for number, index in found.items()}

    @once
    def _regions(self) -> BranchRegions:
        return BranchRegions(self._graph)

    # ------------------------------------------------------------------ values

    def joined(self, definitions: Sequence[Step], register: str) -> LaneNumber | Divided | None:
        """The common value; of two definitions the later one may have a guard that divides a warp."""
        if len(definitions) == 2 and definitions[0].guarded:
            return self._overwritten(*definitions)
        return super().joined(definitions, register)

    def join(self, one: LaneNumber | Divided, other: LaneNumber | Divided) -> LaneNumber | Divided | None:
        """The last of several that divide a warp; numbers of lanes from several places are none."""
        return other if isinstance(one, Divided) and isinstance(other, Divided) else None

    def _overwritten(self, second: Step, first: Step) -> Divided | None:
        """``mov r, 0; @p mov r, 1;`` where ``p`` differs between lanes."""
        one, two = self._constant(first), self._constant(second)
        if first.guarded or one is None or two is None or one == two:
            return None
        guard = self.read(second, second.reads[0])
        return Divided(guard.origin, (one, two)) if isinstance(guard, Divided) and not guard.values else None

    def _constant(self, step: Step) -> int | None:
        """The value that ``mov`` of a constant writes."""
        context = self.steps.context(step)
        tree = context.instruction
        return _number(context, tree.operands[1]) if tree is not None and step.opcode[0] == "mov" else None

    def computed(self, step: Step, register: str) -> LaneNumber | Divided | None:
        """The result of an instruction; with a guard it is not known."""
        if step.guarded:
            return None
        context = self.steps.context(step)
        tree = context.instruction
        if tree is None:
            return None
        operands = tree.operands
        match step.opcode[0]:
            case "elect":
                pair = operands[0].pair if operands else None
                is_predicate = pair is not None and pair.name >= 0 and self._register(context, pair) == register
                return Divided(step) if is_predicate else None
            case "mov" | "cvt" if len(operands) == 2:
                return self._operand(context, step, operands[1])
            case "and" | "rem" if len(operands) == 3 and ".pred" not in step.opcode:
                return self._masked(context, step, operands)
            case "and" | "or" | "xor" if len(operands) == 3:
                sides = [self._operand(context, step, one) for one in operands[1:]]
                divided = [one for one in sides if isinstance(one, Divided)]
                return divided[0] if len(divided) == 1 else None
            case "not" if ".pred" in step.opcode:
                return self._operand(context, step, operands[1])
            case "selp" if len(operands) == 4:
                chosen = self._operand(context, step, operands[3])
                values = _number(context, operands[1]), _number(context, operands[2])
                if isinstance(chosen, Divided) and not chosen.values and values[0] != values[1]:
                    return Divided(chosen.origin, tuple(one for one in values if one is not None))
            case "setp" if len(operands) == 3:
                return self._compared(context, step, operands)
        return None

    def _masked(self, context: StatementContext, step: Step, operands: tuple[Operand, ...]) -> LaneNumber | None:
        """``and`` with low bits and ``rem`` by a power of two keep the number of a lane in a part of the warp."""
        count = self._operand(context, step, operands[1])
        constant = _number(context, operands[2])
        if not isinstance(count, LaneNumber) or constant is None:
            return None
        mask = constant if step.opcode[0] == "and" else constant - 1
        if not 0 < mask < WARP or mask & (mask + 1):
            return None
        largest = WARP - 1 if count.largest is None else count.largest
        return LaneNumber(min(mask, largest))

    def _compared(self, context: StatementContext, step: Step, operands: tuple[Operand, ...]) -> Divided | None:
        held, constant = self._operand(context, step, operands[1]), _number(context, operands[2])
        if held is None or constant is None or len(step.opcode) != 3 or operands[0].pair is not None:
            return None
        comparison = step.opcode[1]
        if isinstance(held, Divided):
            is_equality = comparison in EQUALITY and constant in held.values
            return Divided(held.origin) if is_equality else None
        if held.largest is None and (constant >= self._row or self._row == 1):
            return None
        return Divided(step) if divides(comparison, constant, held.largest) else None

    def _operand(self, context: StatementContext, step: Step, operand: Operand) -> LaneNumber | Divided | None:
        if operand.kind is not OperandKind.NAME or operand.name < 0:
            return None
        name = context.word(operand.name)
        if name == "%laneid":
            return LaneNumber(WARP - 1)
        if name == "%tid":
            selector = "".join(context.word(token) for token in operand.selector)
            return LaneNumber(None) if selector == ".x" else None
        if operand.selector or operand.sign not in ("", "!"):
            return None
        register = self._register(context, operand)
        return self.read(step, register) if register in step.reads else None

    def _register(self, context: StatementContext, operand: Operand) -> str:
        return self._graph.registers.key(context.word(operand.name), context.scope)


def _number(context: StatementContext, operand: Operand) -> int | None:
    """The value of a constant."""
    if operand.kind not in (OperandKind.INTEGER, OperandKind.CONSTANT):
        return None
    value = evaluate(context.statement, operand)
    return value if isinstance(value, int) else None
