"""When a row of a layout holds: words of the opcode and the target, as pages write them.

``.sp and .kind::i8 .kind::f8f6f4`` is ".sp, and one of the two kinds"; ``not .ws`` is "no .ws".
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import NamedTuple


class WordCondition(NamedTuple):
    """Alternatives that must all have a word in the context, or, where negated, none."""

    parts: tuple[tuple[bool, frozenset[str]], ...] = ()

    def holds(self, context: AbstractSet[str]) -> bool:
        """Whether a context fulfils it.

        >>> parse_condition(".sp and .kind::i8 .kind::f16").holds({".sp", ".kind::f16"})
        True
        """
        return all((not words.isdisjoint(context)) is wanted for wanted, words in self.parts)

    @property
    def words(self) -> frozenset[str]:
        """All words that it asks for or excludes."""
        return frozenset().union(*(words for _, words in self.parts))


def parse_condition(text: str) -> WordCondition:
    """Read the notation of the pages; an empty text always holds."""
    parts = []
    for part in text.split(" and "):
        words = part.replace("`", "").split()
        if words:
            wanted = words[0] != "not"
            parts.append((wanted, frozenset(words if wanted else words[1:])))
    return WordCondition(tuple(parts))
