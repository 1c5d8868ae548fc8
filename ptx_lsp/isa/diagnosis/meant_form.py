"""The form that is meant where a statement comes near to several, and words that only other forms have."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from ptx_lsp.isa.diagnosis.repair import Repairer
from ptx_lsp.isa.matching.assign import Assignment
from ptx_lsp.isa.matching.fitting import Fitting
from ptx_lsp.isa.matching.solve import first_solution
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.language_level import DOCUMENTED, LanguageLevel
from ptx_lsp.isa.model.match_result import Mismatch, Problem
from ptx_lsp.isa.model.prepared_form import PreparedForm
from ptx_lsp.process_cache import memoized


class Diagnosis:
    """One form and all that is wrong with the statement if that form is meant."""

    def __init__(
        self, cost: int, instruction: InstructionPage, fitting: Fitting, placed: Assignment, mismatches: list[Mismatch]
    ) -> None:
        self.cost = cost
        self.instruction = instruction
        self.fitting = fitting
        self.placed = placed
        self.mismatches = mismatches

    def with_only(self, mismatch: Mismatch) -> Diagnosis:
        """This form with one mistake."""
        return Diagnosis(self.cost, self.instruction, self.fitting, self.placed, [mismatch])


class Attempt:
    """A form that a statement is compared with, and what is wrong with it if that form is meant."""

    def __init__(
        self,
        instruction: InstructionPage,
        form: PreparedForm,
        diagnose: Callable[[int | None], Diagnosis | None],
        most: int | None,
    ) -> None:
        """``diagnose`` need not find more than what costs ``most``."""
        self.instruction = instruction
        self.form = form
        self.near = diagnose(most)
        """The diagnosis, unless it costs more."""
        self._diagnose = diagnose

    def diagnosis(self) -> Diagnosis:
        """The diagnosis, whatever it costs."""
        found = self.near or self._diagnose(None)
        assert found is not None
        return found


def instead_of_removed(best: Diagnosis, attempts: list[Attempt]) -> Diagnosis:
    """The qualifier that is missing where a statement was legal without it once and needs it now."""
    if [(mismatch.problem, mismatch.qualifier) for mismatch in best.mismatches] != [(Problem.REMOVED, -1)]:
        return best
    others = [attempt.diagnosis() for attempt in attempts if attempt.instruction is best.instruction]
    lacking = [other for other in others if _is_like(other, best)]
    if not lacking:
        return best
    return _with_words_of(min(lacking, key=lambda other: other.cost), lacking)


def with_all_words(best: Diagnosis, others: list[Diagnosis]) -> Diagnosis:
    """The words that would do in any of the forms that lack nothing but one word."""
    if not _lacks_a_word(best):
        return best
    return _with_words_of(best, [best, *(one for one in others if one.cost == best.cost and _is_like(one, best))])


def _is_like(one: Diagnosis, best: Diagnosis) -> bool:
    return one.instruction is best.instruction and _lacks_a_word(one)


def _with_words_of(best: Diagnosis, lacking: list[Diagnosis]) -> Diagnosis:
    wanted = dict.fromkeys(word for one in lacking for word in one.mismatches[0].wanted)
    return best.with_only(best.mismatches[0]._replace(wanted=tuple(wanted)))


def _lacks_a_word(diagnosis: Diagnosis) -> bool:
    return [mismatch.problem for mismatch in diagnosis.mismatches] == [Problem.MISSING_QUALIFIER]


def form_of_foreign(
    best: Diagnosis, attempts: list[Attempt], opcode: tuple[str, ...], module: LanguageLevel
) -> Diagnosis:
    """The form that has the only wrong word, if a statement needs no more than one other qualifier to be of it."""
    if [mismatch.problem for mismatch in best.mismatches] != [Problem.UNKNOWN_QUALIFIER]:
        return best
    missing = with_conflict(best.mismatches[0], best.instruction, opcode, module)
    if missing.problem is not Problem.MISSING_QUALIFIER:
        return best
    word = opcode[best.mismatches[0].qualifier]
    meant = (
        attempt
        for attempt in attempts
        if attempt.instruction is best.instruction
        and word in attempt.form.homes
        and _repaired(attempt.form, opcode, module) == missing.wanted
    )
    found = next(meant, None)
    return best if found is None else found.diagnosis().with_only(missing)


def with_conflict(
    mismatch: Mismatch, instruction: InstructionPage, opcode: tuple[str, ...], module: LanguageLevel
) -> Mismatch:
    """A word that other forms of the instruction have conflicts with what those forms do not have."""
    if mismatch.problem is not Problem.UNKNOWN_QUALIFIER:
        return mismatch
    word = opcode[mismatch.qualifier]
    having = [
        form
        for form in instruction.prepared[opcode[0]]
        if any(first_solution(form, DOCUMENTED, ((place, word),)) is not None for place in form.homes.get(word, ()))
    ]
    if not having:
        return mismatch
    rest = [at for at in range(len(opcode) - 1, 0, -1) if at != mismatch.qualifier]
    types = [at for at in rest if having[0].order.get(opcode[at]) == "type"]
    able = [form for form in instruction.prepared[opcode[0]] if len(form.slots) > len(opcode) - 2]
    for at in rest if able else ():
        shorter = (*opcode[:at], *opcode[at + 1 :])
        if at not in types and any(Repairer(form, shorter, (), module).is_spelled() for form in able):
            return mismatch._replace(problem=Problem.CONFLICT, other=at)
    lacking = next((found for form in having if (found := _repaired(form, opcode, module))), ())
    if lacking:
        return Mismatch(Problem.MISSING_QUALIFIER, wanted=lacking)
    strange = (at for at in rest if not any(opcode[at] in form.homes for form in having))
    other = next(chain(strange, types), -1)
    return mismatch if other < 0 else mismatch._replace(problem=Problem.CONFLICT, other=other)


@memoized(256)
def _repaired(form: PreparedForm, opcode: tuple[str, ...], module: LanguageLevel) -> tuple[str, ...] | None:
    """The words of which an opcode lacks one to be a spelling of a form; None if more is wrong with it."""
    repairer = Repairer(form, opcode, (), module)
    if repairer.foreign:  # a word that the form does not have is a mismatch, whatever else is
        return None
    repair = repairer.repair()
    if repair is None or repair.mismatches or not repair.changes:
        return None
    change = repair.changes[0].mismatch
    if change is None:
        return ()
    return change.wanted if change.problem is Problem.MISSING_QUALIFIER else None
