"""Which layout an operand has."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from fnmatch import fnmatchcase

from ptx_lsp.layouts.layout import Layout
from ptx_lsp.layouts.load import layouts


def layout_of(instruction: str, operand: str, context: AbstractSet[str]) -> Layout | None:
    """The layout of an operand, by the names of the instruction's page; None if its bits have no meaning of their own.

    Of several pages that fit, the one that asks for most holds.
    """
    fitting = [
        (len(place.when.parts), layout)
        for layout in layouts().values()
        for place in layout.places
        if operand in place.operands
        and any(fnmatchcase(instruction, pattern) for pattern in place.instructions)
        and place.when.holds(context)
    ]
    return max(fitting, key=lambda pair: pair[0])[1] if fitting else None
