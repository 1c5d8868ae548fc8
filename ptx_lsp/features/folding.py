"""Folding ranges: the parts of a document that an editor can collapse to one line."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Generator, Iterator
from enum import Enum

from ptx_lsp.analysis.module.chunk_summary import any_of
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.semantics.text_sections import sections
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.trivia import comments, trivia_length
from ptx_lsp.text import Span


class FoldKind(Enum):
    """The kind of text that a folding range covers."""

    BLOCK = "block"
    """Braces: a function body, a nested block, a section."""
    COMMENT = "comment"
    """A comment that spans several lines, or consecutive line comments."""
    DECLARATIONS = "declarations"
    """Consecutive declarations of registers or variables, or consecutive ``.file`` lines."""
    LOCATION = "location"
    """A ``.loc`` directive with the statements of its source line."""
    REGION = "region"
    """The text between ``// #region`` and ``// #endregion``."""
    LOOP = "loop"
    """A natural loop, as far as it is in one piece in the text."""
    BASIC_BLOCK = "basic block"
    """A label with the statements up to the next one."""


class Fold(NamedTuple):
    """A collapsible range, from the first token on its first line to the last token on its last line."""

    start: int
    end: int
    what: FoldKind
    amount: int = 0
    """The number of declarations in it, or of lines under a ``.loc``."""
    inside: Span | None = None
    """For a block, the span between its braces, for clients that can hide parts of lines."""
    summary: str = ""
    """The content of a loop or basic block: ``loop over %r5: 24 instructions``."""


def folding(module: Module) -> list[Fold]:
    """Return the folding ranges of a document, sorted by start; the enclosing range precedes the enclosed ones."""
    return run_to_completion(_folding(module))


def _folding(module: Module) -> Generator[None, None, list[Fold]]:
    finder = _Finder()
    for number, chunk in enumerate(module.document.chunks):
        finder.chunk(chunk, module.document.chunk_start(number))
        yield
    finder.end()
    return sorted(finder.found, key=lambda fold: (fold.start, -fold.end))


def folding_with_loops(semantics: Semantics) -> Generator[None, None, list[Fold]]:
    """Return the folding ranges of a document with its loops and labelled blocks, in steps of some milliseconds.

    Of functions whose structure is not found there are none. One that a pair of braces crosses is left out, and so is a
    block that begins with its loop. Editors drop a range that crosses one before it: the region of a ``.loc`` ends with
    the block in which it begins.
    """
    found = yield from _folding(semantics.module)
    headers = set()
    for function in list(semantics.module.functions):
        yield
        for one in sections(semantics, function):
            if one.loop is not None:
                headers.add(one.span.start)
            elif one.span.start in headers:
                continue
            what = FoldKind.BASIC_BLOCK if one.loop is None else FoldKind.LOOP
            title = "" if one.loop is None else f"{one.title}: "
            found.append(Fold(*one.span, what, summary=title + one.summary))
    yield
    found.sort(key=lambda fold: (fold.start, -fold.end))
    kept, around = [], list[Fold]()
    for fold in found:
        while around and around[-1].end <= fold.start:
            around.pop()
        if around and fold.end > around[-1].end:
            if fold.what in (FoldKind.LOOP, FoldKind.BASIC_BLOCK):
                continue
            if fold.what is FoldKind.LOCATION:
                fold = _ended(semantics.module, fold, around[-1].end)
                if fold.amount < _FEWEST:
                    continue
        if fold.what in _NESTED:
            around.append(fold)
        kept.append(fold)
        if not len(kept) % _STEP:
            yield
    return _without_crossed(kept)


def _ended(module: Module, fold: Fold, end: int) -> Fold:
    """The part of a ``.loc`` region up to the end of the block or loop in which it begins."""
    lines = module.document.position(end)[0] - module.document.position(fold.start)[0]
    return fold._replace(end=end, amount=lines)


_STEP = 1000
"""So many folds take some milliseconds."""
_NESTED = frozenset({FoldKind.BLOCK, FoldKind.LOOP, FoldKind.BASIC_BLOCK})


def _without_crossed(folds: list[Fold]) -> list[Fold]:
    """Drop the loops and basic blocks in which a brace is opened that is closed after them."""
    crossed, around = set[Fold](), list[Fold]()
    for fold in folds:
        while around and around[-1].end <= fold.start:
            around.pop()
        if fold.what is FoldKind.BLOCK:
            crossed.update(one for one in around if one.end < fold.end)
        elif fold.what in _NESTED:
            around.append(fold)
    return [fold for fold in folds if fold not in crossed]


