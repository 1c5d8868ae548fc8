"""E416 variable-linkage."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.declarations import OPAQUE
from ptx_lsp.checks.support.finding import Finding, PlacedFinding, error
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import Declaration
from ptx_lsp.text import Span

RULE = error("E416").in_trees(Declaration)


def accepts_shape(shape: Shape) -> bool:
    """Variables with a linkage word."""
    return isinstance(shape.tree, Declaration) and shape.tree.linkage >= 0


def check(context: StatementContext) -> Iterator[Finding]:
    """A linkage directive that is not allowed for the variable.

    - `.extern`, `.visible`, `.weak` and `.common` are only allowed outside of functions.
    - `.common` is only allowed for `.global` variables, and not for textures, samplers or surfaces.
    - A variable that is declared `.extern` before must be defined as `.visible`, `.weak` or `.common`.

    ```ptx
    //- sm_80 ptx 7.0
    .visible .shared .b32 buffer[16];
    // <--- error[E416]: '.visible' is only allowed outside of functions
    // ptxas: Parsing error near '.shared': syntax error
    ```

    **Right:** `.shared .b32 buffer[16];`

    **Fixes offered:** remove the directive; insert `.visible` if it is missing.
    """
    tree = context.statement.shape.tree
    if not isinstance(tree, Declaration) or tree.linkage < 0:
        return
    word = context.word(tree.linkage)
    span = context.span(tree.linkage)
    if context.is_inside:
        remove = Fix(f"remove '{word}'", (Edit(Span(span.start, context.span(tree.linkage + 1).start), ""),))
        yield RULE.at(span, f"'{word}' is only allowed outside of functions", fixes=(remove,))
    elif word == ".common" and tree.space != ".global":
        yield RULE.at(context.span(tree.space_token), f"a '.common' variable must be in '.global', not '{tree.space}'")
    elif word == ".common" and tree.type in OPAQUE and not any(one.dimensions for one in tree.declarators):
        yield RULE.at(context.span(tree.type_token), f"a '{tree.type}' cannot be '.common'")


def check_module(module: Module) -> Iterator[PlacedFinding | None]:
    """Variables that are declared as `.extern` and then defined without linkage."""
    for symbol, earlier in module.redeclared.hidden:
        statement = symbol.place.chunk.statement(symbol.place.statement)
        start = statement.span(0).start
        fix = Fix("insert '.visible'", (Edit(Span(start, start), ".visible "),))
        message = f"'{symbol.name}' is declared '.extern'; its definition must be '.visible', '.weak' or '.common'"
        yield PlacedFinding(
            symbol.place, RULE.at(statement.span(symbol.place.token), message, fixes=(fix,)).explained_by(earlier)
        )
