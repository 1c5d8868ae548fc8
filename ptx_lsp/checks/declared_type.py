"""E407 declared-type."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.declarations import declarations_in
from ptx_lsp.analysis.use import Use
from ptx_lsp.checks.finding import Finding, error
from ptx_lsp.checks.wording import did_you_mean, nearest
from ptx_lsp.isa.catalogue import catalogue

RULE = error("E407")


def check(use: Use) -> Iterator[Finding]:
    """A declaration with a type that registers and variables cannot have.

    Short and packed formats (`.bf16`, `.tf32`, `.e4m3x2`) are types of instructions; their values live in untyped
    registers of the same size.

    ```ptx
    //- sm_80 ptx 7.0
    .reg .bf16 half;
    //   ^^^^^ error[E407]
    // ptxas: Parsing error near '.bf16': syntax error
    ```

    **Right:** `.reg .b16 half;`

    **Fixes offered:** the type of the registers that hold such values, or the type that is spelled most like it.
    """
    vocabulary = catalogue().vocabulary
    for declaration in declarations_in(use.statement.shape.tree):
        if declaration.type_token < 0 or declaration.type in vocabulary.declarable:
            continue
        span = use.span(declaration.type_token)
        word = vocabulary.types.get(declaration.type)
        if word is not None and word.tolerated:
            continue
        if word is not None and word.holder:
            ending, fixes = did_you_mean(span, word.holder)
            message = f"no register or variable is '{declaration.type}'; its values live in {word.holder}"
            yield RULE.at(span, message, fixes=fixes)
            continue
        ending, fixes = did_you_mean(span, nearest(declaration.type, vocabulary.declarable))
        yield RULE.at(span, f"nothing can be declared with the type '{declaration.type}'{ending}", fixes=fixes)
