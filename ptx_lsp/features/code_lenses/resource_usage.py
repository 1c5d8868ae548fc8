"""Resource lenses: ``needs PTX 8.6, sm_100a``, ``at most 37 registers live (line 120)``, ``24 bytes of parameters``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable
from typing import TypeVar

from ptx_lsp.analysis.dataflow.control_flow_graph import Graph
from ptx_lsp.analysis.dataflow.register_pressure import Pressure, measuring
from ptx_lsp.analysis.dataflow.register_sets import RegisterSets
from ptx_lsp.analysis.module.function import Function, statement_count
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.requirements import find_first_that_requires, find_least_requirements
from ptx_lsp.analysis.symbols.parameters import parameter_space
from ptx_lsp.analysis.symbols.storage import layout_of
from ptx_lsp.analysis.symbols.symbols import Place, Scope, Symbol, SymbolKind
from ptx_lsp.features.code_lenses.lens import Title
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import Version
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.chunk import Chunk

LARGEST = 150_000
"""The maximum number of statements of a function with the lenses ``needs`` and ``registers``."""
_MOST_AT_ONCE = 1500
"""The titles of these lenses take some milliseconds for a function of so many statements."""
_MOST_BITS = 1 << 30
"""The product of blocks and registers above which the live ones are not counted: sets of so many bits take 128 MiB."""

_Answer = TypeVar("_Answer")


class _Need(NamedTuple):
    """The requirements of a function."""

    version: Version
    target: Target
    place: Place | None
    """The first statement that needs the target, or else the version."""


def _finding_need(semantics: Semantics, function: Function) -> Generator[None, None, _Need]:
    found = yield from find_least_requirements(semantics.module, [function])
    place = yield from find_first_that_requires(semantics.module, function, found)
    return _Need(*found, place)


def _measuring(semantics: Semantics, function: Function) -> Generator[None, None, Pressure | None]:
    """The pressure of a function; None if it is too long for that."""
    for chunk in function.chunks:
        yield from semantics.effects.preparing(chunk)
    graph = Graph(semantics.module, function, semantics.effects, at_once=False)
    yield from graph.making()
    sets = yield from RegisterSets.making(graph)
    if len(graph.nodes) * len(sets.names) > _MOST_BITS:
        return None
    found = yield from measuring(sets)
    return found


def _needs(_: Function) -> dict[int, _Need]:
    """The requirements of a function, by the generation of the module."""
    return {}


def _pressures(_: Function) -> dict[int, Pressure | None]:
    """The registers that live in a function, by the generation of the module."""
    return {}


def needed(semantics: Semantics, symbol: Symbol) -> Title:
    """Return the minimum PTX version and target that a function requires."""
    module = semantics.module
    found = run_to_completion(_kept(_needs, semantics, symbol, _finding_need))
    places = (
        ()
        if found.place is None or not module.positions.holds(found.place)
        else (module.positions.span_of(found.place),)
    )
    return Title(f"requires PTX {found.version}, {found.target}", places)


def registers(semantics: Semantics, symbol: Symbol) -> Title:
    """Return the register pressure of a function (32-bit units), and its place."""
    module = semantics.module
    found = run_to_completion(_kept(_pressures, semantics, symbol, _measuring))
    if found is None:
        return Title("too long to count live registers")
    if found.place is None:
        return Title("no registers")
    count = f"at most {found.registers} register{'' if found.registers == 1 else 's'} live"
    return Title(f"{count} (line {module.positions.line_of(found.place)})", (module.positions.span_of(found.place),))


def preparing(semantics: Semantics, symbol: Symbol, kind: str) -> Generator[None, None, None] | None:
    """Steps of some milliseconds that make what the title of a lens needs; None if it needs nothing long."""
    if kind not in SLOW:
        return None
    function = semantics.module.function_of(symbol.place.chunk)
    known: dict[int, object] = function.derived(_needs if kind == "needs" else _pressures)  # type: ignore[arg-type]
    if semantics.module.generation in known or statement_count(function) <= _MOST_AT_ONCE:
        return None
    return _preparing(semantics, symbol, kind)


def _preparing(semantics: Semantics, symbol: Symbol, kind: str) -> Generator[None, None, None]:
    if kind == "needs":
        yield from _kept(_needs, semantics, symbol, _finding_need)
    else:
        yield from _kept(_pressures, semantics, symbol, _measuring)


SLOW = frozenset({"needs", "registers"})
"""The kinds of lenses whose titles take long for a long function."""


def has_registers(semantics: Semantics, symbol: Symbol) -> bool:
    """Whether a function declares registers."""
    function = semantics.module.function_of(symbol.place.chunk)
    return any(
        one.kind is SymbolKind.REGISTER or one.space == ".reg"
        for scope in _scopes(semantics.module, function)
        for one in (*scope.names.values(), *scope.groups.values())
    )


def has_memory(shared: SharedVariables, symbol: Symbol) -> bool:
    """Whether a kernel has parameters or shared variables."""
    function = shared.module.function_of(symbol.place.chunk)
    space = parameter_space(symbol, function.scope)
    return space is None or space.size != 0 or bool(shared.of(function))


def memory(semantics: Semantics, symbol: Symbol) -> Title:
    """Return the sizes of a kernel's parameters and of the shared variables that it declares or names."""
    module = semantics.module
    function = module.function_of(symbol.place.chunk)
    space = parameter_space(symbol, function.scope)
    size = space.size if space is not None else None
    parts = [] if size == 0 else [_of_parameters(size)]
    layouts = [layout_of(variable) for variable in SharedVariables(module, function.chunks).of(function)]
    total = sum(layout.size or 0 for layout in layouts if layout is not None)
    if total:
        parts.append(f"{_bytes(total)} shared")
    if any(layout is not None and layout.size is None for layout in layouts):
        parts.append("more shared memory at launch" if total else "shared memory set at launch")
    return Title(", ".join(parts) or "no parameters")


def _kept(
    known: Callable[[Function], dict[int, _Answer]],
    semantics: Semantics,
    symbol: Symbol,
    making: Callable[[Semantics, Function], Generator[None, None, _Answer]],
) -> Generator[None, None, _Answer]:
    """An answer about a function, made in steps and cached for the module's generation."""
    module = semantics.module
    function, generation = module.function_of(symbol.place.chunk), module.generation
    answers = function.derived(known)
    if generation in answers:
        return answers[generation]
    made = yield from making(semantics, function)
    answers.clear()
    answers[generation] = made
    return made


class SharedVariables:
    """The shared variables of functions.

    Args:
        module: the module.
        chunks: those of all functions that are asked about.

    """

    def __init__(self, module: Module, chunks: Iterable[Chunk]) -> None:
        self.module = module
        names = module.globals.names
        self._of_module = {name: symbol for name, symbol in names.items() if _is_shared(symbol)}
        self._named = module.name_index.names_by_chunk(names, chunks) if self._of_module else {}

    def of(self, function: Function) -> list[Symbol]:
        """The shared variables declared in a function, and those of module scope that it names."""
        module = self.module
        found = [symbol for scope in _scopes(module, function) for symbol in scope.names.values() if _is_shared(symbol)]
        of_module = self._of_module
        named = dict.fromkeys(
            name for chunk in function.chunks for name in self._named.get(chunk, ()) if name in of_module
        )
        return found + [module.definitions.get(name) or of_module[name] for name in named]


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
