"""W614 launch-limits."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, warning
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.operand_pattern import in_ranges
from ptx_lsp.isa.vocabulary.records import DirectiveWord
from ptx_lsp.syntax.constants import integer_or_none
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import FunctionHead, Tuning
from ptx_lsp.text import Span

RULE = warning("W614")


def accepts_shape(shape: Shape) -> bool:
    """Heads of functions with directives that have numbers."""
    return isinstance(shape.tree, FunctionHead) and any(tuning.values for tuning in shape.tree.tuning)


def check(context: StatementContext) -> Iterator[Finding]:
    """A kernel that asks for more threads, registers or CTAs than any GPU has: it cannot be launched.

    ```ptx
    //- sm_80 ptx 7.0 module
    .entry kernel() .maxntid 64, 32, 1 { ret; }
    //                       ^^^^^^^^^ warning[W614]
    // ptxas: accepts it
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 module
    .entry kernel() .maxntid 32, 32, 1 { ret; }
    ```

    ---

    A CTA has 1024 threads at most, 64 of them in the third dimension; a thread has 255 registers at most; a cluster
    has 8 CTAs, or 16 if the program asks for that.
    """
    tree = context.statement.shape.tree
    if not isinstance(tree, FunctionHead):
        return
    directives = catalogue().vocabulary.directives
    for tuning in tree.tuning:
        directive = directives.get(context.word(tuning.word))
        if directive is not None and directive.limits:
            yield from _outside(context, tuning, directive)


def _outside(context: StatementContext, tuning: Tuning, directive: DirectiveWord) -> Iterator[Finding]:
    numbers = [integer_or_none(context.word(token)) for token in tuning.values]
    name = directive.name
    for token, number, limits in zip(tuning.values, numbers, directive.limits, strict=False):
        # Zero is an error of its own.
        if number and not in_ranges((limits,), number):
            yield RULE.at(context.span(token), f"'{number}' is more than '{name}' can be: {limits[1]}")
            return
    whole = prod(number for number in numbers if number)
    if directive.product and whole > directive.product:
        span = Span(context.span(tuning.values[0]).start, context.span(tuning.values[-1]).end)
        yield RULE.at(span, f"the product of '{name}' is {whole}; no GPU has more than {directive.product}")
