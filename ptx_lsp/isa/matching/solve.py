"""Fills the places of a form one by one, testing each gate, rule and table as soon as its places are filled.

Completion, samples and reasons share this search.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from ptx_lsp.isa.model.form_conditions import SlotValues, Test
from ptx_lsp.isa.model.language_level import LanguageLevel
from ptx_lsp.isa.model.prepared_form import PreparedForm
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import memoized


def solutions(
    form: PreparedForm,
    level: LanguageLevel,
    fixed: Mapping[int, str | None] | None = None,
    *,
    among: Collection[int] | None = None,
    shuffled: random.Random | None = None,
) -> Iterator[SlotValues]:
    """All ways to fill the places that gates, rules and tables allow.

    Args:
        form: the form to fill.
        context: the module it is for.
        fixed: what stands in some places already.
        among: if given, only the tests that look at one of these places are made.
        shuffled: tries the choices in random order.
    """
    if not level.allows_all(form.form.gates):
        return
    solver = _Solver(form, level, fixed or {}, among, shuffled)
    if solver.fill_fixed():
        yield from solver.fill(len(solver.fixed))


@memoized(1024)
def first_solution(
    form: PreparedForm, level: LanguageLevel, fixed: tuple[tuple[int, str | None], ...]
) -> tuple[str | None, ...] | None:
    """The first of the :func:`solutions`; None if there is none.

    Remembered: opcodes that differ in words that a form does not have leave the same places of it to fill.
    """
    found = next(solutions(form, level, dict(fixed)), None)
    return None if found is None else tuple(found)


@memoized(1024)
def solutions_by_word(
    form: PreparedForm, level: LanguageLevel, fixed: tuple[tuple[int, str | None], ...], place: int, most: int
) -> dict[str | None, tuple[str | None, ...]]:
    """The :func:`first_solution` for each word that can stand in a place that is not fixed, of its first choices.

    What is fixed is tested once for all words. The result must not be changed.
    """
    if not level.allows_all(form.form.gates):
        return {}
    solver = _Solver(form, level, dict(fixed), None, None, place)
    return dict(solver.fill_place({*islice(form.choices[place], most)})) if solver.fill_fixed() else {}


class _Course(NamedTuple):
    """In which order places are filled, and what is tested when."""

    order: list[int]
    tests: list[list[tuple[set[int], Test]]]
    """The tests that can be made once that many places are filled, each with what it looks at."""


def _course(form: PreparedForm, fixed: Iterable[int], among: Collection[int] | None) -> _Course:
    """The course of a search in which some places are fixed: these come first."""
    count = len(form.slots)
    order = [*fixed]
    order += [place for place in range(count) if place not in order]
    rank = {place: at for at, place in enumerate(order)}
    tests: list[list[tuple[set[int], Test]]] = [[] for _ in range(count + 1)]
    for check in form.checks:
        if among is None or not check.scope or any(place in among for place in check.scope):
            scope = {rank[place] for place in check.scope}
            tests[max(scope, default=-1) + 1].append((scope, check.test))
    return _Course(order, tests)


@memoized(1024)
def _usual_course(form: PreparedForm, fixed: tuple[int, ...]) -> _Course:
    """The course of a search that makes all tests; the same places of a form are fixed again and again."""
    return _course(form, fixed, None)


@memoized(256)
def allowed_words(form: PreparedForm, level: LanguageLevel) -> tuple[tuple[str | None, ...], ...]:
    """The words that each place of a form can have in a module."""
    return tuple(tuple(word for word, gate in one.items() if level.allows(gate)) for one in form.choices)


class _Solver:
    def __init__(
        self,
        form: PreparedForm,
        level: LanguageLevel,
        fixed: Mapping[int, str | None],
        among: Collection[int] | None,
        shuffled: random.Random | None,
        next_place: int | None = None,
    ) -> None:
        self._words = allowed_words(form, level)
        self._level = level
        self.fixed = {place: fixed[place] for place in sorted(fixed)}
        self._shuffled = shuffled
        self.values: SlotValues = [None] * len(form.slots)
        places = tuple(self.fixed) if next_place is None else (*self.fixed, next_place)
        self._order, self._tests = _usual_course(form, places) if among is None else _course(form, places, among)

    def fill_fixed(self) -> bool:
        """Fill the places that are fixed; whether what stands there is allowed and passes the tests."""
        values = self.values
        if self._failed(0) is not None:
            return False
        for done, (place, word) in enumerate(self.fixed.items(), 1):
            if word not in self._words[place]:
                return False
            values[place] = word
            if self._failed(done) is not None:
                return False
        return True

    def fill_place(self, words: Collection[str | None]) -> Iterator[tuple[str | None, tuple[str | None, ...]]]:
        """Those of some words that can stand in the place after the fixed ones, each with a solution."""
        done = len(self.fixed)
        place = self._order[done]
        for word in self._words[place]:
            self.values[place] = word
            if word in words and self._failed(done + 1) is None:
                found = next(self.fill(done + 1), None)
                if found is not None:
                    yield word, tuple(found)

    def _failed(self, done: int) -> set[int] | None:
        """The places that the first test looks at that fails, of those that can be made with so many places filled."""
        values, level = self.values, self._level
        for scope, test in self._tests[done]:
            if not test(values, level):
                return scope
        return None

    def fill(self, done: int) -> Generator[SlotValues, None, set[int]]:
        """The ways to fill the places from ``done`` on.

        Returns the earlier places that are to blame if there is none: while these stay, no choice in between helps.
        """
        if done == len(self._order):
            yield list(self.values)
            return {*range(done)}
        place = self._order[done]
        blamed: set[int] = set()
        for word in self._candidates(place):
            self.values[place] = word
            failed = self._failed(done + 1)
            if failed is None:
                failed = yield from self.fill(done + 1)
                if done not in failed:
                    blamed = failed
                    break
            blamed |= failed
        self.values[place] = None
        return blamed - {done}

    def _candidates(self, place: int) -> Sequence[str | None]:
        words = self._words[place]
        if self._shuffled is None:
            return words
        shuffled = list(words)
        self._shuffled.shuffle(shuffled)
        return shuffled
