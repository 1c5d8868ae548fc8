"""Which of a page's words are for a part, and the shortest of them."""

from __future__ import annotations

import re

from ptx_lsp.features.hover.info import Link
from ptx_lsp.isa.words import PageWords

MANUAL = Link("PTX ISA: Instruction Set", "https://docs.nvidia.com/cuda/parallel-thread-execution/#instruction-set")

_SENTENCE = re.compile(r"(?:`[^`]*`|[^`])*?[.;](?=\s|$)")
_NEXT_WORD = re.compile(r"[,;]? (?=`\.)")
_NO_CLAUSE = re.compile(r"(?:and|for|from|if|of|or|with)\b|.{0,2}$")
"""How what follows a word begins where it goes on about something else."""
_DOTTED = re.compile(r"\.[^.]+")


def own_bullet(words: PageWords, word: str, opcode: str = "") -> str:
    """The bullet of a qualifier, or of several in a row that ``opcode`` holds: ``.and.popc``; empty if none."""
    if word in words.bullets:
        return words.bullets[word]
    rows = (name for name in words.bullets if word in _DOTTED.findall(name) and name in opcode)
    return words.bullets.get(next(rows, ""), "")


def manual_link(words: PageWords) -> Link:
    """The section of the manual that the page names."""
    manual = words.manual
    return MANUAL if manual is None else Link(f"PTX ISA: {manual.title.strip('`')}", manual.url)


def first_sentence(text: str) -> str:
    """The first sentence, which page writers keep understandable alone; without its final dot.

    >>> first_sentence("clamps: `.s32` to `0 .. 1`. A NaN becomes 0.")
    'clamps: `.s32` to `0 .. 1`'
    """
    found = _SENTENCE.match(text)
    return (found[0] if found else text).rstrip(".; ")


def clause_of(text: str, word: str) -> str:
    """The part of a bullet's first sentence that speaks of one word of several; empty if there is none.

    >>> clause_of("`.up` reads lane `- b`, `.down` lane `+ b`.", ".down")
    'lane `+ b`'
    >>> clause_of("`.f32`, or `.f16` from `.f16`.", ".f16")
    ''
    """
    _, mark, after = first_sentence(text).partition(f"`{word}` ")
    found = _NEXT_WORD.split(after, 1)[0].strip(" ,;.") if mark else ""
    return "" if _NO_CLAUSE.match(found) else found
