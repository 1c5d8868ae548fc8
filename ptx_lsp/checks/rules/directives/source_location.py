"""E112 source-location."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, Merge, Phase, PlacedFinding, error
from ptx_lsp.syntax.constants import MAX_DIGITS, integer
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import File, Location
from ptx_lsp.text import Span

RULE = error("E112", phase=Phase.SYNTAX).merged(Merge.WHOLE).in_trees(Location, File)

_BITS = 32
_MAY_BE_LARGE = re.compile(r"\d{10}|\b0[xXbB]").search
_SOME_MAY_BE_LARGE = re.compile(r"\.(?:loc|file)\b.*(?:\d{10}|\b0[xXbB])").search


def accepts_shape(shape: Shape) -> bool:
    """Lines with numbers of files."""
    return shape.kind in (Kind.LOCATION, Kind.FILE)


def prefilter_statement(text: str, _datum: object) -> bool:
    """Whether a line contains a large number."""
    return _MAY_BE_LARGE(text) is not None


def prefilter_chunk(text: str) -> bool:
    """Whether there is any in a piece of a document."""
    return _SOME_MAY_BE_LARGE(text) is not None


def check(context: StatementContext) -> Iterator[Finding]:
    """An `inlined_at` with a position that no `.loc` before it has, or a number that does not fit into 32 bits.

    ```ptx
    //- sm_80 ptx 8.0 module
    .file 1 "kernel.cu"
    .entry kernel()
    {
        .loc 1 10 5
        .loc 1 3 9, function_name name, inlined_at 1 10 6
    //                                             ^^^^^^ error[E112]: there is no '.loc 1 10 6' before this
        ret;
    }
    // ptxas: Source location 1 10 6 used in inlined_at directive must be used in a preceding .loc directive
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 8.0 module
    .file 1 "kernel.cu"
    .entry kernel()
    {
        .loc 1 10 5
        .loc 1 3 9, function_name name, inlined_at 1 10 5
        ret;
    }
    ```

    ---

    The other `.loc` can be in an earlier function. ptxas does not check whether a label follows `function_name`, and
    whether a `.file` has the number.
    """
    tree = context.statement.shape.tree
    numbers: tuple[int, ...] = ()
    if isinstance(tree, Location):
        numbers = (*tree.place, *tree.inlined_at)
    elif isinstance(tree, File):
        numbers = (tree.number,)
    for token in numbers:
        word = context.word(token)
        if len(word) <= MAX_DIGITS and integer(word) >> _BITS:
            yield RULE.at(context.span(token), f"'{word}' does not fit in {_BITS} bits")


def check_module(module: Module) -> Iterator[PlacedFinding | None]:
    """Positions that no earlier `.loc` has."""
    for missing in module.call_sites.unknown(module.document.chunks):
        if missing is None:
            yield None
            continue
        if module.summaries.has_broken(Kind.LOCATION):
            return
        place, location = missing
        statement = place.chunk.statement(place.statement)
        tree = statement.shape.tree
        if isinstance(tree, Location) and tree.inlined_at:
            first, last = statement.span(tree.inlined_at[0]), statement.span(tree.inlined_at[-1])
            message = f"there is no '.loc {' '.join(location)}' before this"
            yield PlacedFinding(place, RULE.at(Span(first.start, last.end), message))
