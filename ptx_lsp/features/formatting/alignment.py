"""Alignment of consecutive statements: columns for operands and for trailing comments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ptx_lsp.features.formatting.options import Options
from ptx_lsp.features.formatting.spaced_statement import SpacedStatement
from ptx_lsp.features.formatting.spacing import BREAK
from ptx_lsp.features.formatting.wrap import wrapped
from ptx_lsp.named_tuples import NamedTuple

Add = Callable[[int, int, str], None]

_WIDEST = 72
"""The maximum width of a line that affects the column of comments."""


class AlignedStatement(NamedTuple):
    """A statement of an aligned run."""

    body: int
    stop: int
    head: int
    """The width of the guard and opcode."""
    gap: int
    """The start of the white space before the operands."""
    rest: int
    """The start of the operands; -1 if there are none."""
    unit: SpacedStatement | None
    """Its tokens and spacing; None if only the gap before the operands can need a change."""
    is_frozen: bool = False
    stays_on_line: bool = False
    """Whether it is not wrapped, however long it is."""


@dataclass(slots=True)
class AlignedRun:
    """The open run of consecutive statements of one kind."""

    options: Options
    add: Add
    make_unit: Callable[[int, int, int], SpacedStatement | None]
    newline: str
    kind: int = -1
    count: int = 0
    """The number of statements so far, including those before the region."""
    indent: str = ""
    indent_width: int = 0
    entries: list[AlignedStatement] = field(default_factory=list)
    comments: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Per entry, the span of the white space before its trailing comment."""

    def start(self, kind: int, indent: str, indent_width: int) -> None:
        """Close the run and open another one."""
        self.finish()
        self.kind, self.indent, self.indent_width = kind, indent, indent_width

    def comment(self, start: int, end: int) -> None:
        """Record the gap before a trailing comment of the last entry."""
        self.comments[len(self.entries) - 1] = start, end

    def finish(self) -> None:
        """Lay out and close the run."""
        entries = self.entries
        if entries:
            column = self._column()
            widths = [self._entry(entry, column) for entry in entries]
            if self.comments:
                self._comments(widths)
            self.entries = []
            self.comments = {}
        self.kind, self.count = -1, 0

    def _column(self) -> int:
        options = self.options
        if not options.align:
            return 0
        if options.operand_column:
            return options.operand_column
        longest = options.longest_opcode
        return max([entry[2] for entry in self.entries if entry[4] >= 0 and entry[2] <= longest], default=0) + 1

    def _entry(self, entry: AlignedStatement, column: int) -> int:
        """Lay out a statement; return the width of its line, 0 if it takes several lines."""
        body, stop, head, gap, rest, unit, is_frozen, stays_on_line = entry
        if is_frozen:
            return 0
        blanks = max(column - head, 1)
        width = self.indent_width + head
        if rest >= 0:
            width += blanks + (stop - rest if unit is None else unit.rest)
        limit = 0 if stays_on_line else self.options.width
        first = 1
        if unit is None and limit and width > limit:
            unit = self.make_unit(body, stop, self.kind)
            first = unit.joint if unit is not None else 1  # the gaps before it are recorded already
        if unit is None:
            if rest >= 0:
                self.add(gap, rest, " " * blanks)
            return width
        if unit.joint and unit.wanted[unit.joint] != BREAK:
            unit.wanted[unit.joint] = " " * blanks
        is_broken = unit.is_broken
        if is_broken or (limit and width > limit):
            is_broken |= wrapped(unit, self.indent_width, self.options)
        place(unit, body, self.indent, self.options, self.newline, self.add, first)
        return 0 if is_broken else width

    def _comments(self, widths: list[int]) -> None:
        column = 0
        if self.options.align_comments:
            column = max([widths[at] for at in self.comments if widths[at] <= _WIDEST], default=0) + 2
        for at, (start, end) in self.comments.items():
            self.add(start, end, " " * max(column - widths[at], 2) if widths[at] else "  ")


def place(
    unit: SpacedStatement, body: int, indent: str, options: Options, newline: str, add: Add, first: int = 1
) -> None:
    """Record the gaps inside a statement that begins at ``body``, from the one before the atom ``first`` on."""
    starts, ends, wanted = unit.starts, unit.ends, unit.wanted
    for at in range(first, len(starts)):
        gap = wanted[at]
        if "\n" in gap:
            if BREAK in gap:
                gap = gap.replace(BREAK, newline + indent + options.continuation)
            else:
                gap = gap.replace("\n", newline + indent)
        add(body + ends[at - 1], body + starts[at], gap)
