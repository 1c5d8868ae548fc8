"""Barriers of a cluster in the wrong order, for the rules about them."""

from __future__ import annotations

from collections.abc import Generator

from ptx_lsp.analysis.synchronization.async_hazards import AsyncHazard, AsyncHazards
from ptx_lsp.analysis.synchronization.async_paths import Verdict
from ptx_lsp.analysis.synchronization.async_work import work_until
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.isa.model.ordering import CLUSTER, Verb
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import first

ARRIVE, WAIT = "barrier.cluster.arrive;", "barrier.cluster.wait;"
"""The statements of the two halves."""


class WrongOrder(NamedTuple):
    """A path from an arrive to another one, or from a wait to another one."""

    hazard: AsyncHazard
    name: str
    """The name of both."""
    missing: str
    """The name of what is missing between them."""


def wrong_order(kernel: Kernel) -> Generator[None, None, WrongOrder | None]:
    """The first barriers of a cluster that follow one another without the other half between."""
    arrives, waits = kernel.facts.steps(Verb.ARRIVES, CLUSTER), kernel.facts.steps(Verb.WAITS, CLUSTER)
    if not arrives or not waits:
        return None
    for own, others, name, missing in ((arrives, waits, ARRIVE, WAIT), (waits, arrives, WAIT, ARRIVE)):
        hazards = AsyncHazards(kernel, work_until(own, others))
        hazard = yield from first(hazards.accessing(own, lambda *_: True, lambda *_: Verdict.FOUND))
        if hazard is not None:
            return WrongOrder(hazard, name[:-1], missing[:-1])
    return None
