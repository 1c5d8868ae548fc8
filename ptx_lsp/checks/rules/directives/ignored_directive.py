"""W607 ignored-directive."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, warning
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import FunctionHead, Tuning
from ptx_lsp.text import Span

RULE = warning("W607").in_trees(FunctionHead)


def accepts_shape(shape: Shape) -> bool:
    """Whether the head has directives."""
    return isinstance(shape.tree, FunctionHead) and bool(shape.tree.tuning)


def prefilter_statement(text: str, _datum: object) -> bool:
    """Whether one of them has an effect only with another, or may be written twice."""
    return "ctapersm" in text or any(text.count(word) > 1 for word in _replaceable())


@cache
def _replaceable() -> tuple[str, ...]:
    """The directives of which the last one counts."""
    return tuple(word.name for word in catalogue().vocabulary.tuning.values() if word.replaces)


def check(context: StatementContext) -> Iterator[Finding]:
    """`.minnctapersm` without `.maxntid` or `.reqntid`, or a directive that a later one replaces: ptxas ignores it.

    Of `.maxnreg`, `.maxntid`, `.reqntid`, `.reqnctapercluster` and others ptxas uses the last one.

    ```ptx
    //- sm_80 ptx 7.0 module
    .entry kernel() .minnctapersm 2 { ret; }
    //              ^^^^^^^^^^^^^ warning[W607]: '.minnctapersm' is ignored without '.maxntid' or '.reqntid'
    // ptxas: .minnctapersm is ignored when neither .maxntid nor .reqntid is specified.
    ```

    ```ptx
    //- sm_80 ptx 7.0 module
    .entry kernel() .maxnreg 32 .maxnreg 64 { ret; }
    //              ^^^^^^^^ warning[W607]: this '.maxnreg' is ignored; the last one counts, with 64
    // ptxas: accepts it
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
    words = [context.word(tuning.word) for tuning in tree.tuning]
    last_of = dict(zip(words, tree.tuning, strict=True))
    known = catalogue().vocabulary.tuning
    for at, tuning in enumerate(tree.tuning):
        word = known.get(words[at])
        if word is None:
            continue
        if word.beside and last_of.keys().isdisjoint(word.beside):
            beside = " or ".join(f"'{one}'" for one in word.beside)
            yield _ignored(context, tuning, f"'{word.name}' is ignored without {beside}")
            continue
        last = last_of[word.name]
        numbers = [context.word(value) for value in last.values]
        if word.replaces and last is not tuning and numbers != [context.word(value) for value in tuning.values]:
            message = f"this '{word.name}' is ignored; the last one counts, with {', '.join(numbers)}"
            yield _ignored(context, tuning, message)


def _ignored(context: StatementContext, tuning: Tuning, message: str) -> Finding:
    """The finding at a directive, with the remedy to remove it."""
    span = context.statement.span(tuning.word, max((tuning.word, *tuning.values)) + 1)
    text, start = context.statement.text, span.start
    while start and text[start - 1] == " ":
        start -= 1
    edit = Edit(Span(start, span.end), "")
    fixes = (Fix(f"remove '{context.word(tuning.word)}'", (edit,)),)
    return RULE.at(context.span(tuning.word), message, fixes=fixes)