_RUNS = {Kind.REGISTERS: 0, Kind.VARIABLE: 1, Kind.FILE: 2}
_FEWEST = 3
"""The minimum number of lines of a fold of declarations or comments, and of lines after a ``.loc``."""
_MATTERS = any_of({Kind.LABEL, Kind.OPEN, Kind.CLOSE, Kind.FUNCTION, Kind.SECTION, Kind.LOCATION, *_RUNS})
_REGION = re.compile(r"//[ \t]*#?(end)?region\b")
# Begins with a literal, to which the engine skips.
_NOTABLE = re.compile(r"/(?:\*|/[ \t]*#?(?:end)?region\b|/[^\n]*+\n[ \t]*+//[^\n]*+\n[ \t]*+//)").finditer
_LOCATION = re.compile(r"\.loc[ \t]++(\d++)[ \t]++(\d++)[ \t]++\d++([^\n;]*)").search


class _Run(NamedTuple):
    """Consecutive statements of one kind."""

    kind: int
    start: int
    line: int
    end: int
    end_line: int
    amount: int


class _Region(NamedTuple):
    """An open ``.loc`` region: its source location (file, line, inlining) and its start."""

    location: tuple[str, ...]
    start: int
    line: int


class _Finder:
    """A single pass over the chunks that visits few statements. Line numbers are approximate, for comparison only."""

    def __init__(self) -> None:
        self.found: list[Fold] = []
        self._open: list[tuple[int, int, int]] = []
        """Per open brace: the start and line of it or of its function head, and the end offset of the brace."""
        self._head: tuple[int, int] | None = None
        self._run: _Run | None = None
        self._region: _Region | None = None
        self._marked: list[int] = []
        """The start offsets of open ``#region`` comments."""
        self._line = 0
        """The line number at the end of the text processed so far."""
        self._end = 0
        self._is_after_statement = False

    def chunk(self, chunk: Chunk, base: int) -> None:
        """Process a chunk that begins at the offset ``base``."""
        text, starts, kinds = chunk.text, chunk.starts(), chunk.kinds
        notable = {bisect_right(starts, match.start()) - 1 for match in _NOTABLE(text)} if "/" in text else set()
        at, line, seen = 0, self._line, -1
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
                self._location(location, (base + start, base + begin), (here, line))
                at, seen = begin, index
                continue
            part = text[start:end]
            if index in notable:
                self._comments(part, base + start, index > 0 or self._is_after_statement)
            blank = trivia_length(part)
            here, first, kind = line, line + part.count("\n", 0, blank), Kind(kinds[index])
            line += part.count("\n")
            self._statement(kind, part[blank:], (base + start, base + start + blank, base + end), (here, first, line))
            at, seen = end, index
        if kinds[seen + 1 :].strip(b"\0"):
            self._end_run()
        self._line = line + text.count("\n", at)
        self._end = base + chunk.length
        self._is_after_statement = self._is_after_statement or bool(kinds)

    def end(self) -> None:
        """Close the open run and region at the end of the text."""
        self._end_run()
        self._end_region(self._end, self._line)

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
            self._open.append((*(self._head or (start, first)), end))
            self._head = None
        elif kind is Kind.CLOSE and self._open:
            begin, line, inside = self._open.pop()
            if first > line:
                self.found.append(Fold(begin, end, FoldKind.BLOCK, inside=Span(inside, end - 1)))

    def _end_run(self) -> None:
        """Close the current run of declarations."""
        run, self._run = self._run, None
        if run is not None and run.end_line - run.line + 1 >= _FEWEST:
            self.found.append(Fold(run.start, run.end, FoldKind.DECLARATIONS, run.amount))

    def _location(self, location: tuple[str, ...], places: tuple[int, int], lines: tuple[int, int]) -> None:
        """Process a ``.loc``; ``places`` and ``lines`` are those of the previous statement's end and of its start."""
        region = self._region
        if region is None or not location or region.location != location:
            if region is not None:
                self._end_region(places[0], lines[0])
            self._region = _Region(location, places[1], lines[1])

    def _end_region(self, end: int, line: int) -> None:
        """Close the current ``.loc`` region."""
        region, self._region = self._region, None
        if region is not None and line - region.line >= _FEWEST:
            self.found.append(Fold(region.start, end, FoldKind.LOCATION, line - region.line))

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
                if self._marked:
                    self.found.append(Fold(self._marked.pop(), base + span.end, FoldKind.REGION))
            elif region is not None:
                self._marked.append(base + span.start)
            elif not is_block:
                run.append(span)
        self._comment_lines(run, base)
        for span in comments(part):
            if "\n" in part[span.start : span.end]:
                self.found.append(Fold(base + span.start, base + span.end, FoldKind.COMMENT))

    def _comment_lines(self, run: list[Span], base: int) -> None:
        if len(run) >= _FEWEST:
            self.found.append(Fold(base + run[0].start, base + run[-1].end, FoldKind.COMMENT))


_ENDS_REGIONS = frozenset({Kind.LABEL, Kind.OPEN, Kind.CLOSE, Kind.FUNCTION, Kind.SECTION})


def _own_lines(part: str, follows_statement: bool) -> Iterator[Span]:
    """Yield the comments that are the first text on their lines."""
    for span in comments(part):
        begin = part.rfind("\n", 0, span.start) + 1
        if not part[begin : span.start].strip() and (begin or not follows_statement):
            yield span
