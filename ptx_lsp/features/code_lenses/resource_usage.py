"""Resource lenses: ``needs PTX 8.6, sm_100a``, ``at most 37 registers live (line 120)``, ``24 bytes of parameters``."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeVar

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.register_pressure import Pressure, pressure
from ptx_lsp.analysis.dataflow.register_sets import RegisterSets
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.requirements import first_that_requires, least_requirements
from ptx_lsp.analysis.symbols.parameters import parameter_space
from ptx_lsp.analysis.symbols.storage import layout_of
from ptx_lsp.analysis.symbols.symbols import Place, Scope, Symbol, SymbolKind
from ptx_lsp.features.code_lenses.lens import Title
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.named_tuples import NamedTuple

LARGEST = 5000
"""The maximum number of instructions of a function with the lenses ``needs`` and ``registers``, for latency."""

_Answer = TypeVar("_Answer")


class _Need(NamedTuple):
    """The requirements of a function."""

    version: Version
    target: Target
    place: Place | None
    """The first statement that needs the target, or else the version."""


def _with_place(module: Module, function: Function) -> _Need:
    found = least_requirements(module, [function])
    return _Need(*found, first_that_requires(module, function, found))


def _needs(_: Function) -> dict[int, _Need]:
    """The requirements of a function, by the generation of the module."""
    return {}


def _pressures(_: Function) -> dict[int, Pressure]:
    """The registers that live in a function, by the generation of the module."""
    return {}


def needed(semantics: Semantics, symbol: Symbol) -> Title:
    """Return the minimum PTX version and target that a function requires."""
    module = semantics.module
    found = _kept(_needs, module, symbol, lambda function: _with_place(module, function))
    places = (
        ()
        if found.place is None or not module.positions.holds(found.place)
        else (module.positions.span_of(found.place),)
    )
    return Title(f"requires PTX {found.version}, {found.target}", places)


def registers(semantics: Semantics, symbol: Symbol) -> Title:
    """Return the register pressure of a function (32-bit units), and its place."""
    module = semantics.module

    def asked(function: Function) -> Pressure:
        return pressure(RegisterSets(Graph(module, function, semantics.effects)))

    found = _kept(_pressures, module, symbol, asked)
    if found.place is None:
        return Title("no registers")
    count = f"at most {found.registers} register{'' if found.registers == 1 else 's'} live"
    return Title(f"{count} (line {module.positions.line_of(found.place)})", (module.positions.span_of(found.place),))


def has_registers(semantics: Semantics, symbol: Symbol) -> bool:
    """Whether a function declares registers."""
    function = semantics.module.function_of(symbol.place.chunk)
    return any(
        one.kind is SymbolKind.REGISTER or one.space == ".reg"
        for scope in _scopes(semantics.module, function)
        for one in (*scope.names.values(), *scope.groups.values())
    )


def has_memory(semantics: Semantics, symbol: Symbol) -> bool:
    """Whether a kernel has parameters or shared variables."""
    function = semantics.module.function_of(symbol.place.chunk)
    space = parameter_space(symbol, function.scope)
    return space is None or space.size != 0 or bool(_shared(semantics.module, function))


def memory(semantics: Semantics, symbol: Symbol) -> Title:
    """Return the sizes of a kernel's parameters and of the shared variables that it declares or names."""
    module = semantics.module
    function = module.function_of(symbol.place.chunk)
    space = parameter_space(symbol, function.scope)
    size = space.size if space is not None else None
    parts = [] if size == 0 else [_of_parameters(size)]
    layouts = [layout_of(variable) for variable in _shared(module, function)]
    total = sum(layout.size or 0 for layout in layouts if layout is not None)
    if total:
        parts.append(f"{_bytes(total)} shared")
    if any(layout is not None and layout.size is None for layout in layouts):
        parts.append("more shared memory at launch" if total else "shared memory set at launch")
    return Title(", ".join(parts) or "no parameters")


def _kept(
    known: Callable[[Function], dict[int, _Answer]], module: Module, symbol: Symbol, make: Callable[[Function], _Answer]
) -> _Answer:
    """Return an answer about a function, cached for the module's generation."""
    function = module.function_of(symbol.place.chunk)
    answers = function.derived(known)
    if module.generation not in answers:
        answers.clear()
        answers[module.generation] = make(function)
    return answers[module.generation]


def _shared(module: Module, function: Function) -> list[Symbol]:
    """Return the shared variables declared in a function, and those of module scope that it names."""
    found = [symbol for scope in _scopes(module, function) for symbol in scope.names.values() if _is_shared(symbol)]
    names = module.globals.names
    for name, symbol in names.items():
        if _is_shared(symbol) and module.name_index.mentioning(name, names, function.chunks):
            found.append(module.definitions.get(name) or symbol)
    return found


def _scopes(module: Module, function: Function) -> Collection[Scope]:
    """The scopes of a function: its own and those of its blocks."""
    scopes: dict[Scope, None] = {function.scope: None}
    for segments in function.segments.values():
        for segment in segments:
            if segment.inside:
                scopes.update(dict.fromkeys(one for one in segment.scope.chain() if one is not module.globals))
    return scopes


def _is_shared(symbol: Symbol) -> bool:
    return symbol.kind is SymbolKind.VARIABLE and symbol.space == ".shared"


def _of_parameters(size: int | None) -> str:
    if size is None:
        return "parameters of unknown size"
    return f"{_bytes(size)} of parameters"


def _bytes(number: int) -> str:
    return f"{number:,} byte{'' if number == 1 else 's'}"
