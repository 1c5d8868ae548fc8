"""The nearest spelling of a form to what is written: which qualifiers would have to be added, dropped or replaced."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ptx_lsp.derived_values import once
from ptx_lsp.isa.diagnosis.spelling_changes import (
    CHANGED,
    DUPLICATE,
    FOREIGN,
    FOREIGN_NAME,
    IMPOSSIBLE,
    MISPLACED,
    MISSING,
    Repair,
    SpellingChange,
    cost_of_changing,
    cost_of_filling,
)
from ptx_lsp.isa.matching.assign import Assignment, assignments, left, surely_open
from ptx_lsp.isa.matching.solve import allowed_words, first_solution, solutions_by_word
from ptx_lsp.isa.model.form import FormRule
from ptx_lsp.isa.model.form_conditions import FormTest, SlotValues
from ptx_lsp.isa.model.language_level import DOCUMENTED, LanguageLevel
from ptx_lsp.isa.model.match_result import Mismatch, Problem
from ptx_lsp.isa.model.prepared_form import PreparedForm

_MANY_WORDS, _MANY_CHANGES = 64, 6


class Repairer:
    """Looks for the cheapest repair of one form."""

    def __init__(
        self, form: PreparedForm, opcode: tuple[str, ...], ignored: tuple[int, ...], module: LanguageLevel
    ) -> None:
        self._form = form
        self._opcode = opcode
        self._ignored = ignored
        self._module = module
        without = frozenset(ignored)
        self.foreign = [at for at in range(1, len(opcode)) if opcode[at] not in form.homes and at not in without]

    @property
    def least_cost(self) -> int:
        """The least cost of the repair; cheap to compute."""
        return sum(map(self._foreign_cost, self.foreign))

    def _foreign_cost(self, at: int) -> int:
        """A part of a name that the form does not have means another form."""
        return FOREIGN_NAME if at <= self._name_parts else FOREIGN

    @once
    def _name_parts(self) -> int:
        """The number of qualifiers that belong to the name."""
        return self._form.name_of("".join(self._opcode)).count(".")

    def repair(self, most: int | None = None) -> Repair | None:
        """Place what can be placed, then change as few places as possible; None if that is sure to cost more than most.

        What it costs is at least what ``most`` is compared with: to find the places to change takes longest.
        """
        result = Repair(self._form, {})
        if most is not None and not self._is_within(
            result, most, cost_of_filling(surely_open(self._form, self._opcode))
        ):
            return None
        kept = self._without_duplicates(result)
        self._place(kept, result)
        self._check_name(result)
        if not self._fill(result, most):
            return None
        wanted: tuple[str, ...] = ()
        for number, at in enumerate(self.foreign):
            result.cost += self._foreign_cost(at)
            if number < 2:  # the first one may stand for what is missing, and the same may stand instead of all others
                wanted = self._open_words(result)
            result.mismatches.append(Mismatch(Problem.UNKNOWN_QUALIFIER, at, wanted=wanted))
        return result

    def is_spelled(self) -> bool:
        """Whether the words are a spelling of the form."""
        if self.foreign or surely_open(self._form, self._opcode):
            return False
        result = Repair(self._form, {})
        self._place(self._without_duplicates(result), result)
        self._check_name(result)
        return not (self.foreign or result.mismatches) and self._is_possible(result.placed)

    # ---- giving places

    def _without_duplicates(self, result: Repair) -> list[int]:
        """The words that the form has, each as often as it can stand."""
        kept: list[int] = []
        earlier: dict[str, list[int]] = {}
        passed_over = {*self._ignored, *self.foreign}
        for at in range(1, len(self._opcode)):
            if at in passed_over:
                continue
            word = self._opcode[at]
            alike = earlier.setdefault(word, [])
            if len(alike) < len(self._form.homes[word]):
                kept.append(at)
                alike.append(at)
            elif self._stands_for_another(word):
                self.foreign.append(at)
            else:
                result.cost += DUPLICATE
                result.mismatches.append(Mismatch(Problem.DUPLICATE_QUALIFIER, at, other=alike[0]))
        return kept

    def _stands_for_another(self, word: str) -> bool:
        """Whether a second type stands where the form wants one, only not this."""
        return self._form.order.get(word) == "type" and self._types <= len(self._form.ordered.get("type", ()))

    @once
    def _types(self) -> int:
        """The number of types that are written."""
        return sum(self._form.order.get(word) == "type" for word in self._opcode[1:])

    def _place(self, kept: list[int], result: Repair) -> None:
        skipped = tuple(sorted({*range(1, len(self._opcode))}.difference(kept)))
        best: Assignment | None = None
        for placed in itertools.islice(assignments(self._form, self._opcode, skipped, partial=True), 16):
            if self._is_possible(placed):
                result.placed = placed
                return
            best = placed if best is None else best
        loose = self._place_loosely(kept)
        if len(loose) == len(kept) + 1 and self._is_possible(loose):
            result.placed = loose
            result.cost += MISPLACED
            result.mismatches.append(self._order_mismatch(loose))
            return
        result.placed = loose if best is None else best
        for at in kept if best is None else ():
            if at not in loose.values():
                occupant = next(loose[place] for place in self._form.homes[self._opcode[at]] if place in loose)
                result.cost += CHANGED
                result.mismatches.append(Mismatch(Problem.CONFLICT, at, other=occupant))

    def _place_loosely(self, kept: list[int]) -> Assignment:
        """As many words as possible in their places, whatever their order."""
        home: dict[int, int] = {}
        for at in kept:
            self._settle(at, home, set())
        return {0: 0, **home}

    def _settle(self, at: int, home: dict[int, int], tried: set[int]) -> bool:
        """Find a place for a word, moving those that have one; ``tried`` are the places that were looked at."""
        for place in self._form.homes[self._opcode[at]]:
            if place not in tried:
                tried.add(place)
                if place not in home or self._settle(home[place], home, tried):
                    home[place] = at
                    return True
        return False

    def _order_mismatch(self, placed: Assignment) -> Mismatch:
        """The word of an ordered class that comes too late, and the right order of the class."""
        classes: dict[str, list[int]] = {}
        for place in sorted(placed):
            name = self._form.order.get(self._opcode[placed[place]])
            if name is not None:
                classes.setdefault(name, []).append(placed[place])
        for indices in classes.values():
            written = sorted(indices)
            if written != indices:
                at = next(index for index, right in zip(written, indices, strict=True) if index != right)
                return Mismatch(Problem.ORDER, at, wanted=tuple(self._opcode[index] for index in indices))
        return Mismatch(Problem.ORDER)

    def _check_name(self, result: Repair) -> None:
        """The parts of the name must come first and in order."""
        values = self._values(result.placed)
        name = self._form.name_of(self._form.spell(values))
        written = self._form.name_of("".join(left(self._opcode, self._ignored)))
        if name == written or len(name) < len(written):
            result.cost += 0 if name == written else MISPLACED
            return
        parts = ["." + part for part in name.split(".")[1:]]
        late = [
            at
            for at, word in enumerate(self._opcode)
            if word in parts and self._opcode[at : at + 1] != tuple(parts[at - 1 : at])
        ]
        result.cost += MISPLACED
        result.mismatches.append(Mismatch(Problem.ORDER, late[0] if late else -1, wanted=(name,)))

    # ---- filling and changing

    def _values(self, placed: Assignment) -> SlotValues:
        values: SlotValues = [None] * len(self._form.slots)
        for place, at in placed.items():
            values[place] = self._opcode[at]
        return values

    def _fixed(self, values: SlotValues, free: tuple[int, ...] = ()) -> tuple[tuple[int, str | None], ...]:
        """The written qualifiers, and nothing elsewhere; operands and selectors stay open."""
        return tuple([(place, values[place]) for place in (0, *self._form.qualifiers) if place not in free])

    def _is_possible(self, placed: Assignment) -> bool:
        return self._solve(self._values(placed)) is not None

    def _solve(self, values: SlotValues) -> tuple[str | None, ...] | None:
        return first_solution(self._form, DOCUMENTED, self._fixed(values))

    def _fill(self, result: Repair, most: int | None) -> bool:
        """Find the changes, unless they are sure to cost too much."""
        placed = result.placed
        values = self._values(placed)
        exact = self._solve(values)
        if exact is not None:
            result.changes = [SpellingChange(0, None, [list(exact)])]
            return self._is_within(result, most)
        open_places = [place for place in self._form.qualifiers if values[place] is None]
        required = tuple(place for place in open_places if None not in self._form.choices[place])
        if not self._is_within(result, most, max(MISSING, cost_of_filling(len(required)))):
            return False
        size = 0
        levels = [(level, self._broken(values, level)) for level in (self._module, DOCUMENTED)]
        for free in self._sets_to_free(placed, required):
            if size and (len(free) > size or len(result.changes) == _MANY_CHANGES):
                break
            hopeful = [level for level, broken in levels if not any(places.isdisjoint(free) for places in broken)]
            words = self._words(values, free, hopeful) if hopeful else None
            if words is not None:
                size = len(free)
                spellings = [spelling for spelling, _ in words]
                blame = self._blame(placed, values, free, words)
                result.changes.append(SpellingChange(cost_of_changing(self._form, values, free), blame, spellings))
        if not size:
            conflict = Mismatch(Problem.CONFLICT, max(placed.values()), other=0)
            result.changes = [SpellingChange(IMPOSSIBLE, conflict, [])]
        return self._is_within(result, most, min(change.cost for change in result.changes))

    def _is_within(self, result: Repair, most: int | None, changes: int = 0) -> bool:
        """Whether a repair may cost so little, if the cheapest change costs so much or more."""
        # A foreign word may stand for one that is missing.
        return most is None or result.cost + self.least_cost + max(0, changes - MISSING * bool(self.foreign)) <= most

    def _sets_to_free(self, placed: Assignment, required: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """The places to change, fewest first: what is missing, then one more, then two.

        Of single changes an addition comes before a removal, a removal of an optional part before any other, and
        words of the name last.
        """
        if required:
            yield required
        name_parts = self._form.name_of(self._form.spell(self._values(placed))).count(".")
        others = [place for place in self._form.qualifiers if place not in required]

        def rank(place: int) -> tuple[bool, bool, bool, int]:
            at = placed.get(place, -1)
            return 0 < at <= name_parts, at >= 0, None not in self._form.choices[place], -at

        others.sort(key=rank)
        for count in (1, 2):
            for extra in itertools.combinations(others, count):
                yield (*required, *extra)

    def _broken(self, values: SlotValues, level: LanguageLevel) -> list[frozenset[int]]:
        """Sets of places of which one at least must change: those of words and tests that fail whatever else does."""
        fixed, allowed = (0, *self._form.qualifiers), allowed_words(self._form, level)
        broken = [frozenset((place,)) for place in fixed if values[place] not in allowed[place]]
        return broken + [
            frozenset(check.scope)
            for check in self._form.checks
            if all(place in fixed for place in check.scope) and not check.test(values, level)
        ]

    def _words(
        self, values: SlotValues, free: tuple[int, ...], levels: list[LanguageLevel]
    ) -> list[tuple[SlotValues, str | None]] | None:
        """The spellings after freeing some places, each with the word of the first of them; None if there are none.

        What the first of the modules may use comes first.
        """
        fixed = self._fixed(values, free)
        words: dict[str | None, SlotValues] = {}
        for level in levels:
            for word, found in solutions_by_word(self._form, level, fixed, free[0], _MANY_WORDS).items():
                words.setdefault(word, list(found))
        return [(values, word) for word, values in words.items()] or None

    def _blame(
        self, placed: Assignment, values: SlotValues, free: tuple[int, ...], words: list[tuple[SlotValues, str | None]]
    ) -> Mismatch:
        """The message about a change: something is missing, or two parts do not go together."""
        first = free[0]
        wanted = tuple(word for _, word in words if word is not None)
        message = self._message(values)
        if values[first] is None:
            return Mismatch(Problem.MISSING_QUALIFIER, wanted=wanted, message=message)
        other = self._partner(placed, values, first)
        if other < 0 and not message:
            return Mismatch(Problem.UNKNOWN_QUALIFIER, placed[first], wanted=wanted)
        return Mismatch(Problem.CONFLICT, placed[first], wanted=wanted, other=other, message=message)

    def _partner(self, placed: Assignment, values: SlotValues, blamed: int) -> int:
        """The other word of a conflict: changing it instead would do, or the broken rule names it."""
        for check in self._form.checks:
            if blamed in check.scope and not check.test(values, DOCUMENTED):
                others = [
                    place
                    for place in check.scope
                    if place != blamed and place in placed and self._could_hold(check, values, place)
                ]
                named = check.source.words if isinstance(check.source, FormRule) else set()
                others.sort(key=lambda place: (values[place] not in named, -placed[place]))
                if others:
                    return placed[others[0]]
        return -1

    def _could_hold(self, check: FormTest, values: SlotValues, place: int) -> bool:
        """Whether another word in a place would satisfy a check."""
        return any(
            check.test([*values[:place], word, *values[place + 1 :]], DOCUMENTED)
            for word in itertools.islice(self._form.choices[place], _MANY_WORDS)
        )

    def _message(self, values: SlotValues) -> str:
        return next(
            (
                check.source.message
                for check in self._form.checks
                if isinstance(check.source, FormRule) and check.source.message and not check.test(values, DOCUMENTED)
            ),
            "",
        )

    def _open_words(self, result: Repair) -> tuple[str, ...]:
        """The qualifiers that could stand instead of a foreign one: those of places that are not filled."""
        words: dict[str, None] = {}
        first = result.changes[0]
        if first.mismatch is not None and first.mismatch.problem is Problem.MISSING_QUALIFIER:
            # The foreign word stands where another is required: one mistake.
            result.changes = [first._replace(cost=first.cost - MISSING, mismatch=None)]
            return first.mismatch.wanted
        values = self._values(result.placed)
        for place in self._form.qualifiers:
            if place not in result.placed:
                fixed = self._fixed(values, (place,))
                found = solutions_by_word(self._form, DOCUMENTED, fixed, place, len(self._form.choices[place]))
                words.update(dict.fromkeys(word for word in found if word is not None))
        return tuple(words)
