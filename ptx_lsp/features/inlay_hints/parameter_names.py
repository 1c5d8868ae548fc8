"""``call (sum: r), add, (x: a, y: b);``: the parameter names of a call's arguments.

Compiler-generated names (``foo_param_0``) are omitted, and those that equal the argument.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ptx_lsp.analysis.symbols.calls import callees, read_call
from ptx_lsp.analysis.symbols.parameters import Formal, Formals, formals
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.features.inlay_hints.hint import Hint, HintPosition, shortened
from ptx_lsp.features.inlay_hints.visible_statement import VisibleStatement
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind


def applies_to(shape: Shape) -> bool:
    """Whether it is a call."""
    return shape.opcode[:1] == ("call",) and not shape.errors


def hints(seen: VisibleStatement) -> Iterator[Hint]:
    """Yield the parameter names of the called function."""
    tree = seen.context.instruction
    call = read_call(tree) if isinstance(tree, Instruction) else None
    if call is None:
        return
    function = seen.context.symbols.get(call.target.name)
    if function is not None and function.kind is SymbolKind.FUNCTION:
        wanted = _formals(seen, function)
    elif call.targets is not None:
        wanted = _common(seen, seen.context.symbols.get(call.targets.name))
    else:
        return
    if wanted is not None:
        yield from _named(seen, call.results, wanted.results)
        yield from _named(seen, call.arguments, wanted.parameters)


def _formals(seen: VisibleStatement, function: Symbol) -> Formals | None:
    """Return the parameters of the function's definition, else of its declaration."""
    defined = seen.module.definitions.get(function.name)
    return formals(defined if defined is not None and defined.kind is SymbolKind.FUNCTION else function)


def _common(seen: VisibleStatement, targets: Symbol | None) -> Formals | None:
    """Return the parameters of the possible targets of an indirect call if all have the same names, else None."""
    found = callees(targets, seen.context.scope) if targets is not None else None
    if targets is None or found is None or targets.kind is SymbolKind.PROTOTYPE:
        return None
    symbols = [seen.context.scope.lookup(name) for name, _ in found]
    all_of_them = [_formals(seen, symbol) for symbol in symbols if symbol is not None]
    first = all_of_them[0] if all_of_them else None
    return first if all(other is not None and _names(other) == _names(first) for other in all_of_them) else None


def _names(one: Formals | None) -> object:
    return None if one is None else [[formal.name for formal in part] for part in one]


def _named(seen: VisibleStatement, operands: Operand | None, wanted: Iterable[Formal]) -> Iterator[Hint]:
    if operands is None:
        return
    for operand, formal in zip(operands.parts, wanted, strict=False):
        if operand.kind is OperandKind.SINK or formal.name == "_" or formal.is_numbered:
            continue
        if seen.context.text_of(operand) != formal.name:
            yield _hint(seen, operand, formal)


def _hint(seen: VisibleStatement, operand: Operand, formal: Formal) -> Hint:
    def tooltip() -> str:
        function = seen.module.function_of(formal.place.chunk).symbol
        of = f" of `{function.name}`" if function is not None else ""
        return f"the parameter `{formal.name}`{of}, line {seen.module.positions.line_of(formal.place)}"

    offset = seen.start + seen.context.operand_span(operand).start
    label = shortened(f"{formal.name}:")
    return Hint(offset, label, "parameter_names", HintPosition.BEFORE, tooltip, formal.place)
