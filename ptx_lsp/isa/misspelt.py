"""A part of an instruction's name that is misspelt: ``cp.async.buk.commit_group``.

Without the right part the opcode looks like another instruction with foreign qualifiers.
"""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.process_cache import memoized
from ptx_lsp.similar_words import SimilarWords

_LIKENESS = 0.7
_MANY = 3


def corrections(opcode: tuple[str, ...]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Words that no instruction of this name has: the index of each, and what it may mean, best first."""
    known = catalogue()
    candidates = known.candidates(opcode)
    for at in range(1, len(opcode)):
        word = opcode[at]
        if any(word in form.homes for page in candidates for forms in page.prepared.values() for form in forms):
            continue
        beginning = "".join(opcode[:at]) + "."
        parts = _parts_after(beginning)
        if parts is None:  # nor has any name a longer beginning
            return
        near = [one for one in parts.near(word, _MANY + 1, _LIKENESS) if one != word]
        if near:
            yield at, tuple(near[:_MANY])


@memoized(1024)
def _parts_after(beginning: str) -> SimilarWords | None:
    """The next parts of the names with a beginning; None if no name has it."""
    names = catalogue().names_from(beginning)
    return SimilarWords(sorted({"." + name[len(beginning) :].partition(".")[0] for name in names})) if names else None
