"""Values of registers along one path, as one thread computes them: enough to tell whether two addresses are equal.

A value is a sum: a constant, and multiples of things that are not known, such as the address of a variable or a
parameter. The thread is the first one of the CTA, or of another warp, and the leader of its warp: its indices are
known, and so is an address that is computed from them. What it does shows a mistake as well as what any other thread
does, if it takes the path; :meth:`PathValues.is_possible` says whether it may.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, pairwise

from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.structure.step_lookups import StepLookups
from ptx_lsp.analysis.symbolic.linear_values import LinearValue, Unknowns, combined, constant
from ptx_lsp.analysis.symbols.symbols import SymbolKind
from ptx_lsp.analysis.synchronization.branch_guards import BranchGuard, BranchGuards, PathSegment, is_negated
from ptx_lsp.analysis.synchronization.path_results import (
    ELECTION,
    RESULT,
    depends_on_operands,
    index_of_thread,
    result_of,
)
from ptx_lsp.analysis.synchronization.wait_results import Edge
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.tree import Operand, OperandKind

_MOST_STEPS = 200
"""So many instructions are evaluated for one path."""

_NEVER_CHANGES = frozenset({"symbol", "parameter", "special"})
"""The kinds of unknown things that have one value in a kernel."""


class _Position(NamedTuple):
    """An instruction on a path: the number of its segment, -1 before the path."""

    segment: int
    step: Step


class PathValues:
    """Values on one path, or those that are the same on all paths.

    Args:
        steps: the instructions of the function.
        branches: the guards of its jumps.
        most: so many instructions are evaluated.
        warp: the number of the warp whose first thread is followed; 0 unless the CTA is one row of threads. None: the
            values are those of any thread.
        lane: the number of the thread in the warp; 0 is the leader.

    """

    def __init__(
        self, steps: Steps, branches: BranchGuards, most: int = _MOST_STEPS, warp: int | None = 0, lane: int = 0
    ) -> None:
        self._steps = steps
        self._lookups = StepLookups(steps)
        self._warp = warp
        self._lane = lane
        self.branches = branches
        """The guards of the jumps of the function."""
        self._most = self._left = most
        self._start: Step | None = None
        self._segments: Sequence[PathSegment] = ()
        self._first = -1
        """The number of the segment that ends before the operation; -1 if what precedes it is any path."""
        self._any_path: PathValues | None = None
        self.unknowns = Unknowns()
        """The unknown things in values; variables are ``("symbol", symbol)``."""
        self._known: dict[tuple[int, int, int, str], LinearValue] = {}
        self._fixed: dict[int, bool] = {}
        self._number = 0
        """Tells unknown things on this path from those on others."""
        self._numbers = count(1)

    def on_path(self, start: Step, segments: Sequence[PathSegment], before: Sequence[PathSegment] = ()) -> PathValues:
        """The values on a path; what is the same on all paths is computed once for all of them.

        Args:
            start: the operation with which the path begins.
            segments: the path.
            before: a path to the operation, from the start of the function or from any path; empty: any.

        """
        found = PathValues(self._steps, self.branches, warp=self._warp, lane=self._lane)
        found._start = start
        found._segments = (*before, *segments)
        found._first = len(before) - 1
        found._any_path = self
        found._lookups = self._lookups
        found.unknowns = self.unknowns
        found._number = next(self._numbers)
        return found

    def along(self, segments: Sequence[PathSegment], most: int, *, is_any: bool = True) -> PathValues:
        """The values on a path from the start of the function; segments may be appended to it.

        Args:
            segments: the path.
            most: so many instructions are evaluated.
            is_any: whether they are those of any thread, and not of the one of these values.

        """
        found = PathValues(self._steps, self.branches, most, None if is_any else self._warp, self._lane)
        found._segments = segments
        found._first = 0
        found.unknowns = self.unknowns
        found._number = next(self._numbers)
        return found

    def of_thread(self, warp: int | None, lane: int = 0) -> PathValues:
        """The values of another thread of the CTA, or of any."""
        found = PathValues(self._steps, self.branches, self._most, warp, lane)
        found._lookups = self._lookups
        found.unknowns, found._numbers = self.unknowns, self._numbers
        found._number = next(self._numbers)
        return found

    def decided(self, branch: BranchGuard) -> bool | None:
        """The value of the predicate of a branch if the thread has the same one on all paths; None if not."""
        if not self.branches.may_be_known(branch):
            return None
        value = self.guard(branch)
        return None if value.terms else bool(value.number)

    def guard(self, branch: BranchGuard) -> LinearValue:
        """The value of the predicate of a branch, whatever path leads to it."""
        return self._register(_Position(-1, branch.step), branch.register)

    def operand_at(self, segment: int, step: Step, operand: Operand) -> LinearValue:
        """The value of an operand of an instruction in a segment of the path."""
        return self._operand(_Position(segment, step), operand)

    def register_at(self, segment: int, step: Step, register: str) -> LinearValue:
        """The value of a register before an instruction in a segment of the path."""
        return self._register(_Position(segment, step), register)

    def at_start(self, operand: Operand) -> LinearValue:
        """The value of an operand of the operation."""
        assert self._start is not None
        return self._operand(_Position(self._first, self._start), operand)

    def on_any_path(self, step: Step, operand: Operand) -> LinearValue | None:
        """The value of an operand of an instruction if it is the same on all paths; None if it may differ."""
        value = self.before_path(step, operand)
        return value if self.is_fixed(value) else None

    def before_path(self, step: Step, operand: Operand) -> LinearValue:
        """The value of an operand of an instruction, with unknown things for what differs from path to path."""
        return self._operand(_Position(-1, step), operand)

    def result_on_any_path(self, step: Step, register: str) -> LinearValue | None:
        """The value that an instruction leaves in a register if it is the same on all paths."""
        value = self._value(_Position(-1, step), register)
        return value if self.is_fixed(value) else None

    def is_fixed(self, value: LinearValue) -> bool:
        """Whether a value is computed only from what never changes: variables, parameters, special registers."""
        for number, _ in value.terms:
            if number not in self._fixed:
                key = self.unknowns.keys[number]
                self._fixed[number] = isinstance(key, tuple) and (
                    key[0] in _NEVER_CHANGES or (isinstance(key[0], tuple) and all(map(self.is_fixed, key[1])))
                )
            if not self._fixed[number]:
                return False
        return True

    def at_end(self, step: Step, operand: Operand) -> LinearValue:
        """The value of an operand of the instruction with which the path ends."""
        return self._operand(_Position(len(self._segments) - 1, step), operand)

    def is_possible(self) -> bool:
        """Whether no branch of the path contradicts a value that is known, or another branch."""
        return self.contradiction() is None

    def contradiction(self) -> Edge | None:
        """The first edge of the path that its branch does not take; None if there is none."""
        decided: dict[int, int] = {}
        for at, (segment, following) in enumerate(pairwise(self._segments)):
            branch = self.branches.of(segment.node) if segment.before is None else None
            if branch is None:
                continue
            holds = branch.value_on(following.node)
            value = self._register(_Position(at, branch.step), branch.register)
            if not value.terms and value.number != int(holds):
                return segment.node, following.node
            if len(value.terms) == 1 and abs(value.terms[0][1]) == 1:
                unknown, factor = value.terms[0]
                bit = (int(holds) - value.number) * factor
                if decided.setdefault(unknown, bit) != bit:
                    return segment.node, following.node
        return None

    # ------------------------------------------------------------------ operands

    def _operand(self, where: _Position, operand: Operand) -> LinearValue:
        context = self._lookups.context(where.step)
        return self._evaluated(where, context, operand)

    def _evaluated(self, where: _Position, context: StatementContext, operand: Operand) -> LinearValue:
        if operand.kind in (OperandKind.ADDRESS, OperandKind.GENERIC) and operand.parts:
            return self._moved(where, context, self._evaluated(where, context, operand.parts[0]), operand.offset)
        is_name = operand.kind is OperandKind.NAME and operand.name >= 0
        if not is_name or not context.word(operand.name).startswith("%"):
            number = evaluate(context.statement, operand)
            if isinstance(number, int):
                return constant(number)
        if not is_name or operand.sign not in ("", "!"):
            return self.unknowns.value(("operand", self._number, where, operand.first))
        value = self._named(where, context, operand)
        value = self._moved(where, context, value, operand.offset)
        return combined(constant(1), value, -1) if operand.sign == "!" else value

    def _moved(
        self, where: _Position, context: StatementContext, value: LinearValue, offset: Operand | None
    ) -> LinearValue:
        return value if offset is None else combined(value, self._evaluated(where, context, offset), 1)

    def _named(self, where: _Position, context: StatementContext, operand: Operand) -> LinearValue:
        name = context.word(operand.name)
        register = self._lookups.register(where.step, name) if not operand.selector else None
        if register is not None:
            return self._register(where, register)
        symbol = context.visible(name)
        if symbol is None:
            whole = context.text_of(operand)
            index = index_of_thread(whole, self._warp, self._lane) if self._warp is not None else None
            return self.unknowns.value(("special", whole)) if index is None else constant(index)
        if operand.selector:
            return self.unknowns.value(("operand", self._number, where, operand.first))
        return self.unknowns.value(("symbol", symbol))

    # ------------------------------------------------------------------ registers

    def _register(self, where: _Position, register: str) -> LinearValue:
        """The value of a register before an instruction."""
        found = self._definition(where, register)
        if found is not None and self._any_path is not None:
            value = self._any_path.result_on_any_path(found.step, register)
            if value is not None:
                return value
        if found is None:
            return self.unknowns.value(("before", self._reader(where).place, register))
        return self._value(found, register)

    def _value(self, where: _Position, register: str) -> LinearValue:
        """The value that an instruction leaves in a register."""
        key = (where.segment, where.step.node, where.step.statement, register)
        if key not in self._known:
            if not self._left:
                return self.unknowns.value(("unknown", self._number, key))
            self._left -= 1
            self._known[key] = self.unknowns.value(("loop", self._number, key))  # of what only depends on itself
            self._known[key] = self._computed(where, register)
        return self._known[key]

    def _definition(self, where: _Position, register: str) -> _Position | None:
        """The instruction whose value a register has, if there is only one."""
        statement = where.step.statement
        written = self._steps.graph.written
        for at in range(where.segment, -1, -1):
            node, after, before = self._segments[at]
            end = statement if at == where.segment else before
            if register in written[node]:
                for one in self._lookups.writers(node, register):
                    if after < one.statement and (end is None or one.statement < end):
                        found = _Position(at, one)
                        happens = self._happens(found)
                        if happens is not False:
                            return found if happens else None
        if self._first >= 0 and not self._segments[0].node:
            return None  # the path begins with the function
        definitions = self._lookups.definitions(self._reader(where), register)
        if len(definitions) == 1 and not definitions[0].guarded:
            return _Position(-1, definitions[0])
        for one in definitions:
            happens = self._happens(_Position(-1, one))
            if happens is None:
                return None
            if happens:
                others = [other for other in definitions if not other.guarded and other is not one]
                return _Position(-1, one) if one.guarded or not others else None
        return None

    def _reader(self, where: _Position) -> Step:
        """The instruction before which a register is asked for that the path does not write."""
        return where.step if where.segment < 0 or self._start is None else self._start

    def _happens(self, where: _Position) -> bool | None:
        """Whether the guard of an instruction holds; None if that is not known."""
        step = where.step
        if not step.guarded:
            return True
        value = self._register(where, step.reads[0])
        return None if value.terms else bool(value.number) is not is_negated(step)

    def _computed(self, where: _Position, register: str) -> LinearValue:
        """The value that an instruction leaves in a register."""
        step = where.step
        unknown = self.unknowns.value((RESULT, self._number, where.segment, step.node, step.statement, register))
        context = self._lookups.context(step)
        tree = context.instruction
        if register in step.updates or tree is None or not tree.operands:
            return unknown
        first = tree.operands[0]
        if first.kind is not OperandKind.NAME or context.word(first.name) != register.partition(" ")[0]:
            # The second result of an election: the leader is the first thread of the warp.
            return constant(int(not self._lane)) if step.opcode[0] == ELECTION and self._warp is not None else unknown
        if step.opcode[:2] == ("ld", ".param"):
            # What a call returns differs from call to call.
            is_fixed = _is_parameter(context, tree.operands[1])
            return self.unknowns.value(("parameter", context.text_of(tree.operands[1]))) if is_fixed else unknown
        if not depends_on_operands(step.opcode):
            return unknown
        sources = (one.parts if one.kind is OperandKind.VECTOR else (one,) for one in tree.operands[1:])
        values = [self._operand(where, one) for parts in sources for one in parts]
        if step.opcode[0] == "shfl" and self._warp is None and values[0].terms:
            return unknown  # the value of another thread
        return result_of(step.opcode, values, self.unknowns) or unknown


def _is_parameter(context: StatementContext, address: Operand) -> bool:
    """Whether an address is that of a parameter of the function."""
    base = address.parts[0] if address.parts else address
    symbol = context.visible(context.word(base.name)) if base.name >= 0 else None
    return symbol is not None and symbol.kind is SymbolKind.PARAMETER
