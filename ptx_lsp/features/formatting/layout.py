"""The layout of a region: what is wanted in each of its gaps, the blanks between two tokens or comments.

Nothing but blanks is ever replaced by blanks, so tokens and comments cannot get lost.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ptx_lsp.features.formatting.kept_lines import Kept, kept_lines
from ptx_lsp.features.formatting.nvcc import BEGIN_ASM, END_ASM, opcode_gap, trailing
from ptx_lsp.features.formatting.options import Options
from ptx_lsp.features.formatting.region import ALIGNED, BLANK_LINE, MOST, PASSED, Region
from ptx_lsp.features.formatting.runs import Entry, Run, place
from ptx_lsp.features.formatting.unit import Unit, unit_of
from ptx_lsp.features.formatting.wrap import wrapped
from ptx_lsp.patterns import compile_pattern
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.trivia import COMMENT, LINE_MARKER


class Gap(NamedTuple):
    """What lies between two tokens or comments, and what is to be there instead: both are blanks."""

    start: int
    end: int
    text: str


_BLANKS = re.compile(r"[ \t\r\n\f]*+").match
_ITEM = r"[!\-]?+[\w%$][\w%$.]*+(?:\|[\w%$]++)?+"
_VECTOR = rf"\{{{_ITEM}(?:, {_ITEM})*+\}}"
_ADDRESS = rf"\[[\w%$][\w%$.]*+(?:\+-?+\w++)?+(?:, (?:{_ITEM}|{_VECTOR}))*+\]"
_OPERAND = rf"(?:{_ITEM}|{_VECTOR}|{_ADDRESS})"
_REGULAR = compile_pattern(
    rf"(?:@!?+[%$\w]++([ \t]++))?+([a-z][\w.:]*+)(?:([ \t]++)({_OPERAND}(?:, {_OPERAND})*+))?+;", re.ASCII
).fullmatch
"""An instruction in which only the blanks behind the guard and before the operands can be wrong."""
_LOCATION = compile_pattern(
    r"\.loc([ \t]++)\d++ \d++ \d++(?:, function_name [\w$]++(?:\+\d++)?+, inlined_at \d++ \d++ \d++)?+", re.ASCII
).fullmatch
_ITEMS = compile_pattern(rf"({LINE_MARKER})|{COMMENT}", re.ASCII).match
_MARKER_LINES = frozenset({Kind.PROTOTYPE, Kind.TARGETS})
_TO_LINE_END = ("@@", ".source_")


def lay_out(region: Region, options: Options, newline: str) -> list[Gap]:
    """The gaps of a region that are not as they should be, in order; one may be left out of its first statement."""
    return _Layout(region, options, newline).run()


class _Item(NamedTuple):
    start: int
    end: int
    is_marker: bool
    is_line: bool


class _Layout:
    def __init__(self, region: Region, options: Options, newline: str) -> None:
        self.region, self.options, self.newline = region, options, newline
        self.text = region.text
        self.found: list[Gap] = []
        self.runs = Run(options, self.add, self.unit, newline, region.context.run, region.context.count)
        self.aligns = options.align or options.align_comments
        self.in_asm = region.context.in_asm and options.nvcc
        self.kept: Kept = kept_lines(region.text)
        self.memo: dict[tuple[str, int], Unit | None] = {}
        self.indents = [options.unit * depth for depth in range(64)]

    def add(self, start: int, end: int, wanted: str) -> None:
        """Remember a gap if it is not as wanted."""
        if self.text[start:end] != wanted:
            self.found.append(Gap(start, end, wanted))

    def unit(self, body: int, stop: int, kind: int) -> Unit | None:
        """The unit of a statement."""
        return unit_of(self.text[body:stop], Kind(kind), self.options)

    def run(self) -> list[Gap]:
        """All gaps. One loop over all statements: in pieces it would take twice as long."""
        region, options, text = self.region, self.options, self.text
        starts, kinds, faulty, stray = region.starts, region.kinds, region.faulty, region.stray
        context, add, runs, nvcc = region.context, self.add, self.runs, options.nvcc
        depth, in_section = context.depth, context.in_section
        count = len(kinds)
        end = 0
        before, before_sticky, before_open = -1, False, False
        label_before = False
        in_line = 0
        for at in range(count):
            kind = kinds[at]
            begin, stop = starts[at], starts[at + 1]
            body = _BLANKS(text, begin).end()  # type: ignore[union-attr]
            items: list[_Item] | None = None
            if body < stop and text[body] in "/#":
                items, body = self.items(body, stop)
                items = items or None
            if kind == Kind.EMPTY:
                break
            while text[stop - 1] in " \t\r\n\f" and stop > body:
                stop -= 1
            sticky = faulty[at] or at in stray
            if self.kept and self.kept.touches(body, stop):
                sticky = True
            verbatim = kind == Kind.LINE or (kind == Kind.DIRECTIVE and text.startswith(_TO_LINE_END, body))
            # Where the statement stands.
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
                comment_indent = indent
            else:
                indent = self.indent(depth)
                if kind == Kind.LABEL and not declares:
                    indent = self.indent(depth - 1) + options.label_indent if depth else ""
                comment_indent = self.indent(inner) if kind == Kind.CLOSE else indent
            if nvcc and before_open and not in_line and "\n" not in text[end:body]:
                in_line = depth  # a template of LLVM's for several instructions, printed as it is
            if in_line:
                if kind == Kind.CLOSE and depth < in_line:
                    in_line = 0
                end = stop
                before, before_sticky, before_open, label_before = kind, False, False, False
                depth += kind == Kind.OPEN
                continue
            # The gap before it, with the comments there.
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
                self.comments(items, end, body, (before, before_sticky, before_open), sticky, verbatim, indent,
                              comment_indent, close_after)
            # Columns.
            if self.aligns:
                if kind in ALIGNED:
                    if runs.kind != kind or runs.count >= MOST or (is_blank and options.blank_lines) or (
                        runs.indent != indent and runs.entries
                    ):
                        runs.start(kind, indent, self.width(indent))
                    elif not runs.entries:
                        runs.indent, runs.indent_width = indent, self.width(indent)
                    runs.count += 1
                elif kind not in PASSED or (is_blank and options.blank_lines):
                    runs.finish()
            # What is in it.
            if kind == Kind.OPEN and at not in stray:
                depth += 1
            elif kind == Kind.CLOSE and not depth:
                in_section = False
            if sticky or verbatim or self.in_asm:
                if self.aligns and kind in ALIGNED:
                    runs.entries.append(Entry(body, stop, 0, 0, -1, None, True))
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
            before, before_sticky, before_open = kind, sticky or verbatim, kind == Kind.OPEN
            label_before = declares
        self.last(end, depth, before_sticky)
        runs.finish()
        self.found.sort()
        return self.found

    def indent(self, depth: int) -> str:
        """The blanks at the beginning of a line."""
        return self.indents[depth] if depth < len(self.indents) else self.options.unit * depth

    def width(self, indent: str) -> int:
        """Columns of an indentation."""
        return len(indent) + indent.count("\t") * (self.options.columns - 1)

    @staticmethod
    def nvcc_indent(kind: int, depth: int, in_section: bool, declares: bool) -> str:
        """The compiler indents by one tab, whatever the depth."""
        if kind in (Kind.FILE, Kind.SECTION, Kind.LOCATION):
            return "\t"
        if kind == Kind.DATA or (kind == Kind.LABEL and not declares):
            return ""
        return "\t" if depth or (in_section and kind in (Kind.OPEN, Kind.CLOSE)) else ""

    def break_(self, raw: str, lines: int, indent: str, no_blank_line: bool, verbatim: bool, start: int) -> str:
        """A gap with a line break."""
        options = self.options
        if no_blank_line and not options.nvcc:
            lines = 1
        lines = max(1, min(lines, 1 + options.blank_lines))
        if verbatim:
            indent = raw[raw.rfind("\n") + 1 :]
        text = self.newline * lines + indent
        if options.nvcc and start:
            head = self.text.rfind("\n", 0, start) + 1
            text = trailing(self.text[head:start].lstrip()) + text
        elif not options.trim and "\n" in raw:
            text = raw[: raw.index("\n")].rstrip("\r") + text
        return text

    def items(self, at: int, stop: int) -> tuple[list[_Item], int]:
        """The comments and line markers from ``at`` on, and where the statement behind them begins."""
        text = self.text
        found = []
        while at < stop and (match := _ITEMS(text, at, stop)):
            is_line = match[0].startswith("//")
            length = len(match[0].rstrip(" \t\r\f")) if is_line and self.options.trim else len(match[0].rstrip("\r"))
            found.append(_Item(at, at + length, match[1] is not None, is_line))
            at = _BLANKS(text, match.end(), stop).end()  # type: ignore[union-attr]
        return found, at

    def comments(
        self, items: list[_Item], end: int, body: int, previous: tuple[int, bool, bool], sticky: bool, verbatim: bool,
        indent: str, comment_indent: str, close_after: bool,
    ) -> None:
        """The gaps around the comments before a statement, which begins at ``body``."""
        before, before_sticky, before_open = previous
        text, add, nvcc = self.text, self.add, self.options.nvcc
        is_trailing = False
        for number, item in enumerate(items):
            raw = text[end : item.start]
            lines = raw.count("\n")
            asm = self.in_asm
            if nvcc and item.is_line:
                comment = text[item.start : item.end]
                self.in_asm = comment == BEGIN_ASM or (self.in_asm and comment != END_ASM)
            if asm or (number == 0 and before < 0 and not self.region.is_first):
                pass
            elif nvcc or item.is_marker:
                if lines:
                    add(end, item.start, self.break_(raw, lines, "", False, True, end))
            elif number == 0 and before < 0:
                add(end, item.start, comment_indent)
            elif lines and number == 0 and before_sticky:
                add(end, item.start, raw[: raw.rindex("\n") + 1] + comment_indent)
            elif lines:
                first = number == 0 and before_open
                add(end, item.start, self.break_(raw, lines, comment_indent, first, False, end))
            elif number == 0:
                is_trailing = True
                if before_sticky:
                    pass
                elif before in ALIGNED and self.aligns and self.runs.entries:
                    self.runs.comment(end, item.start)
                else:
                    add(end, item.start, "  ")
            elif not sticky:
                add(end, item.start, " ")
            end = item.end
        raw = text[end:body]
        lines = raw.count("\n")
        if self.in_asm:
            return
        if lines and sticky:
            if not verbatim:
                add(end, body, raw[: raw.rindex("\n") + 1] + indent)
        elif lines:
            add(end, body, self.break_(raw, lines, indent, close_after, verbatim, end))
        elif sticky or verbatim or items[-1].is_marker or nvcc:
            pass
        elif is_trailing and "\n" not in text[items[-1].start : end]:
            add(end, body, self.break_(raw, 1, indent, close_after, verbatim, end))
        else:
            add(end, body, " ")

    def instruction(self, body: int, stop: int, indent: str) -> None:
        """The gaps of an instruction, or an entry for its run."""
        text = self.text
        match = _REGULAR(text, body, stop)
        if match is None:
            self.inside(body, stop, Kind.INSTRUCTION, indent)
            return
        head = 0
        if not self.aligns and self.options.width and self.width(indent) + stop - body + 1 > self.options.width:
            self.inside(body, stop, Kind.INSTRUCTION, indent)
            return
        if match.start(1) >= 0:
            start, finish = match.span(1)
            self.add(start, finish, " ")
            head = 1 - (finish - start)
        gap, rest = match.span(3)
        if self.aligns:
            head += (gap if gap >= 0 else stop) - body
            self.runs.entries.append(Entry(body, stop, head, gap, rest, None))
        elif gap >= 0:
            if self.options.nvcc:
                self.add(gap, rest, opcode_gap(match[2]))
            else:
                self.add(gap, rest, " ")

    def inside(self, body: int, stop: int, kind: int, indent: str) -> None:
        """The gaps within any other statement."""
        unit = self.unit(body, stop, kind)
        in_run = self.aligns and kind in ALIGNED
        if unit is None:
            if in_run:
                self.runs.entries.append(Entry(body, stop, 0, 0, -1, None, True))
            return
        if in_run:
            head = unit.head if unit.joint else stop - body
            self.runs.entries.append(Entry(body, stop, head, 0, 0 if unit.joint else -1, unit))
            return
        width = self.width(indent)
        if unit.joint and "\n" not in unit.wanted[unit.joint] and not self.options.nvcc:
            unit.wanted[unit.joint] = " "
        if unit.commas and (unit.is_broken or width + unit.rest + unit.head > self.options.width):
            wrapped(unit, width, self.options)
        place(unit, body, indent, self.options, self.newline, self.add)

    def last(self, end: int, depth: int, sticky: bool) -> None:
        """What follows the last statement: comments, and the end of the text."""
        text, options, region = self.text, self.options, self.region
        if not region.is_last:
            return
        kinds = region.kinds
        last = len(kinds) - 1
        while last >= 0 and kinds[last] == Kind.EMPTY:
            last -= 1
        begin = _BLANKS(text, end).end()  # type: ignore[union-attr]
        items, stop = self.items(begin, len(text))
        if items:
            before = kinds[last] if last >= 0 else -1
            indent = self.indent(depth)
            opened = before == Kind.OPEN
            self.comments(items, end, items[-1].end, (before, sticky, opened), True, True, indent, indent, False)
            end, sticky = items[-1].end, False
        if stop < len(text) or self.in_asm:
            return
        raw = text[end:]
        if sticky:
            wanted = raw if "\n" in raw or not options.final_newline else raw + self.newline
        elif not end or ("\n" not in raw and not options.final_newline):
            wanted = ""
        elif "\n" in raw and not options.trim_final_newlines:
            wanted = self.newline * raw.count("\n")
        elif options.nvcc:
            wanted = self.newline * max(1, min(raw.count("\n"), 2))
        else:
            wanted = self.newline
        self.add(end, len(text), wanted)


_NOTHING_INSIDE = frozenset({Kind.OPEN, Kind.CLOSE, Kind.DATA, Kind.BAD, Kind.LINE, Kind.EMPTY})


