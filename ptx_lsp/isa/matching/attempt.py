"""Trying one form: do an opcode and its operands fit it, and how?"""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.isa.matching.assign import Assignment, assignments, left, values_of
from ptx_lsp.isa.matching.fitting import Fitting, selectors_of
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.form_conditions import SlotValues
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.language_level import LanguageLevel
from ptx_lsp.isa.model.match_result import Match, Mismatch
from ptx_lsp.isa.model.prepared_form import PreparedForm


def spellings(
    form: PreparedForm, opcode: tuple[str, ...], module: LanguageLevel, skipped: tuple[int, ...]
) -> Iterator[Assignment]:
    """The assignments under which an opcode is a spelling of the form, rules aside."""
    for placed in assignments(form, opcode, skipped):
        values = values_of(form, opcode, placed)
        for place in form.qualifiers:
            gate = form.choices[place].get(values[place])
            if gate is None or not module.allows(gate):
                break
        else:
            if form.name_of(form.spell(values)) == form.name_of("".join(left(opcode, skipped))):
                yield placed


def fill(
    form: PreparedForm, values: SlotValues, operands: tuple[ActualOperand, ...], module: LanguageLevel
) -> Fitting | None:
    """Find the optional operands under which everything fits; the fitting holds the values of all places."""
    for chosen in form.option_sets:
        filled = list(values)
        for place in form.options:
            name = form.slots[place].name
            filled[place] = name if name in chosen else None
        specified = [operand for operand in form.form.operands if not operand.option or operand.option in chosen]
        if len(specified) != len(operands):
            continue
        if not selectors_of(form, specified, operands, filled):
            continue
        if form.selectors and not all(module.allows(form.choices[place][filled[place]]) for place in form.selectors):
            continue
        if all(check.test(filled, module) for check in form.checks):
            fitting = Fitting(form, filled, module)
            if fitting.fits(specified, operands):
                return fitting
    return None


def answer(
    instruction: InstructionPage,
    fitting: Fitting,
    opcode: tuple[str, ...],
    operands: tuple[ActualOperand, ...],
    placed: Assignment,
    mismatches: tuple[Mismatch, ...] = (),
) -> Match:
    """A match with what features want to know about it."""
    places = {at: place for place, at in placed.items()}
    specified = fitting.operands()
    roles = [operand.name or operand.kind for operand in specified][: len(operands)]
    writes = [fitting.is_written(operand) for operand in specified][: len(operands)]
    missing = len(operands) - len(roles)
    return Match(
        instruction,
        fitting.form.form,
        mismatches,
        values=tuple(fitting.values),
        places=tuple(places.get(at, -1) for at in range(len(opcode))),
        roles=(*roles, *[""] * missing),
        writes=(*writes, *[False] * missing),
        operands=operands,
    )
