"""The meanings of the prefixes of numbered registers in a scope, as a value that can be compared.

A block usually declares few groups or none, and the function around it may declare thousands. So the value of a block
refers to that of the scope around it and has only what is different: it is made, hashed and compared in the time that
this takes.
"""

from __future__ import annotations

from collections.abc import Mapping

_MOST_AROUND = 64
"""In so many values around it is looked whether a prefix has the same meaning there."""


class PrefixMeanings:
    """The operand codes of all names ``prefix`` + number, None without one; equal values have equal meanings."""

    __slots__ = ("_hash", "around", "own")

    def __init__(self, around: PrefixMeanings | None, own: Mapping[str, int | None]) -> None:
        self.around = around
        """Those of the scope around; None in the outermost one."""
        self.own = own
        """The operand codes that are different here."""
        self._hash = hash((around, frozenset(own.items())))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        """Compared from the inside out, as far as the two are not the same: blocks nest thousands deep."""
        if not isinstance(other, PrefixMeanings):
            return NotImplemented
        one: PrefixMeanings | None = self
        two: PrefixMeanings | None = other
        while one is not two:
            if one is None or two is None or one._hash != two._hash or one.own != two.own:
                return False
            one, two = one.around, two.around
        return True

    def code(self, prefix: str) -> int | None:
        """The operand code of a prefix; None if it does not determine one."""
        around: PrefixMeanings | None = self
        while around is not None:
            if prefix in around.own:
                return around.own[prefix]
            around = around.around
        return None

    def within(self, declared: Mapping[str, int | None]) -> PrefixMeanings:
        """The meanings in a scope inside that gives some prefixes others; this value if they are the same."""
        own = {prefix: code for prefix, code in declared.items() if not self._is_surely(prefix, code)}
        return PrefixMeanings(self, own) if own else self

    def _is_surely(self, prefix: str, code: int | None) -> bool:
        """Whether a prefix has this meaning; if that is far away it is not looked for, and the meaning kept twice."""
        around: PrefixMeanings | None = self
        for _ in range(_MOST_AROUND):
            if around is None:
                return code is None
            if prefix in around.own:
                return around.own[prefix] == code
            around = around.around
        return False


NOTHING = PrefixMeanings(None, {})
"""The meanings where no group is declared."""
