"""The hover of an operand of inline assembly: its constraint and expression, its register, its direction."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.embedded.fragment import AsmFragment
from ptx_lsp.embedded.fragment_operand import FragmentOperand
from ptx_lsp.embedded.notation import as_host_writes, with_expression
from ptx_lsp.embedded.operand_places import missing_operand_at, operand_at, shortened
from ptx_lsp.features.hover.parts.hover_info import HoverInfo

_LONGEST = 60
"""The maximum width of an expression."""


def describe_operand(fragment: AsmFragment, offset: int) -> HoverInfo | None:
    """The hover of the operand at an offset: its constraint and expression, its register, its direction."""
    place = operand_at(fragment, offset)
    if place is None:
        span = missing_operand_at(fragment, offset)
        return HoverInfo(span, lead=("the statement has no such operand",)) if span is not None else None
    operand = place.operand
    name = as_host_writes(fragment.text[place.span.start : place.span.end], fragment)
    code = with_expression(fragment, operand, shortened(operand.written.expression, _LONGEST))
    return HoverInfo(place.span, title=f"`{name}`", lead=(f"`{code}`: {_meaning(operand)}.", *_older(operand)))


def _meaning(operand: FragmentOperand) -> str:
    letter, constraint = operand.letter, operand.constraint
    if letter is None or constraint is None:
        return "an operand whose constraint is unknown"
    if not letter.is_register:
        return letter.meaning
    if not operand.written.is_output:
        return f"input in a `{letter.kind}` register"
    direction = "input and output" if "+" in constraint.modifiers else "output"
    return f"{direction} in a `{letter.kind}` register"


def _older(operand: FragmentOperand) -> Iterator[str]:
    letter = operand.letter
    if letter is not None and letter.older != letter.kind:
        yield f"For targets before sm_100 nvcc declares a `{letter.older}` register, older compilers for all."
