"""Fills the places of a form one by one, testing each gate, rule and table as soon as its places are filled.

Completion, samples and reasons share this search.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Generator, Iterator, Mapping
from functools import lru_cache

from ptx_lsp.isa.model.form_conditions import SlotValues, Test
from ptx_lsp.isa.model.language_level import LanguageLevel
from ptx_lsp.isa.model.prepared_form import PreparedForm


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
    if all(test(solver.values, level) for _, test in solver.tests[0]):
        yield from solver.fill(0)


@lru_cache(maxsize=2048)
def first_solution(
    form: PreparedForm, level: LanguageLevel, fixed: tuple[tuple[int, str | None], ...]
) -> tuple[str | None, ...] | None:
    """The first of the :func:`solutions`; None if there is none.

    Remembered: opcodes that differ in words that a form does not have leave the same places of it to fill.
    """
    found = next(solutions(form, level, dict(fixed)), None)
    return None if found is None else tuple(found)


class _Solver:
    def __init__(
        self,
        form: PreparedForm,
        level: LanguageLevel,
        fixed: Mapping[int, str | None],
        among: Collection[int] | None,
        shuffled: random.Random | None,
    ) -> None:
        self._form = form
        self._context = level
        self._fixed = fixed
        self._shuffled = shuffled
        count = len(form.slots)
        self.values: SlotValues = [None] * count
        self._order = sorted(range(count), key=lambda place: (place not in fixed, place))
        rank = {place: at for at, place in enumerate(self._order)}
        self.tests: list[list[tuple[set[int], Test]]] = [[] for _ in range(count + 1)]
        """The tests that can be made once that many places are filled, each with what it looks at."""
        for check in form.checks:
            if among is None or not check.scope or any(place in among for place in check.scope):
                scope = {rank[place] for place in check.scope}
                self.tests[max(scope, default=-1) + 1].append((scope, check.test))

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
            failed = next((scope for scope, test in self.tests[done + 1] if not test(self.values, self._context)), None)
            if failed is None:
                failed = yield from self.fill(done + 1)
                if done not in failed:
                    blamed = failed
                    break
            blamed |= failed
        self.values[place] = None
        return blamed - {done}

    def _candidates(self, place: int) -> Iterator[str | None]:
        choices = self._form.choices[place]
        if place in self._fixed:
            words: list[str | None] = [self._fixed[place]] if self._fixed[place] in choices else []
        else:
            words = list(choices)
            if self._shuffled is not None:
                self._shuffled.shuffle(words)
        return (word for word in words if self._context.allows(choices[word]))
