"""Values of registers and addresses as text, for readers: what they are made of at a place of a function."""

from __future__ import annotations

from collections.abc import Callable

from ptx_lsp.analysis.cursor.counterparts import Counterpart, counterpart
from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.definitions import Definitions
from ptx_lsp.analysis.dataflow.steps import Step, Steps
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.references.reaching_definitions import is_cheap
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.structure.loops import Loops
from ptx_lsp.analysis.symbolic.allocations import Allocations
from ptx_lsp.analysis.symbolic.atoms import AtomKind
from ptx_lsp.analysis.symbolic.inductions import Inductions
from ptx_lsp.analysis.symbolic.linear_values import LinearValue, combined, constant
from ptx_lsp.analysis.symbolic.symbolic_values import SymbolicValues, width_of
from ptx_lsp.analysis.symbolic.value_sources import GraphSources, Source, TextSources, Write, register_name
from ptx_lsp.analysis.symbolic.value_text import COUNTERS, ValueWriter
from ptx_lsp.analysis.symbols.symbols import Place, SymbolKind
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.tree import Operand, OperandKind

_OBJECTS = frozenset({AtomKind.SYMBOL, AtomKind.PARAMETER})
_OWN = frozenset({AtomKind.RESULT, AtomKind.MERGED})
_ADDRESS_BITS = 64
_MOST_RESULTS = 30
"""So many instructions are evaluated for one value while a user waits; each takes about a tenth of a millisecond."""


class KnownExpression(NamedTuple):
    """A value as text."""

    text: str
    """Such as ``param_0 + 16 * i - 140``, equal to the value modulo 2^width; ``short`` if it would be very long."""
    short: str
    """The objects and the constant in it, with ``…`` for what else there is; empty if it names no object.

    Of a sum over other registers the only one that is not multiplied is its object.
    """
    loops: tuple[Place, ...]
    """The headers of the loops whose iterations ``i``, ``j`` … count, from 0, in this order."""
    is_known: bool
    """Whether it names a variable, a parameter, a special register or an iteration; else only other registers."""


