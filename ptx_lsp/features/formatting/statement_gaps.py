"""Gaps between statements: line breaks, indentation, comments."""

from __future__ import annotations

import re

from ptx_lsp.features.formatting.alignment import AlignedRun
from ptx_lsp.features.formatting.nvcc import BEGIN_ASM, END_ASM, trailing
from ptx_lsp.features.formatting.options import Options
from ptx_lsp.features.formatting.region import ALIGNED, Region
from ptx_lsp.features.formatting.spaced_statement import SpacedStatement, spaced_statement
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.patterns import compile_pattern
from ptx_lsp.suppressions import MARK
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.trivia import COMMENT, LINE_MARKER


class Gap(NamedTuple):
    """White space between two tokens or comments, and its replacement ``text``."""

    start: int
    end: int
    text: str


BLANKS = re.compile(r"[ \t\r\n\f]*+").match
_ITEMS = compile_pattern(rf"({LINE_MARKER})|{COMMENT}", re.ASCII).match


class LeadingTrivia(NamedTuple):
    """A comment or line marker before a statement."""

    start: int
    end: int
    is_marker: bool
    is_line: bool


class StatementPlacement(NamedTuple):
    """The indentation wanted before a statement and its comments, and the restrictions on the gaps there."""

    indent: str
    near: str
    """The indentation of comments directly before the statement."""
    far: str
    """The indentation of comments that a blank line separates from it."""
    sticky: bool
    """Whether existing line breaks around it are kept: it has errors, or its line has a suppression."""
    verbatim: bool
    """Whether its indentation is kept."""
    is_close: bool
    """Whether it is a closing brace, before which blank lines are removed."""


