"""E116 constant-bank."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, Phase, error
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.constants import MAX_DIGITS, integer
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import Declaration

RULE = error("E116", phase=Phase.SYNTAX).in_trees(Declaration)

_LAST = 10
_INCOMPLETE = -1


def accepts_shape(shape: Shape) -> bool:
    """Declarations with a bank."""
    return isinstance(shape.tree, Declaration) and shape.tree.bank >= 0


def check(context: StatementContext) -> Iterator[Finding]:
    """A variable that is not allowed in this constant bank. PTX had such banks up to version 2.1.

    ```ptx
    //- sm_20 ptx 2.0 module
    .const[1] .u32 factor;
    //     ^ error[E116]: banks 1 to 10 are for '.extern' arrays without a size, 'name[]'
    // ptxas: Constant banks 1..11 are reserved for external incomplete arrays
    ```

    **Right:** `.extern .const[1] .b8 factors[];`, or `.const .u32 factor;` without a bank

    ---

    Banks 1 to 10, from PTX 1.5, are for `.extern` arrays without a size, which another module defines; all other
    variables are in bank 0. Only `.const` has banks.
    """
    tree = context.statement.shape.tree
    if not isinstance(tree, Declaration) or tree.bank < 0:
        return
    span, word = context.span(tree.bank), context.word(tree.bank)
    if tree.space != ".const":
        yield RULE.at(span, f"'{tree.space}' has no banks; only '.const' has them, up to PTX 2.1")
        return
    parts = catalogue().vocabulary.rare.directive_parts
    module = context.module
    if parts["bank"].gate.why_not(module.version, module.target) is not None or len(word) > MAX_DIGITS:
        return
    number = integer(word)
    need = parts["upper bank"].gate.why_not(module.version, module.target) if number else None
    is_extern = tree.linkage >= 0 and context.word(tree.linkage) == ".extern"
    is_open = [bool(one.dimensions) and one.dimensions[0] == _INCOMPLETE for one in tree.declarators]
    if need is not None:
        message = f"constant banks above 0 need PTX {need.version}; this module is PTX {module.version}"
        yield RULE.at(span, message).needing(version=need.version)
    elif number > _LAST:
        yield RULE.at(span, f"there is no constant bank {word}; the last is {_LAST}")
    elif number and not (is_extern and all(is_open)):
        yield RULE.at(span, "banks 1 to 10 are for '.extern' arrays without a size, 'name[]'")
    elif not number and is_extern and any(is_open):
        yield RULE.at(span, "'.extern' arrays without a size must be in banks 1 to 10, not in 0")
