"""The open braces of a function while it is scanned; thousands of them with nothing between cost no more than a few."""

from __future__ import annotations

from enum import IntEnum
from functools import cache

from ptx_lsp.analysis.symbols.symbols import Scope, Symbol
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import memoized
from ptx_lsp.syntax.kind import Kind

MOST_UNMATCHED = 100
"""Closing braces too many that are reported in one function; the others follow from the same mistake."""


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


class TooDeepScope(Scope):
    """The names in all blocks that are nested too deeply, where ptxas reads no further; none is a duplicate."""

    __slots__ = ()

    def declare(self, symbol: Symbol) -> Symbol | None:
        """Add a declaration unless there is one."""
        super().declare(symbol)
        return None


class BraceStack:
    """The open braces, and the scope in the innermost of them."""

    def __init__(self, outside: Scope) -> None:
        self._open: list[_Brace | _Run] = []
        self.depth = 0
        """The number of open braces."""
        self.scope = outside
        self._deep = 0
        """The least depth at which blocks are nested too deeply, where the innermost one is."""

    def __bool__(self) -> bool:
        return bool(self._open)

    @property
    def instructions(self) -> int:
        """The number of instructions of the function before the innermost brace."""
        return self._open[-1].instructions

    def may_be_full(self, more: int = 1) -> bool:
        """Whether ``more`` blocks within the innermost brace are more than ptxas can read."""
        return self.depth + more > _USUAL and self.depth - 1 + more > most_nested()

    def block(self) -> Scope:
        """The scope of a block within the innermost brace."""
        if isinstance(self.scope, TooDeepScope):
            return self.scope
        return TooDeepScope(self.scope) if self.may_be_full() else Scope(self.scope)

    def is_too_deep(self, closed: int) -> bool:
        """Whether all blocks are nested too deeply when the ``closed`` innermost braces are closed, and in these."""
        return isinstance(self.scope, TooDeepScope) and self.depth - closed >= self._deep

    def open(self, inner: Scope, instructions: int) -> None:
        """Open a brace around ``inner``."""
        if isinstance(inner, TooDeepScope) and inner is not self.scope:
            self._deep = self.depth + 1
        self._open.append(tuple.__new__(_Brace, (self.scope, instructions)))  # the constructor takes twice as long
        self.depth += 1
        self.scope = inner

    def open_run(self, count: int, instructions: int) -> None:
        """Open ``count`` braces; no one looks at the scopes between them."""
        inner = self.scope if isinstance(self.scope, TooDeepScope) else Scope(self.scope)
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
        if run.innermost is run.around:
            self.scope = run.around
        else:
            self.scope = run.innermost.parent = Scope(run.around)
        self._open.append(run._replace(braces=count, innermost=self.scope))


_USUAL = 256
"""Open braces up to which nothing is asked of the vocabulary."""


@cache
def most_nested() -> int:
    """The number of blocks within each other in a function, beyond which ptxas has no memory for more."""
    from ptx_lsp.isa.catalogue import catalogue  # imported late: ordinary files never ask

    vocabulary = catalogue().vocabulary
    return vocabulary.limit("nested blocks", vocabulary.newest_version, vocabulary.newest_target)


@memoized(256)
def net_braces(kinds: bytes) -> tuple[int, int, int] | None:
    """The net number of braces that a chunk of nothing but braces closes, then opens; None for other chunks.

    The third number is how many more than before are open at some place.
    """
    closes = opens = most = 0
    for kind in kinds:
        if kind == Kind.OPEN:
            opens += 1
            most = max(most, opens - closes)
        elif kind != Kind.CLOSE:
            return None
        elif opens:
            opens -= 1
        else:
            closes += 1
    return closes, opens, most
