"""The layout of a region: the wanted white space in each gap between two tokens or comments.

Only white space is replaced by white space, so tokens and comments are preserved.
"""

from __future__ import annotations

import re
from collections.abc import Generator

from ptx_lsp.features.formatting.alignment import AlignedStatement, place
from ptx_lsp.features.formatting.nvcc import opcode_gap
from ptx_lsp.features.formatting.options import Options
from ptx_lsp.features.formatting.region import ALIGNED, BLANK_LINE, MOST, PASSED, Region
from ptx_lsp.features.formatting.statement_gaps import BLANKS, Gap, LeadingTrivia, StatementGaps, StatementPlacement
from ptx_lsp.features.formatting.suppressed_lines import SuppressedLines
from ptx_lsp.features.formatting.wrap import wrapped
from ptx_lsp.patterns import compile_pattern
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.kind import Kind

_ITEM = r"[!\-]?+[\w%$][\w%$.]*+(?:\|[\w%$]++)?+"
_VECTOR = rf"\{{{_ITEM}(?:, {_ITEM})*+\}}"
_ADDRESS = rf"\[[\w%$][\w%$.]*+(?:\+-?+\w++)?+(?:, (?:{_ITEM}|{_VECTOR}))*+\]"
_OPERAND = rf"(?:{_ITEM}|{_VECTOR}|{_ADDRESS})"
_REGULAR = compile_pattern(
    rf"(?:@!?+[%$\w]++([ \t]++))?+([a-z][\w.:]*+)(?:([ \t]++)({_OPERAND}(?:, {_OPERAND})*+))?+;", re.ASCII
).fullmatch
"""Matches an instruction in which only the gaps after the guard and before the operands can need a change."""
_LOCATION = compile_pattern(
    r"\.loc([ \t]++)\d++ \d++ \d++(?:, function_name [\w$]++(?:\+\d++)?+, inlined_at \d++ \d++ \d++)?+", re.ASCII
).fullmatch
_MARKER_LINES = frozenset({Kind.PROTOTYPE, Kind.TARGETS})
_TO_LINE_END = ("@@", ".source_")
_OF_LINES = frozenset({Kind.DIRECTIVE, Kind.BAD})
"""Kinds of directives that take whole lines, also with errors: other white space might make ``.source_end`` an end."""


def lay_out(region: Region, options: Options, newline: str) -> list[Gap]:
    """Return the gaps of a region that need a change, in text order; one of its first statement may be missing."""
    return run_to_completion(laying_out(region, options, newline))


def laying_out(region: Region, options: Options, newline: str) -> Generator[None, None, list[Gap]]:
    """:func:`lay_out` in steps."""
    return _Layout(region, options, newline).run()


_STEP = 1000
"""So many statements take some milliseconds."""


