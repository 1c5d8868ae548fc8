"""Completion of an opcode: the qualifiers that can come next so that a legal spelling can still be reached."""

from __future__ import annotations

import random
from collections.abc import Container, Iterator

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.matching.assign import Assignment, assignments, doubled
from ptx_lsp.isa.matching.solve import solutions
from ptx_lsp.isa.model.form_conditions import SlotValues
from ptx_lsp.isa.model.gate import AcceptancePolicy
from ptx_lsp.isa.model.language_level import LanguageLevel, language_level
from ptx_lsp.isa.model.prepared_form import PreparedForm
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import memoized


@memoized(1024)
def offers(
    opcode: tuple[str, ...],
    version: Version,
    target: Target,
    judge: Version | AcceptancePolicy = AcceptancePolicy.LATEST,
) -> tuple[str, ...]:
    """The qualifiers that can follow what is written of an opcode, in the order of the pages.

    Nothing is offered that the matcher would refuse, and nothing legal is missing; qualifiers that ptxas merely
    tolerates are not offered.

    Args:
        opcode: the mnemonic and the qualifiers so far: ``("ld", ".global")``.
        version: the module's PTX version.
        target: the module's architecture.
        judge: the release of ptxas that should take it; what only others take is offered where it has begun.
    """
    offered: dict[str, None] = {}
    for module in (language_level(version, target, judge), language_level(version, target)):
        for reading in readings(opcode, module):
            offered.update(dict.fromkeys(next_words(reading, module, offered)))
        if offered or _is_complete(opcode, module):
            break
    return tuple(offered)


def is_complete(
    opcode: tuple[str, ...], version: Version, target: Target, judge: Version | AcceptancePolicy = AcceptancePolicy.ANY
) -> bool:
    """Whether an opcode is a whole spelling of some form, so that operands can follow."""
    return _is_complete(opcode, language_level(version, target, judge))


def _is_complete(opcode: tuple[str, ...], module: LanguageLevel) -> bool:
    return any(
        values
        for reading in readings(opcode, module, finished=True)
        for values in endings(reading, module, finished=True)
    )


@memoized(1024)
def can_become(opcode: tuple[str, ...], version: Version, target: Target) -> bool:
    """Whether a legal spelling begins with what is written of an opcode."""
    module = language_level(version, target)
    return any(True for reading in readings(opcode, module) for _ in endings(reading, module))


@memoized(1024)
def required(opcode: tuple[str, ...], version: Version, target: Target) -> frozenset[str]:
    """The words that come first of what every whole spelling still needs, types aside; empty if there are none."""
    module = language_level(version, target, AcceptancePolicy.LATEST)
    found: set[str] = set()
    for reading in readings(opcode, module):
        form = reading.form
        if any(True for _ in endings(reading, module)):
            open_ = (form.choices[place] for place in form.qualifiers if place not in reading.placed)
            wanted = ([word for word in words if word] for words in open_ if None not in words)
            first = next((words for words in wanted if any(form.order.get(word) != "type" for word in words)), None)
            if first is None:
                return frozenset()
            found.update(first)
    return frozenset(found)


class PartialSpelling(NamedTuple):
    """The written part of an opcode as the beginning of a form: each word in its place."""

    form: PreparedForm
    opcode: tuple[str, ...]
    placed: Assignment

    def rest(self, values: SlotValues) -> tuple[str, ...]:
        """The qualifiers that are still to be written under these values, in the order of the page."""
        return tuple(
            word for place in self.form.qualifiers if place not in self.placed and (word := values[place]) is not None
        )

    def last(self, order: str | None) -> int:
        """The last place that is taken by a word of this class of ordered words; -1 if none is."""
        places = (place for place, at in self.placed.items() if self.form.order.get(self.opcode[at]) == order)
        return max(places, default=-1) if order else -1


def readings(opcode: tuple[str, ...], module: LanguageLevel, *, finished: bool = False) -> Iterator[PartialSpelling]:
    """The ways to read an opcode as the beginning of a form; ``finished``: as the whole of it."""
    pages = catalogue().candidates(opcode) if finished else catalogue().beginning_with(opcode)
    for instruction in pages:
        for form in instruction.prepared.get(opcode[0], ()):
            if module.allows_all(form.form.gates):
                twice = doubled(opcode, form.shared.repeatable)
                for placed in assignments(form, opcode, twice, partial=not finished):
                    yield PartialSpelling(form, opcode, placed)


def endings(
    reading: PartialSpelling, module: LanguageLevel, *, finished: bool = False, shuffled: random.Random | None = None
) -> Iterator[SlotValues]:
    """Ways to fill the places of the form, ordered words only after those written; ``finished``: no others."""
    form, opcode, placed = reading
    fixed: dict[int, str | None] = {place: opcode[at] for place, at in placed.items()}
    if finished:
        fixed = {place: fixed.get(place) for place in (0, *form.qualifiers)}
    for name, places in form.ordered.items():
        furthest = reading.last(name)
        for place in places:
            if place < furthest and place not in fixed:
                if None in form.choices[place]:
                    fixed[place] = None
                elif place in form.strict and all(form.order.get(word or "") == name for word in form.choices[place]):
                    return
    written = "".join(opcode)
    names = {name for name in form.possible_names if _begins(written, name)}
    if names:
        for values in solutions(form, module, fixed, shuffled=shuffled):
            if form.name_of(form.spell(values)) in names:
                yield values


def next_words(reading: PartialSpelling, module: LanguageLevel, known: Container[str]) -> Iterator[str]:
    """The words of open places that lead somewhere, but for ``known`` ones."""
    form, opcode, placed = reading
    found: set[str] = set()
    for place in form.qualifiers:
        if place in placed:
            continue
        for word, gate in form.choices[place].items():
            if word is None or word in known or not module.allows(gate):
                continue
            if word not in found and place >= reading.last(form.order.get(word)):
                longer = PartialSpelling(form, (*opcode, word), {**placed, place: len(opcode)})
                for values in endings(longer, module):
                    found.update(_first_words(reading, values))
                    break
            if word in found:
                yield word


def _first_words(reading: PartialSpelling, values: SlotValues) -> Iterator[str]:
    """The words still to be written that can come first: a single one of each class of ordered words."""
    order = reading.form.order
    name = reading.form.name_of(reading.form.spell(values))
    written = "".join(reading.opcode)
    begun: set[str] = set()
    for word in reading.rest(values):
        if order.get(word) not in begun and _begins(written + word, name):
            yield word
        begun.add(order.get(word, word))


def _begins(written: str, name: str) -> bool:
    """Whether the parts of the name come first: what is written begins with it, or is its beginning."""
    return f"{written}.".startswith(name + ".") or f"{name}.".startswith(written + ".")
