"""Gives every written qualifier a place of the form.

A qualifier of an ordered class goes to the next place of that class that has it, any other to the place that lists it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ptx_lsp.isa.model.form_conditions import SlotValues
from ptx_lsp.isa.model.prepared_form import PreparedForm

Assignment = dict[int, int]
"""For each filled place the index of its word in the opcode."""

_MANY = 8
"""The number of words from which a set finds one faster than a tuple."""


def doubled(opcode: tuple[str, ...], repeatable: frozenset[str]) -> tuple[int, ...]:
    """Indices of the words that repeat an earlier one and may."""
    if len(set(opcode)) == len(opcode):
        return ()
    first = {word: at for at, word in reversed([*enumerate(opcode)])}
    return tuple(at for at, word in enumerate(opcode) if word in repeatable and first[word] < at)


def left(opcode: tuple[str, ...], skipped: tuple[int, ...]) -> tuple[str, ...]:
    """The words of an opcode without the ``skipped`` ones."""
    without = frozenset(skipped)
    return tuple([word for at, word in enumerate(opcode) if at not in without]) if skipped else opcode


def assignments(
    form: PreparedForm, opcode: tuple[str, ...], skipped: tuple[int, ...] = (), *, partial: bool = False
) -> Iterator[Assignment]:
    """All ways to place the words of an opcode, but for the ``skipped`` ones.

    With ``partial`` the opcode is still being written: required places after its words may stay open.
    """
    if opcode[0] != form.form.mnemonic:
        return
    sequences: dict[str, list[int]] = {}
    free: list[int] = []
    order, homes, ordered = form.order, form.homes, form.ordered
    without = skipped if len(skipped) < _MANY else frozenset(skipped)
    for at in range(1, len(opcode)):
        if at in without:
            continue
        word = opcode[at]
        if word not in homes:
            return
        name = order.get(word)
        if name in ordered:
            sequences.setdefault(name, []).append(at)
        else:
            free.append(at)
    placer = _Placer(form, opcode, free, list(sequences.items()), partial)
    yield from placer.classes(0, {0: 0})


def surely_open(form: PreparedForm, opcode: tuple[str, ...]) -> int:
    """The least number of required places that stay open however the words of an opcode are placed."""
    homes = [form.homes[word] for word in opcode[1:] if word in form.homes]
    required = _required(form)
    return max(len(required.difference(*homes)), len(required) - len(homes))


@cache
def _required(form: PreparedForm) -> frozenset[int]:
    """The places of qualifiers that must be filled."""
    return frozenset(place for place in form.qualifiers if None not in form.choices[place])


class _Placer:
    """Places the ordered words class by class, then the free ones."""

    def __init__(
        self,
        form: PreparedForm,
        opcode: tuple[str, ...],
        free: list[int],
        sequences: list[tuple[str, list[int]]],
        partial: bool,
    ) -> None:
        self._form = form
        self._opcode = opcode
        self._free = free
        self._sequences = sequences
        self._partial = partial

    def classes(self, number: int, placed: Assignment) -> Iterator[Assignment]:
        """Ways to place the ordered classes from ``number`` on, then the free words."""
        if number == len(self._sequences):
            yield from self._place_free(0, placed)
        else:
            yield from self._along(number, 0, 0, placed)

    def _along(self, number: int, done: int, start: int, placed: Assignment) -> Iterator[Assignment]:
        """Ways to place the words of a class from ``done`` on into its places from ``start`` on."""
        name, written = self._sequences[number]
        places = self._form.ordered[name]
        if done == len(written):
            if self._partial or not any(place in self._form.strict and place not in placed for place in places[start:]):
                yield from self.classes(number + 1, placed)
            return
        word = self._opcode[written[done]]
        for at in range(start, len(places)):
            place = places[at]
            if place not in placed and word in self._form.choices[place]:
                yield from self._along(number, done + 1, at + 1, {**placed, place: written[done]})
            if not self._partial and place in self._form.strict:
                break

    def _place_free(self, done: int, placed: Assignment) -> Iterator[Assignment]:
        if done == len(self._free):
            yield placed
            return
        at = self._free[done]
        for place in self._form.homes[self._opcode[at]]:
            if place not in placed:
                yield from self._place_free(done + 1, {**placed, place: at})


def values_of(form: PreparedForm, opcode: tuple[str, ...], placed: Assignment) -> SlotValues:
    """The word in each place under an assignment."""
    values: SlotValues = [None] * len(form.slots)
    for place, at in placed.items():
        values[place] = opcode[at]
    return values
