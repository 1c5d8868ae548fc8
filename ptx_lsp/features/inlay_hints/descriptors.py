"""``tcgen05.mma … %rd1 = 128B, SBO 1024``: what the descriptor in a register says."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ptx_lsp.analysis.descriptors.packed_operands import KnownOperand, is_looked_at
from ptx_lsp.features.inlay_hints.hint import Hint, Stands, shortened
from ptx_lsp.features.inlay_hints.sight import SeenStatement
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import Shape


def looks_at(shape: Shape) -> bool:
    """Instructions that take descriptors, cache policies, masks of CTAs."""
    return shape.kind == Kind.INSTRUCTION and not shape.errors and is_looked_at(shape.opcode)


def hints(seen: SeenStatement) -> Iterator[Hint]:
    """The descriptors of an instruction, in a few words each."""
    context = seen.context
    values = seen.semantics.packed(context.function)
    for known in values.operands(context):
        text = known.reading.short
        if text:
            offset = seen.start + context.operand_span(known.packed.operand).end
            yield Hint(offset, shortened(f"= {text}"), "descriptors", Stands.BEHIND, partial(_tooltip, known))


def _tooltip(known: KnownOperand) -> str:
    reading = known.reading
    return f"{reading.summary}\n`{known.packed.role}`, {reading.layout.title}: `{reading.digits}`"
