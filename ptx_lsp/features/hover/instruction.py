"""Hover of instructions: matched form, availability, description, hazards, meaning of each part."""

from __future__ import annotations

from ptx_lsp.analysis.cursor.cursor import Cursor
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.spelling import spelling_of
from ptx_lsp.analysis.symbols.symbols import SymbolKind
from ptx_lsp.features.hover.functions import head
from ptx_lsp.features.hover.labels import listed_labels
from ptx_lsp.features.hover.mismatches import GATED, advice_lines, availability, mismatch_lines
from ptx_lsp.features.hover.parts.fragment_text import fragment_note
from ptx_lsp.features.hover.parts.hover_info import Hazard, HoverInfo
from ptx_lsp.features.hover.parts.manual_links import MANUAL, concept_pages, manual_link
from ptx_lsp.features.hover.parts.operand_rows import operand_rows, written_form
from ptx_lsp.features.hover.parts.prmt_selectors import picked_bytes
from ptx_lsp.features.hover.parts.qualifier_words import qualifier_rows
from ptx_lsp.features.hover.parts.synchronization_notes import synchronization_notes
from ptx_lsp.features.hover.parts.work_order import order_notes
from ptx_lsp.features.hover.source_locations import origin
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.match_result import Match, Problem
from ptx_lsp.isa.model.page_condition import Spelling
from ptx_lsp.isa.model.page_words import LabelledParagraph, PageWords
from ptx_lsp.isa.pages.excerpts import as_written, first_sentence
from ptx_lsp.syntax.tree import Instruction


def instruction(cursor: Cursor) -> HoverInfo:
    """Return the hover of the whole instruction, with the cursor on its name."""
    context = cursor.context
    match, tree = context.match, context.statement.shape.tree
    assert isinstance(tree, Instruction)
    if match is None:
        return _without_match(cursor, tree.opcode)
    words, spelling = match.instruction.words, spelling_of(context, match)
    picks, picture = picked_bytes(cursor)
    operands = operand_rows(cursor, match)
    threads = " ".join(label.text for label in words.labels_of(spelling) if label.name == "Threads")
    return HoverInfo(
        context.opcode_span().shifted(cursor.span.start - context.span(cursor.token).start),
        code=(written_form(match), *_callee(context)),
        availability=availability(context.module, match),
        link=manual_link(words, spelling),
        pages=concept_pages(context.statement.shape.opcode),
        lead=(*filter(None, (picks,)), as_written(" ".join(words.lead_of(spelling)), match)),
        mistakes=(*mismatch_lines(context, match), *advice_lines(context, match)),
        rows_first=True,
        hazards=tuple(_labels(words, match, spelling)),
        picture=tuple(picture),
        rows=(*operands, *qualifier_rows(context, match, operands, threads)),
        notes=(
            *_branches(context),
            *fragment_note(context, match),
            *order_notes(context, match),
            *synchronization_notes(cursor),
            *origin(context),
        ),
    )


def _branches(context: StatementContext) -> tuple[str, ...]:
    """Return the labels of the table that an instruction jumps through, with their lines."""
    tables = [symbol for symbol in context.symbols.values() if symbol.kind is SymbolKind.TARGETS]
    return tuple(filter(None, (listed_labels(context, symbol) for symbol in tables)))


def _callee(context: StatementContext) -> tuple[str, ...]:
    """Return the head of the function that a ``call`` names."""
    functions = [symbol for symbol in context.symbols.values() if symbol.kind is SymbolKind.FUNCTION]
    if context.statement.shape.opcode[:1] != ("call",) or not functions:
        return ()
    place = functions[0].place
    return tuple(head(place.chunk.statement(place.statement)))


def _without_match(cursor: Cursor, opcode: tuple[str, ...]) -> HoverInfo:
    """Return the hover of an instruction whose operands do not parse, or that no page describes."""
    page = catalogue().instruction(opcode)
    if page is not None:
        words = page.words
        spelling = Spelling("".join(opcode), frozenset(opcode))
        lead, link = words.lead_of(spelling), manual_link(words, spelling)
        return HoverInfo(cursor.span, title=f"`{''.join(opcode)}`", lead=lead, link=link)
    names = [name for page in catalogue().instructions for name in page.names if name.startswith(f"{opcode[0]}.")]
    if names:
        shown = ", ".join(f"`{name}`" for name in names[:_MOST_NAMES]) + (" …" if len(names) > _MOST_NAMES else "")
        lead = (f"`{''.join(opcode)}`: not an instruction of PTX; there are {shown}",)
        return HoverInfo(cursor.span, lead=lead, link=MANUAL)
    if catalogue().status(opcode) == "known":
        lead = (f"`{''.join(opcode)}`: a PTX instruction that is not checked yet",)
        return HoverInfo(cursor.span, lead=lead, link=MANUAL)
    return HoverInfo(cursor.span, lead=(f"`{''.join(opcode)}`: not an instruction of PTX",))


_MOST_NAMES = 8


_BY_URGENCY = ("Pitfall", "Completion", "Ordering", "Undefined", "Threads")
"""The labels of a page, the one first that readers know least."""
_SHORTENED = frozenset({"Undefined", "Threads"})
"""Labels whose first sentence says what matters most."""
_ACCEPTED = " ptxas: accepts it."
"""The end of a pitfall that no tool reports."""


_MISSING = frozenset({Problem.MISSING_QUALIFIER})
_OF_QUALIFIERS = _MISSING | {Problem.UNKNOWN_QUALIFIER, Problem.CONFLICT}


def _labels(words: PageWords, match: Match, spelling: Spelling) -> list[Hazard]:
    """Return the labelled paragraphs for this spelling; of pitfalls that ptxas refuses those that explain a mistake."""
    problems = frozenset(one.problem for one in match.mismatches if one.problem not in GATED)
    labels = [
        label for label in words.labels_of(spelling) if label.name != "Pitfall" or _explains(label.text, problems)
    ]
    labels.sort(key=lambda label: _BY_URGENCY.index(label.name))
    return [_hazard(label) for label in labels]


def _explains(pitfall: str, problems: frozenset[Problem]) -> bool:
    """Whether a pitfall is about legal statements, or ends in ptxas's message about one of these problems."""
    _, refused, message = pitfall.rpartition("ptxas: `")
    if not refused:
        return True
    if "required for instruction" in message:
        return not problems.isdisjoint(_MISSING)
    is_of_operands = message.startswith(("Argument", "Label expected", "Incorrect video selector"))
    return bool(problems - _OF_QUALIFIERS if is_of_operands else problems & _OF_QUALIFIERS)


def _hazard(label: LabelledParagraph) -> Hazard:
    text = f"**{label.name}:** {label.text.removesuffix(_ACCEPTED)}"
    first = first_sentence(text)
    return Hazard(text, f"{first} …" if label.name in _SHORTENED and len(first) + 1 < len(text) else "")
