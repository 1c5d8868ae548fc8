"""``tcgen05.mma … %rd1 = 128B, SBO 1024``: what the descriptor in a register says."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ptx_lsp.analysis.descriptors.packed_operands import KnownOperand, is_looked_at
from ptx_lsp.features.inlay_hints.hint import Hint, Stands, shortened
from ptx_lsp.features.inlay_hints.sight import Seen
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import Shape


def looks_at(shape: Shape) -> bool:
    """Instructions that take descriptors, cache policies, masks of CTAs."""
    return shape.kind == Kind.INSTRUCTION and not shape.errors and is_looked_at(shape.opcode)


def hints(seen: Seen) -> Iterator[Hint]:
    """The descriptors of an instruction, in a few words each."""
    use = seen.use
    values = seen.module.packed(use.function)
    for known in values.operands(use):
        text = known.reading.short
        if text:
            offset = seen.start + use.operand_span(known.packed.operand).end
            yield Hint(offset, shortened(f"= {text}"), "descriptors", Stands.BEHIND, partial(_tooltip, known))


def _tooltip(known: KnownOperand) -> str:
    reading = known.reading
    return f"{reading.summary}\n`{known.packed.role}`, {reading.layout.title}: `{reading.digits}`"
