"""Comparison of calls with the functions and prototypes that they name.

Source: PTX ISA, "Control Flow Instructions: call", ".callprototype", ".calltargets"; the
comparison was measured with ptxas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum

from ptx_lsp.analysis.symbols.call_layout import CallLayout, Difference, passing_differences, takes_constant
from ptx_lsp.analysis.symbols.special_names import special_names
from ptx_lsp.analysis.symbols.symbols import OPERANDS, FunctionSignature, Scope, Symbol, SymbolKind
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind


class Call(NamedTuple):
    """The parts of a call statement."""

    target: Operand
    results: Operand | None
    arguments: Operand | None
    targets: Operand | None
    """The prototype, list or table of an indirect call."""


def read_call(tree: Instruction) -> Call | None:
    """The parts of a call; None for any other instruction, and for a call without a target."""
    if tree.opcode[0] != "call":
        return None
    at = next((at for at, operand in enumerate(tree.operands) if operand.kind is OperandKind.NAME), None)
    if at is None or at > 1:
        return None
    rest = tree.operands[at + 1 :]
    arguments = rest[0] if rest and rest[0].kind is OperandKind.ARGUMENTS else None
    others = rest[1:] if arguments is not None else rest
    targets = others[0] if len(others) == 1 and others[0].kind is OperandKind.NAME else None
    return Call(tree.operands[at], tree.operands[0] if at else None, arguments, targets)


def argument_count(arguments: Operand | None) -> int:
    """The number of arguments in parentheses; 0 without parentheses."""
    return len(arguments.parts) if arguments is not None else 0


class CallFault(Enum):
    """The kinds of faults of a call."""

    RESULTS = "results"
    """The number of results differs."""
    ARGUMENTS = "arguments"
    TYPE = "type"
    """The type or length differs from the parameter's."""
    ALIGNMENT = "alignment"
    CONSTANT = "constant"
    SINK = "sink"
    """``_`` in place of a value."""
    SPACE = "space"
    """Neither a register nor a constant nor a ``.param`` variable."""
    FORWARDED = "forwarded"
    """A ``.param`` parameter of the caller."""


class BadCall(NamedTuple):
    """A fault of a call and its operand."""

    fault: CallFault
    operand: Operand | None = None
    passed: CallLayout | None = None
    formal: CallLayout | None = None
    number: int = 0
    """The number of the result or parameter, from 1."""
    is_result: bool = False


Lookup = Callable[[Operand], Symbol | None]
"""Returns the declaration that the name of an operand refers to."""


def call_faults(call: Call, signature: FunctionSignature, statement: Statement, lookup: Lookup) -> Iterator[BadCall]:
    """The faults of a call of a function with the given signature."""
    given, wanted = argument_count(call.results), len(signature.results)
    if given != wanted:
        yield BadCall(CallFault.RESULTS, call.results)
    elif call.results is not None:
        for number, (operand, formal) in enumerate(zip(call.results.parts, signature.results, strict=True), 1):
            if operand.kind is not OperandKind.SINK:
                yield from _passed(operand, formal, number, True, statement, lookup)
    given, wanted = argument_count(call.arguments), len(signature.parameters)
    can_be_short = signature.is_open and call.arguments is not None
    if given != wanted and not (can_be_short and given == wanted - 1):
        yield BadCall(CallFault.ARGUMENTS, call.arguments)
    elif call.arguments is not None:
        for number, (operand, formal) in enumerate(zip(call.arguments.parts, signature.parameters, strict=False), 1):
            yield from _passed(operand, formal, number, False, statement, lookup)


def _passed(
    operand: Operand, formal: CallLayout, number: int, is_result: bool, statement: Statement, lookup: Lookup
) -> Iterator[BadCall]:
    fault, passed = _fault_of(operand, formal, statement, lookup)
    if fault is not None:
        yield BadCall(fault, operand, passed, formal, number, is_result)


def _fault_of(
    operand: Operand, formal: CallLayout, statement: Statement, lookup: Lookup
) -> tuple[CallFault | None, CallLayout | None]:
    if operand.kind is OperandKind.SINK:
        return CallFault.SINK, None
    if operand.kind is not OperandKind.NAME:
        value = evaluate(statement, operand)
        if value is None:
            return None, None
        type_ = "" if not isinstance(value, float) else ".f32" if _is_exact(statement, operand) else ".f64"
        return (None if takes_constant(formal, type_) else CallFault.CONSTANT), None
    symbol = lookup(operand)
    if symbol is None and statement.word(operand.name) in special_names():
        return CallFault.SPACE, None
    if symbol is None or symbol.code == 0:
        return None, None  # undeclared, or of an undeclarable type: reported by other checks
    if symbol.kind is SymbolKind.PARAMETER and symbol.space == ".param":
        return CallFault.FORWARDED, symbol.layout
    if symbol.layout is None:
        return CallFault.SPACE, None
    differences = passing_differences(formal, symbol.layout)
    if not differences:
        return None, symbol.layout
    only_aligned = differences == (Difference.ALIGNMENT,)
    return (CallFault.ALIGNMENT if only_aligned else CallFault.TYPE), symbol.layout


def _is_exact(statement: Statement, operand: Operand) -> bool:
    return statement.word(operand.first)[:2] in ("0f", "0F")


def role_of(symbol: Symbol) -> str:
    """The role of a label or ``.param`` variable, see :class:`.ActualOperand`."""
    return OPERANDS[symbol.code].role


def callees(symbol: Symbol, scope: Scope) -> list[tuple[str, FunctionSignature]] | None:
    """The possible callees, or the prototype, of an indirect call through a symbol, by name; else None."""
    if not has_callees(symbol):
        return None
    if symbol.kind is SymbolKind.PROTOTYPE and symbol.signature is not None:
        return [(symbol.name, symbol.signature)]
    return _functions(symbol.members, scope)


def has_callees(symbol: Symbol) -> bool:
    """Whether an indirect call can be made through a symbol: a prototype, a list or a table of functions."""
    if symbol.kind is SymbolKind.PROTOTYPE:
        return symbol.signature is not None
    return is_table(symbol) or (symbol.kind is SymbolKind.TARGETS and role_of(symbol) == ".calltargets")


def _functions(names: tuple[str, ...], scope: Scope) -> list[tuple[str, FunctionSignature]]:
    found = []
    for name in dict.fromkeys(names):
        symbol = scope.lookup(name)
        if symbol is not None and symbol.type == ".func" and symbol.signature is not None:
            found.append((name, symbol.signature))
    return found


def is_table(symbol: Symbol) -> bool:
    """Whether a variable can be the table of an indirect call: an array of addresses with an initializer."""
    return symbol.kind is SymbolKind.VARIABLE and bool(symbol.members)
