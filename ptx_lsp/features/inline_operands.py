"""Operands of inline assembly: ``%1`` in a template, and the expression of the host that it stands for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ptx_lsp.embedded.fragment import AsmFragment, FragmentOperand
from ptx_lsp.features.hover.parts.hover_info import HoverInfo
from ptx_lsp.text import Span

_LONGEST = 60
"""The maximum width of an expression in a hover."""
_SHORT = 24
"""The maximum width of an expression in a hint."""


class OperandPlace(NamedTuple):
    """An operand at the cursor."""

    span: Span
    """Its name in the fragment."""
    operand: FragmentOperand


class OperandHint(NamedTuple):
    """The expression of an operand, shown after its name."""

    offset: int
    """The end of the name in the fragment."""
    label: str


def operand_at(fragment: AsmFragment, offset: int) -> OperandPlace | None:
    """The operand at an offset of a fragment."""
    for mark in fragment.marks:
        if mark.span.contains(offset):
            operand = fragment.operand_of(mark)
            if operand is not None:
                return OperandPlace(Span(*mark.span), operand)
    return None


def uses_of(fragment: AsmFragment, operand: FragmentOperand) -> list[Span]:
    """All places of an operand in a fragment."""
    return [Span(*mark.span) for mark in fragment.marks if fragment.operand_of(mark) is operand]


def describe_operand(fragment: AsmFragment, offset: int) -> HoverInfo | None:
    """The hover of the operand at an offset: its constraint and expression, its register, its direction."""
    place = operand_at(fragment, offset)
    if place is None:
        return None
    operand = place.operand
    name = fragment.text[place.span.start : place.span.end]
    written = operand.written
    constraint = f'"{written.constraint}"' if written.constraint is not None else "…"
    expression = _shortened(written.expression, _LONGEST)
    code = f"{constraint}({expression})" if expression else constraint
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
        yield f"Compilers before CUDA 13 declare a `{letter.older}` register."


def operand_hints(fragment: AsmFragment, span: Span) -> Iterator[OperandHint]:
    """The expressions of the operands in a span of a fragment; each at its first place on a line."""
    seen: set[tuple[int, str]] = set()
    for mark in fragment.marks:
        operand = fragment.operand_of(mark) if span.start <= mark.span.start <= span.end else None
        if operand is None or not operand.written.expression:
            continue
        label = _shortened(operand.written.expression, _SHORT)
        key = fragment.text.count("\n", 0, mark.span.start), label
        if key not in seen:
            seen.add(key)
            yield OperandHint(mark.span.end, label)


def _shortened(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"
