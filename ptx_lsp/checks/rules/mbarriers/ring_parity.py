"""W836 ring-parity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.symbolic.linear_values import LinearValue
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.path_results import is_in_variable
from ptx_lsp.analysis.synchronization.path_walk import rounds_of
from ptx_lsp.checks.support.finding import PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.mbarrier_uses import mbarrier_uses
from ptx_lsp.isa.model.ordering import PHASE, Verb
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.tree import Operand, OperandKind

RULE = warning("W836")
_MOST_MBARRIERS = 12
_LEAST = 2
"""The mbarriers of a ring."""
_PARITY = "phaseParity"
_WITH_PARITY = 2
"""The operands of a wait that its page names: the mbarrier and the parity."""
_MOST_WAITS = 16
"""So many waits of a kernel are followed."""


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A ring of mbarriers whose parity changes with each wait, or never; it must change once a round.

    Each mbarrier of a ring completes one phase while the ring goes round once. So the parity stays the same for all
    stages, and changes where the stage begins at 0 again. If it changes with each wait, the waits for some stages
    return at once, and those for others block until a phase too late. If it never changes, all waits from the second
    round on return at once.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 8 .b8 full[16];
    mbarrier.init.shared::cta.b64 [full], 1;
    mbarrier.init.shared::cta.b64 [full+8], 1;
    mov.u32 %r1, full;
    mov.u32 %r2, 0; // stage
    mov.u32 %r3, 0; // parity
    LOOP:
    mad.lo.u32 %r4, %r2, 8, %r1;
    mbarrier.arrive.shared::cta.b64 _, [%r4];
    WAIT:
    mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r4], %r3;
    //                                                   ^^^ warning[W836]: the parity changes with each wait, and not once a round of the 2 mbarriers (line 21)
    @!%p1 bra WAIT;
    xor.b32 %r2, %r2, 1;
    xor.b32 %r3, %r3, 1;
    add.u32 %r5, %r5, 1;
    setp.lt.u32 %p2, %r5, %r6;
    @%p2 bra LOOP;
    ret;
    ```

    **Right:** change it where the stage becomes 0: `setp.eq.u32 %p3, %r2, 0; @%p3 xor.b32 %r3, %r3, 1;`

    ---

    Reported if a thread that goes round the loop comes to the wait with addresses that repeat after 2 to 11 mbarriers,
    and with known parities, as computed on its path. A parity that never changes is reported if no other wait may be
    for the ring with another parity, and some arrival comes to the same mbarrier again. Not reported in functions, in
    kernels that call functions which may take part, and in bodies without `ret` or `exit`. PTX ISA,
    "mbarrier.test_wait, mbarrier.try_wait".
    """  # noqa: E501 (a caret line carries its message)
    kernel = flow.kernel
    if not kernel.is_known:
        return
    uses = mbarrier_uses(flow)
    rings: list[tuple[Step, _Ring]] = []
    for wait, _ in uses.waits[:_MOST_WAITS]:
        yield from kernel.threads.finding(wait)
        ring = _ring(kernel, wait)
        if ring is not None:
            rings.append((wait, ring))
        yield None
    for wait, ring in rings:
        yield None
        if all(one != other for one, other in pairwise(ring.parities)):
            message = f"the parity changes with each wait, and not once a round of the {ring.size} mbarriers"
            yield _finding(kernel, wait, message)
        elif len({*ring.parities}) == 1 and _is_wrong_constant(flow, wait, ring):
            message = f"the parity is the same in each round of the {ring.size} mbarriers; it must change once a round"
            yield _finding(kernel, wait, message)


class _Ring(NamedTuple):
    """The mbarriers that one thread waits for one after the other."""

    addresses: tuple[LinearValue, ...]
    parities: tuple[int, ...]
    """The parities up to the second wait for the first mbarrier."""

    @property
    def size(self) -> int:
        """The number of mbarriers."""
        return len(self.addresses)


