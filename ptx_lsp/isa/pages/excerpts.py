"""The shortest of what a page says: first sentences, and the words about one qualifier."""

from __future__ import annotations

import re

from ptx_lsp.isa.model.form import PlaceKind
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.isa.model.page_condition import Spelling

_SENTENCE = re.compile(r"(?:`[^`]*`|[^`])*?[.;](?=\s|$)")
_NEXT_WORD = re.compile(r"[,;]? (?=`\.)")
_NO_CLAUSE = re.compile(r"(?:and|for|from|if|of|or|with)\b|.{0,2}$")
"""The beginning of the text after a word, where that text is about something else."""
_DOTTED = re.compile(r"\.[^.]+")


def first_sentence(text: str) -> str:
    """The first sentence, which page writers keep understandable alone; without its final dot.

    >>> first_sentence("clamps: `.s32` to `0 .. 1`. A NaN becomes 0.")
    'clamps: `.s32` to `0 .. 1`'
    """
    found = _SENTENCE.match(text)
    return (found[0] if found else text).rstrip(".; ")


def as_written(text: str, match: Match) -> str:
    """The text of a page with what a statement writes for the places that the text names: ``.u8`` for ``.dtype``."""
    slots = zip(match.form.slots, match.values, strict=False)
    values = {slot.name: value for slot, value in slots if value and slot.kind is PlaceKind.QUALIFIER}
    return _CODE.sub(lambda found: f"`{values.get(found[1], found[1])}`", text)


_CODE = re.compile(r"`([^`]*)`")


def own_bullet(page: InstructionPage, word: str, place: str, spelling: Spelling) -> str:
    """The text of a page about a qualifier itself, not of the place that it fills in the form; empty if nothing.

    Of the bullets of a name, the first one counts that is for the spelling. A bullet without a condition is for the
    place of its name: one form's ``.sys`` alone is not the ``.sys`` that fills ``.scope`` in another. If no form has
    such a place, it is for that word wherever it stands; and if the place has no bullet. A bullet of several in a row
    is for each of them, in an opcode that holds them all: ``.and.popc``.
    """
    bullets = page.words.bullets_of(spelling)
    mine = bullets.get(word)
    if word != place and place in bullets:
        return mine.text if mine is not None and (mine.condition.sides or word not in page.places) else ""
    rows = (one for name, one in bullets.items() if name.count(".") > 1 and word in _DOTTED.findall(name))
    row = next((one for one in rows if f"{one.name}." in f"{spelling.opcode}."), mine)
    return row.text if row is not None else ""


def about(page: InstructionPage, word: str, place: str, spelling: Spelling, general: str) -> str:
    """One line about a qualifier: by its own bullet, the clause of its place's bullet, or in general."""
    own, of_place = own_bullet(page, word, place, spelling), page.words.meaning(place, spelling)
    if own:
        return clause_of(own, word) or first_sentence(own)
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
