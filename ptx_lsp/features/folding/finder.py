"""Folds that the text shows without the flow of control: braces, comments, declarations, lines of a source line."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from ptx_lsp.analysis.module.chunk_summary import any_of
from ptx_lsp.features.folding.fold import Fold, FoldKind
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.trivia import comments, trivia_length
from ptx_lsp.text import Span

_RUNS = {Kind.REGISTERS: 0, Kind.VARIABLE: 1, Kind.FILE: 2}
FEWEST = 3
"""The minimum number of lines of a fold of declarations or comments, and of lines after a ``.loc``."""
_MATTERS = any_of({Kind.LABEL, Kind.OPEN, Kind.CLOSE, Kind.FUNCTION, Kind.SECTION, Kind.LOCATION, *_RUNS})
_REGION = re.compile(r"//[ \t]*#?(end)?region\b")
# Begins with a literal, to which the engine skips. Looks ahead at the next lines: the first `//` can be in a string.
_NOTABLE = re.compile(r"/(?:\*|/[ \t]*#?(?:end)?region\b|/(?=[^\n]*+\n[ \t]*+//[^\n]*+\n[ \t]*+//))").finditer
_LOCATION = re.compile(r"\.loc[ \t]++(\d++)[ \t]++(\d++)[ \t]++\d++([^\n;]*)").search


class _Run(NamedTuple):
    """Consecutive statements of one kind."""

    kind: int
    start: int
    line: int
    end: int
    end_line: int
    amount: int

    def moved(self, by: int, lines: int) -> _Run:
        return _Run(self.kind, self.start + by, self.line + lines, self.end + by, self.end_line + lines, self.amount)


class _Region(NamedTuple):
    """An open ``.loc`` region: its source location (file, line, inlining) and its start."""

    location: tuple[str, ...]
    start: int
    line: int


class _Before(NamedTuple):
    """The state before a chunk: what its folds depend on besides its text; places are relative to its start."""

    run: _Run | None = None
    region: _Region | None = None
    head: tuple[int, int] | None = None
    """The start and line of a function head whose body is not opened yet."""
    is_after_statement: bool = False
    """Whether a statement precedes it."""

    def moved(self, by: int, lines: int) -> _Before:
        """Return it with places so many characters and lines further on."""
        run = self.run and self.run.moved(by, lines)
        region = self.region and _Region(self.region.location, self.region.start + by, self.region.line + lines)
        head = self.head and (self.head[0] + by, self.head[1] + lines)
        return _Before(run, region, head, self.is_after_statement)


class Finder:
    """Finds the folds of consecutive chunks; those of a chunk are kept with it. Line numbers are for comparison only.

    Args:
        is_first: whether the chunks begin the text.

    """

    def __init__(self, *, is_first: bool) -> None:
        self.found: list[Fold] = []
        """The folds, in the order of their chunks."""
        self._before = _Before(is_after_statement=not is_first)
        self._open: list[tuple[int, int, int]] = []
        """Per open brace: the start and line of it or of its function head, and the end offset of the brace."""
        self._marked: list[int] = []
        """The start offsets of open ``#region`` comments."""
        self._line = 0
        """The line number at the end of the text processed so far."""
        self._end = 0
        self._is_balanced = True

    @property
    def length(self) -> int:
        """Number of characters of the chunks so far."""
        return self._end

    def chunk(self, chunk: Chunk) -> None:
        """Process the next chunk."""
        base, first = self._end, self._line
        held = chunk.derived(_Held)
        if held.reader is None or held.before != self._before:
            held.before, held.reader = self._before, _ChunkReader(chunk, self._before)
        reader = held.reader
        self.found += [fold.moved(base) for fold in reader.found]
        for end, line in reader.closed:
            self._close(base + end, first + line)
        self._open += [(start + base, line + first, inside + base) for start, line, inside in reader.open]
        for end in reader.ended:
            if self._marked:
                self.found.append(Fold(self._marked.pop(), base + end, FoldKind.REGION))
            else:
                self._is_balanced = False
        self._marked += [start + base for start in reader.marked]
        self._before = reader.after
        self._line = first + reader.lines
        self._end = base + chunk.length

    def end(self) -> None:
        """Close the open run and region at the end of the text."""
        before = self._before.moved(self._end, self._line)
        self.found += _ended_run(before.run)
        self.found += _ended_region(before.region, self._end, self._line)

    @property
    def is_balanced(self) -> bool:
        """Whether all braces and regions that were opened are closed, and the other way round."""
        return self._is_balanced and not self._open and not self._marked

    def _close(self, end: int, first: int) -> None:
        """A brace that an earlier chunk opened is closed."""
        if not self._open:
            self._is_balanced = False
            return
        begin, line, inside = self._open.pop()
        if first > line:
            self.found.append(Fold(begin, end, FoldKind.BLOCK, inside=Span(inside, end - 1)))


