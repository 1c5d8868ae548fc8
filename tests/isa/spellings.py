"""The spellings of an instruction that the conditions of its page tell apart."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ptx_lsp.isa.matching.solve import solutions
from ptx_lsp.isa.model.form import Slot
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.language_level import ANYWHERE
from ptx_lsp.isa.model.page_condition import OPERAND_KINDS, PageCondition, Spelling
from ptx_lsp.isa.model.page_words import PageWords
from ptx_lsp.isa.model.prepared_form import PreparedForm
from ptx_lsp.isa.pages.spellings import spelling_of_values

_MANY = 5000
"""Goals for a form: of more, only those about two places are tried."""


def conditions(words: PageWords) -> list[PageCondition]:
    """Every condition on a page."""
    return [one.condition for one in (*words.lead, *words.labels, *words.bullets) if one.condition.sides]


def distinct_spellings(page: InstructionPage, words: PageWords) -> list[Spelling]:
    """Legal spellings of all forms, with each combination of what the conditions of the page ask for."""
    asked = {
        piece
        for condition in conditions(words)
        for side in condition.sides
        for part in side.parts
        for piece in (part, *(f".{one}" for one in part.split(".")[1:]))
    }
    found: dict[Spelling, None] = {}
    for forms in page.prepared.values():
        for form in forms:
            for goal in _goals(form, asked):
                values = next(solutions(form, ANYWHERE, goal), None)
                if values is not None:
                    found[spelling_of_values(form.form, values)] = None
    kinds = asked & OPERAND_KINDS
    return [Spelling(opcode, parts | more) for opcode, parts in found for more in ({frozenset(), frozenset(kinds)})]


def _goals(form: PreparedForm, asked: set[str]) -> Iterator[dict[int, str | None]]:
    """What to write in the places of a form that matter: each combination, and each word with the other places free.

    A place that is fixed holds one word that no condition names, which not every other word goes with.
    """
    varied = {place: words for place, slot in enumerate(form.slots) if len(words := _varied(slot, asked)) > 1}
    count = 1
    for words in varied.values():
        count *= len(words)
    if count <= _MANY:
        for combination in itertools.product(*varied.values()):
            yield dict(zip(varied, combination, strict=True))
        for place, words in varied.items():
            yield from ({place: word} for word in words)
        return
    for (one, firsts), (two, seconds) in itertools.combinations(varied.items(), 2):
        for first, second in itertools.product(firsts, seconds):
            yield {one: first, two: second}


def _varied(slot: Slot, asked: set[str]) -> list[str | None]:
    """The words of a place that are asked for, and one that is not; and nothing, where that is possible."""
    mine = [word for word in slot.choices if word in asked]
    if not mine and slot.name not in asked:
        return []
    others = [word for word in slot.choices if word is not None and word not in asked]
    return [*mine, *others[:1], *([None] if slot.optional else [])]
