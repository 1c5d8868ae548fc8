"""The parameters of functions as their heads declare them: names, and for kernels where each lies.

Source: PTX ISA, "Function Declarations and Definitions", "Kernel Function Parameters": the parameters of a kernel
lie in memory in their order, each at the next multiple of its alignment.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ptx_lsp.analysis.symbols.declarations import declarations_in
from ptx_lsp.analysis.symbols.storage import layout_of
from ptx_lsp.analysis.symbols.symbols import Place, Scope, Symbol, SymbolKind
from ptx_lsp.syntax.tree import Declaration, FunctionHead

_NUMBERED = re.compile(r"(?:.*_)?(?:param|retval)_?\d+", re.ASCII | re.DOTALL).fullmatch


class Formal(NamedTuple):
    """One parameter in the head of a function."""

    name: str
    place: Place

    @property
    def is_numbered(self) -> bool:
        """Whether its name is one that compilers number, such as ``foo_param_0``, and tells nobody anything."""
        return _NUMBERED(self.name) is not None


class Formals(NamedTuple):
    """What a function returns and takes."""

    results: tuple[Formal, ...]
    parameters: tuple[Formal, ...]


def formals(function: Symbol) -> Formals | None:
    """The parameters in the head that declares a function; None if it is no function, or its head is broken."""
    chunk, index, _ = function.place
    statement = chunk.statement(index)
    tree = statement.shape.tree
    if function.kind is not SymbolKind.FUNCTION or not isinstance(tree, FunctionHead):
        return None

    def read(declarations: tuple[Declaration, ...] | None) -> tuple[Formal, ...]:
        tokens = [declaration.declarators[0].name for declaration in declarations or ()]
        return tuple(Formal(statement.word(token), Place(chunk, index, token)) for token in tokens)

    return Formals(read(tree.returns), read(tree.parameters))


class ParameterLayout(NamedTuple):
    """Where a parameter of a kernel lies."""

    offset: int
    """In bytes from the first parameter."""
    size: int
    align: int


class ParameterSpace(NamedTuple):
    """The parameters of a kernel in memory."""

    slots: dict[str, ParameterLayout]
    """By name; without those behind one whose size is unknown."""
    size: int | None
    """Of all of them in bytes; None where some size is unknown."""


def parameter_space(kernel: Symbol, scope: Scope) -> ParameterSpace | None:
    """How the parameters of a kernel lie in memory; None for what is no kernel.

    Args:
        kernel: the function.
        scope: its scope, which holds the parameters.

    """
    if kernel.kind is not SymbolKind.FUNCTION or kernel.type != ".entry":
        return None
    statement = kernel.place.chunk.statement(kernel.place.statement)
    slots: dict[str, ParameterLayout] = {}
    end = 0
    for declaration in declarations_in(statement.shape.tree):
        for declarator in declaration.declarators:
            name = statement.word(declarator.name)
            symbol = scope.names.get(name)
            layout = layout_of(symbol) if symbol is not None else None
            if layout is None or layout.size is None:
                return ParameterSpace(slots, None)
            offset = -(-end // layout.align) * layout.align
            slots[name] = ParameterLayout(offset, layout.size, layout.align)
            end = offset + layout.size
    return ParameterSpace(slots, end)
