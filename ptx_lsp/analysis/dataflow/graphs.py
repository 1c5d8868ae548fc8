"""The control-flow graphs of the functions of a module."""

from __future__ import annotations

from ptx_lsp.analysis.dataflow.graph import Graph
from ptx_lsp.analysis.dataflow.statement_effects import Effects
from ptx_lsp.analysis.module.function import Function


class Graphs:
    """The graph of each function, made when it is first asked for."""

    def __init__(self, effects: Effects) -> None:
        self.effects = effects
        self.module = effects.module
        self._graphs: dict[Function, Graph] = {}

    def of(self, function: Function) -> Graph:
        """The graph of a function."""
        found = self._graphs.get(function)
        if found is None:
            found = self._graphs[function] = Graph(self.module, function, self.effects)
        return found

    def has(self, function: Function) -> bool:
        """Whether the graph of a function is made already."""
        return function in self._graphs

    def forget(self, function: Function) -> None:
        """Free the graph of a function, or forget that of one that is gone."""
        self._graphs.pop(function, None)

    def clear(self) -> None:
        """The module declares other things now, or its version or target is another."""
        self._graphs.clear()
