"""Accesses by addresses in registers that are misaligned, or outside of the variable that they are in, for sure.

Either whatever the unknown things in the address are, or for one thread, or for one of two threads, that come to the
access for sure: the first two threads of a CTA, and if ``.reqntid`` says which there are, the last one and those at the
edges of warps; in loops that are executed a known number of times also in the last iteration.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from math import gcd

from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.statements.accesses import extents
from ptx_lsp.analysis.symbolic.atoms import AtomKind, Atoms
from ptx_lsp.analysis.symbolic.inductions import Inductions
from ptx_lsp.analysis.symbolic.launch_limits import LaunchLimits
from ptx_lsp.analysis.symbolic.linear_values import LinearValue, combined, constant
from ptx_lsp.analysis.symbolic.substitution import Substitution, depends_on, is_uniform, loops_in
from ptx_lsp.analysis.symbolic.thread_paths import ThreadPaths
from ptx_lsp.analysis.symbols.storage import layout_of
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.derived_values import once
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.tree import Operand, OperandKind

_ROW = frozenset({"%tid.x", "%laneid"})
_WIDE = 64
_WARP = 32
_MOST_IN_LOOPS = 64
"""So many threads at the edges of warps are followed to the last iterations of loops in a function."""
_OBJECTS = frozenset({AtomKind.SYMBOL, AtomKind.WINDOW})


class Witness(NamedTuple):
    """A thread that shows what is wrong."""

    thread: int | None = None
    """Its place in the row; None: all threads."""
    is_last_iteration: bool = False
    """Whether it does so in the last iteration of a loop."""


class AddressFault(NamedTuple):
    """An access that is wrong."""

    step: Step
    operand: Operand
    symbol: Symbol | None
    """The variable that the address is in; None if it is computed from a parameter or something unknown."""
    offset: int
    """The distance from the variable; without one, that between the addresses of the first two threads."""
    size: int
    """The bytes that are accessed; 0 if unknown."""
    align: int
    """The number that divides an aligned address."""
    witness: Witness
    is_outside: bool


class _Access(NamedTuple):
    step: Step
    operand: Operand
    size: int
    align: int
    value: LinearValue


class _Base(NamedTuple):
    """Facts about all addresses that differ by constants."""

    symbol: Symbol | None
    """The variable in them."""
    terms: tuple[tuple[int, int], ...]
    """The terms of their distances from the variable; without one, of the addresses."""
    unit: int
    """The greatest number that divides all these terms, 0 without any."""
    least: int
    """The least sum of the terms."""
    most: int
    """The greatest sum."""
    has_loops: bool
    """Whether iterations of loops are in them."""
    is_of_row: bool
    """Whether they depend on the place of the thread in its row."""


class AddressFaults:
    """The faults of one function.

    Args:
        steps: its instructions.
        looked_at: those of them that are looked at.
        limits: the threads that it is launched with.
        expressions: makes the values of its registers, in steps; most functions do not need them.
        paths: makes the paths of its threads; None in functions that are no kernels.

    """

    def __init__(
        self,
        steps: Steps,
        looked_at: Iterable[Step],
        limits: LaunchLimits,
        expressions: Callable[[], Generator[None, None, Inductions]],
        paths: Callable[[], ThreadPaths | None],
    ) -> None:
        self._steps = steps
        self._looked_at = looked_at
        self._limits = limits
        self._making_expressions = expressions
        self._made: Inductions | None = None
        self._make_paths = paths
        self._left = _MOST_IN_LOOPS
        self._bases: dict[tuple[tuple[int, int], ...], _Base] = {}
        self._distances: dict[tuple[tuple[tuple[int, int], ...], int, tuple[int, int | None] | None], int | None] = {}

    @property
    def _expressions(self) -> Inductions:
        assert self._made is not None
        return self._made

    @once
    def _paths(self) -> ThreadPaths | None:
        return self._make_paths()

    @property
    def _atoms(self) -> Atoms:
        return self._expressions.values.atoms

    def all(self) -> Iterator[AddressFault | None]:
        """The faults in the order of the text, with None as a pause after each access."""
        for step in self._looked_at:
            for access in self._accesses(step):
                if access is not None:
                    yield self._fault(access)
                yield None

    def _accesses(self, step: Step) -> Iterator[_Access | None]:
        context = self._steps.context(step)
        for operand, size, align in extents(context):
            if operand.kind is not OperandKind.ADDRESS or len(operand.parts) != 1 or (align <= 1 and not size):
                continue
            base = operand.parts[0]
            symbol = context.visible(context.word(base.name)) if base.name >= 0 else None
            if symbol is None or symbol.kind is not SymbolKind.REGISTER:
                continue
            if self._made is None:
                self._made = yield from self._making_expressions()
            value = yield from self._made.finding_address(context, operand)
            if value is not None and value.terms:
                yield _Access(step, operand, size, align, value)

    def _fault(self, access: _Access) -> AddressFault | None:
        terms = access.value.terms
        if terms not in self._bases:
            self._bases[terms] = self._base(access.value)
        base = self._bases[terms]
        return self._always(access, base) or self._of_thread(access, base)

    def _base(self, value: LinearValue) -> _Base:
        """The facts about all accesses whose addresses differ from a value by a constant."""
        symbol, terms = self._object(value)
        rest = LinearValue(0, terms)
        unit = gcd(*(factor for _, factor in terms))
        has_loops = bool(loops_in(self._atoms, rest))
        return _Base(symbol, terms, unit, *self._atoms.bounds(rest), has_loops, depends_on(self._atoms, rest, _ROW))

    def _object(self, value: LinearValue) -> tuple[Symbol | None, tuple[tuple[int, int], ...]]:
        """The variable in a value, and the terms of the distance from it; without one, those of the value."""
        symbols = [
            token for token, factor in value.terms if self._atoms.atom(token).kind is AtomKind.SYMBOL and factor == 1
        ]
        if len(symbols) != 1:
            return None, value.terms
        key = self._atoms.atom(symbols[0]).key
        terms = tuple(
            (token, factor)
            for token, factor in value.terms
            if self._atoms.atom(token).kind not in _OBJECTS or factor != 1
        )
        return (key, terms) if isinstance(key, Symbol) and layout_of(key) is not None else (None, value.terms)

    # ------------------------------------------------------------------ for all threads

    def _always(self, access: _Access, base: _Base) -> AddressFault | None:
        symbol, number = base.symbol, access.value.number
        layout = layout_of(symbol) if symbol is not None else None
        if symbol is None or layout is None:
            return None
        if number % gcd(access.align, layout.align, base.unit):
            offset = number % access.align
            return AddressFault(*access[:2], symbol, offset, *access[2:4], Witness(), is_outside=False)
        least, most = base.least + number, base.most + number
        size = max(access.size, 1)
        is_outside = layout.size is not None and (least + size > layout.size or most < 0)
        if layout.size is not None and is_outside and self._is_executed(access.step):
            offset = least if least + size > layout.size else most
            return AddressFault(*access[:2], symbol, offset, access.size, access.align, Witness(), is_outside=True)
        return None

    def _is_executed(self, step: Step) -> bool:
        """Whether the first thread executes an instruction for sure: unrolled loops have code that is never reached."""
        return self._paths is not None and self._paths.executes(step, 0)

    # ------------------------------------------------------------------ for single threads

    def _of_thread(self, access: _Access, base: _Base) -> AddressFault | None:
        paths = self._paths
        if paths is None or not base.has_loops and not base.is_of_row:
            return None
        symbol, number, loops = base.symbol, access.value.number, base.has_loops
        if symbol is None:
            return self._of_pair(access) if not loops and access.align > 1 else None
        layout = layout_of(symbol)
        if layout is None:
            return None
        for thread in self._threads_of(access, base, layout.size) if base.is_of_row else (0,):
            distance = self._distance(access.step, base.terms, thread, loops=loops)
            if distance is None:
                continue
            offset = constant(distance + number).reduced(_WIDE).number
            is_outside = layout.size is not None and (offset < 0 or offset + max(access.size, 1) > layout.size)
            is_wrong = is_outside or offset % min(access.align, layout.align)
            if is_wrong and (loops or paths.executes(access.step, thread)):
                witness = Witness(thread if base.is_of_row else None, loops)
                return AddressFault(*access[:2], symbol, offset, *access[2:4], witness, is_outside=is_outside)
        return None

    @once
    def _threads(self) -> tuple[int, ...]:
        """The threads of the first row that there are for sure; a row of unknown length has two."""
        row = (self._limits.required or self._limits.most or (2,))[0]
        last = (row - 1,) if self._limits.required and row > 2 else ()
        return (*range(min(row, 2)), *last)

    def _threads_of(self, access: _Access, base: _Base, size: int | None) -> Iterator[int]:
        """The threads whose addresses are looked at.

        If an address may be outside of its variable, the first and last threads of the warps of a row are among them.
        """
        yield from self._threads
        if size is None or not self._limits.required:
            return
        number = access.value.number
        if base.least + number >= 0 and base.most + number + max(access.size, 1) <= size:
            return
        for first in range(_WARP, self._limits.required[0], _WARP):
            if base.has_loops:
                if self._left <= 0:
                    return
                self._left -= 2
            yield first - 1
            yield first

    def _distance(self, step: Step, terms: tuple[tuple[int, int], ...], thread: int, *, loops: bool) -> int | None:
        """The sum of some terms for a thread that executes an instruction for sure; None if it is not known.

        With loops: in their last iterations. It is the same for all accesses of a block whose addresses differ by a
        constant.
        """
        assert self._paths is not None
        place = (step.node, step.statement if step.guarded else None) if loops else None
        key = terms, thread, place
        if key not in self._distances:
            numbers = self._paths.numbers(step, thread) if loops else self._limits.specials(thread)
            value = LinearValue(0, terms)
            found = Substitution(self._atoms, numbers).of(value) if numbers is not None else value
            self._distances[key] = None if found.terms else found.number
        return self._distances[key]

    def _of_pair(self, access: _Access) -> AddressFault | None:
        """Two threads whose addresses differ by less than what both must be multiples of."""
        assert self._paths is not None
        if len(self._threads) < 2:
            return None
        one, other = (Substitution(self._atoms, self._limits.specials(thread)).of(access.value) for thread in (0, 1))
        if not is_uniform(self._atoms, one):
            return None
        difference = combined(other, one, -1)
        if difference.terms or not difference.number % access.align:
            return None
        if not all(self._paths.executes(access.step, thread) for thread in (0, 1)):
            return None
        return AddressFault(*access[:2], None, difference.number, *access[2:4], Witness(1), is_outside=False)
