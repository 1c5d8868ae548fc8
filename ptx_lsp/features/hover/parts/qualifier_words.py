"""The meaning of qualifiers in one statement: by the bullets of the page for its form, else in general."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.spelling import spelling_of
from ptx_lsp.features.hover.parts.hover_info import HoverRow
from ptx_lsp.features.hover.parts.operand_role import instruction_name
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.form import PlaceKind
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.isa.model.page_condition import Spelling
from ptx_lsp.isa.pages.excerpts import about, as_written, clause_of, first_sentence, own_bullet


def qualifier_meaning(word: str) -> str:
    """Return the general meaning of a qualifier, for pages without a specific one; empty if unknown."""
    return catalogue().vocabulary.meaning(word)


def _more_than_its_name(word: str) -> str:
    """Return the general meaning of a qualifier; empty for a shape or a count, whose numbers its name spells out."""
    return "" if _SHAPE.fullmatch(word) or _COUNT.fullmatch(word) else qualifier_meaning(word)


_SHAPE = re.compile(r"\.m\d+n\d+(?:k\d+)?")
_COUNT = re.compile(r"\.[vx]\d+")


def meanings(page: InstructionPage, word: str, slot: str, spelling: Spelling) -> tuple[str, ...]:
    """Return the descriptions of a qualifier: its own bullet, else what the bullet of its slot or the language says."""
    own = own_bullet(page, word, slot, spelling)
    if own:
        return (own,)
    of_slot, general = page.words.meaning(slot, spelling), _more_than_its_name(word)
    if not of_slot:
        return tuple(filter(None, (general if _is_type(word) else first_sentence(general),)))
    if _is_type(word):
        return (of_slot, general)
    clause = clause_of(of_slot, word)
    return tuple(dict.fromkeys(filter(None, (clause or first_sentence(general), of_slot))))


def qualifier_rows(
    context: StatementContext, match: Match, operands: Iterable[HoverRow], labels: str = ""
) -> list[HoverRow]:
    """Return a row for each qualifier of which there is something to say that is not said yet.

    Parts of the name are described by the title, shapes of matrices by their own name, types and state spaces by the
    operands that have them.

    Args:
        context: the statement.
        match: its form.
        operands: the rows of the operands.
        labels: labels that are shown; they describe the qualifiers that they name.

    """
    page, spelling = match.instruction, spelling_of(context, match)
    shown = {word for row in operands for word in row.text.replace(",", " ").split()}
    rows: dict[str, HoverRow] = {}
    for value, slot in zip(match.values[1:], match.form.slots[1:], strict=False):
        if not value or slot.kind is not PlaceKind.QUALIFIER or value in rows or _SHAPE.fullmatch(value):
            continue
        own = own_bullet(page, value, slot.name, spelling)
        if not own and _is_said(value, slot.name, shown, context, match):
            continue
        meaning = as_written(_shortest_meaning(page, value, slot.name, spelling), match)
        if meaning:
            rows[value] = HoverRow(value, meaning)
    described = {row.text for value, row in rows.items() if f"`{value}`" in labels}
    return list(_merged(row for row in rows.values() if row.text not in described))


def _is_said(value: str, slot: str, shown: set[str], context: StatementContext, match: Match) -> bool:
    """Whether the title or the row of an operand describes a qualifier that has no bullet of its own."""
    tree = context.instruction
    if tree is None or (_is_type(value) and value in shown):
        return True
    of_name = instruction_name(match, tree).split(".")
    of_page = match.instruction.words.meaning(slot, spelling_of(context, match))
    if value in catalogue().vocabulary.spaces and "::" not in value:
        return not clause_of(of_page, value)
    return not of_page and (value[1:] in of_name or _is_plain(value))


def _shortest_meaning(page: InstructionPage, word: str, slot: str, spelling: Spelling) -> str:
    """Return the shortest description of a qualifier; empty if there is none."""
    own, general = own_bullet(page, word, slot, spelling), _more_than_its_name(word)
    of_slot = page.words.meaning(slot, spelling)
    if general and (own or of_slot).startswith(f"`{word}`, the default"):
        return f"the default; {first_sentence(general)}"
    said = about(page, word, slot, spelling, "" if of_slot and _is_type(word) else general)
    return said.removeprefix(f"`{word}`, ") if own else said


def _is_type(word: str) -> bool:
    return word in catalogue().vocabulary.types


def _is_plain(word: str) -> bool:
    """Whether a word explains itself where no page says more: a type, or a state space."""
    return _is_type(word) or word in catalogue().vocabulary.spaces


def _merged(rows: Iterable[HoverRow]) -> Iterator[HoverRow]:
    """Merge rows with equal text."""
    names: dict[str, list[str]] = {}
    for row in rows:
        names.setdefault(row.text, []).append(row.name)
    return (HoverRow(" ".join(alike), text) for text, alike in names.items())
