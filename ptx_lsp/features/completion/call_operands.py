"""Operands of calls: functions with their parameters, arguments, and prototypes of indirect calls.

Source: PTX ISA, "Control Flow Instructions: call".
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ptx_lsp.analysis.cursor.callee import CalleeParameter, callee_at, formals, words_after_cursor
from ptx_lsp.analysis.cursor.completed_statement import CompletedStatement, complete_statement
from ptx_lsp.analysis.cursor.nearby_registers import NearbyRegisters
from ptx_lsp.analysis.cursor.unfinished import UnfinishedStatement
from ptx_lsp.analysis.symbols.call_layout import CallLayout, passing_differences, takes_constant
from ptx_lsp.analysis.symbols.calls import CallFault, call_faults, has_callees, is_table, read_call
from ptx_lsp.analysis.symbols.symbols import OPERANDS, FunctionSignature, Symbol, SymbolKind
from ptx_lsp.derived_values import once
from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.features.completion.operand_request import FIRST, LIKELY, NAMES, POSSIBLE, shortened
from ptx_lsp.features.completion.registers import type_of
from ptx_lsp.isa.vocabulary.register_types import BITS
from ptx_lsp.names.demangle import demangled

_MOST = 300
_LOOKED_AT = 20_000
_MOST_LAYOUTS = 16
"""The maximum number of different parameters for which matching variables are looked for."""
_POINTERS = (32, 64)


def call_operands(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield the items for the part of a call at the cursor."""
    if len(place.path) > 1:
        yield from _passed(place)
        return
    words = place.words[len(place.opcode) :]
    has_results = words[:1] == ("(",)
    number = place.operand - has_results
    if number == 0:
        yield from _functions(place, with_results=not has_results)
        yield from _pointers(place)
    elif number > 0:
        yield from _after_callee(place)


