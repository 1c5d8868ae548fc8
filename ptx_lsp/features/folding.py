"""Folding: what an editor can collapse to one line."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from ptx_lsp.analysis.module import Module
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.trivia import comments, lead


class Fold(NamedTuple):
    """Lines that can be collapsed, counted from 0, both included."""

    first: int
    last: int
    what: What


class What(Enum):
    """What is collapsed."""

    BLOCK = "block"
    """Braces: a body, a block in it, a section."""
    COMMENT = "comment"
    """Comments over several lines."""
    DECLARATIONS = "declarations"
    """Declarations of registers or variables, or ``.file`` lines, one after the other."""


_RUNS = {Kind.REGISTERS: 0, Kind.VARIABLE: 1, Kind.FILE: 2}
_FEWEST = 3
"""So many lines of one kind are worth a fold."""


def folding(module: Module) -> list[Fold]:
    """The folds of a document, in the order of their first lines."""
    finder = _Finder()
    line = 0
    for chunk in module.document.chunks:
        line = finder.chunk(chunk, line)
    finder.end_run()
    return sorted(finder.found, key=lambda fold: (fold.first, -fold.last))


class _Finder:
    def __init__(self) -> None:
        self.found: list[Fold] = []
        self._open: list[int] = []
        """The line on which each open brace, or the head before it, begins."""
        self._head = -1
        self._run: tuple[int, int, int] | None = None
        """Kind, first and last line of the declarations so far."""

    def chunk(self, chunk: Chunk, line: int) -> int:
        """Take over a chunk that begins on ``line``; the line on which it ends."""
        text, starts, kinds = chunk.text, chunk.starts(), chunk.kinds
        for index in range(len(kinds)):
            start, end = starts[index], starts[index + 1]
            newlines = text.count("\n", start, end)
            kind = kinds[index]
            if kind in _MATTERS or (newlines > 1 and "/" in text[start:end]):
                part = text[start:end]
                if "/" in part:
                    self.found += _comments(part, line)
                first = line + part.count("\n", 0, lead(part))
                self._statement(Kind(kind), first, line + newlines)
            elif kind != Kind.EMPTY:
                self.end_run()
            line += newlines
        return line

    def _statement(self, kind: Kind, first: int, last: int) -> None:
        run = _RUNS.get(kind)
        if run is None or self._run is None or self._run[0] != run:
            self.end_run()
        if run is not None:
            self._run = (run, self._run[1] if self._run else first, last)
        if kind in (Kind.FUNCTION, Kind.SECTION):
            self._head = first
        elif kind == Kind.OPEN:
            self._open.append(first if self._head < 0 else self._head)
            self._head = -1
        elif kind == Kind.CLOSE and self._open:
            begin = self._open.pop()
            if first > begin:
                self.found.append(Fold(begin, first, What.BLOCK))

    def end_run(self) -> None:
        """End the declarations that stand one after the other."""
        if self._run is not None and self._run[2] - self._run[1] + 1 >= _FEWEST:
            self.found.append(Fold(self._run[1], self._run[2], What.DECLARATIONS))
        self._run = None


_MATTERS = frozenset({Kind.OPEN, Kind.CLOSE, Kind.FUNCTION, Kind.SECTION, *_RUNS})


def _comments(part: str, line: int) -> Iterator[Fold]:
    """Block comments over several lines, and three or more lines that are nothing but comments."""
    run: list[int] = []
    for span in comments(part):
        first = line + part.count("\n", 0, span.start)
        last = line + part.count("\n", 0, span.end)
        before = part[part.rfind("\n", 0, span.start) + 1 : span.start]
        if last > first:
            yield Fold(first, last, What.COMMENT)
        elif not before.strip():
            if run and first != run[-1] + 1:
                yield from _lines(run)
                run = []
            run.append(first)
    yield from _lines(run)


def _lines(run: list[int]) -> Iterator[Fold]:
    if len(run) >= _FEWEST:
        yield Fold(run[0], run[-1], What.COMMENT)
