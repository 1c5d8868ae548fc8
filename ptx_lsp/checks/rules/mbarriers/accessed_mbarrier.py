"""W856 accessed-mbarrier."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import islice

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.analysis.synchronization.async_hazards import AsyncHazard, AsyncHazards
from ptx_lsp.analysis.synchronization.async_paths import Verdict
from ptx_lsp.analysis.synchronization.async_work import work_until
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.mbarriers import Mbarriers, name_of_mbarrier
from ptx_lsp.analysis.synchronization.memory_locations import MemoryLocation
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, warning
from ptx_lsp.checks.support.mbarrier_uses import mbarrier_uses
from ptx_lsp.isa.model.ordering import THREADS, Verb

RULE = warning("W856")
_MOST_ACCESSED = 16
"""So many mbarriers are looked at: for each the paths through the function are followed."""
_SIZE = 8
"""Bytes of an mbarrier."""
_ACCESSES = frozenset({(Verb.READS, ""), (Verb.WRITES, ""), (Verb.ORDERS, THREADS)})
"""The facts of instructions that only access memory."""
_IN_A_STEP = 64


def check_flow(flow: Flow) -> Iterator[PlacedFinding | None]:
    """A load, store or atomic operation on an mbarrier that is in use.

    An mbarrier is opaque. Between `mbarrier.init` and `mbarrier.inval` only `mbarrier` instructions and operations that
    complete on it may access its 8 bytes: the behavior of all others is undefined. A load shows counts in a format that
    differs between architectures, and a store destroys the phase.

    ```ptx
    //- sm_90 ptx 8.0
    .shared .align 8 .b64 done;
    mbarrier.init.shared::cta.b64 [done], 1;
    mbarrier.arrive.shared::cta.b64 %rd1, [done];
    ld.shared.b64 %rd2, [done];
    // <--- warning[W856]: 'done' is an mbarrier (line 8); only mbarrier operations may access it until 'mbarrier.inval'
    // ptxas: accepts it
    WAIT:
    mbarrier.test_wait.shared::cta.b64 %p1, [done], %rd1;
    @!%p1 bra WAIT;
    st.global.b64 [%rd3], %rd2;
    ret;
    ```

    **Right:** `mbarrier.test_wait` for the state of a phase; `mbarrier.inval` before the memory is used for other data.

    ---

    Reported if the offsets of both in one variable are known, and one path leads from the `mbarrier.init` to the
    access without an `mbarrier.inval`, for the first 16 mbarriers that are accessed. Copies over an mbarrier are
    W832. Not reported in functions, in kernels that call functions which may take part, and in bodies without `ret`
    or `exit`. PTX ISA, "mbarrier: Contents of the mbarrier object" and "Lifecycle of the mbarrier object".
    """
    kernel = flow.kernel
    if not kernel.is_known:
        return
    uses = mbarrier_uses(flow)
    made: dict[Symbol, dict[int, list[Step]]] = {}
    for use in uses.initializations:
        if use.place is not None and use.place.offset is not None:
            made.setdefault(use.place.variable, {}).setdefault(use.place.offset, []).append(use.step)
    if not made:
        return
    touched: dict[Step, MemoryLocation | None] = {}
    for step in (yield from _finding_accesses(kernel)):
        touched[step] = _touched(kernel, step, made)
        if not len(touched) % _IN_A_STEP:
            yield None
    accesses = [step for step, place in touched.items() if place is not None]
    if not accesses:
        return
    for hazard, place in _hazards(kernel, uses, touched):
        if hazard is None:
            yield None
            continue
        context = kernel.context(hazard.use)
        message = (
            f"'{name_of_mbarrier(place)}' is an mbarrier{HERE}; only mbarrier operations may access it until "
            "'mbarrier.inval'"
        )
        beside = RelatedPlace(hazard.operation.place, "the mbarrier is initialized here")
        yield PlacedFinding(context.place, RULE.at(context.opcode_span(), message).related_to(beside))
        return


def _hazards(
    kernel: Kernel, uses: Mbarriers, touched: dict[Step, MemoryLocation | None]
) -> Iterator[tuple[AsyncHazard | None, MemoryLocation]]:
    """Accesses of mbarriers that are in use, by the mbarrier; None is a pause."""
    places = dict.fromkeys(one for one in touched.values() if one is not None)
    for place in islice(places, _MOST_ACCESSED):
        inits = [use.step for use in uses.initializations if use.place == place]
        ends = [use.step for use in uses.invalidations if _may_be(use.place, place)]
        accesses = [step for step, one in touched.items() if one == place]
        hazards = AsyncHazards(kernel, work_until(inits, ends))
        for hazard in hazards.accessing(accesses, lambda *_: True, lambda *_: Verdict.FOUND):
            yield hazard, place


def _may_be(one: MemoryLocation | None, place: MemoryLocation) -> bool:
    """Whether the text does not exclude that an mbarrier is one whose place is known."""
    if one is None or one.variable is not place.variable:
        return one is None or one.is_elsewhere and place.is_elsewhere
    return one.offset in (None, place.offset)


def _finding_accesses(kernel: Kernel) -> Generator[None, None, list[Step]]:
    """The instructions that access shared memory and do nothing else, in the order of the text."""
    found: dict[tuple[int, int], Step] = {}
    for verb in (Verb.READS, Verb.WRITES):
        for number, step in enumerate((yield from kernel.facts.finding_shared_accesses(verb))):
            if all((fact.verb, fact.what) in _ACCESSES for fact in kernel.facts.of(step)):
                found[step.node, step.statement] = step
            if not number % _IN_A_STEP:
                yield
    return sorted(found.values(), key=lambda step: (step.node, step.statement))


def _touched(kernel: Kernel, access: Step, made: dict[Symbol, dict[int, list[Step]]]) -> MemoryLocation | None:
    """The mbarrier in which an access begins, of those that are made in variables at offsets."""
    for role in dict.fromkeys(kernel.facts.roles(access, Verb.READS, Verb.WRITES)):
        spot = kernel.spot(access, role)
        if spot is None or spot.offset is None:
            continue
        offsets = made.get(spot.variable, {})
        for offset in range(spot.offset, spot.offset - _SIZE, -1) if offsets else ():
            if offset in offsets:
                return spot._replace(offset=offset)
    return None
