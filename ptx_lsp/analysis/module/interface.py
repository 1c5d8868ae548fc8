"""The interface of a module: the names of its functions and variables, and its calls.

This is all that is kept of the closed files of a workspace. The caller chooses the representation of a place: it
passes a function of a span.

Source: PTX ISA, "Linking Directives", "Control Flow Instructions: call".
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Generic, NamedTuple, TypeVar

from ptx_lsp.analysis.module.extent import extent
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols.calls import callees, read_call
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.names.demangle import brief_names
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tree import Instruction
from ptx_lsp.text import Span

PlaceT = TypeVar("PlaceT")
"""A place, as whoever asks wants it."""


class ExportedSymbol(NamedTuple, Generic[PlaceT]):
    """One declaration of a function or variable in the module."""

    name: str
    kind: SymbolKind
    detail: str
    """Its linkage, space and type, or the kind of function, as written."""
    linkage: str
    """``.extern``, ``.visible``, ``.weak``, ``.common``; empty for what only its own module sees."""
    is_definition: bool
    is_bound_at_launch: bool
    """Whether it is ``.extern .shared``: its size comes with the launch, no other file defines it."""
    extent: PlaceT
    """All of it: of a function with its body."""
    place: PlaceT
    """Its name."""
    brief: str = ""
    """The demangled, shortened name, different from those of the other names of the module; empty if not mangled."""


class CallSite(NamedTuple, Generic[PlaceT]):
    """A call of one function, or a function that an indirect call may reach."""

    caller: int
    """The entry of the function that calls."""
    callee: str
    place: PlaceT
    """The name, or what an indirect call has in its stead."""
    is_direct: bool


class Interface(NamedTuple, Generic[PlaceT]):
    """The entries of a module in the order of its text, and all calls of functions with names."""

    entries: tuple[ExportedSymbol[PlaceT], ...] = ()
    calls: tuple[CallSite[PlaceT], ...] = ()


def interface(module: Module, locate: Callable[[Span], PlaceT]) -> Interface[PlaceT]:
    """The interface of a module; ``locate`` makes places of spans."""
    return run_to_completion(reading_interface(module, locate))


def reading_interface(module: Module, locate: Callable[[Span], PlaceT]) -> Generator[None, None, Interface[PlaceT]]:
    """Read an interface in steps of a few milliseconds; the interface is the generator's value."""
    entries: list[ExportedSymbol[PlaceT]] = []
    calls: list[CallSite[PlaceT]] = []
    for function in module.functions:
        caller = -1
        for symbol in function.globals:
            if symbol is function.symbol:
                caller = len(entries)
            entries.append(_entry(module, symbol, locate))
        if caller >= 0 and function.has_body:
            for chunk in function.chunks:
                calls += [CallSite(caller, name, locate(at), direct) for name, at, direct in _calls(module, chunk)]
                yield
        yield
    brief = brief_names([one.name for one in entries])
    distinct = (one._replace(brief=brief[one.name]) if one.name in brief else one for one in entries)
    return Interface(tuple(distinct), tuple(calls))


def _entry(module: Module, symbol: Symbol, locate: Callable[[Span], PlaceT]) -> ExportedSymbol[PlaceT]:
    vector = f".v{symbol.vector}" if symbol.vector else ""
    detail = " ".join(word for word in (symbol.linkage, symbol.space, vector, symbol.type) if word)
    return ExportedSymbol(
        symbol.name if symbol.count is None else f"{symbol.name}<{symbol.count}>",
        symbol.kind,
        detail,
        symbol.linkage,
        symbol.is_definition,
        symbol.linkage == ".extern" and symbol.space.startswith(".shared"),
        locate(extent(module, symbol)),
        locate(module.positions.span_of(symbol.place)),
    )


def _calls(module: Module, chunk: Chunk) -> Iterator[tuple[str, Span, bool]]:
    """The functions that the statements of a chunk call, where, and whether by name."""
    if "call" not in chunk.text:
        return
    calling = {shape for shape in set(chunk.shapes) if SHAPES[shape].opcode[:1] == ("call",)}
    if not calling:
        return
    for index, shape in enumerate(chunk.shapes):
        if shape in calling:
            yield from _called(module, chunk, index)


def _called(module: Module, chunk: Chunk, index: int) -> Iterator[tuple[str, Span, bool]]:
    statement = chunk.statement(index)
    tree = statement.shape.tree
    call = read_call(tree) if isinstance(tree, Instruction) else None
    if call is None or call.target.name < 0:
        return
    scope = module.scope_of(chunk, index)
    span = statement.span(call.target.name).shifted(module.positions.statement_start(chunk, index))
    symbol = scope.lookup(statement.word(call.target.name))
    if symbol is not None and symbol.kind is SymbolKind.FUNCTION:
        yield symbol.name, span, True
    elif symbol is not None and call.targets is not None and call.targets.name >= 0:
        after = scope.lookup(statement.word(call.targets.name))
        if after is not None and after.kind is not SymbolKind.PROTOTYPE:
            yield from ((name, span, False) for name, _ in callees(after, scope) or ())
