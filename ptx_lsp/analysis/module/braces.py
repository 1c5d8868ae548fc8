"""The open braces of a function while it is scanned; thousands of them with nothing between cost no more than a few."""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache

from ptx_lsp.analysis.symbols.symbols import Scope
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.kind import Kind


class BraceRegion(IntEnum):
    """The kinds of regions that outermost braces enclose."""

    BODY = 1
    SECTION = 2
    SOURCE = 3
    """``.nv_intermediate_source_section``."""


class _Brace(NamedTuple):
    """An open brace."""

    around: Scope
    instructions: int
    """The number of instructions of the function before it."""


class _Run(NamedTuple):
    """Open braces with nothing between them, kept as one until some but not all of them are closed."""

    around: Scope
    instructions: int
    braces: int
    innermost: Scope


class BraceStack:
    """The open braces, and the scope in the innermost of them."""

    def __init__(self, outside: Scope) -> None:
        self._open: list[_Brace | _Run] = []
        self.depth = 0
        """The number of open braces."""
        self.scope = outside

    def __bool__(self) -> bool:
        return bool(self._open)

    @property
    def instructions(self) -> int:
        """The number of instructions of the function before the innermost brace."""
        return self._open[-1].instructions

    def open(self, inner: Scope, instructions: int) -> None:
        """Open a brace around ``inner``."""
        self._open.append(_Brace(self.scope, instructions))
        self.depth += 1
        self.scope = inner

    def open_run(self, count: int, instructions: int) -> None:
        """Open ``count`` braces; no one looks at the scopes between them."""
        inner = Scope(self.scope)
        self._open.append(_Run(self.scope, instructions, count, inner))
        self.depth += count
        self.scope = inner

    def close(self, count: int = 1) -> None:
        """Close the ``count`` innermost braces."""
        self.depth -= count
        while count:
            last = self._open.pop()
            self.scope = last.around
            if not isinstance(last, _Run):
                count -= 1
            elif last.braces <= count:
                count -= last.braces
            else:
                self._keep_of_run(last, last.braces - count)
                return

    def _keep_of_run(self, run: _Run, count: int) -> None:
        """Put the outer braces of a run back, ``count`` of them."""
        self.scope = run.innermost.parent = Scope(run.around)
        self._open.append(run._replace(braces=count, innermost=self.scope))


@lru_cache(maxsize=256)
def net_braces(kinds: bytes) -> tuple[int, int] | None:
    """The net number of braces that a chunk of nothing but braces closes, then opens; None for other chunks."""
    closes = opens = 0
    for kind in kinds:
        if kind == Kind.OPEN:
            opens += 1
        elif kind != Kind.CLOSE:
            return None
        elif opens:
            opens -= 1
        else:
            closes += 1
    return closes, opens
