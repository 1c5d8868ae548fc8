"""Spellings of statements, forms and unfinished opcodes, for the conditions of pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ptx_lsp.isa.model.form import FormOperand, InstructionForm, PlaceKind
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.isa.model.page_condition import Spelling


def spelling_of_match(match: Match, opcode: Iterable[str] = ()) -> Spelling:
    """The spelling of a statement.

    Args:
        match: the form of the statement.
        opcode: the opcode as it is written, with what the form does not have; without it that of the form.
    """
    filled = spelling_of_values(match.form, match.values)
    written = tuple(opcode)
    if not written:
        return filled
    return Spelling("".join(written), filled.parts.union(written[1:], filter(None, match.roles)))


def spelling_of_values(form: InstructionForm, values: Sequence[str | None]) -> Spelling:
    """The spelling of a form whose places are filled; None: with nothing, or still open."""
    slots = list(zip(form.slots, values, strict=False))
    opcode = "".join(word for slot, word in slots if word and slot.kind <= PlaceKind.QUALIFIER)
    filled = {
        name for slot, word in slots if word for name in (slot.name, word) if name == word or name not in slot.choices
    }
    return Spelling(opcode or form.mnemonic, frozenset({*filled, *_operands(form, form.operands, filled)}))


def spelling_of_words(form: InstructionForm, opcode: Sequence[str]) -> Spelling:
    """The spelling of a form of whose opcode the first words are written, without its optional operands."""
    words = set(opcode[1:])
    values: list[str | None] = [opcode[0]]
    for slot in form.slots[1:]:
        word = next((one for one in slot.choices if one in words), None) if slot.kind is PlaceKind.QUALIFIER else None
        words.discard(word or "")
        values.append(word)
    filled = spelling_of_values(form, values)
    return Spelling("".join(opcode), filled.parts.union(opcode[1:]))


def _operands(form: InstructionForm, operands: tuple[FormOperand, ...], filled: set[str]) -> Iterator[str]:
    """The names of the operands that are written."""
    for operand in operands:
        if operand.option and operand.option not in filled:
            continue
        yield operand.name
        if operand.pair and (operand.pair not in form.slot_numbers or operand.pair in filled):
            yield operand.pair
        yield from _operands(form, operand.parts, filled)
