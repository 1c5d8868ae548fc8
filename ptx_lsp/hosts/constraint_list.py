"""Constraints as LLVM has them: one string, ``=r,r,~{memory}``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ptx_lsp.hosts.site import AsmOperand, Clobber
from ptx_lsp.text import Span

_ITEM = re.compile(r"\s*((?:\{[^{}]*\}|[^,{}])*+(?:\{[^{}]*\})?[^,]*+)(?:,|\Z)")


def read_constraints(
    constraints: str, places: Sequence[int], values: list[Span], text: str
) -> tuple[list[AsmOperand], list[Clobber]]:
    """The operands and clobbers of a string of constraints.

    ``places`` are the places of its characters in the text of the site. ``values`` are those of the expressions; they
    are used if there is one for each input.
    """
    operands: list[AsmOperand] = []
    clobbers: list[Clobber] = []
    for found in _ITEM.finditer(constraints) if constraints.strip() else ():
        item = found[1].rstrip()
        if not item:
            continue
        first = found.start(1)
        span = Span(places[first], places[first + len(item) - 1] + 1)
        if item.startswith("~"):
            clobbers.append(Clobber(item[1:].strip("{}"), span))
        else:
            operands.append(AsmOperand(item, span, Span(span.end, span.end), "", None, item[0] in "=+"))
    if len(values) != sum(not operand.is_output for operand in operands):
        return operands, clobbers
    remaining = iter(values)
    return [one if one.is_output else _with_value(one, next(remaining), text) for one in operands], clobbers


def _with_value(operand: AsmOperand, value: Span, text: str) -> AsmOperand:
    constraint, span, _, _, name, is_output = operand
    return AsmOperand(constraint, span, value, " ".join(text[value.start : value.end].split()), name, is_output)
