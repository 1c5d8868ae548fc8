"""E205 wrong-symbol."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.matcher import meanings
from ptx_lsp.analysis.statements.role_misuse import LISTED, MisuseKind, role_misuses
from ptx_lsp.analysis.symbols.calls import has_callees, is_table, read_call, role_of
from ptx_lsp.analysis.symbols.symbols import OPERANDS, Symbol, SymbolKind
from ptx_lsp.checks.support.finding import HERE, Finding, error
from ptx_lsp.syntax.tree import Instruction, Targets

RULE = error("E205").in_trees(Instruction, Targets)
_SORTS = {
    SymbolKind.REGISTER: "a register",
    SymbolKind.VARIABLE: "a variable",
    SymbolKind.PARAMETER: "a parameter",
    SymbolKind.LABEL: "a label",
    SymbolKind.FUNCTION: "a function",
    SymbolKind.PROTOTYPE: "a prototype",
    SymbolKind.TARGETS: "a list of targets",
    SymbolKind.CONSTANT: "a constant",
}


def check(context: StatementContext) -> Iterator[Finding]:
    """A name of the wrong kind: a label where `brx.idx` expects a list, a variable in a list of functions.

    ```ptx
    //- sm_80 ptx 7.0
    CASE0:
    brx.idx %r1, CASE0;
    //           ^^^^^ error[E205]: 'CASE0' is a label (line 7); 'brx.idx' expects a '.branchtargets' list
    // ptxas: Label with '.branchtargets' directive expected for argument 1 of instruction 'brx.idx'
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0
    CASES: .branchtargets CASE0, CASE1;
    brx.idx %r1, CASES;
    CASE0:
    CASE1:
    ```

    ---

    - `bra` and `.branchtargets` expect labels of instructions.
    - `.calltargets` expects functions that are declared before.
    - An indirect `call` expects a `.callprototype`, a `.calltargets` list, or a `.u64` array in `.global` or `.const`
      that is initialized with functions.
    """
    tree = context.statement.shape.tree
    if isinstance(tree, Targets):
        yield from _listed(context, tree)
    if context.instruction is not None:
        yield from _named(context, context.instruction)
        yield from _called(context, context.instruction)


def _listed(context: StatementContext, tree: Targets) -> Iterator[Finding]:
    word = context.word(tree.word)
    wanted = LISTED[word]
    for declarator in tree.names:
        symbol = context.symbols.get(declarator.name)
        if symbol is None or symbol.kind is SymbolKind.UNKNOWN:
            continue
        if symbol.code and OPERANDS[symbol.code].kind != wanted:
            what = "labels" if wanted == "label" else "functions"
            message = f"'{context.word(declarator.name)}' is {_sort(symbol)}{HERE}; '{word}' lists {what}"
            yield RULE.at(context.span(declarator.name), message).explained_by(symbol)


def _named(context: StatementContext, tree: Instruction) -> Iterator[Finding]:
    for misuse, token in role_misuses(tree, meanings(context.statement.shape, context.codes), context.module.version):
        symbol = context.symbols.get(token)
        if symbol is None or symbol.kind is SymbolKind.UNKNOWN:
            continue
        if misuse is MisuseKind.NO_PLACE:
            wanted = f"'{tree.opcode[0]}' expects a label"
            if symbol.kind is not SymbolKind.LABEL:  # a label with an offset is no operand of the right kind
                yield RULE.at(context.span(token), f"'{symbol.name}' is {_sort(symbol)}{HERE}; {wanted}").explained_by(
                    symbol
                )
        elif misuse is MisuseKind.NO_LIST:
            message = f"'{symbol.name}' is {_sort(symbol)}{HERE}; 'brx.idx' expects a '.branchtargets' list"
            yield RULE.at(context.span(token), message).explained_by(symbol)


def _called(context: StatementContext, tree: Instruction) -> Iterator[Finding]:
    call = read_call(tree)
    if call is None or call.targets is None:
        return
    symbol, target = context.symbols.get(call.targets.name), context.symbols.get(call.target.name)
    if symbol is None or target is None or target.kind is not SymbolKind.REGISTER:
        return
    if symbol.kind in (SymbolKind.CONSTANT, SymbolKind.UNKNOWN):  # of the first E402 says so
        return
    if not has_callees(symbol):
        message = f"'{symbol.name}' is {_sort(symbol)}{HERE}; 'call' expects a prototype or a list of functions"
        yield RULE.at(context.span(call.targets.name), message).explained_by(symbol)


def _sort(symbol: Symbol) -> str:
    if symbol.kind is SymbolKind.TARGETS:
        return f"a '{role_of(symbol)}' list"
    if symbol.kind is SymbolKind.VARIABLE and is_table(symbol):
        return "a table"
    return _SORTS[symbol.kind]
