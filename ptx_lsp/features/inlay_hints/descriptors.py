"""``tcgen05.mma … %rd1 = @smem+98336 128B``: a summary of the descriptor in a register."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from ptx_lsp.analysis.descriptors.address_sums import Sum, SumTerm
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
        if not text:
            continue
        start = values.start_address(context, known.packed)
        has_start = any(one.field.key == "start" for one in known.reading.fields)
        address = str(start) if has_start and start is not None and start.terms else ""
        span = context.operand_span(known.packed.operand)
        tooltip = partial(_tooltip, known, address)
        label = text
        if len(address) <= _LONGEST_ADDRESS and _NAMED.fullmatch(address):
            label = f"@{address} {text}"
        elif address and start is not None and (start.bytes or any(_is_object(term) for term in start.terms)):
            label = f"{_object(start)} {text.split(',')[0]}"
        if span.end - context.opcode_span().start <= _FAR:
            yield Hint(seen.start + span.end, shortened(f"= {label}"), "descriptors", HintPosition.AFTER, tooltip)
        else:
            # After the opcode: after a hundred registers no one sees it.
            label = shortened(f"{known.packed.role} {label}")
            yield Hint(seen.start + context.opcode_span().end, label, "descriptors", HintPosition.AFTER, tooltip)


def _object(start: Sum) -> str:
    """The object and the constant in a start address, which differ from matrix to matrix: ``@glob…+98336…``."""
    name = next((term.shown for term in start.terms if _is_object(term)), "")
    name = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
    number = f"+{start.bytes}" if start.bytes else ""
    rest = "…" if len(start.terms) > bool(name) else ""
    return f"@{name}{number or ('+' if name and rest else '')}{rest}"


def _is_object(term: SumTerm) -> bool:
    return term.factor == 1 and not term.definitions


_LONGEST_NAME = 5
_NAMED = re.compile(r"[A-Za-z_$][\w$]*(?: ?\+ ?\d+)?", re.ASCII)
_LONGEST_ADDRESS = 14
"""The maximum length of a start address in a label; a longer one is in the tooltip only."""
_FAR = 160
"""Columns from the opcode to an operand whose hint stands after the opcode."""


def _tooltip(known: KnownOperand, address: str) -> str:
    reading = known.reading
    start = f"\nstart address: `{address}`" if address else ""
    return f"{reading.summary}{start}\n`{known.packed.role}`, {reading.layout.title}: `{reading.digits}`"
