"""Computations in steps: generators that yield so that an event loop can run other work in between.

A generator with a result yields None after each step and returns the result. An iterator of items whose computation is
long has None among its items: a pause.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import islice
from time import perf_counter
from typing import Generic, TypeVar

Result = TypeVar("Result")
ElementT = TypeVar("ElementT")

_ITEMS_IN_A_STEP = 16
_MAPPED_IN_A_STEP = 4096
_LOOKED_AT_IN_A_STEP = 64


def run_to_completion(steps: Generator[None, None, Result]) -> Result:
    """Run a generator to its end and return its value."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Result = end.value
            return result


def collected(items: Iterable[ElementT | None], most: int | None = None) -> Generator[None, None, list[ElementT]]:
    """The ``most`` first items of an iterator with pauses, in steps of a few items; None: all."""
    found: list[ElementT] = []
    for one in items:
        if one is None:
            yield
            continue
        found.append(one)
        if len(found) == most:
            break
        if not len(found) % _ITEMS_IN_A_STEP:
            yield
    return found


def mapped(make: Callable[[ElementT], Result], items: Iterable[ElementT]) -> Generator[None, None, list[Result]]:
    """``list(map(make, items))`` in steps of some thousand items, for a function that takes no time worth a pause."""
    rest = iter(items)
    found = list(map(make, islice(rest, _MAPPED_IN_A_STEP)))
    for one in rest:
        yield
        found.append(make(one))
        found += map(make, islice(rest, _MAPPED_IN_A_STEP))
    return found


def listed(items: Iterable[ElementT]) -> Generator[None, None, list[ElementT]]:
    """``list(items)`` in steps of some thousand items, each of which takes no time worth a pause."""
    rest = iter(items)
    found = list(islice(rest, _MAPPED_IN_A_STEP))
    for one in rest:
        yield
        found.append(one)
        found += islice(rest, _MAPPED_IN_A_STEP)
    return found


def in_parts(items: Sequence[ElementT]) -> Iterator[Sequence[ElementT]]:
    """A sequence in parts of some thousand items, for whoever makes a pause after each part."""
    return (items[at : at + _MAPPED_IN_A_STEP] for at in range(0, len(items), _MAPPED_IN_A_STEP))


def emptying(items: list[ElementT]) -> Iterator[None]:
    """Delete the items of a list that is no longer needed, in steps of some thousand."""
    while len(items) > _MAPPED_IN_A_STEP:
        del items[-_MAPPED_IN_A_STEP:]
        yield


def chosen(is_chosen: Callable[[ElementT], bool], items: Iterable[ElementT]) -> Iterator[ElementT | None]:
    """``filter(is_chosen, items)`` with a pause after some items, for a function that takes some microseconds."""
    for number, one in enumerate(items, 1):
        if is_chosen(one):
            yield one
        if not number % _LOOKED_AT_IN_A_STEP:
            yield None


def first_ones(items: Iterable[ElementT | None], most: int | None) -> Generator[None, None, list[ElementT]]:
    """The ``most`` first items of an iterator with pauses, in its steps; None: all."""
    found: list[ElementT] = []
    for one in items:
        if one is None:
            yield
            continue
        found.append(one)
        if len(found) == most:
            break
    return found


def first(items: Iterable[ElementT | None]) -> Generator[None, None, ElementT | None]:
    """The first item of an iterator with pauses, in its steps; None if it has none."""
    for one in items:
        if one is not None:
            return one
        yield
    return None


def without_pauses(items: Iterable[ElementT | None]) -> Iterator[ElementT]:
    """The items of an iterator with pauses, at once."""
    return (one for one in items if one is not None)


class Stepwise(Generic[Result]):
    """A result that is computed once, in the steps of whoever needs it first.

    Args:
        steps: the computation. If it raises, so does each later use.

    """

    def __init__(self, steps: Generator[None, None, Result]) -> None:
        self._steps: Generator[None, None, Result] | None = steps
        self._result: Result
        self._error: Exception | None = None
        self.is_begun = False
        """Whether a step was made."""

    @property
    def is_done(self) -> bool:
        """Whether no step is left."""
        return self._steps is None

    @property
    def result(self) -> Result:
        """The result; all steps that are left are made at once."""
        while self._steps is not None:
            self.step()
        if self._error is not None:
            raise self._error
        return self._result

    def finishing(self) -> Generator[None, None, Result]:
        """The result, after the steps that are left."""
        while self._steps is not None:
            self.step()
            yield
        return self.result

    def step(self) -> None:
        """Make a step, if one is left."""
        if self._steps is None:
            return
        self.is_begun = True
        try:
            next(self._steps)
        except StopIteration as end:
            self._result, self._steps = end.value, None
        except Exception as error:  # noqa: BLE001  # raised where the result is used
            self._error, self._steps = error, None

    def work(self, seconds: float) -> bool:
        """Make steps for about ``seconds``; whether no step is left."""
        end = perf_counter() + seconds
        while self._steps is not None:
            self.step()
            if perf_counter() >= end:
                break
        return self._steps is None
