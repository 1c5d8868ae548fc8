"""All uses of the mbarriers of a kernel, by what they do."""

from __future__ import annotations

from collections.abc import Iterable

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.synchronization.barriers import barrier, counts_bytes, users
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.analysis.synchronization.memory_locations import ByLocation, MemoryLocation
from ptx_lsp.derived_values import once
from ptx_lsp.isa.model.ordering import BYTES, PHASE, Verb
from ptx_lsp.named_tuples import NamedTuple

_OTHER_CTAS = ("multicast::cluster", "cta_group::2", "shared::cluster")
"""In an opcode: another CTA's mbarrier may be meant, or that of this CTA by another one."""


class MbarrierUse(NamedTuple):
    """An instruction that names an mbarrier, and which one as far as that is known."""

    step: Step
    place: MemoryLocation | None


def by_place(uses: Iterable[MbarrierUse]) -> dict[MemoryLocation, list[Step]]:
    """The instructions of some uses by what they name; without those of which that is not known."""
    found: dict[MemoryLocation, list[Step]] = {}
    for step, place in uses:
        if place is not None:
            found.setdefault(place, []).append(step)
    return found


class Mbarriers:
    """The uses in the order of the text; those that cannot be executed are left out.

    Args:
        kernel: the kernel.

    """

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    @once
    def uses(self) -> tuple[MbarrierUse, ...]:
        """All of them."""
        return tuple(MbarrierUse(step, barrier(self._kernel, step)) for step in users(self._kernel))

    @once
    def of_place(self) -> dict[MemoryLocation, list[Step]]:
        """Those of each mbarrier, and those somewhere in a variable, as their places are known."""
        return by_place(self.uses)

    def _with(self, verb: Verb, what: str = "") -> tuple[MbarrierUse, ...]:
        steps = frozenset((step.node, step.statement) for step in self._kernel.facts.steps(verb, what))
        return tuple(use for use in self.uses if (use.step.node, use.step.statement) in steps)

    @once
    def initializations(self) -> tuple[MbarrierUse, ...]:
        """Those that make an mbarrier."""
        return self._with(Verb.INITIALIZES, PHASE)

    @once
    def initializations_of(self) -> dict[MemoryLocation, list[Step]]:
        """The initializations of each place."""
        return by_place(self.initializations)

    @once
    def arrivals_of(self) -> dict[MemoryLocation, list[Step]]:
        """The arrivals at each place."""
        return by_place(self.arrivals)

    @once
    def waits_of(self) -> dict[MemoryLocation, list[Step]]:
        """The waits at each place."""
        return by_place(self.waits)

    @once
    def invalidations(self) -> tuple[MbarrierUse, ...]:
        """Those that end one."""
        return self._with(Verb.INVALIDATES, PHASE)

    @once
    def arrivals(self) -> tuple[MbarrierUse, ...]:
        """Those that arrive."""
        return self._with(Verb.ARRIVES, PHASE)

    @once
    def expectations(self) -> tuple[MbarrierUse, ...]:
        """Those that announce bytes."""
        return self._with(Verb.EXPECTS, BYTES)

    @once
    def waits(self) -> tuple[MbarrierUse, ...]:
        """Those that wait for a phase."""
        return self._with(Verb.WAITS, PHASE)

    @once
    def copies(self) -> tuple[MbarrierUse, ...]:
        """Those whose end counts as bytes."""
        return tuple(use for use in self.uses if counts_bytes(use.step))

    @once
    def arrivals_by_place(self) -> ByLocation[Step]:
        """The arrivals by the mbarrier."""
        return ByLocation((use.place, use.step) for use in self.arrivals)

    @once
    def waits_by_place(self) -> ByLocation[Step]:
        """The waits by the mbarrier."""
        return ByLocation((use.place, use.step) for use in self.waits)

    @once
    def initializations_by_place(self) -> ByLocation[Step]:
        """The initializations by the mbarrier."""
        return ByLocation((use.place, use.step) for use in self.initializations)


def reaches_other_ctas(step: Step) -> bool:
    """Whether an instruction may signal the mbarrier of another CTA."""
    return any(part in word for word in step.opcode for part in _OTHER_CTAS)


def name_of_mbarrier(place: MemoryLocation) -> str:
    """The name of an mbarrier in messages: its variable, and its offset there."""
    return f"{place.variable.name}+{place.offset}" if place.offset else place.variable.name
