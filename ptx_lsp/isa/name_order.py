"""Parts of a name that ptxas also takes later in the opcode: ``mma.sync.aligned….sp`` is ``mma.sp.sync.aligned…``."""

from __future__ import annotations

from functools import cache

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.match_result import Match, Mismatch


def name_order(opcode: tuple[str, ...]) -> tuple[int, ...] | None:
    """The order of an opcode's words in which its name comes first; None if that is how they stand.

    >>> name_order(("match", ".sync", ".any", ".b32"))
    (0, 2, 1, 3)
    """
    free = catalogue().shared.free
    if free.isdisjoint(opcode):
        return None
    names = catalogue().names
    most = min(_most_parts(), len(opcode))
    parts = max((end for end in range(1, most + 1) if "".join(opcode[:end]) in names), default=1)
    tried: set[str] = set()
    for at, word in enumerate(opcode):
        if word not in free or word in tried:
            continue
        if at >= most:  # from here on it does not count where a word stands
            tried.add(word)
        for place in range(min(at, most) - 1, parts - 1, -1):
            if "".join((*opcode[:place], word)) in names:
                return (*range(place), at, *(other for other in range(place, len(opcode)) if other != at))
    return None


@cache
def _most_parts() -> int:
    """The number of words of the longest name of an instruction."""
    return max(name.count(".") + 1 for name in catalogue().names)


def put_back(match: Match, order: tuple[int, ...]) -> Match:
    """The match for the words in this order, for the opcode as it is written."""
    places = [-1] * len(order)
    for at, place in zip(order, match.places, strict=True):
        places[at] = place

    def moved(mismatch: Mismatch) -> Mismatch:
        qualifier, other = (order[at] if at >= 0 else at for at in (mismatch.qualifier, mismatch.other))
        return mismatch._replace(qualifier=qualifier, other=other)

    return match._replace(
        mismatches=tuple(map(moved, match.mismatches)),
        notes=tuple(map(moved, match.notes)),
        places=tuple(places),
    )
