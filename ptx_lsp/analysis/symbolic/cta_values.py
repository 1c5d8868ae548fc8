"""Values that are the same for all threads of a CTA: computed from parameters, addresses of variables and its place.

Source: PTX ISA, "Special Registers".
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from ptx_lsp.analysis.symbolic.linear_values import LinearValue, Unknowns

_SPECIAL = frozenset(
    {
        *("%ctaid", "%nctaid", "%ntid", "%gridid"),
        *("%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid", "%cluster_ctarank", "%cluster_nctarank"),
    }
)
"""The special registers with one value in a CTA."""
_MOST_VALUES = 64


def is_same_for_cta(value: LinearValue, unknowns: Unknowns) -> bool:
    """Whether a value is the same for all threads of a CTA, for sure.

    Args:
        value: the value, as any thread computes it.
        unknowns: the unknown things in it.

    """
    waiting, seen = [value], {value}
    while waiting:
        for number, _ in waiting.pop().terms:
            inner = _parts(unknowns.keys[number])
            if inner is None or len(seen) > _MOST_VALUES:
                return False
            fresh = [one for one in inner if one not in seen]
            seen.update(fresh)
            waiting += fresh
    return True


def _parts(key: Hashable) -> tuple[LinearValue, ...] | None:
    """The values that an unknown thing is computed from, none for those of a CTA; None if it may be of a thread."""
    if not isinstance(key, tuple):
        return None
    match key:
        case ("symbol" | "parameter", _):
            return ()
        case ("special", str() as name):
            return () if name.partition(".")[0] in _SPECIAL else None
        case (tuple(), _) | (str(), _) | (str(), _, _):
            found = tuple(_values(key[1:]))
            return found or None
    return None


def _values(parts: tuple[Hashable, ...]) -> Iterator[LinearValue]:
    """The values in the key of a computed result or comparison; nothing if there is something else."""
    for part in parts:
        if isinstance(part, LinearValue):
            yield part
        elif isinstance(part, (tuple, frozenset)):
            yield from (one for one in part if isinstance(one, LinearValue))
