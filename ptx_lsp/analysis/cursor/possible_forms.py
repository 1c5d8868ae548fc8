"""The forms that a partial opcode can become, with their operands, for signature help and completion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ptx_lsp.derived_values import once
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.completion.offers import PartialSpelling, endings, readings
from ptx_lsp.isa.matching.fitting import Fitting
from ptx_lsp.isa.matching.solve import solutions
from ptx_lsp.isa.model.form import FormOperand, flatten
from ptx_lsp.isa.model.form_conditions import SlotValues
from ptx_lsp.isa.model.gate import AcceptancePolicy
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.language_level import DOCUMENTED, LanguageLevel, language_level
from ptx_lsp.isa.model.page_condition import Spelling
from ptx_lsp.isa.model.prepared_form import PreparedForm
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.isa.name_order import name_order
from ptx_lsp.isa.pages.spellings import spelling_of_values
from ptx_lsp.process_cache import memoized

_MOST_FORMS = 32


@dataclass(eq=False)
class PossibleForm:
    """A form that is compatible with the written qualifiers."""

    instruction: InstructionPage
    form: PreparedForm
    values: tuple[str | None, ...]
    """The value of each slot for one completion of the opcode; for a complete opcode only the written words."""
    missing: tuple[int, ...]
    """The slots of missing qualifiers; ``values`` holds the first possible value of each."""
    module: LanguageLevel
    is_available: bool = True
    """Whether it is available for the module's version and target."""

    @once
    def fittings(self) -> tuple[Fitting, ...]:
        """The form with each valid set of optional operands, the largest first."""
        return tuple(filter(None, map(self._fitting, self.form.option_sets)))

    def spelling(self, fitting: Fitting) -> Spelling:
        """Return the spelling with the optional operands of ``fitting``; missing qualifiers do not count."""
        values = [None if place in self.missing else value for place, value in enumerate(fitting.values)]
        return spelling_of_values(self.form.form, values)

    def _fitting(self, chosen: frozenset[str]) -> Fitting | None:
        form = self.form
        fixed: dict[int, str | None] = {place: self.values[place] for place in (0, *form.qualifiers)}
        for place in form.options:
            name = form.slots[place].name
            fixed[place] = name if name in chosen else None
        plain = {place: None for place in form.selectors if None in form.choices[place]}
        found = next(solutions(form, self.module, {**fixed, **plain}), None) if plain else None
        if found is None:
            found = next(solutions(form, self.module, fixed), None)
        return Fitting(form, found, self.module) if found is not None else None

    @once
    def operands(self) -> tuple[FormOperand, ...]:
        """The operands of all valid sets of optional ones, in order."""
        shown = {id(operand) for fitting in self.fittings for operand in fitting.operands()}
        return tuple(operand for operand in self.form.form.operands if id(operand) in shown)

    @once
    def optional(self) -> frozenset[str]:
        """The names of the slots of optional operands."""
        inner = flatten(self.form.form.operands)
        names = {name for operand in inner for name in (operand.option, operand.pair) if name}
        index = self.form.form.slot_numbers
        return frozenset(
            name
            for name in names.intersection(index)
            if len({bool(fitting.values[index[name]]) for fitting in self.fittings}) > 1
        )


@memoized(512)
def possible_forms(opcode: tuple[str, ...], version: Version, target: Target) -> tuple[PossibleForm, ...]:
    """The forms of an opcode; if none, of its completions; unavailable forms only if there are no others.

    In the order of the pages. Empty for an unknown instruction or an invalid qualifier.
    """
    order = name_order(opcode)
    opcode = opcode if order is None else tuple(opcode[at] for at in order)
    modules = (language_level(version, target, AcceptancePolicy.LATEST), language_level(version, target))
    for finished in (True, False):
        for module in modules:
            found = tuple(_possible_forms(opcode, module, finished=finished, is_available=True))
            if found:
                return found
        found = tuple(_possible_forms(opcode, DOCUMENTED, finished=finished, is_available=False))
        if found:
            return found
    return tuple(_tolerated(opcode, modules[-1]))


def _possible_forms(
    opcode: tuple[str, ...], module: LanguageLevel, *, finished: bool, is_available: bool
) -> Iterator[PossibleForm]:
    seen: set[int] = set()
    pages = {id(form): page for page in _pages(opcode) for form in page.prepared.get(opcode[0], ())}
    for reading in readings(opcode, module, finished=finished):
        if id(reading.form) in seen:
            continue
        values = next(endings(reading, module, finished=finished), None)
        if values is None:
            continue
        seen.add(id(reading.form))
        found = PossibleForm(
            pages[id(reading.form)], reading.form, tuple(values), _missing(reading, values), module, is_available
        )
        if found.fittings:
            yield found
        if len(seen) == _MOST_FORMS:
            return


def _pages(opcode: tuple[str, ...]) -> tuple[InstructionPage, ...]:
    return catalogue().beginning_with(opcode)


def _missing(reading: PartialSpelling, values: SlotValues) -> tuple[int, ...]:
    return tuple(
        place for place in reading.form.qualifiers if place not in reading.placed and values[place] is not None
    )


def _tolerated(opcode: tuple[str, ...], module: LanguageLevel) -> Iterator[PossibleForm]:
    """The forms of an opcode without the words that ptxas ignores, and without duplicates."""
    pages = catalogue().candidates(opcode)
    known = {word for page in pages for form in page.prepared.get(opcode[0], ()) for word in form.homes}
    kept = tuple(dict.fromkeys(word for at, word in enumerate(opcode) if not at or word in known))
    if kept != opcode:
        for finished in (True, False):
            found = tuple(_possible_forms(kept, module, finished=finished, is_available=True))
            if found:
                yield from found
                return
