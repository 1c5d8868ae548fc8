"""Hover of instructions: matched form, description, meaning of each part, availability."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from itertools import groupby

from ptx_lsp.analysis.cursor.cursor import Cursor
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import SymbolKind
from ptx_lsp.features.hover.functions import head
from ptx_lsp.features.hover.mismatches import GATED, advice_lines, gate_line, mismatch_lines, needs
from ptx_lsp.features.hover.parts.check_findings import advice_findings, error_findings
from ptx_lsp.features.hover.parts.fragment_text import fragment_note
from ptx_lsp.features.hover.parts.hover_info import LONGEST_NAME, HoverInfo, HoverRow
from ptx_lsp.features.hover.parts.manual_links import MANUAL, manual_link
from ptx_lsp.features.hover.parts.operand_role import instruction_name
from ptx_lsp.features.hover.parts.operand_rows import operand_rows, written_form
from ptx_lsp.features.hover.parts.prmt_selectors import picked_bytes, picks_of_mode
from ptx_lsp.features.hover.source_locations import origin
from ptx_lsp.features.hover.vocabulary import qualifier_meaning
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.isa.model.page_words import PageWords
from ptx_lsp.isa.pages.excerpts import about, clause_of, first_sentence, own_bullet
from ptx_lsp.syntax.tree import Instruction as Tree

_MOST_OTHERS = 12


def instruction(cursor: Cursor) -> HoverInfo:
    """Return the hover of the whole instruction, with the cursor on its name."""
    context = cursor.context
    match = context.match
    if match is None:
        return _without_match(cursor, _opcode(cursor).opcode)
    words = match.instruction.words
    lead = words.lead or (f"{match.instruction.title}",)
    picks, picture = picked_bytes(cursor)
    return HoverInfo(
        context.opcode_span().shifted(cursor.span.start - context.span(cursor.token).start),
        code=(written_form(match), *_callee(context)),
        lead=(*filter(None, (picks,)), *lead, *_labels(words, match, _opcode(cursor))),
        picture=tuple(picture),
        rows=(*operand_rows(cursor, match, words), *_merged(_qualifier_rows(context, match, words))),
        notes=(
            *mismatch_lines(context, match),
            *advice_lines(context, match),
            *fragment_note(context, match),
            *origin(context),
            *gate_line(context.module, match),
        ),
        link=manual_link(words),
    )


def _callee(context: StatementContext) -> tuple[str, ...]:
    """Return the head of the function that a ``call`` names."""
    functions = [symbol for symbol in context.symbols.values() if symbol.kind is SymbolKind.FUNCTION]
    if context.statement.shape.opcode[:1] != ("call",) or not functions:
        return ()
    place = functions[0].place
    return tuple(head(place.chunk.statement(place.statement)))


def qualifier(cursor: Cursor) -> HoverInfo:
    """Return the hover of one qualifier: its meaning on this page, else in general, and its availability."""
    context, word = cursor.context, cursor.word
    match, tree = context.match, _opcode(cursor)
    at = tree.opcode_tokens.index(cursor.token)
    mnemonic = tree.opcode[0]
    if match is None:
        meaning = qualifier_meaning(word)
        return HoverInfo(cursor.span, title=f"`{word}`", lead=(meaning,) if meaning else ())
    words = match.instruction.words
    slot = _slot(match, at)
    own = own_bullet(match.instruction, word, slot, "".join(tree.opcode))
    if _in_name(match, tree, at) and not own and slot not in words.bullets:
        return instruction(cursor)
    span = context.span(cursor.token)
    notes = (
        [f"✗ {reason.message}" for reason in error_findings(context) if reason.span == span] if not match.fits else []
    )
    mine = [mismatch for mismatch in match.mismatches if mismatch.qualifier == at]
    notes += needs(context, match, [one for one in mine if one.problem in GATED or not notes])
    notes += [f"! {reason.message}" for reason in advice_findings(context) if reason.span == span]
    place = match.places[at] if at < len(match.places) else -1
    gate = match.form.slots[place].choices.get(word) if place >= 0 else None
    if (
        not notes
        and gate is not None
        and gate.allows(context.module.version, context.module.target)
        and str(gate) != "1.0"
    ):
        notes.append(f"✓ {gate.describe()}")
    choices = match.form.slots[place].choices if place >= 0 else {}
    others = [choice for choice in choices if choice and choice != word]
    if others:
        shown = " ".join(f"`{one}`" for one in others[:_MOST_OTHERS]) + (" …" if len(others) > _MOST_OTHERS else "")
        notes.append(f"in this place also: {shown}")
    name = mnemonic if _in_name(match, tree, at) else instruction_name(match, tree)
    title = f"`{word}` of `{name}`"
    lead = _meanings(match.instruction, word, slot, "".join(tree.opcode))
    picture = tuple(picks_of_mode(cursor))
    return HoverInfo(cursor.span, title=title, lead=lead, notes=tuple(notes), link=manual_link(words), picture=picture)


def _without_match(cursor: Cursor, opcode: tuple[str, ...]) -> HoverInfo:
    """Return the hover of an instruction whose operands do not parse, or that no page describes."""
    page = catalogue().instruction(opcode)
    if page is not None:
        words = page.words
        lead = words.lead or (page.title,)
        return HoverInfo(cursor.span, title=f"`{''.join(opcode)}`", lead=lead, link=manual_link(words))
    if catalogue().status(opcode) == "known":
        lead = (f"`{''.join(opcode)}`: a PTX instruction that is not checked yet",)
        return HoverInfo(cursor.span, lead=lead, link=MANUAL)
    return HoverInfo(cursor.span, lead=(f"`{''.join(opcode)}`: not an instruction of PTX",))


def _opcode(cursor: Cursor) -> Tree:
    """Return the tree of the instruction at the cursor, even if its operands have errors."""
    tree = cursor.context.statement.shape.tree
    assert isinstance(tree, Tree)
    return tree


def _labels(words: PageWords, match: Match, tree: Tree) -> list[str]:
    """Return the labelled paragraphs for this spelling; for a legal one, without those on restrictions of ptxas."""
    is_right = all(one.problem in GATED for one in match.mismatches)
    opcode = f"{''.join(tree.opcode)}."
    written = {*match.roles, *(value for value in match.values if value)}

    def stands(part: str) -> bool:
        """Whether a part is present: an operand, qualifiers (``.global.shared::cta``), or a name (``sust.b``)."""
        return part in written or (f"{part}." in opcode if part.startswith(".") else opcode.startswith(f"{part}."))

    return [
        f"**{label.name}:** {label.text}"
        for label in words.labels
        if all(any(map(stands, parts)) for parts in label.parts)
        and not (is_right and label.name == "Pitfall" and "ptxas: `" in label.text)
    ]


def _slot(match: Match, at: int) -> str:
    """Return the name of the slot that word ``at`` of the opcode fills; empty if none."""
    place = match.places[at] if at < len(match.places) else -1
    return match.form.slots[place].name if place >= 0 else ""


def _in_name(match: Match, tree: Tree, at: int) -> bool:
    """Whether word ``at`` of the opcode is part of the instruction's name."""
    return at <= instruction_name(match, tree).count(".")


