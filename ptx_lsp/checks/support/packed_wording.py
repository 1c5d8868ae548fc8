"""The findings of the rules about packed values: their place, their wording and their remedy."""

from __future__ import annotations

from ptx_lsp.analysis.descriptors.faults import PackedFault
from ptx_lsp.checks.support.finding import HERE, PlacedFinding, RelatedPlace, RemoteEdit, Rule

_LONGEST = 72
"""Columns of a message's first line, without the line that it names."""


def packed_finding(rule: Rule, fault: PackedFault, says: str, *, with_correction: bool = False) -> PlacedFinding:
    """A finding at the operand, with the statement that sets its value and, if asked for, the corrected literal."""
    context, known = fault.context, fault.known
    span = context.statement.span(known.packed.operand.first, known.packed.operand.last)
    beside = (RelatedPlace(fault.written, "the value is set here"),) if fault.written is not None else ()
    elsewhere = None
    if with_correction and fault.literal is not None:
        reading = known.reading
        value = reading.value & ~fault.finding.mask | fault.finding.right
        text = f"{value:#0{reading.layout.width // 4 + 2}x}"
        elsewhere = RemoteEdit(f"write '{text}'", fault.literal, text)
    message = f"'{known.packed.role}' {known.reading.digits}: {says}"
    if len(message) > _LONGEST:
        message = message.replace("; allowed: ", f"{HERE}\nallowed: ")
    return PlacedFinding(context.place, rule.at(span, message).fixed_elsewhere(elsewhere).related_to(*beside))
