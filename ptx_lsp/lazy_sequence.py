"""Sequences whose elements are made when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Generic, TypeVar, overload

MadeT = TypeVar("MadeT")


class LazySequence(Sequence[MadeT], Generic[MadeT]):
    """A sequence of known length.

    >>> squares = LazySequence(3, lambda number: number**2)
    >>> squares[-1], list(squares), squares == [0, 1, 4]
    (4, [0, 1, 4], True)

    Args:
        length: the number of elements.
        make: makes the element with a number, at most once.
        steps: makes it in steps, for :meth:`making`.

    """

    def __init__(
        self,
        length: int,
        make: Callable[[int], MadeT],
        steps: Callable[[int], Generator[None, None, MadeT]] | None = None,
    ) -> None:
        self._numbers = range(length)
        self._make = make
        self._steps = steps
        self._made: dict[int, MadeT] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, at: int) -> MadeT: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[MadeT]: ...
    def __getitem__(self, at: int | slice) -> MadeT | Sequence[MadeT]:
        if isinstance(at, slice):
            numbers = self._numbers[at]
            return LazySequence(len(numbers), lambda number: self[numbers[number]])
        number = self._numbers[at]
        if number not in self._made:
            self._made[number] = self._make(number)
        return self._made[number]

    def making(self, at: int) -> Generator[None, None, MadeT]:
        """An element, which is made in steps if there are any."""
        number = self._numbers[at]
        if number not in self._made and self._steps is not None:
            self._made[number] = yield from self._steps(number)
        return self[number]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(list(self))


def making(elements: Sequence[MadeT], at: int) -> Generator[None, None, MadeT]:
    """An element of a sequence, in steps if it has to be made and can be made so."""
    if type(elements) is LazySequence:  # isinstance() asks the abstract class
        found: MadeT = yield from elements.making(at)
        return found
    return elements[at]
