"""Opcodes with more words than any form has places for.

One of these words is surely wrong, and to compare all of them with all forms would take long. What is wrong is found of
an opcode that is left of them: of the words that stand again and again some, and of others the first ones.
"""

from __future__ import annotations

from collections import Counter

from ptx_lsp.isa.model.match_result import Match, Problem
from ptx_lsp.isa.name_order import put_back

MOST_WORDS = 32
"""No form has so many places for qualifiers; a statement with more words is looked at in part."""
_MOST_ALIKE = 5
"""A form has at most four places for one word, so that the fifth is wrong."""
_OF_FIRST_WORDS = frozenset({Problem.UNKNOWN_QUALIFIER, Problem.DUPLICATE_QUALIFIER, Problem.CONFLICT, Problem.ORDER})
"""Mistakes of words, whatever follows them; what is missing may follow, and operands depend on all words."""


def shortened(opcode: tuple[str, ...]) -> tuple[int, ...]:
    """The words of a long opcode that are looked at; their indices.

    >>> len(shortened(("add", *[".sat"] * 40, ".s32")))
    7
    """
    seen: Counter[str] = Counter()
    kept = []
    for at, word in enumerate(opcode):
        seen[word] += 1
        if seen[word] <= _MOST_ALIKE:
            kept.append(at)
    return tuple(kept[:MOST_WORDS])


def of_whole(match: Match, kept: tuple[int, ...], opcode: tuple[str, ...]) -> Match | None:
    """The match of the words that are looked at, for the whole opcode; None if that does not say what is wrong."""
    if not set(opcode) <= {opcode[at] for at in kept}:
        match = match._replace(mismatches=tuple(one for one in match.mismatches if one.problem in _OF_FIRST_WORDS))
    if match.fits:
        return None
    rest = set(range(len(opcode))).difference(kept)
    padded = match._replace(places=(*match.places, *[-1] * len(rest)))
    return put_back(padded, (*kept, *sorted(rest)))
