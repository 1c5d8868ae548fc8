"""Pictures of tiles, at most nine lines of 72 columns: the cells of a small tile, the blocks of a large one."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.layouts.fragments import WARP, Element, Fragment, element, holds
from ptx_lsp.process_cache import memoized

_HALF = 8
_WIDEST = 72
_MOST_ROWS = 7
CORNERS = (0, 1, 2, 3, 12, 15, 16, 19, 28, 29, 30, 31)
"""Lanes that hold the first and last rows and columns of every register; the formulas are monotonic in the lane."""


def cells(fragment: Fragment, register: int) -> Iterator[str]:
    """Yield a tile of 8 columns, rows 0 to 7 next to rows 8 to 15: the lane of each element of a register."""
    owners = {}
    tile = _elements(fragment, 0, register)[0].tile
    for lane in range(fragment.lanes):
        if holds(fragment, lane):
            for where in _elements(fragment, lane, register):
                if where.tile == tile:
                    owners[where.row, where.column] = lane
    halves = range(0, fragment.rows, _HALF)
    heading = "    " + "".join(f"{column:3}" for column in range(_HALF))
    last = heading if len(halves) > 1 else ""
    yield f"{heading}   {last}".rstrip()
    for row in range(_HALF):
        shown = [
            f"{row + half:3} " + "".join(f"{owners.get((row + half, column), '·'):>3}" for column in range(_HALF))
            for half in halves
        ]
        yield "   ".join(shown)


def _elements(fragment: Fragment, lane: int, register: int) -> list[Element]:
    first = register * fragment.packed
    return [element(fragment, lane, first + part) for part in range(fragment.packed)]


@memoized(256)
def boxes(fragment: Fragment) -> tuple[tuple[int, int, int, int, int], ...]:
    """Return per register the tile, and the first and last row and column that the first warp holds."""
    lanes = [lane for lane in CORNERS if holds(fragment, lane)]
    found = []
    for register in range(fragment.registers):
        places = [one for lane in lanes for one in _elements(fragment, lane, register)]
        tile = places[0].tile
        rows, columns = ([one[axis] for one in places if one.tile == tile] for axis in (0, 1))
        found.append((tile, min(rows), max(rows), min(columns), max(columns)))
    return tuple(found)


def blocks(fragment: Fragment, register: int | None) -> Iterator[str]:
    """Yield the blocks of a tile with the registers that hold them, one of them marked."""
    found = boxes(fragment)
    tile = found[register or 0][0]
    high = _power(max(box[2] - box[1] for box in found) + 1)
    wide = _power(max(box[4] - box[3] for box in found) + 1)
    grid: dict[tuple[int, int], list[str]] = {}
    own = (-1, -1)
    for number, (of, top, _, left, _) in enumerate(found):
        if of != tile:
            continue
        name = f"{fragment.operand}{number}" if len(found) > 1 else fragment.operand
        place = (top // high, left // wide)
        own = place if number == register else own
        grid.setdefault(place, []).append(f"[{name}]" if number == register else name)
    base = "16*w + " if fragment.lanes > WARP else ""
    shown = {place: " ".join(many) for place, many in grid.items()}
    rows = _picked(sorted({row for row, _ in grid}), own[0], _MOST_ROWS)
    labels = [f"rows {base}{_range(row, high)}" if row >= 0 else "…" for row in rows]
    room = (_WIDEST - max(map(len, labels)) - 3) // (max(len("000-000"), *map(len, shown.values())) + 3)
    columns = _picked(sorted({column for _, column in grid}), own[1], room)
    table = [["columns", *(_range(column, wide) if column >= 0 else "…" for column in columns)]]
    for label, row in zip(labels, rows, strict=True):
        names = (("…" if column < 0 or row < 0 else shown.get((row, column), "")) for column in columns)
        table.append([label, *names])
    widths = [max(len(line[at]) for line in table) for at in range(len(table[0]))]
    for line in table:
        yield "   ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


def _power(size: int) -> int:
    return 1 << (size - 1).bit_length()


def _range(block: int, size: int) -> str:
    return f"{block * size}-{block * size + size - 1}" if size > 1 else f"{block * size}"


def _picked(numbers: list[int], own: int, room: int) -> list[int]:
    """Select some of the sorted numbers: first, last and those around ``own``; -1 marks omissions."""
    if len(numbers) <= room:
        return numbers
    middle = max(1, room - 4)
    at = numbers.index(own) if own in numbers else 0
    start = min(max(0, at - middle // 2), len(numbers) - middle)
    kept = sorted({0, *range(start, start + middle), len(numbers) - 1})
    found: list[int] = []
    for before, now in zip([-1, *kept], kept, strict=False):
        if now - before > 1:
            found.append(-1)
        found.append(numbers[now])
    return found
