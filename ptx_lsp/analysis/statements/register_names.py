"""The registers that statements name, compared with those that their scope declares."""

from __future__ import annotations

from collections.abc import Generator

from ptx_lsp.analysis.symbols.special_names import special_names
from ptx_lsp.analysis.symbols.symbols import Scope
from ptx_lsp.process_cache import ProcessCache
from ptx_lsp.stepwise import run_to_completion

_MOST_GROUPS = 16
"""Compilers declare no more groups of registers in a scope; of more, and of larger ones, each name is looked up."""
_LARGEST_SET = 1 << 14
_MOST_MEMBERS = 1 << 17
"""The names in all sets together: when there are more, all are forgotten."""
_OF_A_SET = 8
"""A set takes as much memory as so many names, besides its own."""
_FOR_EACH_LOOKUP = 8
"""Names of a set for each name that was compared with the group before the set is made: short texts pay for no large
sets."""


class MemberSets:
    """The names of groups such as ``%r<100>`` as sets, which the functions of all documents share."""

    def __init__(self) -> None:
        self.size = 0
        """The number of names in all sets, and what the sets take besides."""
        self._sets: dict[tuple[str, int], frozenset[str]] = {}
        self._names: dict[str, list[str]] = {}
        """The first names of each prefix, as many as were ever needed."""
        self._compared: ProcessCache[tuple[str, int], int] = ProcessCache(1 << 12)
        """The number of names that were compared with a group without a set."""

    def find(self, prefix: str, count: int, compared: int) -> frozenset[str] | None:
        """The names of most members of ``prefix<count>``; None if the names that are compared with them pay for no set.

        Args:
            prefix: the prefix of the group.
            count: the number of its members.
            compared: the number of names that are compared with them now.

        """
        count = _common_count(count)
        key = prefix, count
        found = self._sets.get(key)
        if found is not None or count > _LARGEST_SET:
            return found
        compared += self._compared.get(key, 0)
        if count > _FOR_EACH_LOOKUP * compared:
            self._compared[key] = compared
            return None
        return self._made(prefix, count)

    def _made(self, prefix: str, count: int) -> frozenset[str]:
        size = count + _OF_A_SET
        if self.size + size > _MOST_MEMBERS:
            self._sets.clear()
            self._names.clear()
            self.size = 0
        names = self._names.setdefault(prefix, [])
        names += [f"{prefix}{number}" for number in range(len(names), count)]
        found = self._sets[prefix, count] = frozenset(names[:count])
        self.size += size
        return found


MEMBERS = MemberSets()


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
        is_sought = len(around.groups) > min(len(left), _MOST_GROUPS)
        for prefix, group in () if is_sought else around.groups.items():
            if not left:
                break
            members = MEMBERS.find(prefix, group.count or 0, len(left))
            if members is None:
                is_sought = True
            else:
                left = left - members
        left = {name for name in left if around.own(name) is None} if is_sought else left.difference(around.names)
        if not left:
            break
    left = left - special_names()
    found = set()
    for number, name in enumerate(left, 1):
        if scope.lookup(name) is None:
            found.add(name)
        if not number % NAMES_IN_A_STEP:
            yield
    return found


class RegistersOfBlocks:
    """The registers that small blocks of a chunk name: what the scope around them explains is found once."""

    def __init__(self) -> None:
        self._explained: dict[Scope, set[str]] = {}
        """Names that a scope explains, or one around it."""

    def undeclared(self, names: set[str], scope: Scope) -> set[str] | None:
        """:func:`undeclared_registers` of a few names in a block; None if they are many, or it is no block."""
        around = scope.parent
        if around is None or around.parent is None or len(names) > _FEW:
            return None
        explained = self._explained.setdefault(around, set())
        left = {name for name in names if name not in explained and scope.own(name) is None}
        if not left:
            return left
        found = run_to_completion(undeclared_registers(left, around))
        explained |= left - found
        return found
