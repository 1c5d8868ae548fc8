"""What is found in the statements of one function so far, chunk by chunk."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import itemgetter

from ptx_lsp.analysis.function import Function
from ptx_lsp.checks.repeated import Found, Mistake, mistake_of


@dataclass(slots=True)
class Record:
    """What is found in the statements of a function so far. Functions without findings have none."""

    examined: int = 0
    """How many chunks."""
    found: list[Found] = field(default_factory=list)
    mistakes: set[Mistake] = field(default_factory=set)
    """What the findings are about that are told once however often they are found."""
    told: int = 0
    """How many findings that makes."""
    ends: list[tuple[int, int]] = field(default_factory=list)
    """Of each examined chunk, how many are found and told up to its end."""

    def add(self, found: Iterable[Found]) -> None:
        """Take over what is found in the next chunk."""
        for one in found:
            self.found.append(one)
            mistake = mistake_of(one[2])
            if mistake is None:
                self.told += 1
            elif mistake not in self.mistakes:
                self.mistakes.add(mistake)
                self.told += 1
        self.examined += 1
        self.ends.append((len(self.found), self.told))

    def first(self, limit: int | None) -> list[Found]:
        """What is found in the first chunks that have ``limit`` findings to tell, or in all examined ones."""
        if limit is not None and limit <= self.told:
            end = bisect_left(self.ends, limit, key=itemgetter(1))
            return self.found[: self.ends[end][0]]
        return self.found

    def is_complete(self, function: Function) -> bool:
        """Whether all chunks of the function are examined."""
        return self.examined == len(function.chunks)
