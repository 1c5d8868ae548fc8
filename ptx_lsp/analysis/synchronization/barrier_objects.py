"""The barriers and the asynchronous work of a function, each with the instructions that take part.

An mbarrier whose address varies is one of an array, which begins at the constant part of the address. The array holds
as many barriers as there are stages of the ring that its index counts. Where that is not known, it holds the barriers
with constant addresses that follow one another from there, as long as they are made for as many arrivals, and as many
as there are in an array that another one follows. ``8 * (i - 1)`` with an index that begins at 1 is of the same array
as ``8 * i``. A variable of which each 8 bytes are initialized is one array, whatever its index is made from.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import zip_longest

from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.symbolic.inductions import Inductions
from ptx_lsp.analysis.symbols.storage import layout_of
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.analysis.synchronization.barrier_addresses import SIZE, BarrierAddress, BarrierAddresses
from ptx_lsp.analysis.synchronization.participants import Participant, Participants, SyncKind
from ptx_lsp.isa.model.ordering import ALL, PHASE, THREADS, Verb
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.constants import evaluate

_MOST_NODES = 20_000
"""So many blocks are searched for the partners of an instruction."""
_MOST_GROUPS = 16
"""Waits that leave more groups unfinished are read as if they left so many."""
_MOST_PARTICIPANTS = 20_000
"""Of more instructions the addresses are not evaluated."""


class Member(NamedTuple):
    """A participant, and which barrier of an array it concerns."""

    participant: Participant
    offset: int | None
    """The offset of the barrier from the base; None if it varies, or there are no addresses."""
    is_elsewhere: bool = False
    """Whether the barrier may be in another CTA."""

    @property
    def step(self) -> Step:
        """The instruction."""
        return self.participant.step

    def may_meet(self, other: Member) -> bool:
        """Whether both may concern the same barrier of an array."""
        return None in (self.offset, other.offset) or self.offset == other.offset


class SyncObject(NamedTuple):
    """A barrier, an array of mbarriers, or the asynchronous work of a kind."""

    kind: SyncKind
    members: tuple[Member, ...]
    """In the order of the text."""
    number: int | None = None
    """The number of a named barrier, if it is constant."""
    offsets: tuple[int, ...] = ()
    """The offsets of the mbarriers that the text names with constants."""
    stride: int = 0
    """The distance of the mbarriers of an array; 0 for a single one."""
    size: int = 0
    """The number of mbarriers of an array; 0 if it is not known."""


class BarrierObjects:
    """The barriers and the work of one function.

    Args:
        steps: its instructions.
        inductions: the values of its registers; called when an address is needed.

    """

    def __init__(self, steps: Steps, inductions: Callable[[], Inductions]) -> None:
        self._graph = steps.graph
        self._steps = steps
        self._inductions = inductions
        self._object_at: dict[tuple[int, int], list[tuple[SyncObject, Member]]] = {}
        self.is_ready = False
        """Whether :meth:`finding` has ended."""
        self.all: tuple[SyncObject, ...] = ()
        """mbarriers first, then barriers of threads, then work; each kind in the order of the text."""

    def finding(self) -> Iterator[None]:
        """Find the objects, in steps of some milliseconds."""
        if self.is_ready:
            return
        found = Participants(self._steps)
        yield from found.finding()
        groups: dict[tuple[SyncKind, object], list[tuple[Participant, BarrierAddress | None]]] = {}
        addresses: BarrierAddresses | None = None
        for one in found.all:
            address = None
            if one.kind.name == PHASE and one.operand is not None and len(found.all) <= _MOST_PARTICIPANTS:
                addresses = addresses or BarrierAddresses(self._steps, self._inductions())
                address = addresses.of(one.step, one.operand)
                yield
            groups.setdefault((one.kind, self._key(one, address)), []).append((one, address))
        objects: list[SyncObject] = []
        for (kind, _), group in groups.items():
            for made in self._objects(kind, group):
                objects.append(made)
                for member in made.members:
                    self._object_at.setdefault((member.step.node, member.step.statement), []).append((made, member))
                yield
        objects.sort(key=lambda made: (made.kind.is_work, made.kind.name))
        self.all = tuple(objects)
        self.is_ready = True

    def at(self, step: Step) -> list[tuple[SyncObject, Member]]:
        """The objects that an instruction concerns; :meth:`finding` has ended."""
        return self._object_at.get((step.node, step.statement), [])

    # ------------------------------------------------------------------ objects

    def _key(self, one: Participant, address: BarrierAddress | None) -> object:
        """The common property of the participants of one object; for mbarriers of those with one base."""
        if one.kind.is_work or one.operand is None:
            return None
        context = self._steps.context(one.step)
        if one.kind.name == THREADS:
            number = self._number(one)
            return number if number is not None else context.text_of(one.operand)
        return address.base if address is not None else None

    def _number(self, one: Participant) -> int | None:
        """The number of a named barrier; None if it is not constant."""
        if one.operand is None:
            return None
        context = self._steps.context(one.step)
        number = evaluate(context.statement, one.operand)
        if number is None:
            value = self._inductions().values.operand(context, one.operand)
            number = value.number if value is not None and not value.terms else None
        return number if isinstance(number, int) else None

    def _count(self, one: Participant) -> object:
        """The number of arrivals that an mbarrier is made for, as far as it is known."""
        context = self._steps.context(one.step)
        match, tree = context.match, context.instruction
        names = [name for fact in one.facts if fact.verb is Verb.INITIALIZES for name in fact.operands[1:]]
        if match is None or tree is None or not names:
            return None
        operand = dict(zip(match.roles, tree.operands, strict=False)).get(names[0])
        return self._inductions().values.operand(context, operand) if operand is not None else None

    def _objects(self, kind: SyncKind, group: list[tuple[Participant, BarrierAddress | None]]) -> Iterator[SyncObject]:
        """The objects of one key: arrays of mbarriers, and single ones."""
        if kind.name != PHASE:
            number = self._number(group[0][0]) if kind.name == THREADS else None
            yield SyncObject(kind, tuple(Member(one, None) for one, _ in group), number)
            return
        unknown = [Member(one, None) for one, address in group if address is None]
        if unknown:
            yield SyncObject(kind, tuple(unknown))
            return
        found: dict[int, list[Member]] = {}
        constants = {address.offset for _, address in group if address is not None and not address.stride}
        strides: dict[int, int] = {}
        sizes: dict[int, int] = {}
        made: set[int] = set()
        for one, address in group:
            if address is not None and one.does(Verb.INITIALIZES):
                made.add(address.offset)
            if address is not None and address.stride:
                strides[address.offset] = min(address.stride, strides.get(address.offset, address.stride))
                sizes[address.offset] = max(address.size, sizes.get(address.offset, 0))
        counts = {
            address.offset: self._count(one)
            for one, address in group
            if address is not None and not address.stride and one.does(Verb.INITIALIZES)
        }
        whole = self._whole_variable(group, made) if strides else 0
        if whole:
            strides, sizes = {0: SIZE}, {0: whole}
        moved = {} if whole else _moved(strides, sizes, made)
        begins = _beginnings(constants, {at: one for at, one in strides.items() if at not in moved}, counts, sizes)
        if whole:
            begins = {address.offset: 0 for _, address in group if address is not None}
        for one, address in group:
            if address is not None:
                offset = None if address.stride else address.offset
                at = moved.get(address.offset, address.offset) if address.stride else address.offset
                found.setdefault(begins.get(at, at), []).append(Member(one, offset, address.is_elsewhere))
        for begin, members in found.items():
            offsets = tuple(sorted({member.offset for member in members if member.offset is not None}))
            yield SyncObject(kind, tuple(members), None, offsets, strides.get(begin, 0), sizes.get(begin, 0))

    def _whole_variable(self, group: list[tuple[Participant, BarrierAddress | None]], made: set[int]) -> int:
        """The number of mbarriers of a variable that holds nothing else, if all of them are initialized; else 0."""
        base = next((address.base for _, address in group if address is not None), ())
        symbol = self._inductions().values.atoms.atom(base[0][0]).key if len(base) == 1 else None
        layout = layout_of(symbol) if isinstance(symbol, Symbol) else None
        size = layout.size if layout is not None else None
        if not size or size != SIZE * len(made) or made != set(range(0, size, SIZE)):
            return 0
        return len(made)

    # ------------------------------------------------------------------ partners

    def partners(self, found: SyncObject, member: Member) -> list[Member]:
        """The instructions that an instruction waits for, or that wait for it, in the order of the text.

        Of mbarriers and barriers of threads all that may meet it; of work the nearest on all paths.
        """
        if found.kind.is_work:
            return self._partners_of_work(found, member)
        one = member.participant
        others = [other for other in found.members if other.step != member.step and other.may_meet(member)]
        if found.kind.name == THREADS and not one.is_split_wait and one.is_wait:
            return [other for other in others if other.participant.is_signal]
        if one.is_wait:
            return [other for other in others if other.participant.is_signal]
        return [other for other in others if other.participant.is_wait] if one.is_signal else []

    def _partners_of_work(self, found: SyncObject, member: Member) -> list[Member]:
        one = member.participant
        has_commits = any(_makes_group(other) for other in found.members)
        if one.is_wait:
            ends = _makes_group if has_commits else _starts
            return self._nearest(found, member, ends, is_forward=False, count=self._unfinished(member) + 1)
        if _makes_group(member):
            starts = self._nearest(found, member, _starts, is_forward=False, until=_makes_group)
            return [*starts, *self._nearest(found, member, _waits, is_forward=True)]
        if _starts(member):
            return self._nearest(found, member, _makes_group if has_commits else _waits, is_forward=True)
        return []

    def _unfinished(self, member: Member) -> int:
        """The number of groups that a wait leaves unfinished; 0 if it waits for all or the number is not known."""
        context = self._steps.context(member.step)
        match, tree = context.match, context.instruction
        fact = next(one for one in member.participant.facts if one.verb is Verb.WAITS)
        if match is None or tree is None or not fact.operands or fact.operands == (ALL,):
            return 0
        operand = dict(zip(match.roles, tree.operands, strict=False)).get(fact.operands[0])
        value = evaluate(context.statement, operand) if operand is not None else None
        return min(max(value, 0), _MOST_GROUPS) if isinstance(value, int) else 0

    def _nearest(
        self,
        found: SyncObject,
        member: Member,
        wanted: Callable[[Member], bool],
        *,
        is_forward: bool,
        count: int = 1,
        until: Callable[[Member], bool] | None = None,
    ) -> list[Member]:
        """The members that are the ``count``-th wanted one on some path; with ``until`` all wanted ones before it."""
        nodes: dict[int, list[Member]] = {}
        for one in found.members:
            nodes.setdefault(one.step.node, []).append(one)
        results: dict[tuple[int, int], Member] = {}
        start = member.step
        run = [
            one
            for one in nodes.get(start.node, ())
            if (one.step.statement > start.statement if is_forward else one.step.statement < start.statement)
        ]
        waiting = deque([(start.node, count, run)])
        seen: set[tuple[int, int]] = set()
        while waiting and len(seen) < _MOST_NODES:
            node, left, run = waiting.popleft()
            for one in run if is_forward else reversed(run):
                if until is not None and until(one):
                    left = 0
                    break
                if wanted(one):
                    left -= until is None
                    if left == 0 or until is not None:
                        results[one.step.node, one.step.statement] = one
                    if left == 0:
                        break
            if not left:
                continue
            block = self._graph.nodes[node]
            for following in block.successors if is_forward else block.predecessors:
                if (following, left) not in seen:
                    seen.add((following, left))
                    waiting.append((following, left, nodes.get(following, [])))
        return [one for one in found.members if (one.step.node, one.step.statement) in results]


def _starts(one: Member) -> bool:
    return one.participant.does(Verb.STARTS)


def _waits(one: Member) -> bool:
    return one.participant.is_wait


def _makes_group(one: Member) -> bool:
    return one.participant.does(Verb.COMMITS) or one.participant.does(Verb.COMPLETES)


def _moved(strides: dict[int, int], sizes: dict[int, int], made: set[int]) -> dict[int, int]:
    """Offsets at which varying addresses begin, to the beginning of the array that they are addresses of.

    An address with another constant part is of an array if it begins within it, or one before what is initialized.
    """
    moved: dict[int, int] = {}
    begins = sorted(strides)
    for begin in begins:
        stride = strides[begin]
        if begin not in made and begin + stride in made:
            moved[begin] = begin + stride
            strides.setdefault(begin + stride, stride)
            sizes[begin + stride] = max(sizes[begin], sizes.get(begin + stride, 0))
    begin, end = 0, 0
    for at in sorted(one for one in strides if one not in moved):
        if at < end and not sizes.get(at) and not (at - begin) % strides[begin]:
            moved[at] = begin
        elif sizes.get(at):
            begin, end = at, at + sizes[at] * strides[at]
    return moved


def _beginnings(
    constants: set[int], strides: dict[int, int], counts: dict[int, object], known: dict[int, int]
) -> dict[int, int]:
    """For each constant offset in an array the offset at which the array begins."""
    begins = sorted(strides)
    sizes: dict[int, int] = {}
    bounded = 0
    for begin, following in zip_longest(begins, begins[1:]):
        stride, size = strides[begin], 1
        while begin + size * stride in constants and begin + size * stride not in strides:
            if counts.get(begin + size * stride) != counts.get(begin):
                break
            size += 1
        sizes[begin] = size
        if following == begin + size * stride and not known.get(begin):
            bounded = max(bounded, size)
    for begin, size in sizes.items():
        sizes[begin] = known.get(begin) or (min(size, bounded) if bounded else size)
    return {begin + at * strides[begin]: begin for begin, size in sizes.items() for at in range(size)}
