"""Operands of inline assembly in a fragment: ``%1``, and the expression of the host that it stands for."""

from __future__ import annotations

from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.embedded.fragment_operand import FragmentOperand
from ptx_lsp.embedded.template import SigilKind
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.text import Span


class OperandPlace(NamedTuple):
    """An operand at the cursor."""

    span: Span
    """Its name in the fragment."""
    operand: FragmentOperand


def operand_at(fragment: AsmFragment, offset: int) -> OperandPlace | None:
    """The operand at an offset of a fragment."""
    for mark in fragment.marks:
        if mark.span.contains(offset):
            operand = fragment.operand_of(mark)
            if operand is not None:
                return OperandPlace(Span(*mark.span), operand)
    return None


def missing_operand_at(fragment: AsmFragment, offset: int) -> Span | None:
    """The span of a reference at an offset to an operand that the statement does not have."""
    for mark in fragment.marks:
        if mark.span.contains(offset) and mark.kind in (SigilKind.OPERAND, SigilKind.NAMED):
            return Span(*mark.span) if fragment.operand_of(mark) is None else None
    return None


def uses_of(fragment: AsmFragment, operand: FragmentOperand) -> list[Span]:
    """All places of an operand in a fragment."""
    return [Span(*mark.span) for mark in fragment.marks if fragment.operand_of(mark) is operand]


def shortened(text: str, width: int) -> str:
    """An expression in at most ``width`` characters."""
    return text if len(text) <= width else f"{text[: width - 1]}…"
