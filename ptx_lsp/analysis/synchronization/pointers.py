"""The variables and parameters from which addresses are computed."""

from __future__ import annotations

from ptx_lsp.analysis.symbolic.linear_values import LinearValue, Unknowns
from ptx_lsp.analysis.symbols.symbols import Symbol

_MOST_VALUES = 200
"""So many values are looked at for one address."""


def pointer(unknowns: Unknowns, value: LinearValue) -> int | None:
    """The number of the variable or parameter from which an address is counted, by constants and scaled indices.

    None if something else is added: it may be an address as well.
    """
    plain = [number for number, factor in value.terms if factor in (1, -1)]
    if len(plain) != 1:
        return None
    key = unknowns.keys[plain[0]]
    return plain[0] if isinstance(key, tuple) and key[0] in ("symbol", "parameter") else None


def is_in_variable(unknowns: Unknowns, value: LinearValue) -> bool:
    """Whether a value is the address of a variable, or at a constant distance from it."""
    keys = [unknowns.keys[number] for number, factor in value.terms if factor == 1]
    return len(value.terms) == 1 and bool(keys) and isinstance(keys[0], tuple) and keys[0][0] == "symbol"


def shared_addresses_in(unknowns: Unknowns, value: LinearValue) -> list[LinearValue]:
    """The addresses of variables in shared memory that a value, such as a descriptor, is computed from."""
    found: list[LinearValue] = []
    waiting, seen = [value], {value}
    while waiting and len(seen) < _MOST_VALUES:
        one = waiting.pop()
        for number, factor in one.terms:
            key = unknowns.keys[number]
            if not isinstance(key, tuple):
                continue
            if key[0] == "symbol":
                if factor == 1 and isinstance(key[1], Symbol) and key[1].space.startswith(".shared"):
                    found.append(one)
                continue
            parts = key[-1] if isinstance(key[-1], tuple) else ()
            inner = [part for part in parts if isinstance(part, LinearValue) and part not in seen]
            seen.update(inner)
            waiting += inner
    return found
