"""The shortest of what a page says: first sentences, and the words about one qualifier."""

from __future__ import annotations

import re

from ptx_lsp.isa.words import PageWords

_SENTENCE = re.compile(r"(?:`[^`]*`|[^`])*?[.;](?=\s|$)")
_NEXT_WORD = re.compile(r"[,;]? (?=`\.)")
_NO_CLAUSE = re.compile(r"(?:and|for|from|if|of|or|with)\b|.{0,2}$")
"""How what follows a word begins where it goes on about something else."""
_DOTTED = re.compile(r"\.[^.]+")


def first_sentence(text: str) -> str:
    """The first sentence, which page writers keep understandable alone; without its final dot.

    >>> first_sentence("clamps: `.s32` to `0 .. 1`. A NaN becomes 0.")
    'clamps: `.s32` to `0 .. 1`'
    """
    found = _SENTENCE.match(text)
    return (found[0] if found else text).rstrip(".; ")


def own_bullet(words: PageWords, word: str, opcode: str = "") -> str:
    """The bullet of a qualifier, or of several in a row that ``opcode`` holds: ``.and.popc``; empty if none."""
    if word in words.bullets:
        return words.bullets[word]
    rows = (name for name in words.bullets if word in _DOTTED.findall(name) and name in opcode)
    return words.bullets.get(next(rows, ""), "")


def about(words: PageWords, word: str, place: str, opcode: str, general: str) -> str:
    """What is said of a qualifier in a line: by its own bullet, the clause of its place's bullet, or in general."""
    own = own_bullet(words, word, opcode)
    together = {name for name, text in words.bullets.items() if text == own and name.startswith(".")}
    if own and (not place or place == word or all(name in opcode for name in together)):
        return clause_of(own, word) or first_sentence(own)
    of_place = words.bullets.get(place, "")
    return clause_of(of_place, word) or first_sentence(general) or first_sentence(of_place)


def clause_of(text: str, word: str) -> str:
    """The part of a bullet's first sentence that speaks of one word of several; empty if there is none.

    >>> clause_of("`.up` reads lane `- b`, `.down` lane `+ b`.", ".down")
    'lane `+ b`'
    >>> clause_of("`.f32`, or `.f16` from `.f16`.", ".f16")
    ''
    """
    sentence = first_sentence(text)
    _, mark, after = sentence.partition(f"`{word}` ")
    if not mark:
        _, mark, after = sentence.partition(f"`{word}`: ")
    found = _NEXT_WORD.split(after, 1)[0].strip(" ,;.") if mark else ""
    return "" if _NO_CLAUSE.match(found) else found
