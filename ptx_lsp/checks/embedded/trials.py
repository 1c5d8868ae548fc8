"""Whether to try again what is mostly, but not always, a short way."""

from __future__ import annotations

_LONGEST_PAUSE = 64


class Trials:
    """Counts the occasions to try something: the more often it was in vain, the more of them are left out."""

    def __init__(self) -> None:
        self._pause = 0
        self._left = 0

    def is_next_due(self) -> bool:
        """Whether to try at the next occasion."""
        self._left -= 1
        return self._left < 0

    def take(self, *, is_useful: bool) -> None:
        """A trial was made."""
        self._pause = 0 if is_useful else min(2 * self._pause + 1, _LONGEST_PAUSE)
        self._left = self._pause
