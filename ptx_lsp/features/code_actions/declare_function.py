"""Quick fix: declare a function that a call names and that is not declared.

Source: PTX ISA, "Function Declarations and Definitions", "Linking Directives: .extern".
"""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.diagnostic import Diagnostic, Edit
from ptx_lsp.features.code_actions.action import ActionRequest, CodeAction
from ptx_lsp.syntax.tree import Operand, OperandKind
from ptx_lsp.text import Span


def declare_function(request: ActionRequest, here: list[Diagnostic]) -> Iterator[CodeAction]:
    """Declare the called function as ``.extern``, with parameters derived from the call's arguments."""
    cursor = request.cursor
    missing = tuple(one for one in here if one.code == "E201")
    if not missing or cursor is None or cursor.token not in cursor.context.names.undeclared:
        return
    context, name = cursor.context, cursor.word
    tree = context.instruction
    if tree is None or tree.opcode[0] != "call":
        return
    at = next((at for at, one in enumerate(tree.operands) if one.name == cursor.token), None)
    if at is None or tree.operands[at].kind is not OperandKind.NAME or at > 1:
        return
    results = _parameters(context, tree.operands[0], "result") if at == 1 else []
    passed = tree.operands[at + 1] if len(tree.operands) > at + 1 else None
    if passed is not None and passed.kind is not OperandKind.ARGUMENTS:
        return
    parameters = _parameters(context, passed, "parameter") if passed is not None else []
    if results is None or parameters is None:
        return
    returned = f"({', '.join(results)}) " if results else ""
    declaration = f".extern .func {returned}{name}({', '.join(parameters)});\n"
    head = context.function.symbol
    if head is None:
        return
    statement = context.function.first.statement(0)
    start = request.module.positions.statement_start(context.function.first, 0) + statement.lead
    yield CodeAction(f"declare '.extern .func {name}'", (Edit(Span(start, start), declaration),), missing)


def _parameters(context: StatementContext, list_: Operand, stem: str) -> list[str] | None:
    """Return the parameter declarations for an argument list; None if a type is not determined by the call."""
    if list_.kind is not OperandKind.ARGUMENTS:
        return None
    found = []
    for number, part in enumerate(list_.parts):
        symbol = context.symbols.get(part.name) if part.kind is OperandKind.NAME and not part.selector else None
        layout = symbol.layout if symbol is not None else None
        if layout is None or layout.vector or layout.type == ".pred":
            return None
        written = str(layout)
        bracket = written.find("[")
        type_, length = (written, "") if bracket < 0 else (written[:bracket], written[bracket:])
        found.append(f".param {type_} {stem}{number}{length}")
    return found
