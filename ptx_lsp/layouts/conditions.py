"""Conditions of the rows of a layout: words of the opcode and the target, in the notation of the pages.

``.sp and .kind::i8 .kind::f8f6f4`` is ".sp, and one of the two kinds"; ``not .ws`` is "no .ws".
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from ptx_lsp.named_tuples import NamedTuple


class WordCondition(NamedTuple):
    """A conjunction of alternatives: each needs a word in the context, or, if negated, none."""

    parts: tuple[tuple[bool, frozenset[str]], ...] = ()

    def holds(self, context: AbstractSet[str]) -> bool:
        """Whether a context fulfils the condition.

        >>> parse_condition(".sp and .kind::i8 .kind::f16").holds({".sp", ".kind::f16"})
        True
        """
        return all((not words.isdisjoint(context)) is wanted for wanted, words in self.parts)

    @property
    def words(self) -> frozenset[str]:
        """All words that the condition requires or excludes."""
        return frozenset().union(*(words for _, words in self.parts))


def parse_condition(text: str) -> WordCondition:
    """Parse the notation of the pages; the empty condition always holds."""
    parts = []
    for part in text.split(" and "):
        words = part.replace("`", "").split()
        if words:
            wanted = words[0] != "not"
            parts.append((wanted, frozenset(words if wanted else words[1:])))
    return WordCondition(tuple(parts))
