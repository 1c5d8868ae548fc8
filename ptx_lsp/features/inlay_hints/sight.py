"""What the kinds of hints are asked about: one statement in sight."""

from __future__ import annotations

from functools import cached_property

from ptx_lsp.analysis.dataflow.graph import Graph
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.references.first_writes import FirstWrites
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.parameters import ParameterSpace, parameter_space
from ptx_lsp.preferences import InlayHints
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.text import Span


class Sight:
    """The part of a text that is asked about, and what is found out on the way."""

    def __init__(self, semantics: Semantics, span: Span, wanted: InlayHints) -> None:
        self.semantics = semantics
        self.module: Module = semantics.module
        self.span = span
        self.wanted = wanted
        self.first_writes = FirstWrites(semantics.effects)
        self.gave_up = False
        """Whether a hint was left out that would have taken too long."""
        self._spaces: dict[Function, ParameterSpace | None] = {}
        self._graphs: dict[Function, Graph] = {}

    @property
    def waits(self) -> bool:
        """Whether there may be more hints once the flow has been followed."""
        return self.gave_up or self.first_writes.gave_up

    def graph(self, function: Function) -> Graph:
        """The control flow of a function."""
        if function not in self._graphs:
            self._graphs[function] = Graph(self.module, function, self.semantics.effects)
        return self._graphs[function]

    def parameters(self, function: Function) -> ParameterSpace | None:
        """How the parameters of a function lie in memory, if it is a kernel."""
        if function not in self._spaces:
            symbol = function.symbol
            self._spaces[function] = parameter_space(symbol, function.scope) if symbol is not None else None
        return self._spaces[function]


class SeenStatement:
    """One statement."""

    def __init__(self, sight: Sight, chunk: Chunk, index: int, start: int) -> None:
        self.sight = sight
        self.semantics = sight.semantics
        self.module = sight.module
        self.chunk = chunk
        self.index = index
        self.start = start
        """Its offset in the document."""

    @cached_property
    def text(self) -> str:
        """The statement with the blanks and comments before it."""
        return self.chunk.part(self.index)

    @cached_property
    def context(self) -> StatementContext:
        """The statement in its surroundings."""
        return StatementContext(self.module, self.module.function_of(self.chunk), self.chunk, self.index)