def _ring(kernel: Kernel, wait: Step) -> _Ring | None:
    """The ring of a wait, if it repeats after some mbarriers."""
    fact = kernel.facts.find(wait, Verb.WAITS, PHASE)
    operands = [kernel.operand(wait, role) for role in fact.operands] if fact is not None else []
    if len(operands) != _WITH_PARITY or kernel.wait_edges(wait) is None:
        return None
    address, parity = operands
    if address is None or parity is None:
        return None
    rounds = list(_until_repeated(kernel, wait, (address, parity)))
    addresses, parities = [one for one, _ in rounds], [one.number for _, one in rounds]
    is_ring = len(rounds) > _LEAST and addresses[-1] == addresses[0] and set(parities) <= {0, 1}
    return _Ring(tuple(addresses[:-1]), tuple(parities)) if is_ring else None


def _until_repeated(kernel: Kernel, step: Step, operands: tuple[Operand, ...]) -> Iterator[tuple[LinearValue, ...]]:
    """The address of an mbarrier, and the other operands, until an address comes again.

    It ends where one of them is not known.
    """
    place = kernel.places.of(step, operands[0])
    if place is not None and place.offset is not None:
        return  # it is always the same
    start: LinearValue | None = None
    seen: set[int] = set()
    for values in rounds_of(kernel, step, operands, _MOST_MBARRIERS):
        start = start or values[0]
        offset = values[0].distance(start)
        if offset is None or any(one.terms for one in values[1:]):
            return
        yield values
        if offset in seen:
            return
        seen.add(offset)


def _is_wrong_constant(flow: Flow, wait: Step, ring: _Ring) -> bool:
    """Whether the phases of a ring go on, and all waits for it have the parity that never changes."""
    kernel, uses = flow.kernel, mbarrier_uses(flow)
    place = next(use.place for use in uses.waits if use.step is wait)
    for other in uses.waits_by_place.maybe_same(place):
        found = _ring(kernel, other) if other is not wait else ring
        if found is not None and _are_apart(kernel, found.addresses, ring.addresses):
            continue  # another ring in the same variable
        parities = set(found.parities) if found is not None else {kernel.constant(other, _PARITY)}
        if parities != {ring.parities[0]}:
            return False
    for arrival in list(uses.arrivals_by_place.maybe_same(place))[:_MOST_WAITS]:
        fact = kernel.facts.find(arrival, Verb.ARRIVES, PHASE)
        address = kernel.operand(arrival, *fact.operands[:1]) if fact is not None else None
        addresses = [one for (one,) in _until_repeated(kernel, arrival, (address,))] if address is not None else []
        is_ring = len(addresses) > _LEAST and addresses[-1] in addresses[:-1]
        if is_ring and not _are_apart(kernel, addresses, ring.addresses):
            return True
    return False


def _are_apart(kernel: Kernel, some: Sequence[LinearValue], others: Sequence[LinearValue]) -> bool:
    """Whether all are addresses in variables, and none is in both."""
    is_known = all(is_in_variable(kernel.path_values.unknowns, one) for one in (*some, *others))
    return is_known and not set(some) & set(others)


def _finding(kernel: Kernel, wait: Step, message: str) -> PlacedFinding:
    """The finding at the parity, with the instruction that changes it."""
    context = kernel.context(wait)
    operand = kernel.operand(wait, _PARITY)
    span = context.opcode_span() if operand is None else context.operand_span(operand)
    found = RULE.at(span, message)
    if operand is not None and operand.kind is OperandKind.NAME:
        register = kernel.graph.registers.key(context.word(operand.name), kernel.graph.nodes[wait.node].scope)
        changes = [one for one in kernel.steps.definitions(wait, register) if kernel.leads(wait, one)]
        found = found.related_to(*(RelatedPlace(one.place, "the parity is made here") for one in changes[:1]))
    return PlacedFinding(wait.place, found)
