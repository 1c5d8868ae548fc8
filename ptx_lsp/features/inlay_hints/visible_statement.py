"""A statement in the visible range, and the state that hint providers share."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from ptx_lsp.analysis.cursor.expressions import ExpressionReader
from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.references.first_writes import FirstWrites
from ptx_lsp.analysis.references.reaching_definitions import awaits_flow, is_made_ahead
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.parameters import ParameterSpace, parameter_space
from ptx_lsp.preferences import InlayHints
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.text import Span

ReadSource = Callable[[str, int], "str | None"]
"""Returns a line of a file, counted from 1; None if it does not exist."""


class VisibleRange:
    """The visible range of a document, with the analyses computed for its hints."""

    def __init__(
        self, semantics: Semantics, span: Span, wanted: InlayHints, read_line: ReadSource | None = None
    ) -> None:
        self.read_line = read_line
        self.semantics = semantics
        self.module: Module = semantics.module
        self.span = span
        self.wanted = wanted
        self.first_writes = FirstWrites(semantics.effects)
        self.gave_up = False
        """Whether a hint was omitted because it would have taken too long."""
        self._spaces: dict[Function, ParameterSpace | None] = {}
        self._graphs: dict[Function, Graph] = {}
        self._expressions: dict[Function, ExpressionReader] = {}

    @property
    def is_incomplete(self) -> bool:
        """Whether there may be more hints after the data flow has been computed."""
        return self.gave_up or self.first_writes.gave_up

    def graph(self, function: Function) -> Graph:
        """Return the control-flow graph of a function."""
        if function not in self._graphs:
            self._graphs[function] = Graph(self.module, function, self.semantics.effects)
        return self._graphs[function]

    def expressions(self, function: Function) -> ExpressionReader:
        """Return the values of the registers of a function."""
        if function not in self._expressions:
            self.gave_up |= awaits_flow(self.semantics, function) or is_made_ahead(self.semantics, function)
            self._expressions[function] = ExpressionReader(self.semantics, function)
        return self._expressions[function]

    def parameters(self, function: Function) -> ParameterSpace | None:
        """Return the layout of a kernel's parameters; None if it is unknown or the function is not a kernel."""
        if function not in self._spaces:
            symbol = function.symbol
            self._spaces[function] = parameter_space(symbol, function.scope) if symbol is not None else None
        return self._spaces[function]


class VisibleStatement:
    """A statement in the visible range."""

    def __init__(self, visible: VisibleRange, chunk: Chunk, index: int, start: int) -> None:
        self.visible = visible
        self.semantics = visible.semantics
        self.module = visible.module
        self.chunk = chunk
        self.index = index
        self.start = start
        """Its offset in the document."""

    @cached_property
    def text(self) -> str:
        """The statement with the white space and comments before it."""
        return self.chunk.part(self.index)

    @cached_property
    def context(self) -> StatementContext:
        """The statement with its function and scope."""
        return StatementContext(self.module, self.module.function_of(self.chunk), self.chunk, self.index)
