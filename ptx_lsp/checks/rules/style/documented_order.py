"""H904 documented-order."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, hint
from ptx_lsp.checks.support.mismatches import qualifier_span
from ptx_lsp.checks.support.word_order import is_documented
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.text import Span

RULE = hint("H904")

_ORDERED = 3
"""Opcodes with fewer words have no order."""


def accepts_shape(shape: Shape) -> bool:
    """Instructions whose qualifiers stand in the order of no form of their page."""
    return len(shape.opcode) >= _ORDERED and not is_documented(shape.opcode)


def check(context: StatementContext) -> Iterator[Finding]:
    """Qualifiers in another order than the manual's. ptxas takes most orders; readers and other tools do not.

    ```ptx
    //- sm_80 ptx 7.0
    ld.f32.global %f1, [%rd1];
    //    ^^^^^^^ hint[H904]
    // ptxas: accepts it
    ```

    **Right:** `ld.global.f32 %f1, [%rd1];`

    **Fixes offered:** the manual's order.
    """
    found, tree = context.match, context.instruction
    if found is None or tree is None or not found.fits or found.notes or min(found.places) < 0:
        return
    firm = [place for place in found.places if found.form.slots[place].name not in found.form.loose]
    if firm == sorted(firm):
        return
    words = [word for _, word in sorted(zip(found.places, tree.opcode, strict=True), key=lambda pair: pair[0])]
    late = next((at for at, (have, want) in enumerate(zip(tree.opcode, words, strict=True)) if have != want), None)
    if late is None:
        return
    last = max(at for at, (have, want) in enumerate(zip(tree.opcode, words, strict=True)) if have != want)
    moved = words.index(tree.opcode[last])
    right = "".join(words)
    span = qualifier_span(context, last if moved < last else late)
    fix = Fix(f"write '{right}'", (Edit(context.opcode_span(), right),))
    yield RULE.at(Span(span.start, span.end), f"the manual writes '{right}'", fixes=(fix,))
