"""``tcgen05.mma … %rd1 = 128B, SBO 1024``: a summary of the descriptor in a register."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ptx_lsp.analysis.descriptors.packed_operands import KnownOperand, is_looked_at
from ptx_lsp.features.inlay_hints.hint import Hint, HintPosition, shortened
from ptx_lsp.features.inlay_hints.visible_statement import VisibleStatement
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import Shape


def applies_to(shape: Shape) -> bool:
    """Whether it is an instruction with a descriptor, cache policy or CTA mask operand."""
    return shape.kind == Kind.INSTRUCTION and not shape.errors and is_looked_at(shape.opcode)


def hints(seen: VisibleStatement) -> Iterator[Hint]:
    """Yield the hints of an instruction's descriptors."""
    context = seen.context
    values = seen.semantics.packed(context.function)
    for known in values.operands(context):
        text = known.reading.short
        if text:
            offset = seen.start + context.operand_span(known.packed.operand).end
            yield Hint(offset, shortened(f"= {text}"), "descriptors", HintPosition.AFTER, partial(_tooltip, known))


def _tooltip(known: KnownOperand) -> str:
    reading = known.reading
    return f"{reading.summary}\n`{known.packed.role}`, {reading.layout.title}: `{reading.digits}`"
