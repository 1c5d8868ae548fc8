"""H903 deprecated-spelling."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, hint
from ptx_lsp.checks.support.mismatches import qualifier_span, written_opcode
from ptx_lsp.checks.support.modern_spelling import modern_spelling
from ptx_lsp.diagnostic import Tag
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.form import Deprecated
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.syntax.shape import Shape

RULE = hint("H903")


def accepts_shape(shape: Shape) -> bool:
    """Instructions that are written as their page says one should no longer."""
    return bool(shape.opcode) and _is_old(shape.opcode)


@cache
def _is_old(opcode: tuple[str, ...]) -> bool:
    return any(
        one.word in opcode and not (one.instead and _better(one).issubset(opcode))
        for page in catalogue().candidates(opcode)
        for one in _deprecated_on(page)
    )


@cache
def _deprecated_on(page: InstructionPage) -> tuple[Deprecated, ...]:
    return tuple(one for form in page.forms for one in form.deprecated)


def _better(one: Deprecated) -> set[str]:
    """The words of the better opcode."""
    first, *others = one.instead.partition(" ")[0].split(".")
    return {first, *(f".{word}" for word in others)}


def check(context: StatementContext) -> Iterator[Finding]:
    """A spelling that the manual advises against, since there is a better one. Newer targets do not have it.

    ```ptx
    //- sm_60 ptx 6.0
    shfl.idx.b32 %r1, %r2, 0, 31;
    // <--- hint[H903]
    // ptxas: accepts it
    ```

    **Right:** `shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;`

    **Fixes offered:** the better spelling. A mask `-1` says that all lanes of the warp take part; where that is not so,
    the mask has to be found by hand.
    """
    found, tree = context.match, context.instruction
    if found is None or tree is None or not found.fits or found.notes:
        return
    for one in found.form.deprecated:
        if one.word not in tree.opcode or not one.gate.allows(context.module.version, context.module.target):
            continue
        at = tree.opcode.index(one.word)
        better = one.instead.partition(" ")[0] or f"without '{one.word}'"
        message = f"'{one.word}' is deprecated in '{written_opcode(context)}'"
        if at == 0:
            message = f"'{written_opcode(context)}' is deprecated; write '{better}'"
        span = context.opcode_span() if at == 0 else qualifier_span(context, at)
        fixes = (modern_spelling(context, one, at),)
        yield RULE.at(span, message, fixes=fixes, tags=(Tag.DEPRECATED,))
