"""Places that explain findings about work in flight: the operation, and the wait that is not enough."""

from __future__ import annotations

from itertools import pairwise

from ptx_lsp.analysis.dataflow.steps import Step
from ptx_lsp.analysis.synchronization.async_hazards import AsyncHazard
from ptx_lsp.analysis.synchronization.kernel import Kernel
from ptx_lsp.checks.support.finding import RelatedPlace
from ptx_lsp.isa.model.ordering import PHASE, Verb

UNREPEATED = "the wait before it can return false; repeat it until it is true"
"""The reason if a path leaves a wait for an mbarrier although its result is false."""


def operation_and_wait(kernel: Kernel, hazard: AsyncHazard, operation: str) -> tuple[RelatedPlace, ...]:
    """The operation, and the last wait on the path.

    Args:
        kernel: the kernel.
        hazard: the operation, and the path on which it is in flight.
        operation: what is said about the operation.

    """
    places = [RelatedPlace(hazard.operation.place, operation)]
    wait = hazard.arrival.wait
    if wait is not None:
        places.append(RelatedPlace(wait.place, _reason(kernel, hazard, wait)))
    return tuple(places)


def unrepeated_wait(kernel: Kernel, hazard: AsyncHazard) -> Step | None:
    """The wait for an mbarrier that the path leaves although its result is false; None if there is none."""
    path = [segment.node for segment in hazard.arrival.trace()]
    for wait in kernel.facts.steps(Verb.WAITS, PHASE):
        edges = kernel.wait_edges(wait)
        if edges is not None and not edges.incomplete.isdisjoint(pairwise(path)):
            return wait
    return None


def _reason(kernel: Kernel, hazard: AsyncHazard, wait: Step) -> str:
    """The reason why a wait is not enough."""
    if hazard.arrival.age == 0:
        return "this wait does not include it: it is not committed"
    context = kernel.context(wait)
    operands = () if context.instruction is None else context.instruction.operands
    if len(operands) != 1:
        return "this wait does not include it"
    return f"this wait leaves the {context.text_of(operands[0])} youngest groups unfinished"
