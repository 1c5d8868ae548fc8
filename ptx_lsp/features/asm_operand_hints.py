"""Inlay hints of inline assembly: the expressions of the host that operands such as ``%1`` stand for."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.embedded.operand_places import shortened
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.text import Span

_LONGEST = 24
"""The maximum width of an expression."""


class OperandHint(NamedTuple):
    """The expression of an operand, shown after its name."""

    offset: int
    """The end of the name in the fragment."""
    label: str


def operand_hints(fragment: AsmFragment, span: Span) -> Iterator[OperandHint]:
    """The expressions of the operands in a span of a fragment; each at its first place on a line."""
    seen: set[tuple[int, str]] = set()
    for mark in fragment.marks:
        operand = fragment.operand_of(mark) if span.start <= mark.span.start <= span.end else None
        if operand is None or not operand.written.expression:
            continue
        label = shortened(operand.written.expression, _LONGEST)
        key = fragment.text.count("\n", 0, mark.span.start), label
        if key not in seen:
            seen.add(key)
            yield OperandHint(mark.span.end, label)
