"""The registers that statements name, compared with those that their scope declares."""

from __future__ import annotations

from collections.abc import Generator
from functools import lru_cache

from ptx_lsp.analysis.symbols.special_names import special_names
from ptx_lsp.analysis.symbols.symbols import Scope
from ptx_lsp.process_cache import ProcessCache

_LARGEST_SET = 1 << 16

_NUMBERED_NAMES: ProcessCache[str, list[str]] = ProcessCache(4096)
"""The first names of each prefix, as many as were ever needed."""


@lru_cache(maxsize=512)
def _members(prefix: str, count: int) -> frozenset[str]:
    """All names of ``prefix<count>``; the strings are shared by all counts."""
    names = _NUMBERED_NAMES.get(prefix, [])
    if len(names) < count:
        names = [*names, *(f"{prefix}{number}" for number in range(len(names), count))]
        _NUMBERED_NAMES[prefix] = names
    return frozenset(names[:count])


def _common_count(count: int) -> int:
    """The count without its lower binary digits: so few sets of members serve the groups of all functions.

    >>> _common_count(1000), _common_count(31)
    (992, 31)
    """
    lower = max(count.bit_length() - 5, 0)
    return count >> lower << lower


NAMES_IN_A_STEP = 2048
_NEAR = 4
"""The enclosing scopes whose names are taken away from all those that are left at once."""
_FEW = 16
"""So few names are looked up one by one in the scopes farther out."""


def undeclared_registers(names: set[str], scope: Scope) -> Generator[None, None, set[str]]:
    """The names that neither the scope nor a special register explains, found in steps of a few milliseconds."""
    left = names
    for depth, around in enumerate(scope.chain()):
        if depth > _NEAR and len(left) <= _FEW:
            break  # each is looked up below, which takes less in deep nests
        if len(around.groups) > len(left):
            left = {name for name in left if around.own(name) is None}
            if left:
                continue
            break
        for prefix, group in around.groups.items():
            count = group.count or 0
            if left and count <= _LARGEST_SET:
                left = left - _members(prefix, _common_count(count))
        if not left:
            break
        left = left.difference(around.names)
    left = left - special_names()
    found = set()
    for number, name in enumerate(left, 1):
        if scope.lookup(name) is None:
            found.add(name)
        if not number % NAMES_IN_A_STEP:
            yield
    return found
