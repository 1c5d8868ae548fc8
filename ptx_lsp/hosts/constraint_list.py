"""Constraints as LLVM has them: one string, ``=r,r,~{memory}``."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence

from ptx_lsp.hosts.site import AsmOperand, Clobber
from ptx_lsp.stepwise import mapped
from ptx_lsp.text import Span

_ITEM = re.compile(r"\s*((?:\{[^{}]*\}|[^,{}])*+(?:\{[^{}]*\})?[^,]*+)(?:,|\Z)")
_IN_A_STEP = 2048


def reading_constraints(
    constraints: str, places: Sequence[int], values: list[Span], text: str
) -> Generator[None, None, tuple[list[AsmOperand], list[Clobber]]]:
    """The operands and clobbers of a string of constraints, in steps of some thousand.

    ``places`` are the places of its characters in the text of the site. ``values`` are those of the expressions; they
    are used if there is one for each input.
    """
    operands: list[AsmOperand] = []
    clobbers: list[Clobber] = []
    inputs = 0
    for number, found in enumerate(_ITEM.finditer(constraints) if constraints.strip() else (), 1):
        if not number % _IN_A_STEP:
            yield
        item = found[1].rstrip()
        if not item:
            continue
        first = found.start(1)
        span = Span(places[first], places[first + len(item) - 1] + 1)
        if item.startswith("~"):
            clobbers.append(Clobber(item[1:].strip("{}"), span))
        else:
            is_output = item[0] in "=+"
            inputs += not is_output
            operands.append(AsmOperand(item, span, Span(span.end, span.end), "", None, is_output))
    if len(values) != inputs:
        return operands, clobbers
    remaining = iter(values)

    def with_its_value(operand: AsmOperand) -> AsmOperand:
        return operand if operand.is_output else _with_value(operand, next(remaining), text)

    return (yield from mapped(with_its_value, operands)) if values else operands, clobbers


def _with_value(operand: AsmOperand, value: Span, text: str) -> AsmOperand:
    constraint, span, _, _, name, is_output = operand
    return AsmOperand(constraint, span, value, " ".join(text[value.start : value.end].split()), name, is_output)
