"""E207 alias."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.symbols.aliases import aliases_in
from ptx_lsp.analysis.symbols.function_agreement import same_signature
from ptx_lsp.analysis.symbols.symbols import Place, Symbol, SymbolKind
from ptx_lsp.checks.support.finding import Finding, PlacedFinding, error
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Alias

RULE = error("E207")


def module_facts(function: Function) -> Hashable:
    """Its `.alias` lines."""
    return tuple(function.aliases)


def check_module(module: Module) -> Iterator[PlacedFinding | None]:
    """An `.alias` that is not allowed between these names.

    The alias must be a function that is declared before and has no body; the aliased function must have the same
    prototype and be neither `.weak` nor `.extern`.

    ```ptx
    //- sm_80 ptx 7.0 module
    .weak .func real() { ret; }
    .visible .func other();
    .alias other, real;
    //            ^^^^ error[E207]: 'real' is '.weak' and cannot be aliased (line 5)
    // ptxas: Function 'real' with .weak scope cannot be aliased
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 module
    .visible .func real() { ret; }
    .visible .func other();
    .alias other, real;
    ```

    ---

    The manual requires the aliased function to be defined in the module; ptxas accepts a declaration.
    """
    aliased: dict[str, Symbol] = {}
    for function in module.functions:
        yield None
        for place in function.aliases:
            yield None
            words = place.chunk.derived(aliases_in).get(place.statement)
            if words is None or words.name not in module.globals.names or words.target not in module.globals.names:
                continue  # which is said elsewhere
            statement = place.chunk.statement(place.statement)
            tree = statement.shape.tree
            if isinstance(tree, Alias) and not statement.shape.errors:
                finding = _finding(module, place, statement, tree, aliased)
                if finding is not None:
                    yield PlacedFinding(place, finding)


def _finding(
    module: Module, place: Place, statement: Statement, tree: Alias, aliased: dict[str, Symbol]
) -> Finding | None:
    name, target = (module.globals.names.get(statement.word(token)) for token in (tree.name, tree.target))
    if name is None or target is None or any(_is_declared_after(module, place, one) for one in (name, target)):
        return None
    for token, symbol in ((tree.name, name), (tree.target, target)):
        if symbol.kind is not SymbolKind.FUNCTION or symbol.type == ".entry":
            what = "kernel" if symbol.kind is SymbolKind.FUNCTION else "variable"
            message = f"'{symbol.name}' is a {what}; only functions can be aliased"
            return RULE.at(statement.span(token), message).explained_by(symbol)
    body = module.definitions.get(name.name)
    if body is not None and not _is_declared_after(module, place, body):
        message = f"'{name.name}' has a body; an alias must be declared without one"
        return RULE.at(statement.span(tree.name), message).explained_by(body)
    if target.linkage in (".weak", ".extern"):
        message = f"'{target.name}' is '{target.linkage}' and cannot be aliased"
        return RULE.at(statement.span(tree.target), message).explained_by(target)
    if name.name in aliased:
        return RULE.at(statement.span(tree.name), f"'{name.name}' is already an alias")
    aliased[name.name] = target
    if (
        name.signature is not None
        and target.signature is not None
        and not same_signature(name.signature, target.signature)
    ):
        message = f"the prototypes of '{target.name}' and '{name.name}' differ"
        return RULE.at(statement.span(tree.target), message).explained_by(target)
    return None


def _is_declared_after(module: Module, place: Place, symbol: Symbol) -> bool:
    """Whether a symbol is declared after the alias."""
    return module.positions.is_before(place.chunk, place.statement, symbol.place)