def _meanings(page: InstructionPage, word: str, slot: str, opcode: str) -> tuple[str, ...]:
    """Return the descriptions of a qualifier: its own bullet, else the general one and that of its slot."""
    own = own_bullet(page, word, slot, opcode)
    if own:
        return (own,)
    place, general, is_type = page.words.bullets.get(slot, ""), qualifier_meaning(word), word in _types()
    if place and (is_type or clause_of(place, word)):
        return (place,)
    return tuple(filter(None, (general if is_type else first_sentence(general), place)))


def _types() -> Container[str]:
    """Return the words that are types."""
    return catalogue().vocabulary.types


def _shortest_meaning(page: InstructionPage, word: str, slot: str, opcode: str) -> str:
    """Return the shortest description of a qualifier; empty if there is none."""
    own, general = own_bullet(page, word, slot, opcode), qualifier_meaning(word)
    place = page.words.bullets.get(slot, "")
    if general and (own or place).startswith(f"`{word}`, the default"):
        return f"the default: {first_sentence(general)}"
    said = about(page, word, slot, opcode, "" if place and word in _types() else general)
    return said.removeprefix(f"`{word}`, ") if own else said


def _qualifier_rows(context: StatementContext, match: Match, words: PageWords) -> list[HoverRow]:
    """Return a row for each qualifier with a description; parts of the name are described by the title."""
    tree = context.instruction
    assert tree is not None
    opcode, of_name = "".join(tree.opcode), instruction_name(match, tree).split(".")
    rows: list[HoverRow] = []
    for place, value in enumerate(match.values):
        if not place or not value or not value.startswith(".") or any(row.name == value for row in rows):
            continue
        slot = match.form.slots[place].name
        own = own_bullet(match.instruction, value, slot, opcode)
        if value[1:] in of_name and not own and slot not in words.bullets:
            continue
        meaning = _shortest_meaning(match.instruction, value, slot, opcode)
        if meaning:
            rows.append(HoverRow(value, meaning))
    return rows


def _merged(rows: Iterable[HoverRow]) -> Iterator[HoverRow]:
    """Merge adjacent rows with equal text if their names fit in the column."""
    for text, alike in groupby(rows, lambda row: row.text):
        names = [row.name for row in alike]
        together = " ".join(names)
        yield from (HoverRow(name, text) for name in ([together] if len(together) <= LONGEST_NAME else names))