def _after_callee(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield the argument list, or the names of the possible targets of an indirect call."""
    found = next(callee_at(place), None)
    if found is not None and not found.is_indirect:
        if place.operand == 1 + (place.words[len(place.opcode)] == "("):
            text = _Arguments(place).written(found.parameters)
            yield Item(
                shortened(text),
                ItemKind.VALUE,
                place.typed,
                insert=text,
                snippet=_places(found.parameters, 1),
                rank=FIRST,
                detail="arguments",
            )
        return
    for symbol in _named(place):
        if has_callees(symbol):
            kind = ItemKind.VARIABLE if is_table(symbol) else ItemKind.LABEL
            detail = "table of functions" if is_table(symbol) else OPERANDS[symbol.code].role or "prototype"
            yield Item(shortened(symbol.name), kind, place.typed, insert=symbol.name, rank=NAMES, detail=detail)


def _functions(place: UnfinishedStatement, *, with_results: bool) -> Iterator[Item]:
    """Yield the visible functions; results and parameters that are not written yet become tab stops."""
    following = words_after_cursor(place)
    if _is_indirect(following):
        return
    call = complete_statement(place)
    arguments = _Arguments(place)
    count = 0
    for symbol in _named(place):
        if count == _MOST:
            return
        if symbol.kind is not SymbolKind.FUNCTION or symbol.type != ".func" or symbol.signature is None:
            continue
        results, parameters = formals(place.context.module, symbol, symbol.signature)
        if not _agrees(call, symbol.signature):
            continue
        count += 1
        text = symbol.name
        snippet = symbol.name.replace("$", "\\$")
        if parameters and not following:
            text += f", {arguments.written(parameters)}"
            snippet += f", {_places(parameters, 1 + len(results) * with_results)}"
        if results and with_results:
            text = f"{arguments.written(results)}, {text}"
            snippet = f"{_places(results, 1)}, {snippet}"
        yield Item(
            shortened(found.brief if (found := demangled(symbol.name)) is not None else symbol.name),
            ItemKind.FUNCTION,
            place.typed,
            insert=text,
            snippet=snippet,
            match=symbol.name,
            rank=LIKELY,
            detail="() → " + str(results[0].layout) if results and not parameters else "",
        )


def _is_indirect(following: list[tuple[str, int]]) -> bool:
    """Whether the call's targets are named after its arguments."""
    return any(word not in ",()" and depth == 0 for word, depth in following)


def _agrees(call: CompletedStatement | None, signature: FunctionSignature) -> bool:
    """Whether a function's signature matches the arguments and results that are written."""
    written = read_call(call.tree) if call is not None else None
    if call is None or written is None:
        return True
    lookup = call.place.context.visible
    word = call.statement.word
    faults = call_faults(
        written, signature, call.statement, lambda operand: lookup(word(operand.name)) if operand.name >= 0 else None
    )
    for one in faults:
        is_result = one.is_result or one.fault is CallFault.RESULTS
        if (is_result and written.results is not None) or (not is_result and written.arguments is not None):
            return False
    return True


class _Arguments:
    """The variables and registers that can be passed at the cursor; each name is looked at once."""

    def __init__(self, place: UnfinishedStatement) -> None:
        self._place = place
        self._fitting: dict[CallLayout | None, list[tuple[Symbol, str]]] = {}

    def written(self, wanted: tuple[CalleeParameter, ...]) -> str:
        """Return results or arguments in parentheses: matching variables, else the declared parameter names."""
        left: dict[CallLayout | None, Iterator[str]] = {}
        taken: set[str] = set()
        names: list[str] = []
        for formal in wanted:
            fitting = [symbol.name for symbol, _ in self.fitting(formal.layout)] if formal.layout not in left else []
            fresh = left.setdefault(formal.layout, iter(fitting))
            name = next((name for name in fresh if name not in taken), "") or self._first(formal)
            taken.add(name)
            names.append(name)
        return f"({', '.join(names)})"

    def _first(self, formal: CalleeParameter) -> str:
        fitting = self.fitting(formal.layout)
        return fitting[0][0].name if fitting else formal.name

    def fitting(self, layout: CallLayout | None) -> list[tuple[Symbol, str]]:
        """``.param`` variables, then registers, that match a parameter's layout; all of them if it is unknown.

        Nothing after so many layouts that the user would wait for them.
        """
        found = self._fitting.get(layout)
        if found is None:
            if len(self._fitting) == _MOST_LAYOUTS:
                return []
            agrees = cache(lambda own: layout is None or not passing_differences(layout, own))
            variables, registers = self._passable
            fitting = [(symbol, name) for symbol, name in variables if agrees(symbol.layout)][:_MOST]
            if len(fitting) < _MOST:
                fitting += [(symbol, name) for symbol, name in registers if agrees(symbol.layout)]
            found = self._fitting[layout] = fitting
        return found

    @once
    def _passable(self) -> tuple[list[tuple[Symbol, str]], list[tuple[Symbol, str]]]:
        """The ``.param`` variables and the registers that have a layout."""
        variables = [
            (symbol, symbol.name)
            for symbol in _named(self._place)
            if symbol.kind is SymbolKind.VARIABLE and symbol.space == ".param" and symbol.layout is not None
        ]
        nearby = NearbyRegisters(self._place)
        named = {symbol.name: symbol for symbol in nearby.named()}
        groups = {nearby.last(group): group for group in nearby.groups}
        registers = {**nearby.recent, **named, **groups}
        return variables, [(symbol, name) for name, symbol in registers.items() if symbol.layout is not None]


def _places(wanted: tuple[CalleeParameter, ...], first: int) -> str:
    names = [formal.name.replace("$", "\\$") for formal in wanted]
    return f"({', '.join(f'${{{number}:{name}}}' for number, name in enumerate(names, first))})"


def _pointers(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield registers that can hold a function address, unless the call is already known to be direct."""
    following = words_after_cursor(place)
    if following and not _is_indirect(following):
        return
    for name, symbol in NearbyRegisters(place).recent.items():
        written = OPERANDS[symbol.code]
        if BITS.get(written.type) in _POINTERS and written.type[1] == "b" or written.type in (".u64", ".u32"):
            yield Item(name, ItemKind.REGISTER, place.typed, rank=POSSIBLE, detail=type_of(symbol))


def _passed(place: UnfinishedStatement) -> Iterator[Item]:
    """Yield the operands that match the parameter or result at the cursor."""
    found = next(callee_at(place), None)
    at = place.path[1][1]
    seen: set[str] = set()
    if found is None:
        layouts: list[CallLayout | None] = [None]
        is_result = True
    else:
        is_result = found.is_before_name(place)
        row = found.results if is_result else found.parameters
        layouts = [row[at].layout] if at < len(row) else []
    for layout in layouts:
        for symbol, name in _Arguments(place).fitting(layout):
            if name not in seen:
                seen.add(name)
                is_variable = symbol.kind is SymbolKind.VARIABLE
                kind = ItemKind.VARIABLE if is_variable else ItemKind.REGISTER
                rank = FIRST if is_variable else LIKELY
                yield Item(shortened(name), kind, place.typed, insert=name, rank=rank, detail=str(symbol.layout)[:20])
        if layout is not None and not is_result and takes_constant(layout, ""):
            yield Item("0", ItemKind.VALUE, place.typed, rank=POSSIBLE)


def _named(place: UnfinishedStatement) -> Iterator[Symbol]:
    """Yield visible symbols other than registers, innermost scope first, whose names contain the typed word."""
    context, typed = place.context, place.prefix.lower()
    looked = 0
    for scope in context.scope.chain():
        for name, symbol in scope.names.items():
            looked += 1
            if looked > _LOOKED_AT:
                return
            if symbol.kind is not SymbolKind.REGISTER and typed in name.lower() and context.visible(name) is symbol:
                yield symbol
