"""Names other than registers: variables, parameters, functions, labels, textures, special registers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from heapq import nsmallest

from ptx_lsp.analysis.references.callers import quick_uses
from ptx_lsp.analysis.symbols.special_names import special_need
from ptx_lsp.analysis.symbols.symbols import OPERANDS, Place, Symbol, SymbolKind
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.features.completion.operand_request import FIRST, LAST, LIKELY, LOOSE, NAMES, SPECIAL, OperandRequest
from ptx_lsp.features.completion.registers import address_sizes, type_of
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.vocabulary.register_types import BITS
from ptx_lsp.names.demangle import demangled, name_within
from ptx_lsp.syntax.documents.nearby import runs_around

_MOST = 300
"""The maximum number of names of one kind; the nearest are offered."""
_LOOKED_AT = 20_000
_MANY = 1000
"""The number of labels above which only those in nearby statements are considered."""
_NEAR = 1500
"""Statements before and after the cursor."""
_COMPONENTS = ".x", ".y", ".z"
"""The components offered; the fourth exists but is always 0 or 1."""
_KINDS = {SymbolKind.PARAMETER: ItemKind.PARAMETER, SymbolKind.VARIABLE: ItemKind.VARIABLE}


def variables(request: OperandRequest, is_wanted: Callable[[Symbol], bool]) -> Iterator[Symbol]:
    """Yield visible variables and parameters, innermost scope first."""
    yield from _declared(request, frozenset(_KINDS), is_wanted)


def _declared(
    request: OperandRequest, kinds: frozenset[SymbolKind], is_wanted: Callable[[Symbol], bool]
) -> Iterator[Symbol]:
    context = request.place.context
    typed = request.place.prefix.lower()
    count = looked = 0
    for scope in context.scope.chain():
        for name, symbol in scope.names.items():
            looked += 1
            if looked > _LOOKED_AT:
                return
            if symbol.kind not in kinds or typed not in name.lower() or not is_wanted(symbol):
                continue
            if context.visible(name) is symbol:
                yield symbol
                count += 1
                if count == _MOST:
                    return


def variable_names(request: OperandRequest) -> Iterator[Item]:
    """Yield variables of a legal space, for an operand without brackets or the base of an address."""
    is_base = any(one.is_base for one in request.wanted)
    names = any(wanted.what in ("variable", "texture") for one in request.wanted for wanted in one.alternatives)
    references = any(
        (one.fitting.value(wanted.type) or "").endswith("ref") for one in request.wanted for wanted in one.alternatives
    )
    if not (is_base or names or references):
        return
    is_used = usage(request)
    for symbol in variables(request, lambda symbol: bool(symbol.code)):
        if request.takes(OPERANDS[symbol.code]):
            array = f"[{symbol.layout.length or ''}]" if symbol.layout and symbol.layout.length is not None else ""
            detail = f"{symbol.space} {type_of(symbol)}{array}".strip()
            rank = _rank(request, symbol, is_base=is_base) if is_used(symbol) else LOOSE
            label = name_within(symbol.name)
            label = label if label != symbol.name else ""
            yield request.item(symbol.name, _KINDS[symbol.kind], rank, detail, label=label)


def usage(request: OperandRequest) -> Callable[[Symbol], bool]:
    """Whether something names a variable of the module; only asked in generated code.

    There such variables are left over, such as constants of headers; who writes a variable uses it later.
    """
    module = request.place.context.module
    if not module.header.is_generated:
        return lambda _: True
    uses_of = quick_uses(request.semantics)
    names = module.globals.names
    return lambda symbol: names.get(symbol.name) is not symbol or any(True for _ in uses_of(symbol))


def _rank(request: OperandRequest, symbol: Symbol, *, is_base: bool) -> int:
    """Rank a name: parameters are usually accessed by name; an address does not fit an operand of another size."""
    if is_base:
        return FIRST if symbol.space == ".param" else LIKELY
    return NAMES if _is_for_addresses(request) else LOOSE


def _is_for_addresses(request: OperandRequest) -> bool:
    """Whether an operand of address size is expected."""
    sizes = address_sizes(request, "")
    return any(BITS.get(word or "") in sizes for one in request.wanted for word in one.fitting.values)


def functions(request: OperandRequest) -> Iterator[Item]:
    """Yield functions where a function address is expected."""
    if not any(wanted.what == "function" for one in request.wanted for wanted in one.alternatives):
        return
    for symbol in _declared(request, frozenset({SymbolKind.FUNCTION}), lambda symbol: bool(symbol.code)):
        if request.takes(OPERANDS[symbol.code]):
            rank = NAMES if _is_for_addresses(request) else LOOSE
            found = demangled(symbol.name)
            label = found.brief if found is not None else ""
            yield request.item(symbol.name, ItemKind.FUNCTION, rank, symbol.type, label=label)


def labels(request: OperandRequest) -> Iterator[Item]:
    """Yield code labels and target lists, the nearest first."""
    if not any(wanted.what == "label" for one in request.wanted for wanted in one.alternatives):
        return
    context = request.place.context
    module = context.module
    positions = module.positions
    here = positions.statement_start(context.chunk, context.index)

    def distance(symbol: Symbol) -> int:
        return abs(positions.statement_start(symbol.place.chunk, symbol.place.statement) - here)

    near = runs_around(module.document.chunks, context.chunk, context.index, _NEAR)

    def is_near(place: Place) -> bool:
        run = near.get(place.chunk)
        return run is not None and run.first <= place.statement < run.end

    kinds = frozenset({SymbolKind.LABEL, SymbolKind.TARGETS, SymbolKind.PROTOTYPE})
    typed = request.place.prefix.lower()
    found = [
        symbol
        for scope in context.scope.chain()
        if scope is not module.globals
        for name, symbol in scope.names.items()
        if symbol.kind in kinds and typed in name.lower()
    ]
    if len(found) > _MANY:
        found = [symbol for symbol in found if is_near(symbol.place)] or found[:_MANY]
    for symbol in nsmallest(_MOST, found, key=distance):
        if context.visible(symbol.name) is symbol and request.takes(OPERANDS[symbol.code]):
            rank = LAST if _OF_DEBUGGING.match(symbol.name) else LIKELY
            yield request.item(symbol.name, ItemKind.LABEL, rank, f"line {module.positions.line_of(symbol.place)}")


_OF_DEBUGGING = re.compile(r"\$L(?:__)?(?:tmp|func_|info_|debug_)")
"""Matches the labels that compilers write for debug information: no jump goes there."""


def special_registers(request: OperandRequest) -> Iterator[Item]:
    """Yield special registers of a legal type; unavailable ones with their requirement."""
    if not any(wanted.what == "special" for one in request.wanted for wanted in one.alternatives):
        return
    module = request.place.context.module
    for name, register in catalogue().vocabulary.special_registers.items():
        need = special_need(name, module.version, module.target)
        needs = need.describe() if need is not None else ""
        scalar = ActualOperand("special", type=register.type, narrow=register.narrow)
        key = ("word", name)
        if register.vector:
            whole = scalar._replace(type=f".v{register.vector}{register.type}")
            if request.takes(whole):
                yield request.item(name, ItemKind.SPECIAL, SPECIAL, whole.type, needs=needs, key=key)
            if request.takes(scalar):
                for component in _COMPONENTS:
                    text = f"{name}{component}"
                    yield request.item(text, ItemKind.SPECIAL, SPECIAL, register.type, needs=needs, key=key)
        elif request.takes(scalar):
            yield request.item(name, ItemKind.SPECIAL, SPECIAL, register.type, needs=needs, key=key)