class _Layout(StatementGaps):
    """A single pass over the statements of a region."""

    def run(self) -> Generator[None, None, list[Gap]]:
        """Find all gaps, in steps.

        It is one loop over the statements for speed: separate passes would take twice as long.
        """
        region, options, text = self.region, self.options, self.text
        starts, kinds, faulty, broken, stray = region.starts, region.kinds, region.faulty, region.broken, region.stray
        context, add, runs, nvcc = region.context, self.add, self.runs, options.nvcc
        suppressed = SuppressedLines(text)
        depth, in_section = context.depth, context.in_section
        count = len(kinds)
        end = 0
        before, before_sticky, before_open = -1, False, False
        on_broken_line = context.on_broken_line
        label_before = False
        in_line = 0
        for at in range(count):
            if not at % _STEP:
                yield
            kind = kinds[at]
            begin, stop = starts[at], starts[at + 1]
            body = BLANKS(text, begin).end()  # type: ignore[union-attr]
            items: list[LeadingTrivia] | None = None
            if body < stop and text[body] in "/#":
                items, body = self.items(body, stop)
                items = items or None
            if kind == Kind.EMPTY:
                break
            while text[stop - 1] in " \t\r\n\f" and stop > body:
                stop -= 1
            # What follows on a broken line may be a piece of the mistake, as long as it stands on the line.
            on_broken_line = on_broken_line and "\n" not in text[end:body]
            self.stays_on_line = bool(suppressed) and suppressed.has(body, stop)
            is_kept = faulty[at] or at in stray or self.stays_on_line and suppressed.touches(body, stop)
            sticky = is_kept or on_broken_line
            on_broken_line = at in broken or (on_broken_line and "\n" not in text[body:stop])
            verbatim = kind == Kind.LINE or (kind in _OF_LINES and text.startswith(_TO_LINE_END, body))
            # Nesting depth and indentation.
            inner = depth
            if kind == Kind.FUNCTION:
                depth = inner = 0
                in_section = False
            elif kind == Kind.SECTION:
                in_section = True
            elif kind == Kind.CLOSE and at not in stray:
                depth = max(0, depth - 1)
            declares = kind == Kind.LABEL and at + 1 < count and kinds[at + 1] in _MARKER_LINES
            if nvcc:
                indent = self.nvcc_indent(kind, depth, in_section, declares)
                comment_indent = far = indent
            else:
                indent = self.indent(depth)
                if kind == Kind.LABEL and not declares:
                    indent = self.indent(depth - 1) + options.label_indent if depth else ""
                comment_indent = self.indent(inner) if kind == Kind.CLOSE else indent
                far = self.indent(depth) if kind == Kind.LABEL and options.blank_lines else comment_indent
            if nvcc and before_open and not in_line and "\n" not in text[end:body]:
                in_line = depth  # an LLVM template of several instructions, printed verbatim
            if in_line and "\n" in text[end:body]:
                in_line = 0  # else the layout of a line would depend on where the region begins
            if in_line:
                if kind == Kind.CLOSE and depth < in_line:
                    in_line = 0
                end = stop
                before, before_sticky, before_open, label_before = kind, False, False, False
                depth += kind == Kind.OPEN and at not in stray
                continue
            # The gap before the statement, including comments.
            close_after = kind == Kind.CLOSE
            if items is None:
                raw = text[end:body]
                lines = raw.count("\n")
                if self.in_asm:
                    pass
                elif before < 0:
                    if region.is_first:
                        add(end, body, raw if verbatim else indent)
                elif lines == 0 and (sticky or before_sticky):
                    pass
                elif label_before and kind in _MARKER_LINES and not sticky:
                    add(end, body, " ")
                elif sticky or before_sticky:
                    if not verbatim:
                        add(end, body, raw[: raw.rindex("\n") + 1] + indent)
                elif nvcc and lines == 0:
                    add(end, body, raw[:1] and " ")
                else:
                    add(end, body, self.break_(raw, lines, indent, before_open or close_after, verbatim, end))
                is_blank = lines > 1
            else:
                is_blank = BLANK_LINE(text[end:body]) is not None
                placement = StatementPlacement(indent, comment_indent, far, sticky, verbatim, close_after)
                self.comments(items, end, body, (before, before_sticky, before_open), placement)
            if items is None and lines or items is not None and "\n" in text[items[-1].end : body]:
                self.line = body
            # Alignment.
            if self.aligns:
                if kind in ALIGNED:
                    if (
                        runs.kind != kind
                        or runs.count >= MOST
                        or (is_blank and options.blank_lines)
                        or (runs.indent != indent and runs.entries)
                    ):
                        runs.start(kind, indent, self.width(indent))
                    elif not runs.entries:
                        runs.indent, runs.indent_width = indent, self.width(indent)
                    runs.count += 1
                elif kind not in PASSED or (is_blank and options.blank_lines):
                    runs.finish()
            # The gaps inside the statement.
            if kind == Kind.OPEN and at not in stray:
                depth += 1
            elif kind == Kind.CLOSE and not depth:
                in_section = False
            if sticky or verbatim or self.in_asm:
                if self.aligns and kind in ALIGNED:
                    runs.entries.append(AlignedStatement(body, stop, 0, 0, -1, None, True))
            elif kind == Kind.INSTRUCTION:
                self.instruction(body, stop, indent)
            elif kind == Kind.LOCATION and (match := _LOCATION(text, body, stop)):
                add(*match.span(1), "\t" if nvcc else " ")
            elif declares and nvcc:
                name = len(text[body : stop - 1].rstrip(" \t\r\n\f"))
                if "/" not in text[body:stop]:
                    add(body + name, stop - 1, " ")
            elif kind not in _NOTHING_INSIDE and not (kind == Kind.LABEL and text[stop - 2] not in " \t\r\n\f/"):
                self.inside(body, stop, kind, indent)
            end = stop
            before, before_sticky, before_open = kind, is_kept or verbatim, kind == Kind.OPEN
            label_before = declares
        self.last(end, depth, before_sticky)
        runs.finish()
        self.found.sort()
        return self.found

    def instruction(self, body: int, stop: int, indent: str) -> None:
        """Record the gaps inside an instruction, or add it to the aligned run."""
        text = self.text
        match = _REGULAR(text, body, stop)
        if match is None:
            self.inside(body, stop, Kind.INSTRUCTION, indent)
            return
        head = 0
        is_long = self.options.width and self.width(indent) + stop - body + 1 > self.options.width
        if is_long and not (self.aligns or self.stays_on_line):
            self.inside(body, stop, Kind.INSTRUCTION, indent)
            return
        if match.start(1) >= 0:
            start, finish = match.span(1)
            self.add(start, finish, " ")
            head = 1 - (finish - start)
        gap, rest = match.span(3)
        if self.aligns:
            head += (gap if gap >= 0 else stop) - body
            self.runs.entries.append(AlignedStatement(body, stop, head, gap, rest, None, False, self.stays_on_line))
        elif gap >= 0:
            if self.options.nvcc:
                self.add(gap, rest, opcode_gap(match[2]))
            else:
                self.add(gap, rest, " ")

    def inside(self, body: int, stop: int, kind: int, indent: str) -> None:
        """Record the gaps inside any other statement."""
        unit = self.unit(body, stop, kind)
        in_run = self.aligns and kind in ALIGNED
        if unit is None:
            if in_run:
                self.runs.entries.append(AlignedStatement(body, stop, 0, 0, -1, None, True))
            return
        if in_run:
            head = unit.head if unit.joint else unit.rest
            rest = 0 if unit.joint else -1
            self.runs.entries.append(AlignedStatement(body, stop, head, 0, rest, unit, False, self.stays_on_line))
            return
        width = self.width(indent)
        if unit.joint and "\n" not in unit.wanted[unit.joint] and not self.options.nvcc:
            unit.wanted[unit.joint] = " "
        is_long = width + unit.rest + unit.head > self.options.width and not self.stays_on_line
        if unit.commas and (unit.is_broken or is_long):
            wrapped(unit, width, self.options)
        place(unit, body, indent, self.options, self.newline, self.add)


_NOTHING_INSIDE = frozenset({Kind.OPEN, Kind.CLOSE, Kind.DATA, Kind.BAD, Kind.LINE, Kind.EMPTY})
