"""Target architectures, as written after ``.target``, and what each of them can do of another.

Source: PTX ISA, "PTX Module Directives: .target".
"""

from __future__ import annotations

import re

from ptx_lsp.process_cache import memoized

_NAME = re.compile(r"(?:sm|compute)_(\d+)([af]?)")

RENAMED = {101: 110}
"""Architecture numbers that got another number later: PTX 9.0 calls sm_101 sm_110."""

FAMILIES = {10: (100, 103, 107), 11: (110,), 12: (120, 121)}
"""The numbers of each family whose ``f`` targets share features."""

_FAMILY_OF = {number: family for family, numbers in FAMILIES.items() for number in numbers}


class Target:
    """An architecture: a number, and a suffix that opens features of that architecture alone.

    ``sm_90`` holds for every later target, ``sm_90a`` for nothing else, ``sm_100f`` for the later members of its
    family. Targets are a lattice, not a line: there is no ``<``, ask :meth:`implies`.
    """

    __slots__ = ("_hash", "number", "suffix")

    def __init__(self, number: int, suffix: str = "") -> None:
        self.number = number
        self.suffix = suffix
        """``""``, ``"a"`` (this architecture only) or ``"f"`` (this family)."""
        self._hash = number << 8 | ord(suffix or " ")

    @staticmethod
    @memoized(1 << 10)
    def parse(text: str) -> Target:
        """Read ``"sm_90a"`` or its synonym ``"compute_90a"``.

        Raises:
            ValueError: if the text is no name of an architecture; that it exists is not asked here.
        """
        match = _NAME.fullmatch(text)
        if match is None:
            raise ValueError(f"not a target: {text!r}")
        return Target(int(match[1]), match[2])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Target) and self.number == other.number and self.suffix == other.suffix

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"Target({self})"

    def __str__(self) -> str:
        return f"sm_{self.number}{self.suffix}"

    @property
    def canonical(self) -> int:
        """The number after renaming: 110 for sm_101."""
        return RENAMED.get(self.number, self.number)

    @property
    def family(self) -> int | None:
        """The family of sm_100 and later data-center and desktop parts: 10, 11 or 12."""
        return _FAMILY_OF.get(self.canonical)

    def implies(self, other: Target) -> bool:
        """Whether a module for this target may use what ``other`` introduced."""
        mine, theirs = self.canonical, other.canonical
        if other.suffix == "a":
            return self.suffix == "a" and mine == theirs
        if other.suffix == "f":
            return self.suffix != "" and mine >= theirs and self.family is not None and self.family == other.family
        return mine >= theirs
