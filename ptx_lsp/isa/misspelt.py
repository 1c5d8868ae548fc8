"""A part of an instruction's name that is misspelt: ``cp.async.buk.commit_group``.

Without the right part the opcode looks like another instruction with foreign qualifiers.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from ptx_lsp.isa.catalogue import catalogue

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
        names = [name for name in known.names if name.startswith(beginning)]
        if not names:  # nor has any name a longer beginning
            return
        parts = {"." + name[len(beginning) :].partition(".")[0] for name in names}
        near = difflib.get_close_matches(word, sorted(parts - {word}), _MANY, _LIKENESS)
        if near:
            yield at, tuple(near)
