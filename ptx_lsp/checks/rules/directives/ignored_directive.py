"""W607 ignored-directive."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, warning
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import FunctionHead
from ptx_lsp.text import Span

RULE = warning("W607").in_trees(FunctionHead)


def accepts_shape(shape: Shape) -> bool:
    """Whether the head has directives."""
    return isinstance(shape.tree, FunctionHead) and bool(shape.tree.tuning)


def prefilter_statement(text: str, _datum: object) -> bool:
    """Whether one of them has an effect only with another."""
    return "ctapersm" in text


def check(context: StatementContext) -> Iterator[Finding]:
    """`.minnctapersm` without `.maxntid` or `.reqntid`: ptxas ignores it.

    ```ptx
    //- sm_80 ptx 7.0 module
    .entry kernel() .minnctapersm 2 { ret; }
    //              ^^^^^^^^^^^^^ warning[W607]: '.minnctapersm' is ignored without '.maxntid' or '.reqntid'
    // ptxas: .minnctapersm is ignored when neither .maxntid nor .reqntid is specified.
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0 module
    .entry kernel() .maxntid 256 .minnctapersm 2 { ret; }
    ```

    **Fixes offered:** remove the directive.
    """
    tree = context.statement.shape.tree
    if not isinstance(tree, FunctionHead):
        return
    words = {context.word(tuning.word) for tuning in tree.tuning}
    known = catalogue().vocabulary.tuning
    for tuning in tree.tuning:
        word = known.get(context.word(tuning.word))
        if word is not None and word.beside and words.isdisjoint(word.beside):
            beside = " or ".join(f"'{one}'" for one in word.beside)
            span = context.statement.span(tuning.word, max((tuning.word, *tuning.values)) + 1)
            before = context.statement.text[: span.start]
            edit = Edit(Span(len(before.rstrip(" ")), span.end), "")
            fixes = (Fix(f"remove '{word.name}'", (edit,)),)
            yield RULE.at(context.span(tuning.word), f"'{word.name}' is ignored without {beside}", fixes=fixes)