class _Held:
    """The folds of a chunk as they were found last."""

    def __init__(self, _: Chunk) -> None:
        self.before = _Before()
        self.reader: _ChunkReader | None = None


class _ChunkReader:
    """A single pass over a chunk that visits few statements; places and lines are relative to its start."""

    def __init__(self, chunk: Chunk, before: _Before) -> None:
        self.found: list[Fold] = []
        """The folds that end in the chunk, but for blocks and regions that are opened before it."""
        self.closed: list[tuple[int, int]] = []
        """The ends and lines of braces that close a block that is opened before it."""
        self.open: list[tuple[int, int, int]] = []
        """Per brace that it leaves open: the start and line of it or of its function head, and the brace's end."""
        self.ended: list[int] = []
        """The ends of ``#endregion`` comments of regions that are opened before it."""
        self.marked: list[int] = []
        """The start offsets of ``#region`` comments that it leaves open."""
        self._run, self._region, self._head, is_after = before
        self._read(chunk, is_after)
        after = _Before(self._run, self._region, self._head, is_after or bool(chunk.kinds))
        self.after = after.moved(-chunk.length, -self.lines)

    def _read(self, chunk: Chunk, is_after_statement: bool) -> None:
        text, starts, kinds = chunk.text, chunk.starts(), chunk.kinds
        notable = {bisect_right(starts, match.start()) - 1 for match in _NOTABLE(text)} if "/" in text else set()
        at, line, seen = 0, 0, -1
        for index in sorted(notable.union(match.start() for match in _MATTERS.finditer(kinds))):
            start, end = starts[index], starts[index + 1]
            line += text.count("\n", at, start)
            if kinds[seen + 1 : index].strip(b"\0"):
                self._end_run()
            if kinds[index] == Kind.LOCATION and index not in notable:
                self._end_run()
                found = _LOCATION(text, start, end)
                begin = found.start() if found is not None else start
                here = line
                line += text.count("\n", start, begin)
                location = found.groups() if found is not None else ()
                self._location(location, (start, begin), (here, line))
                at, seen = begin, index
                continue
            part = text[start:end]
            if index in notable:
                self._comments(part, start, index > 0 or is_after_statement)
            blank = trivia_length(part)
            here, first, kind = line, line + part.count("\n", 0, blank), Kind(kinds[index])
            line += part.count("\n")
            self._statement(kind, part[blank:], (start, start + blank, end), (here, first, line))
            at, seen = end, index
        if kinds[seen + 1 :].strip(b"\0"):
            self._end_run()
        self.lines = line + text.count("\n", at)
        """Number of line ends in it."""

    def _statement(self, kind: Kind, text: str, places: tuple[int, int, int], lines: tuple[int, int, int]) -> None:
        """Process a statement; ``places`` and ``lines`` are those of the previous end, its start and its end."""
        before, start, end = places
        here, first, last = lines
        run = _RUNS.get(kind)
        if kind is not Kind.EMPTY and (run is None or self._run is None or self._run.kind != run):
            self._end_run()
        if run is not None:
            held = self._run or _Run(run, start, first, end, last, 0)
            self._run = held._replace(end=end, end_line=last, amount=held.amount + 1)
        if kind is Kind.LOCATION:
            match = _LOCATION(text)
            self._location(match.groups() if match is not None else (), (before, start), (here, first))
        elif kind in _ENDS_REGIONS:
            self._end_region(before, here)
        if kind in (Kind.FUNCTION, Kind.SECTION):
            self._head = start, first
        elif kind is Kind.OPEN:
            self.open.append((*(self._head or (start, first)), end))
            self._head = None
        elif kind is Kind.CLOSE:
            if not self.open:
                self.closed.append((end, first))
                return
            begin, line, inside = self.open.pop()
            if first > line:
                self.found.append(Fold(begin, end, FoldKind.BLOCK, inside=Span(inside, end - 1)))

    def _end_run(self) -> None:
        """Close the current run of declarations."""
        self.found += _ended_run(self._run)
        self._run = None

    def _location(self, location: tuple[str, ...], places: tuple[int, int], lines: tuple[int, int]) -> None:
        """Process a ``.loc``; ``places`` and ``lines`` are those of the previous statement's end and of its start."""
        region = self._region
        if region is None or not location or region.location != location:
            if region is not None:
                self._end_region(places[0], lines[0])
            self._region = _Region(location, places[1], lines[1])

    def _end_region(self, end: int, line: int) -> None:
        """Close the current ``.loc`` region."""
        self.found += _ended_region(self._region, end, line)
        self._region = None

    def _comments(self, part: str, base: int, follows_statement: bool) -> None:
        """Process comments; ``follows_statement``: a statement precedes them, maybe on the same line."""
        run: list[Span] = []
        for span in _own_lines(part, follows_statement):
            region = _REGION.match(part, span.start)
            is_block = part.startswith("/*", span.start)
            if region is not None or is_block or (run and part.count("\n", run[-1].end, span.start) > 1):
                self._comment_lines(run, base)
                run = []
            if region is not None:
                self._end_run()
            if region is not None and region[1]:
                if self.marked:
                    self.found.append(Fold(self.marked.pop(), base + span.end, FoldKind.REGION))
                else:
                    self.ended.append(base + span.end)
            elif region is not None:
                self.marked.append(base + span.start)
            elif not is_block:
                run.append(span)
        self._comment_lines(run, base)
        for span in comments(part):
            if "\n" in part[span.start : span.end]:
                self.found.append(Fold(base + span.start, base + span.end, FoldKind.COMMENT))

    def _comment_lines(self, run: list[Span], base: int) -> None:
        if len(run) >= FEWEST:
            self.found.append(Fold(base + run[0].start, base + run[-1].end, FoldKind.COMMENT))


def _ended_run(run: _Run | None) -> list[Fold]:
    """The fold of declarations that end."""
    if run is None or run.end_line - run.line + 1 < FEWEST:
        return []
    return [Fold(run.start, run.end, FoldKind.DECLARATIONS, run.amount)]


def _ended_region(region: _Region | None, end: int, line: int) -> list[Fold]:
    """The fold of a ``.loc`` region that ends at a place."""
    if region is None or line - region.line < FEWEST:
        return []
    return [Fold(region.start, end, FoldKind.LOCATION, line - region.line)]


_ENDS_REGIONS = frozenset({Kind.LABEL, Kind.OPEN, Kind.CLOSE, Kind.FUNCTION, Kind.SECTION})


def _own_lines(part: str, follows_statement: bool) -> Iterator[Span]:
    """Yield the comments that are the first text on their lines."""
    for span in comments(part):
        begin = part.rfind("\n", 0, span.start) + 1
        if not part[begin : span.start].strip() and (begin or not follows_statement):
            yield span
