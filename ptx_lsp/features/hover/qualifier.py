"""Hover of one qualifier of an opcode: its meaning in the matched form, and its availability."""

from __future__ import annotations

from ptx_lsp.analysis.cursor.cursor import Cursor
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.spelling import spelling_of
from ptx_lsp.features.hover.instruction import instruction
from ptx_lsp.features.hover.mismatches import GATED, needs
from ptx_lsp.features.hover.parts.availability import legal_words
from ptx_lsp.features.hover.parts.check_findings import advice_findings, error_findings
from ptx_lsp.features.hover.parts.hover_info import Hazard, HoverInfo
from ptx_lsp.features.hover.parts.manual_links import manual_link
from ptx_lsp.features.hover.parts.operand_role import instruction_name
from ptx_lsp.features.hover.parts.prmt_selectors import picks_of_mode
from ptx_lsp.features.hover.parts.qualifier_words import meanings, qualifier_meaning
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.isa.pages.excerpts import own_bullet
from ptx_lsp.syntax.tree import Instruction

_MOST_OTHERS = 12


def qualifier(cursor: Cursor) -> HoverInfo:
    """Return the hover of one qualifier; that of the instruction for a part of its name."""
    context, word = cursor.context, cursor.word
    match, tree = context.match, context.statement.shape.tree
    assert isinstance(tree, Instruction)
    if match is None:
        meaning = qualifier_meaning(word)
        return HoverInfo(cursor.span, title=f"`{word}`", lead=(meaning,) if meaning else ())
    page, spelling = match.instruction, spelling_of(context, match)
    at = tree.opcode_tokens.index(cursor.token)
    place = match.places[at] if at < len(match.places) else -1
    slot = match.form.slots[place].name if place >= 0 else ""
    in_name = at <= instruction_name(match, tree).count(".")
    if in_name and not own_bullet(page, word, slot, spelling) and not page.words.meaning(slot, spelling):
        return instruction(cursor)
    problems = _problems(cursor, match, at)
    name = tree.opcode[0] if in_name else instruction_name(match, tree)
    return HoverInfo(
        cursor.span,
        title=f"`{word}` of `{name}`",
        availability="" if problems else _availability(context, match, place, word),
        link=manual_link(page.words, spelling),
        lead=meanings(page, word, slot, spelling),
        hazards=tuple(map(Hazard, problems)),
        picture=tuple(picks_of_mode(cursor)),
        notes=_alternatives(context, match, place, word),
    )


def _problems(cursor: Cursor, match: Match, at: int) -> list[str]:
    """Return why the qualifier does not fit, or what would be better."""
    context = cursor.context
    span = context.span(cursor.token)
    found: list[str] = []
    if not match.fits:
        found += (f"✗ {reason.message}" for reason in error_findings(context) if reason.span == span)
    mine = [mismatch for mismatch in match.mismatches if mismatch.qualifier == at]
    found += needs(context, match, [one for one in mine if one.problem in GATED or not found])
    return [*found, *(f"! {reason.message}" for reason in advice_findings(context) if reason.span == span)]


def _availability(context: StatementContext, match: Match, place: int, word: str) -> str:
    """Return the versions and targets that have the qualifier in this form; empty if all have it."""
    gate = match.form.slots[place].choices.get(word) if place >= 0 else None
    if gate is None or not gate.allows(context.module.version, context.module.target) or str(gate) == "1.0":
        return ""
    return gate.describe()


def _alternatives(context: StatementContext, match: Match, place: int, word: str) -> tuple[str, ...]:
    """Return the other words of the manual with which the statement would match its form, in a sentence."""
    choices = match.form.slots[place].choices if place >= 0 else {}
    if not any(choice and choice != word for choice in choices):
        return ()
    others = [f"`{choice}`" for choice in legal_words(match, place, context.module) if choice != word]
    if not others:
        return ()
    return (f"alternatives: {' '.join(others[:_MOST_OTHERS])}{' …' if len(others) > _MOST_OTHERS else ''}",)
