"""Arguments and results of the calls in a function and of it: ``.param`` variables, callees, callers.

Source: PTX ISA, "Parameter State Space", "call".
"""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.dataflow.definitions import Definitions
from ptx_lsp.analysis.dataflow.registers import Register, naming
from ptx_lsp.analysis.dataflow.transfer_functions import transfer_function
from ptx_lsp.analysis.descriptors.memory_accesses import StatementKey, Store, stores
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols.calls import read_call
from ptx_lsp.analysis.symbols.parameters import formals
from ptx_lsp.analysis.symbols.symbols import SymbolKind
from ptx_lsp.derived_values import once
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import HEADS, Kind
from ptx_lsp.syntax.tree import Operand

_MOST_CALLERS = 16
_DECLARING = frozenset({*HEADS, Kind.LOCATION, Kind.DATA, Kind.SECTION})
"""Statements that name a function and do not call it; ``.loc`` names what is inlined."""


class Reached(NamedTuple):
    """A function that a call calls."""

    function: Function
    arguments: tuple[str, ...]
    """The names that stand in the call."""
    results: tuple[str, ...]
    parameters: tuple[str, ...]
    """The names in the head of the function."""
    returns: tuple[str, ...]

    def parameter(self, argument: str) -> str | None:
        """The parameter that an argument becomes."""
        is_clear = self.arguments.count(argument) == 1 and len(self.arguments) == len(self.parameters)
        return self.parameters[self.arguments.index(argument)] if is_clear else None

    def argument(self, parameter: str) -> str | None:
        """The argument that becomes a parameter."""
        is_clear = self.parameters.count(parameter) == 1 and len(self.arguments) == len(self.parameters)
        return self.arguments[self.parameters.index(parameter)] if is_clear else None

    def returned(self, result: str) -> str | None:
        """The name in the function of a result."""
        is_clear = self.results.count(result) == 1 and len(self.results) == len(self.returns)
        return self.returns[self.results.index(result)] if is_clear else None

    def result(self, returned: str) -> str | None:
        """The name in the caller of a value that the function returns."""
        is_clear = self.returns.count(returned) == 1 and len(self.results) == len(self.returns)
        return self.results[self.returns.index(returned)] if is_clear else None


class ArgumentFlow:
    """The calls in one function and of it, and the ``.param`` variables of both."""

    def __init__(self, module: Module, function: Function, definitions: Definitions, *, is_alone: bool) -> None:
        self._module = module
        self._function = function
        self._definitions = definitions
        self._is_alone = is_alone
        self._reached: dict[StatementKey, Reached | None] = {}
        self._calls: dict[Register, tuple[StatementKey, Reached] | None] = {}
        self._passed: dict[Register, tuple[Store, ...] | None] = {}
        self._formals: dict[str, Register | None] = {}

    def formal(self, name: str) -> Register | None:
        """A name out of the head of the function."""
        if name not in self._formals:
            self._formals[name] = self._find_formal(name)
        return self._formals[name]

    def _find_formal(self, name: str) -> Register | None:
        for chunk, index in self._definitions.mentions.of(name):
            found = self._definitions.register(name, chunk, index)
            if found is not None and self.is_parameter(found):
                return found
        return None

    def is_parameter(self, name: Register) -> bool:
        """Whether a name is declared in the head of the function."""
        place = name.declared
        return place.chunk.kinds[place.statement] == Kind.FUNCTION

    def call_of(self, passed: Register) -> tuple[StatementKey, Reached] | None:
        """The call that a ``.param`` variable is passed to or returned from, if its function is here."""
        if passed not in self._calls:
            at = next((at for at in self.uses(passed) if self._is_call(*at)), None)
            reached = self.reached(*at) if at is not None else None
            self._calls[passed] = (at, reached) if at is not None and reached is not None else None
        return self._calls[passed]

    def _is_call(self, chunk: Chunk, index: int) -> bool:
        known = transfer_function(chunk, index)
        return known is not None and known.mnemonic == "call"

    @once
    def callers(self) -> tuple[tuple[Function, StatementKey], ...] | None:
        """All calls of the function and who calls; None if another module may do so, or this one by its address."""
        symbol = self._function.symbol
        if self._is_alone or symbol is None or symbol.type != ".func" or symbol.linkage:
            return None
        found: list[tuple[Function, StatementKey]] = []
        for chunk in self._module.document.chunks:
            if symbol.name not in chunk.text:
                continue
            for index, _ in naming(chunk, symbol.name):
                if chunk.kinds[index] in _DECLARING:
                    continue
                reached = self.reached(chunk, index)
                if reached is None or reached.function is not self._function or len(found) >= _MOST_CALLERS:
                    return None
                found.append((self._module.function_of(chunk), (chunk, index)))
        return tuple(found)

    def reached(self, chunk: Chunk, index: int) -> Reached | None:
        """The function that a call calls, if its body is here."""
        at = chunk, index
        if at not in self._reached:
            self._reached[at] = None if self._is_alone else self._read_call(chunk, index)
        return self._reached[at]

    def _read_call(self, chunk: Chunk, index: int) -> Reached | None:
        known = transfer_function(chunk, index)
        call = read_call(known.tree) if known is not None else None
        if call is None or call.targets is not None:
            return None
        statement = chunk.statement(index)
        symbol = self._module.definitions.get(statement.word(call.target.name))
        if symbol is None or symbol.kind is not SymbolKind.FUNCTION or not symbol.is_definition:
            return None
        found = formals(symbol)
        function = self._module.function_of(symbol.place.chunk)
        if found is None or not function.has_body:
            return None

        def names(operand: Operand | None) -> tuple[str, ...]:
            parts = operand.parts if operand is not None else ()
            return tuple(statement.word(part.name) if part.name >= 0 else "" for part in parts)

        return Reached(
            function,
            names(call.arguments),
            names(call.results),
            tuple(one.name for one in found.parameters),
            tuple(one.name for one in found.results),
        )

    def passed_to(self, name: Register) -> tuple[Store, ...] | None:
        """The stores into a ``.param`` variable itself, before a call or as a result."""
        if name not in self._passed:
            self._passed[name] = self._find_passed(name)
        return self._passed[name]

    def _find_passed(self, name: Register) -> tuple[Store, ...] | None:
        found: list[Store] = []
        for chunk, index in self.uses(name):
            known = transfer_function(chunk, index)
            if known is None or known.mnemonic in ("ld", "call"):
                continue
            store = list(stores(known, chunk, index, name.name, 0)) if known.mnemonic == "st" else []
            if not store:
                return None
            found += store
        return tuple(found)

    def uses(self, name: Register) -> Iterator[StatementKey]:
        """The statements that name a variable after its declaration, up to the end of its block."""
        if not self._definitions.is_of_block(name):
            yield from self._definitions.uses(name)
            return
        declared = name.declared
        for chunk, index in self._definitions.within_block(name):
            if chunk is not declared.chunk or index > declared.statement:
                yield chunk, index
