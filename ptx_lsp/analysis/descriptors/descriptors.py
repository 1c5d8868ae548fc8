"""The packed values of the functions of a module."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ptx_lsp.analysis.dataflow.control_flow_graph import Graphs
from ptx_lsp.analysis.module.function import Function

if TYPE_CHECKING:
    from ptx_lsp.analysis.descriptors.packed_values import PackedValues


class Descriptors:
    """The packed values of each function, found when they are first asked for."""

    def __init__(self, graphs: Graphs) -> None:
        self._graphs = graphs
        self._values: dict[Function, PackedValues] = {}

    def of(self, function: Function) -> PackedValues:
        """The packed values of a function."""
        found = self._values.get(function)
        if found is None:
            from ptx_lsp.analysis.descriptors.packed_values import PackedValues  # few functions have packed values

            found = self._values[function] = PackedValues(self._graphs, function)
        return found

    def follow(self, gone: Iterable[Function]) -> None:
        """Some functions are gone; what was taken over from others may be void."""
        lost = set(gone)
        self._values = {
            function: values
            for function, values in self._values.items()
            if function not in lost and not values.has_others
        }

    def clear(self) -> None:
        """The module declares other things now, or its version or target is another."""
        self._values.clear()