class StatementGaps:
    """The gaps between the statements of a region, and the replacements collected so far."""

    def __init__(self, region: Region, options: Options, newline: str) -> None:
        self.region, self.options, self.newline = region, options, newline
        self.text = region.text
        self.found: list[Gap] = []
        self.runs = AlignedRun(options, self.add, self.unit, newline, region.context.run, region.context.count)
        self.aligns = options.align or options.align_comments
        self.in_asm = region.context.in_asm and options.nvcc
        self.stays_on_line = False
        """Whether the statement is not wrapped: a comment on its line silences what is found on that line."""
        self.line = BLANKS(region.text, 0).end()  # type: ignore[union-attr]
        """The first statement or comment of the line, as it will be."""

    def add(self, start: int, end: int, wanted: str) -> None:
        """Record a replacement if the gap differs from ``wanted``."""
        if self.text[start:end] != wanted:
            self.found.append(Gap(start, end, wanted))

    def unit(self, body: int, stop: int, kind: int) -> SpacedStatement | None:
        """Return the tokens and spacing of a statement; None if it is not formatted."""
        return spaced_statement(self.text[body:stop], Kind(kind), self.options)

    def indent(self, depth: int) -> str:
        """Return the indentation of a nesting depth."""
        return self.options.indent(depth)

    def width(self, indent: str) -> int:
        """Return the width of an indentation in columns."""
        return len(indent) + indent.count("\t") * (self.options.columns - 1)

    @staticmethod
    def nvcc_indent(kind: int, depth: int, in_section: bool, declares: bool) -> str:
        """Return nvcc's indentation: one tab at any depth."""
        if kind in (Kind.FILE, Kind.SECTION, Kind.LOCATION):
            return "\t"
        if kind == Kind.DATA or (kind == Kind.LABEL and not declares):
            return ""
        return "\t" if depth or (in_section and kind in (Kind.OPEN, Kind.CLOSE)) else ""

    def break_(self, raw: str, lines: int, indent: str, no_blank_line: bool, verbatim: bool, start: int) -> str:
        """Return the replacement of a gap that contains a line break."""
        options = self.options
        if no_blank_line and not options.nvcc:
            lines = 1
        lines = max(1, min(lines, 1 + options.blank_lines))
        if verbatim:
            indent = raw[raw.rfind("\n") + 1 :]
        text = self.newline * lines + indent
        if options.nvcc and start:
            text = trailing(self.text[self.line : start]) + text
        elif not options.trim and "\n" in raw:
            text = raw[: raw.index("\n")].rstrip("\r") + text
        return text

    def items(self, at: int, stop: int) -> tuple[list[LeadingTrivia], int]:
        """Return the comments and line markers from ``at`` on, and the start of the statement after them."""
        text = self.text
        found = []
        while at < stop and (match := _ITEMS(text, at, stop)):
            is_line = match[0].startswith("//")
            length = len(match[0].rstrip(" \t\r\f")) if is_line and self.options.trim else len(match[0].rstrip("\r"))
            found.append(LeadingTrivia(at, at + length, match[1] is not None, is_line))
            at = BLANKS(text, match.end(), stop).end()  # type: ignore[union-attr]
        return found, at

    def comments(
        self,
        items: list[LeadingTrivia],
        end: int,
        body: int,
        previous: tuple[int, bool, bool],
        statement: StatementPlacement,
    ) -> None:
        """Record the gaps around the comments before a statement that begins at ``body``.

        Args:
            items: the comments and line markers, in text order.
            end: the end of the previous statement.
            body: the first token of the statement.
            previous: kind of the previous statement (-1: none), whether its line is kept, whether it opens a block.
            statement: the wanted indentation, and restrictions.

        """
        before, before_sticky, before_open = previous
        indent, near, far, sticky, verbatim, close_after = statement
        text, add, nvcc = self.text, self.add, self.options.nvcc
        is_trailing = False
        border = self.border(items, body) if near != far else 0
        for number, item in enumerate(items):
            comment_indent = near if number >= border else far
            raw = text[end : item.start]
            lines = raw.count("\n")
            asm = self.in_asm
            if nvcc and item.is_line:
                comment = text[item.start : item.end].rstrip()
                self.in_asm = comment == BEGIN_ASM or (self.in_asm and comment != END_ASM)
            is_kept = not lines and "\r" in raw and MARK in text[item.start : item.end]
            if asm or is_kept or (number == 0 and before < 0 and not self.region.is_first):
                pass  # a carriage return alone ends a line of an editor: the comment would silence another one
            elif nvcc or item.is_marker:
                if lines and not (number == 0 and before_sticky):
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
            if lines:
                self.line = item.start
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
        elif sticky or before_sticky or verbatim or items[-1].is_marker or nvcc:
            pass  # a line end after a broken statement may change what it consists of
        elif is_trailing and "\n" not in text[items[-1].start : end]:
            add(end, body, self.break_(raw, 1, indent, close_after, verbatim, end))
        else:
            add(end, body, " ")

    def border(self, items: list[LeadingTrivia], body: int) -> int:
        """Return the index of the first comment not separated by a blank line from the statement at ``body``."""
        for number in range(len(items) - 1, -1, -1):
            following = items[number + 1].start if number + 1 < len(items) else body
            if self.text.count("\n", items[number].end, following) > 1:
                return number + 1
        return 0

    def last(self, end: int, depth: int, sticky: bool) -> None:
        """Record the gaps after the last statement: trailing comments, and the end of the text."""
        text, options, region = self.text, self.options, self.region
        if not region.is_last:
            return
        kinds = region.kinds
        last = len(kinds) - 1
        while last >= 0 and kinds[last] == Kind.EMPTY:
            last -= 1
        begin = BLANKS(text, end).end()  # type: ignore[union-attr]
        items, stop = self.items(begin, len(text))
        if items:
            before = kinds[last] if last >= 0 else -1
            indent = self.indent(depth)
            opened = before == Kind.OPEN
            previous = before, sticky, opened
            kept = StatementPlacement(indent, indent, indent, True, True, False)
            self.comments(items, end, items[-1].end, previous, kept)
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