class ExpressionReader:
    """Reads the values of one function; by its graph if that is made or quickly made, else by the text alone.

    By the text alone only values are read that never change while a thread runs. It holds all that it makes: to be kept
    for one answer.
    """

    def __init__(self, semantics: Semantics, function: Function) -> None:
        self._positions = semantics.module.positions
        self._function = function
        self._inductions: Inductions | None = None
        self._allocations: Allocations | None = None
        self._graph: Graph | None = None
        made: Inductions | None = None
        if semantics.has_flow(function):
            flow = semantics.flow(function)
            self._graph, steps = flow.graph, flow.steps
            made = vars(flow).get("expressions")
        elif is_cheap(semantics, function):
            self._graph = Graph(semantics.module, function, semantics.effects)
            steps = Steps(self._graph)
        if self._graph is not None:
            # Values that the flow has made are not shared: what is known here must not depend on what was asked before.
            sources = made.sources if made is not None else GraphSources(steps)
            loops = made.loops if made is not None else Loops(self._graph)
            self._inductions = Inductions(SymbolicValues(sources, _MOST_RESULTS), sources, loops)
        if self._inductions is None:
            self._values = SymbolicValues(TextSources(Definitions(semantics.effects, function)), _MOST_RESULTS)
        else:
            self._values = self._inductions.values
            self._allocations = Allocations(steps, self._values)

    def counterpart(self, context: StatementContext, name: str) -> Counterpart | None:
        """The instruction that mapped the address in a register to another CTA; None if none did."""
        return counterpart(context, name, self._values.sources)

    def register(
        self, context: StatementContext, name: str, *, after: bool = False, plus: int = 0
    ) -> KnownExpression | None:
        """The value of a register before a statement, or of its result after it; None if nothing more is known.

        Args:
            context: the statement.
            name: the register.
            after: whether the value after the statement is meant.
            plus: a number that is added to it.

        """
        value = self._values.after(context, name) if after else self._values.before(context, name)
        value = combined(value, constant(plus), 1) if value is not None else None
        return self._expression(context, value, width_of(context.visible(name)), name if after else "")

    def number(self, context: StatementContext, name: str) -> int | None:
        """The number that a register holds before a statement; None if it is not one number."""
        value = self._values.before(context, name)
        if value is None or not width_of(context.visible(name)):
            return None
        if self._inductions is not None:
            value = self._inductions.resolved(value, width_of(context.visible(name)))
        return None if value.terms else value.number

    def address(self, context: StatementContext, operand: Operand) -> KnownExpression | None:
        """The address that an operand in brackets is, its offset included; None if nothing more is known."""
        base = operand.parts[0] if operand.kind is OperandKind.ADDRESS and operand.parts else operand
        symbol = context.visible(context.word(base.name)) if base.name >= 0 else None
        if symbol is None or symbol.kind is not SymbolKind.REGISTER:
            return None
        return self._expression(context, self._values.operand(context, operand), width_of(symbol) or _ADDRESS_BITS, "")

    def _expression(
        self, context: StatementContext, value: LinearValue | None, width: int, written: str
    ) -> KnownExpression | None:
        if value is None or not value.terms or not width:
            return None
        atoms = self._values.atoms
        if self._inductions is not None:
            value = self._inductions.resolved(value, width)
        elif not atoms.is_fixed(value):
            return None
        value = value.reduced(width)
        allocated = {token: step for token, _ in value.terms if (step := self._allocated(token)) is not None}
        kinds = {atoms.atom(token).kind for token, _ in value.terms}
        is_plain = len(value.terms) == 1 and not value.number and value.terms[0][1] == 1
        if not kinds or (is_plain and kinds <= _OWN and not allocated):
            return None
        symbol = self._function.symbol
        # Where something varies the offset matters more than the size of the allocation.
        name = self._namer(context, written, allocated, with_columns=len(value.terms) == 1)
        writer = ValueWriter(atoms, name, symbol.name if symbol is not None else "", frozenset(allocated))
        found = writer.write(value)
        objects = tuple(
            (token, factor)
            for token, factor in value.terms
            if factor == 1 and (atoms.atom(token).kind in _OBJECTS or token in allocated)
        )
        is_known = not kinds <= _OWN or bool(allocated)
        if not objects and not is_known:  # the pointer of a sum over registers is what is not multiplied
            objects = tuple((token, factor) for token, factor in value.terms if factor == 1)
            objects = objects if len(objects) == 1 else ()
        named = writer.write(value._replace(terms=objects)) if objects else None
        short = named.text + (" + …" if len(objects) < len(value.terms) else "") if named is not None else ""
        found = found or writer.shortened(value)
        if found is None:
            return KnownExpression(short, short, (), is_known) if short else None
        loops = tuple(map(self._place_of, found.loops))
        return KnownExpression(found.text, short, loops, is_known)

    def _allocated(self, token: int) -> Step | None:
        """The allocation of Tensor Memory whose address an atom is."""
        source = self._values.origins.get(token)
        if self._allocations is None or self._graph is None or not isinstance(source, Write):
            return None
        context = StatementContext(self._graph.module, self._function, source.chunk, source.statement)
        return self._allocations.loaded(context)

    def _namer(
        self, context: StatementContext, written: str, allocated: dict[int, Step], *, with_columns: bool
    ) -> Callable[[int], str]:
        """The names of results and meetings: the register if it still has this value at the statement."""

        def name(token: int) -> str:
            if token in allocated and self._allocations is not None:
                step = allocated[token]
                columns = self._allocations.columns(step) if with_columns else None
                many = f", {columns} columns" if columns is not None else ""
                return f"alloc (line {self._positions.line_of(step.place)}{many})"
            source = self._values.origins.get(token)
            if source is None:
                return ""
            register = register_name(source)
            if register != written and self._values.sources.before(context, register) == source:
                return register
            return f"{register} of line {self._line_of(source)}"

        return name

    def _line_of(self, source: Source) -> int:
        if isinstance(source, Write):
            return self._positions.line_of(Place(source.chunk, source.statement, 0))
        return self._positions.line_of(self._place_of(source.node))

    def _place_of(self, node: int) -> Place:
        assert self._graph is not None
        block = self._graph.nodes[node]
        return Place(block.chunk, block.piece.start, 0)


def legend(semantics: Semantics, expression: KnownExpression, link: Callable[[int], str]) -> str:
    """The meaning of the counters in an expression; empty without any.

    Args:
        semantics: the module.
        expression: the value.
        link: the text for a line, counted from 1.

    """
    lines = [semantics.module.positions.line_of(place) for place in expression.loops]
    shown = [
        f"`{letter}`: iteration of the loop in {link(line)}, from 0"
        for letter, line in zip(COUNTERS, lines, strict=False)
    ]
    return "; ".join(shown)
