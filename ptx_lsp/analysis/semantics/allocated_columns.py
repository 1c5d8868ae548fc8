"""Allocations of Tensor Memory of a kernel: which of them an address comes from.

An allocation writes the address of its columns to shared memory, from where threads load it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.semantics.flow import Flow
from ptx_lsp.analysis.synchronization.memory_locations import MemoryLocation
from ptx_lsp.analysis.synchronization.path_results import maker_of
from ptx_lsp.isa.model.ordering import Verb

_IN_A_STEP = 64


class AllocatedColumns:
    """The places in shared memory with the addresses of allocated columns, which nothing else writes.

    ``flow.derived(AllocatedColumns)`` makes them once; :meth:`finding` fills them.
    """

    def __init__(self, flow: Flow) -> None:
        self._kernel = flow.kernel
        self._by_place: dict[MemoryLocation, list[Step]] | None = None

    def finding(self) -> Iterator[None]:
        """Find the places, in steps of a few milliseconds."""
        if self._by_place is not None:
            return
        kernel, facts = self._kernel, self._kernel.facts
        by_place: dict[MemoryLocation | None, list[Step]] = defaultdict(list)
        for number, step in enumerate(facts.steps(Verb.ALLOCATES), 1):
            by_place[kernel.spot(step, *facts.roles(step, Verb.ALLOCATES))].append(step)
            if not number % _IN_A_STEP:
                yield
        writes = (yield from facts.finding_shared_accesses(Verb.WRITES)) if by_place else ()
        written = set()
        for number, step in enumerate(writes, 1):
            written.add(kernel.spot(step, *facts.roles(step, Verb.WRITES)))
            if not number % _IN_A_STEP:
                yield
        self._by_place = {
            place: steps
            for place, steps in by_place.items()
            if place is not None and place.offset is not None and place not in written
        }

    def allocations_of(self, base: Hashable) -> Sequence[Step]:
        """The allocations one of which gave the base of an address; none if it comes from elsewhere.

        Args:
            base: the key of an unknown thing, as in :class:`TensorAddress`.

        """
        maker = maker_of(base)
        if maker is None or not self._by_place:
            return ()
        load = self._kernel.steps.at(*maker)
        place = self._kernel.spot(load, *self._kernel.facts.roles(load, Verb.READS))
        return self._by_place.get(place, ()) if place is not None else ()
