"""E412 array-size."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.declarations import is_cut, sizes
from ptx_lsp.analysis.symbols.numbers import declared_number
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import Declaration, Declarator, OperandKind
from ptx_lsp.text import Span

RULE = error("E412").in_trees(Declaration)
_WORD = 1 << 64
"""ptxas reads a number modulo this."""
_UNUSUAL = re.compile(r"\[\s*(?:\]|0)|[<\[]\s*\w{10}", re.ASCII).search


def accepts_shape(shape: Shape) -> Kind | None:
    """Arrays, and many registers."""
    tree = shape.tree
    if isinstance(tree, Declaration) and any(one.dimensions or one.count >= 0 for one in tree.declarators):
        return shape.kind
    return None


def prefilter_statement(text: str, kind: Kind) -> bool:
    """Only arrays of registers, empty brackets, zeros and very large numbers."""
    return kind is Kind.REGISTERS and "[" in text or _UNUSUAL(text) is not None


def check(context: StatementContext) -> Iterator[Finding]:
    """An array of registers, or an array without a size.

    The first dimension can be omitted if the array is `.extern`, or has an initializer that determines the size.

    ```ptx
    //- sm_80 ptx 7.0
    .reg .b32 %part[4];
    //             ^^^ error[E412]: registers cannot be an array; '%part<n>' declares n of them
    // ptxas: Variable '%part' cannot be allocated into a register
    ```

    **Right:** `.reg .b32 %part<4>;` declares `%part0` to `%part3`

    **Fixes offered:** `<4>` for `[4]`.

    ---

    `[0]` means the same as `[]`. `%r<n>` is rejected for lack of memory from 4294967294 names on.
    """
    tree = context.statement.shape.tree
    if not isinstance(tree, Declaration):
        return
    for declarator in tree.declarators:
        finding = (
            _of_register(context, tree, declarator)
            or _of_count(context, declarator)
            or _of_size(context, tree, declarator)
        )
        if finding is not None:
            yield finding


def _of_register(context: StatementContext, tree: Declaration, declarator: Declarator) -> Finding | None:
    if tree.space != ".reg" or not declarator.dimensions:
        return None
    span = _brackets(context, declarator)
    fixes: tuple[Fix, ...] = ()
    only = declarator.dimensions[0] if len(declarator.dimensions) == 1 else -1
    if only >= 0:
        count = f"<{context.word(only)}>"
        fixes = (Fix(f"write '{count}'", (Edit(span, count),)),)
    message = f"registers cannot be an array; '{context.word(declarator.name)}<n>' declares n of them"
    return RULE.at(span, message, fixes=fixes)


def _of_count(context: StatementContext, declarator: Declarator) -> Finding | None:
    if declarator.count < 0:
        return None
    most = catalogue().vocabulary.limit("numbered names", context.module.version, context.module.target)
    if declared_number(context.word(declarator.count)) % _WORD <= most:
        return None
    return RULE.at(context.span(declarator.count), f"too many names; at most {most} can be declared")


def _of_size(context: StatementContext, tree: Declaration, declarator: Declarator) -> Finding | None:
    dimensions = sizes(context.statement, declarator)
    if 0 in dimensions[1:]:
        return RULE.at(_brackets(context, declarator), "only the first dimension can be omitted or 0")
    if dimensions[:1] != [0] or _is_extern(context, tree) or _gives_size(context, declarator):
        return None
    name = context.word(declarator.name)
    message = f"'{name}' has no size; only '.extern' and initialized arrays can omit it"
    return RULE.at(_brackets(context, declarator), message)


def _is_extern(context: StatementContext, tree: Declaration) -> bool:
    return tree.linkage >= 0 and context.word(tree.linkage) == ".extern"


def _gives_size(context: StatementContext, declarator: Declarator) -> bool:
    """Whether the initializer gives the size of an array; other rules check the initializer."""
    value = declarator.initializer
    if value is None:
        return is_cut(context.statement)
    return value.kind is not OperandKind.VECTOR or bool(value.parts)


def _brackets(context: StatementContext, declarator: Declarator) -> Span:
    """The span of all ``[...]`` after a name."""
    last = declarator.name
    for dimension in declarator.dimensions:
        last += 2 if dimension < 0 else 3
    return Span(context.span(declarator.name + 1).start, context.span(last).end)
