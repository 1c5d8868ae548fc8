"""W605 unknown-pragma."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.pragmas import pragma_strings
from ptx_lsp.checks.support.finding import Finding, warning
from ptx_lsp.checks.support.wording import nearest
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.kind import HEADS, Kind
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import FunctionHead, Pragma, Prototype

RULE = warning("W605").in_trees(Pragma, FunctionHead, Prototype)


def accepts_shape(shape: Shape) -> bool:
    """Statements that may contain a ``.pragma``."""
    return shape.kind == Kind.PRAGMA or shape.kind in HEADS


def prefilter_statement(text: str, _datum: object) -> bool:
    """Whether a statement does."""
    return ".pragma" in text


def prefilter_chunk(text: str) -> bool:
    """Whether there is any in a piece of a document."""
    return ".pragma" in text


def check(context: StatementContext) -> Iterator[Finding]:
    """A `.pragma` string that ptxas does not know.

    ```ptx
    //- sm_80 ptx 8.0 module
    .entry kernel()
    {
        .pragma "nounrol";
        //      ^^^^^^^^^ warning[W605]: unknown pragma 'nounrol'; did you mean 'nounroll'?
        ret;
    }
    ```

    **Right:** `.pragma "nounroll";`

    **Fixes offered:** the string with the most similar spelling.

    ---

    When it only checks, ptxas accepts unknown strings. When it assembles, it warns about them in functions and refuses
    them outside of functions.
    """
    known = catalogue().vocabulary.rare.pragmas
    for token, name, rest in pragma_strings(context.statement):
        if name in known or not name.isascii():
            continue
        near = nearest(name.lower(), known)
        span = context.span(token)
        shown = name if len(name) <= _LONGEST_SHOWN else name[:_LONGEST_SHOWN] + "…"
        if near is None:
            yield RULE.at(span, f"unknown pragma '{shown}'")
            continue
        meant = f'"{near} {rest}"' if rest else f'"{near}"'
        fix = Fix(f"write '{meant}'", (Edit(span, meant),))
        yield RULE.at(span, f"unknown pragma '{shown}'; did you mean '{near}'?", fixes=(fix,))


_LONGEST_SHOWN = 32
