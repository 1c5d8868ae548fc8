"""Lanes and columns of addresses in Tensor Memory: a base that some instruction gives, and a constant.

The base is the address of allocated columns: its lane is 0, and its columns do not reach the bits of the lane.

Source: PTX ISA, "Tensor Memory Addressing".
"""

from __future__ import annotations

from collections.abc import Hashable

from ptx_lsp.analysis.symbolic.linear_values import LinearValue, Unknowns, combined
from ptx_lsp.named_tuples import NamedTuple

_LANE = 16
"""The lowest bit of the lane."""
_LANES = 1 << 16
"""So many can be written in the bits of the lane; 128 of them exist."""
_MOST_STEPS = 4


class TensorAddress(NamedTuple):
    """An address in Tensor Memory."""

    base: Hashable
    """The key of the unknown thing that is the base; None if the address is a constant."""
    lane: int
    """Its lane if that of the base is 0."""
    column: int
    """The columns from the base; negative before it."""


def tensor_address(value: LinearValue, unknowns: Unknowns) -> TensorAddress | None:
    """The base and the lane of an address; None if it is no sum of a base and a constant."""
    for _ in range(_MOST_STEPS):
        if not value.terms:
            return _address(None, value.number)
        if len(value.terms) > 1 or value.terms[0][1] != 1:
            return None
        key = unknowns.keys[value.terms[0][0]]
        inner = _without_bits(key)
        if inner is None:
            return _address(key, value.number)
        value = combined(inner, LinearValue(value.number), 1)
    return None


def _without_bits(key: Hashable) -> LinearValue | None:
    """The sum that has the same lane as the ``or`` of a base with a constant, which has no lane or no column."""
    if not isinstance(key, tuple) or len(key) != 2 or not isinstance(key[0], tuple) or key[0][0] != "or":
        return None
    one, other = key[1]
    if one.terms and other.terms:
        return None
    return combined(one, other, 1)


def _address(base: Hashable, number: int) -> TensorAddress:
    """A base and a number of which the columns may have borrowed from the lane."""
    column = (number + (1 << _LANE - 1)) % (1 << _LANE) - (1 << _LANE - 1)
    return TensorAddress(base, (number - column >> _LANE) % _LANES, column)
