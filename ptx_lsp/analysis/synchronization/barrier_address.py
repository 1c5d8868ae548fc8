"""The address of an mbarrier, also in a register that one of several writes leaves: of the first stage, or of a later one.

``add %r1, %smem, 64`` before a loop and ``add %r1, %stage, 64`` in it: a wait for ``[%r1]`` is for a stage of one ring.
"""

from __future__ import annotations

from collections.abc import Sequence

from ptx_lsp.analysis.symbolic.value_sources import GraphSources, MergePoint, Write
from ptx_lsp.named_tuples import NamedTuple

_MOST_MEETINGS = 32
_MOST_WRITES = 8


class BarrierAddress(NamedTuple):
    """The address of an mbarrier."""

    base: tuple[tuple[int, int], ...]
    """The atoms that name the object, with their factors."""
    offset: int
    stride: int
    """0 if the address is the base and the offset; else these are where an array begins, with this distance."""
    is_elsewhere: bool = False
    """Whether it is that of another CTA."""
    size: int = 0
    """The number of mbarriers of the array that the address can be that of; 0 if it is not known."""


def writes_that_meet(sources: GraphSources, meeting: MergePoint) -> list[Write]:
    """The writes one of which left what a register holds at the start of a block.

    Empty if there are too many, on some way there is none, or one may not be executed.
    """
    graph = sources.steps.graph
    waiting, seen = [meeting], {meeting}
    found: dict[Write, None] = {}
    while waiting:
        one = waiting.pop()
        for before in graph.nodes[one.node].predecessors:
            if before not in graph.reachable:
                continue
            source = sources.at_end(before, one.register)
            if source is None or (isinstance(source, Write) and not source.is_sure):
                return []
            if isinstance(source, Write):
                found[source] = None
            elif source not in seen:
                seen.add(source)
                waiting.append(source)
            if len(seen) > _MOST_MEETINGS or len(found) > _MOST_WRITES:
                return []
    return list(found)


def joined(addresses: Sequence[BarrierAddress]) -> BarrierAddress | None:
    """The address in an array that is one of several; None if they are not all of one array or of one mbarrier."""
    arrays = {one for one in addresses if one.stride}
    array = next(iter(arrays), addresses[0])
    for one in addresses:
        if one.base != array.base or (one.stride and one._replace(size=array.size) != array):
            return None
        distance = one.offset - array.offset
        if not array.stride and distance:
            return None
        if array.stride and (distance % array.stride or not 0 <= distance < (array.size or 1) * array.stride):
            return None
    size = max(one.size for one in addresses)
    return array._replace(size=size, is_elsewhere=any(one.is_elsewhere for one in addresses))
