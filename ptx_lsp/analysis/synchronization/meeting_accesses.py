"""Accesses of the same memory: by an operation in flight and by an instruction that is executed meanwhile.

There can be thousands of pairs, most of them alike: accesses often go to few addresses. Of accesses that are alike one
is compared with each operation.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterator, Sequence

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.symbolic.linear_values import LinearValue
from ptx_lsp.analysis.synchronization.async_paths import Arrival
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.ordering_facts import accessed_space
from ptx_lsp.analysis.synchronization.path_results import pointer, shared_addresses_in
from ptx_lsp.analysis.synchronization.path_values import PathValues
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.syntax.tree import Operand, OperandKind

_SIZES = ("size", "cp-size", "16")
"""The operands with the number of bytes of a copy."""


class Meeting:
    """Whether two instructions access the same memory.

    Args:
        kernel: their kernel.
        own: the accesses of the operation that count.
        other: those of the other instruction, or the names of its operands.

    """

    def __init__(self, kernel: Kernel, own: Verb, other: Verb | tuple[str, ...]) -> None:
        self._kernel = kernel
        self._own = own
        self._other = other
        self._threads: dict[tuple[int, int], PathValues | None] = {}
        """The values of the threads that are followed to operations, by node and statement."""
        self._known: dict[tuple[PathValues, int, int, bool], tuple[LinearValue, ...]] = {}
        self._within: dict[tuple[tuple[LinearValue, ...], int, tuple[LinearValue, ...]], bool] = {}
        """Whether some addresses may be within so many bytes from others."""
        self._sizes: dict[tuple[int, int], int] = {}
        self._addresses: dict[tuple[int, int, bool], list[Operand]] = {}

    def may_meet(self, operation: Step, use: Step) -> bool:
        """Whether what the text says of the addresses allows it; a path decides."""
        values = self._thread(operation)
        if values is None or not self._may_share_space(operation, use):
            return False
        starts = self._values(values, operation, is_own=True)
        accessed = self._values(values, use, is_own=False)
        size = self._size(operation)
        key = starts, size, accessed
        if key not in self._within:
            self._within[key] = any(_may_be_within(values, size, one, two) for one in starts for two in accessed)
        return self._within[key]

    def likeness(self, operation: Step, use: Step) -> Hashable:
        """All that :meth:`may_meet` depends on of an access, for operations with this opcode and in this thread."""
        values = self._thread(operation)
        if values is None or not self._may_share_space(operation, use):
            return False
        self._values(values, operation, is_own=True)  # first, as above: only so many instructions are evaluated
        return self._values(values, use, is_own=False)

    def _thread(self, operation: Step) -> PathValues | None:
        """The values of the thread that is followed to an operation."""
        key = (operation.node, operation.statement)
        if key not in self._threads:
            self._threads[key] = self._kernel.threads.values_at(operation)
        return self._threads[key]

    def _may_share_space(self, operation: Step, use: Step) -> bool:
        """Whether the opcodes allow both accesses to be in one state space."""
        if not isinstance(self._other, Verb):
            return True
        spaces = {accessed_space(operation.opcode, self._own), accessed_space(use.opcode, self._other)}
        return "" in spaces or len(spaces) == 1

    def _values(self, values: PathValues, step: Step, *, is_own: bool) -> tuple[LinearValue, ...]:
        """The addresses of the accesses of an instruction, as far as they are known on any path."""
        key = (values, step.node, step.statement, is_own)
        found = self._known.get(key)
        if found is None:
            operands = self._operands(step, self._own if is_own else self._other)
            found = self._known[key] = tuple([values.before_path(step, operand) for operand in operands])
        return found

    def is_met(self, operation: Step, arrival: Arrival, values: PathValues) -> bool:
        """Whether a thread that takes the path accesses with the other instruction what the operation accesses."""
        use = arrival.use
        if use is None:
            return False
        for own in self._operands(operation, self._own):
            start = values.at_start(own)
            for other in self._operands(use, self._other):
                distance = values.at_end(use, other).distance(start)
                if distance is not None and 0 <= distance < self._size(operation):
                    return True
        return False

    def is_met_by_earlier(self, earlier: Step, arrival: Arrival, values: PathValues, least: int) -> bool:
        """:meth:`is_met` for a path that begins at the other instruction and ends at the operation.

        Args:
            earlier: the other instruction.
            arrival: the operation at the end of the path.
            values: the values on the path.
            least: the number of bytes that count of what a descriptor refers to.

        """
        operation = arrival.use
        if operation is None:
            return False
        size = self._size(operation)
        starts = [(values.at_end(operation, own), size) for own in self._operands(operation, self._own)]
        for role in self._kernel.facts.roles(operation, Verb.READS):
            operand = self._kernel.operand(operation, role)
            if operand is not None and operand.kind is OperandKind.NAME:
                starts += [
                    (one, least) for one in shared_addresses_in(values.unknowns, values.at_end(operation, operand))
                ]
        for other in self._operands(earlier, self._other):
            address = values.at_start(other)
            distances = [(address.distance(start), size) for start, size in starts]
            if any(distance is not None and 0 <= distance < size for distance, size in distances):
                return True
        return False

    def _size(self, operation: Step) -> int:
        """The number of bytes that an operation accesses, at least."""
        key = (operation.node, operation.statement)
        if key not in self._sizes:
            self._sizes[key] = self._kernel.constant(operation, *_SIZES) or 1
        return self._sizes[key]

    def _operands(self, step: Step, accesses: Verb | tuple[str, ...]) -> list[Operand]:
        """The addresses of the accesses of an instruction."""
        key = (step.node, step.statement, accesses is self._own)
        found = self._addresses.get(key)
        if found is None:
            roles = self._kernel.facts.roles(step, accesses) if isinstance(accesses, Verb) else accesses
            named = [self._kernel.operand(step, role) for role in roles]
            found = [one for one in named if one is not None and one.kind is OperandKind.ADDRESS]
            self._addresses[key] = found
        return found


def _may_be_within(values: PathValues, size: int, start: LinearValue, accessed: LinearValue) -> bool:
    """Whether an address may be one of so many bytes from another one, on whatever path."""
    if values.is_fixed(start) and values.is_fixed(accessed):
        distance = accessed.distance(start)
        return distance is not None and 0 <= distance < size
    pointers = pointer(values.unknowns, start), pointer(values.unknowns, accessed)
    return None in pointers or pointers[0] == pointers[1]


MayMeet = Callable[[Step, Step], bool]
"""Whether an operation and an access may concern the same place, on whatever path."""
AccessLikeness = Callable[[Step, Step], Hashable]
"""Asked with an operation and an access: accesses with equal answers are the same for all operations that have the
opcode of this one and are followed in its thread; one with None is like no other."""

_IN_A_STEP = 32


class ComparedPairs:
    """The answers of a comparison.

    Args:
        kernel: the kernel.
        operations: its operations of one kind.
        may_meet: the comparison.
        likeness: if it is the same for many accesses.

    """

    def __init__(
        self, kernel: Kernel, operations: Sequence[Step], may_meet: MayMeet, likeness: AccessLikeness | None
    ) -> None:
        self._kernel = kernel
        self._operations = operations
        self._may_meet = may_meet
        self._likeness = likeness
        self._grouped = 0
        self._groups: dict[Hashable, int] = {}
        """The operations, as bits, by the thread that is followed and the opcode."""
        self._known: dict[Hashable, tuple[int, int]] = {}
        """Of accesses that are alike: the operations that they were compared with, and those of them that may meet."""
        self._asked = 0

    def meeting(self, among: int, access: Step) -> Generator[None, None, int]:
        """Find those of some operations, given as bits, that may meet an access, in steps of a few milliseconds."""
        yield from self._grouping(among & ~self._grouped)
        found = 0
        for group, members in self._groups.items():
            here = among & members
            if not here:
                continue
            first = self._operations[next(bits(here))]
            likeness = self._likeness(first, access) if self._likeness is not None else None
            if likeness is None:
                found |= yield from self._comparing(here, access)
                continue
            compared, meet = self._known.get((group, likeness), (0, 0))
            if here & ~compared:
                meet |= yield from self._comparing(here & ~compared, access)
                self._known[group, likeness] = compared | here, meet
            found |= here & meet
        return found

    def _grouping(self, fresh: int) -> Iterator[None]:
        """Find the threads in which some operations are followed, and their groups, in steps."""
        for number in bits(fresh):
            operation = self._operations[number]
            yield from self._kernel.threads.finding(operation)
            group = self._kernel.threads.values_at(operation), operation.opcode
            self._groups[group] = self._groups.get(group, 0) | 1 << number
        self._grouped |= fresh

    def _comparing(self, among: int, access: Step) -> Generator[None, None, int]:
        """Compare an access with some operations, in steps; those that may meet it."""
        found = 0
        for number in bits(among):
            self._asked += 1
            if not self._asked % _IN_A_STEP:
                yield
            if self._may_meet(self._operations[number], access):
                found |= 1 << number
        return found


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
