"""E115 unknown-language."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, Phase, error
from ptx_lsp.checks.support.wording import listed, nearest
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.constants import MAX_DIGITS, integer
from ptx_lsp.syntax.kind import HEADS, Kind
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tokens import TokenKind
from ptx_lsp.syntax.tree import FunctionHead, Prototype

RULE = error("E115", phase=Phase.SYNTAX).in_trees(FunctionHead, Prototype)


def accepts_shape(shape: Shape) -> bool:
    """Heads of functions."""
    return shape.kind == Kind.PROTOTYPE or shape.kind in HEADS


def prefilter_statement(text: str, _datum: object) -> bool:
    """Whether one names a language."""
    return ".language" in text


def prefilter_chunk(text: str) -> bool:
    """Whether there is any in a piece of a document."""
    return ".language" in text


def check(context: StatementContext) -> Iterator[Finding]:
    """A language after `.language` that PTX does not know.

    ```ptx
    //- sm_90 ptx 9.3 module
    .entry kernel() .language "c++" { ret; }
    //                        ^^^^^ error[E115]: unknown language "c++"; did you mean 'cuda c++'?
    // ptxas: Parsing error near 'c++': Invalid language name
    ```

    **Right:** `.language "cuda c++"`

    **Fixes offered:** the name with the most similar spelling.

    ---

    Allowed are names in quotes, in upper or lower case, and numbers from 0 to 10.
    """
    tree = context.statement.shape.tree
    languages = catalogue().vocabulary.rare.languages
    if not isinstance(tree, FunctionHead | Prototype):
        return
    highest = max(language.number for language in languages.values())
    for tuning in tree.tuning:
        if context.word(tuning.word) != ".language":
            continue
        for token in tuning.values:
            word, span = context.word(token), context.span(token)
            if context.statement.tokens[token].kind is TokenKind.INTEGER:
                if len(word) > MAX_DIGITS or integer(word) > highest:
                    yield RULE.at(span, f"a language number must be 0 to {highest}")
            elif word.strip('"').lower() not in languages:
                name = word.strip('"').lower()
                similar = (one for one in languages if name and name in one.split())
                near = nearest(name, languages) or next(similar, None)
                fixes = (Fix(f"write '\"{near}\"'", (Edit(span, f'"{near}"'),)),) if near else ()
                ending = (
                    f"; did you mean '{near}'?"
                    if near
                    else f"; expected {listed([repr(one) for one in languages], _FEW)}"
                )
                yield RULE.at(span, f"unknown language {word[:_LONGEST]}{ending}", fixes=fixes)


_LONGEST = 32
_FEW = 4
