"""Diagnosis of a statement that fits no form: the nearest form, and what keeps the statement from fitting it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ptx_lsp.isa.diagnosis.gate_reasons import GateReasons
from ptx_lsp.isa.diagnosis.meant_form import (
    Attempt,
    Diagnosis,
    form_of_foreign,
    instead_of_removed,
    with_all_words,
    with_conflict,
)
from ptx_lsp.isa.diagnosis.operand_reasons import explain
from ptx_lsp.isa.diagnosis.repair import Repairer
from ptx_lsp.isa.matching.assign import doubled
from ptx_lsp.isa.matching.attempt import answer
from ptx_lsp.isa.matching.fitting import Fitting, selectors_of
from ptx_lsp.isa.matching.ignored_words import ignored
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.form_conditions import SlotValues
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.language_level import DOCUMENTED, LanguageLevel, language_level
from ptx_lsp.isa.model.match_result import Match, Mismatch, Problem
from ptx_lsp.isa.model.prepared_form import PreparedForm
from ptx_lsp.process_cache import memoized

WRONG_COUNT, WRONG_OPERAND, SHUT_GATE, OTHER_PAGE = 7, 3, 4, 12
"""The distance that operands, gates and a shorter name add between a statement and a form, beside changes of words."""

_SPELLINGS = 24


_OF_OPERANDS = (
    Problem.OPERAND_KIND,
    Problem.OPERAND_TYPE,
    Problem.OPERAND_VALUE,
    Problem.VECTOR_LENGTH,
    Problem.OPERAND_PART,
    Problem.OPERAND_SIGN,
)
_OF_WORDS = (Problem.MISSING_QUALIFIER, Problem.UNKNOWN_QUALIFIER)
_OF_GATES = (Problem.NEWER_VERSION, Problem.NEWER_TARGET, Problem.REMOVED, Problem.SOME_RELEASES)


_MOST_COMPARED = 16
"""Of so many mistakes of a statement it is asked whether they conflict with another word; of others it is not."""


def nearest(
    candidates: tuple[InstructionPage, ...],
    opcode: tuple[str, ...],
    operands: tuple[ActualOperand, ...],
    module: LanguageLevel,
) -> Match:
    """The form that a statement comes nearest to, with its mismatches.

    Qualifiers are judged first, as if every gate stood open; then the gates; then the operands under the qualifiers
    that are right, or would be after the repair. Independent mistakes are all reported.
    """
    shared = next(form for forms in candidates[0].prepared.values() for form in forms).shared
    twice = doubled(opcode, shared.repeatable)
    best: Diagnosis | None = None
    forms: list[tuple[int, int, int, InstructionPage, PreparedForm, Repairer]] = []
    for penalty, instruction in enumerate(candidates):
        for form in instruction.prepared.get(opcode[0], ()):
            ignored = twice + _ignored(form, opcode, operands, module)
            repairer = Repairer(form, opcode, ignored, module)
            least = repairer.least_cost + penalty * OTHER_PAGE
            forms.append((least, len(forms), penalty * OTHER_PAGE, instruction, form, repairer))
    attempts: list[Attempt] = []
    forms.sort(key=lambda one: one[:2])
    for least, _, penalty, instruction, form, repairer in forms:
        if best is not None and least > best.cost:
            break
        diagnose = partial(_diagnose, instruction, form, repairer, operands, module, penalty)
        attempt = Attempt(instruction, form, diagnose, None if best is None else best.cost)
        attempts.append(attempt)
        if attempt.near is not None and (best is None or attempt.near.cost < best.cost):
            best = attempt.near
    assert best is not None
    best = instead_of_removed(best, attempts)
    best = form_of_foreign(best, attempts, opcode, module)
    best = with_all_words(best, [attempt.near for attempt in attempts if attempt.near is not None])
    found = _without_consequences(best.mismatches, opcode, shared.order)
    reported = frozenset(found)
    mismatches = tuple(
        with_conflict(mismatch, best.instruction, opcode, module)
        if mismatch in reported and number < _MOST_COMPARED
        else mismatch
        for number, mismatch in enumerate(_one_for_another(found))
    )
    match = answer(best.instruction, best.fitting, opcode, operands, best.placed, mismatches)
    notes = [Mismatch(Problem.DOUBLED, at) for at in twice]
    notes += [Mismatch(Problem.MEANINGLESS, at) for at in _ignored(best.fitting.form, opcode, operands, module)]
    return match._replace(notes=tuple(notes))


def refusals(match: Match, operands: tuple[ActualOperand, ...], module: LanguageLevel) -> list[Mismatch]:
    """The parts of a statement that fits for others and that a module of this judge refuses."""
    form = next(one for one in match.instruction.prepared[match.form.mnemonic] if one.form is match.form)
    placed = {place: at for at, place in enumerate(match.places) if place >= 0}
    fitting = Fitting(form, list(match.values), module)
    reasons = GateReasons(match.instruction, form, placed, list(match.roles), module, _refused(fitting, operands))
    return reasons.mismatches(list(match.values))


def _ignored(
    form: PreparedForm, opcode: tuple[str, ...], operands: tuple[ActualOperand, ...], module: LanguageLevel
) -> tuple[int, ...]:
    """The words that ptxas ignores in this form; an only type is not ignored, it stands for the right one."""
    found = ignored(form, opcode, operands, form.shared.meaningless.intersection(opcode), module)
    if not found:
        return ()
    types = [at for at, word in enumerate(opcode) if form.order.get(word) == "type"]
    return tuple(at for at in found if opcode[at] not in form.homes and not (types == [at] and "type" in form.ordered))


def _without_consequences(mismatches: list[Mismatch], opcode: tuple[str, ...], order: dict[str, str]) -> list[Mismatch]:
    """Leave out what follows from another mistake.

    Operands that do not fit a type are no mistake of their own where the type itself is wrong; nor is it one that an
    operand which would not do anyway stands where a newer module takes more.
    """
    unfit = {mismatch.operand for mismatch in mismatches if mismatch.operand and mismatch.problem in _OF_OPERANDS}
    mismatches = [
        m
        for m in mismatches
        if m.problem not in _OF_GATES or not any(m.operand and m.operand == path[: len(m.operand)] for path in unfit)
    ]
    wrong_type = any(
        mismatch.problem is Problem.UNKNOWN_QUALIFIER and order.get(opcode[mismatch.qualifier]) == "type"
        for mismatch in mismatches
    )
    return [m for m in mismatches if m.problem is not Problem.OPERAND_TYPE] if wrong_type else mismatches


def _one_for_another(mismatches: list[Mismatch]) -> list[Mismatch]:
    """A word that stands twice where another is missing stands for the other: ``.row.row`` for ``.row.col``."""
    twice = [mismatch for mismatch in mismatches if mismatch.problem is Problem.DUPLICATE_QUALIFIER]
    missing = [mismatch for mismatch in mismatches if mismatch.problem is Problem.MISSING_QUALIFIER]
    if len(twice) != 1 or len(missing) != 1:
        return mismatches
    meant = Mismatch(Problem.UNKNOWN_QUALIFIER, twice[0].qualifier, wanted=missing[0].wanted)
    return [meant, *(mismatch for mismatch in mismatches if mismatch not in (*twice, *missing))]


def _diagnose(
    instruction: InstructionPage,
    form: PreparedForm,
    repairer: Repairer,
    operands: tuple[ActualOperand, ...],
    module: LanguageLevel,
    penalty: int,
    most: int | None,
) -> Diagnosis | None:
    """The mistakes if this form is meant; None if they are sure to cost more than ``most``."""
    repair = repairer.repair(None if most is None else most - penalty)
    if repair is None:
        return None
    best: Diagnosis | None = None
    for change in repair.changes:
        outcomes = [_operands(form, tuple(values), operands) for values in change.spellings[:_SPELLINGS]]
        if outcomes:
            cost, fitting, wrong = min(outcomes, key=lambda outcome: outcome[0])
        else:
            cost, fitting, wrong = 0, Fitting(form, [None] * len(form.slots), DOCUMENTED), []
        cost += repair.cost + change.cost + penalty
        if best is None or cost < best.cost:
            reported = [*repair.mismatches, *([change.mismatch] if change.mismatch is not None else [])]
            reported = _by_operands(reported, outcomes, change.spellings)
            best = Diagnosis(cost, instruction, fitting, repair.placed, [*reported, *wrong])
    assert best is not None
    if not repair.mismatches and repair.changes[0].mismatch is None:
        _add_gates(best, form, operands, module)
    return best


def _add_gates(
    diagnosis: Diagnosis, form: PreparedForm, operands: tuple[ActualOperand, ...], module: LanguageLevel
) -> None:
    """The needs of the module for qualifiers that are right in themselves."""
    roles = [operand.name for operand in diagnosis.fitting.operands()]
    here = Fitting(form, diagnosis.fitting.values, language_level(module.version, module.target))
    wrong = _refused(diagnosis.fitting, operands)
    refused = {name: path for name, path in _refused(here, operands).items() if name not in wrong}
    reasons = GateReasons(diagnosis.instruction, form, diagnosis.placed, roles, module, refused)
    gates = reasons.mismatches(diagnosis.fitting.values)
    if gates:
        diagnosis.cost += SHUT_GATE
        diagnosis.mismatches[:0] = gates
    elif not diagnosis.mismatches:
        # Everything fits on its own, but not in this module: operands that are not for it, or another reading of the
        # qualifiers is meant.
        specified = diagnosis.fitting.operands()
        if len(specified) == len(operands):
            here = Fitting(form, diagnosis.fitting.values, module)
            diagnosis.mismatches.extend(explain(here, specified, operands))
        diagnosis.cost += WRONG_OPERAND if diagnosis.mismatches else 3 * WRONG_COUNT


def _refused(fitting: Fitting, operands: tuple[ActualOperand, ...]) -> dict[str, tuple[int, ...]]:
    """The operands that do not fit, or the parts of an address, by their names, and where they are."""
    specified = fitting.operands()
    if len(specified) != len(operands):
        return {}
    found: dict[str, tuple[int, ...]] = {}
    for at, (operand, written) in enumerate(zip(specified, operands, strict=True)):
        if fitting.accepts(operand, written):
            continue
        parts = fitting.operands(operand.parts)
        inside: dict[str, tuple[int, ...]] = {}
        if operand.kind == written.kind == "address" and len(parts) == len(written.parts):
            taken = [fitting.base(operand, written.parts[0]), *map(fitting.accepts, parts[1:], written.parts[1:])]
            inside = {part.name: (at, number) for number, part in enumerate(parts) if not taken[number]}
        found |= inside or {operand.name: (at,)}
    return found


def _by_operands(
    mismatches: list[Mismatch], outcomes: Sequence[tuple[int, Fitting, Sequence[Mismatch]]], spellings: list[SlotValues]
) -> list[Mismatch]:
    """The mismatches with the words that are wanted in another order: those first that suit the operands."""
    if len(outcomes) < 2:
        return mismatches
    ranks: dict[str, int] = {}
    for (cost, _, _), values in zip(outcomes, spellings, strict=False):
        for word in values:
            if word is not None:
                ranks[word] = min(cost, ranks.get(word, cost))
    ordered: dict[tuple[str, ...], tuple[str, ...]] = {}
    found = []
    for one in mismatches:
        if one.wanted and one.problem in _OF_WORDS:
            if one.wanted not in ordered:
                ordered[one.wanted] = tuple(sorted(one.wanted, key=lambda word: ranks.get(word, 99)))
            one = one._replace(wanted=ordered[one.wanted])
        found.append(one)
    return found


@memoized(1024)
def _operands(
    form: PreparedForm, values: tuple[str | None, ...], operands: tuple[ActualOperand, ...]
) -> tuple[int, Fitting, list[Mismatch]]:
    """The operands that fit best under these qualifiers: cost, fitting, and what is wrong with them.

    Remembered: many wrong opcodes come near to the same right ones. The result must not be changed.
    """
    best: tuple[int, Fitting, list[Mismatch]] | None = None
    counts: dict[int, None] = {}
    for chosen in form.option_sets:
        filled = list(values)
        for place in form.options:
            name = form.slots[place].name
            filled[place] = name if name in chosen else None
        specified = [operand for operand in form.form.operands if not operand.option or operand.option in chosen]
        if len(specified) == len(operands):
            selectors_of(form, specified, operands, filled)
        else:
            for place in form.selectors:
                filled[place] = None if None in form.choices[place] else values[place]
        if not all(check.test(filled, DOCUMENTED) for check in form.checks):
            continue
        counts[len(specified)] = None
        fitting = Fitting(form, filled, DOCUMENTED)
        if len(specified) != len(operands):
            continue
        wrong = explain(fitting, specified, operands)
        cost = (
            WRONG_OPERAND * len(wrong)
            + sum(one.problem is Problem.OPERAND_COUNT for one in wrong)
            + sum(
                fitting.wants_pair(operand) != (given.pair is not None)
                for operand, given in zip(specified, operands, strict=True)
            )
        )
        if best is None or cost < best[0]:
            best = (cost, fitting, wrong)
    if best is not None:
        return best
    wanted = tuple(str(count) for count in sorted(counts))
    extra = (max(counts),) if counts and len(operands) > max(counts) else ()
    mismatch = Mismatch(Problem.OPERAND_COUNT, operand=extra, wanted=wanted)
    return WRONG_COUNT, Fitting(form, list(values), DOCUMENTED), [mismatch]
