"""Line wrapping at commas: between operands, and within an operand only if it does not fit on a line."""

from __future__ import annotations

from ptx_lsp.features.formatting.options import Options
from ptx_lsp.features.formatting.spaced_statement import SpacedStatement
from ptx_lsp.features.formatting.spacing import BREAK


def wrapped(unit: SpacedStatement, indent: int, options: Options) -> bool:
    """Break the lines of ``unit`` that are too long, given its indentation in columns; return whether any was broken.

    Existing line breaks are kept, so that the result is stable under repeated formatting.
    """
    limit = options.width
    breaks = set(unit.commas)
    if not limit or not breaks or any("\n" in gap and at not in breaks for at, gap in enumerate(unit.wanted)):
        return False
    further = indent + (options.columns or len(options.continuation))
    wanted = unit.wanted
    ends = [*unit.commas[1:], len(wanted)]
    column = indent + _width(unit, 0, unit.commas[0] if unit.commas else len(wanted))
    changed = False
    for first, last in zip(unit.commas, ends, strict=True):
        width = _width(unit, first, last)
        inner = [at for at in unit.inner if first < at < last]
        if wanted[first] == BREAK:
            column = further
        elif column + len(wanted[first]) + width <= limit:
            column += len(wanted[first])
        elif further < column and (
            further + width <= limit or (inner and column + len(wanted[first]) + _width(unit, first, inner[0]) > limit)
        ):
            wanted[first] = BREAK
            changed = True
            column = further
        else:
            column += len(wanted[first])
        if column + width <= limit or not inner:
            column += width
            continue
        start = first
        for at, end in zip([*inner, last], [*inner[1:], last, last], strict=False):
            column += _width(unit, start, at)
            start = at
            if at < last and column + len(wanted[at]) + _width(unit, at, end) > limit:
                wanted[at] = BREAK
                changed = True
                column = further
            elif at < last:
                column += len(wanted[at])
    return changed


def _width(unit: SpacedStatement, first: int, last: int) -> int:
    """Return the width of some atoms with the white space between them."""
    return sum(
        unit.ends[at] - unit.starts[at] + (len(unit.wanted[at]) if at > first else 0) for at in range(first, last)
    )
