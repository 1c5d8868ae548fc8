"""A stretch of a document that is laid out at once, and what of the text before it matters there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ptx_lsp.analysis.module.summary import any_of, summarise
from ptx_lsp.features.formatting.nvcc import BEGIN_ASM, END_ASM
from ptx_lsp.features.formatting.options import Options
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.document import Document, DocumentPlace
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.trivia import mask_open_comments

MOST = 128
"""Instructions that one column of operands is made for; so nothing is asked of a text much further away."""

PASSED = frozenset({Kind.LOCATION, Kind.PRAGMA})
"""What may stand between instructions without ending their column."""
ALIGNED = frozenset({Kind.INSTRUCTION, Kind.REGISTERS})

_FIRST = any_of(set(Kind) - ALIGNED - PASSED - {Kind.EMPTY}).search
_BRACES = any_of({Kind.OPEN, Kind.CLOSE}).finditer
_STRAIGHT = re.compile(b"[" + b"".join(re.escape(bytes([kind])) for kind in {*PASSED, Kind.INSTRUCTION}) + b"]*+")
BLANK_LINE = re.compile(r"\n[ \t\r\f]*+\n").search


@dataclass(slots=True)
class FormatState:
    """What holds where a stretch begins."""

    depth: int = 0
    in_section: bool = False
    """Whether the outermost block is a debug section's."""
    run: int = -1
    """The kind of the statements that the first ones may go on aligning with; -1: none."""
    count: int = 0
    """How many of them there were."""
    in_asm: bool = False
    """Whether the last comment of nvcc about inline assembly was that it begins."""


@dataclass(slots=True)
class Region:
    """Statements one after the other, as columns; offsets are relative to ``text``."""

    source: str
    text: str
    """``source`` with unclosed comments masked, see :func:`ptx_lsp.syntax.trivia.mask_open_comments`."""
    starts: list[int]
    """Where each statement begins, blanks before it included, and where the last one ends."""
    kinds: bytes
    faulty: list[bool]
    stray: frozenset[int]
    """Braces that are pieces of a broken line and no block."""
    context: FormatState
    first: int
    """The chunk with which it begins."""
    is_last: bool

    @property
    def is_first(self) -> bool:
        """Whether the document begins here."""
        return not self.first


def region_of(document: Document, first: int, last: int, context: FormatState) -> Region:
    """The chunks ``[first, last)`` as a region."""
    parts = document.chunks[first:last]
    starts, faulty, stray = [], [], []
    base = count = 0
    for chunk in parts:
        own = chunk.starts()
        starts += [base + start for start in own[:-1]] if base else own[:-1].tolist()
        wrong = [
            bool(SHAPES.errors[shape]) or kind == Kind.BAD
            for shape, kind in zip(chunk.shapes, chunk.kinds, strict=True)
        ]
        faulty += wrong
        if any(wrong):
            stray += [count + at for at in _stray(chunk)]
        base += chunk.length
        count += len(chunk)
    starts.append(base)
    source = "".join([chunk.text for chunk in parts])
    text = mask_open_comments(source)
    kinds = b"".join([chunk.kinds for chunk in parts])
    is_last = last >= len(document.chunks)
    return Region(source, text, starts, kinds, faulty, frozenset(stray), context, first, is_last)


def _stray(chunk: Chunk) -> Iterable[int]:
    """The braces of a chunk with errors that open and close nothing."""
    counted = {mark.statement for mark in summarise(chunk).marks if mark.kind in (Kind.OPEN, Kind.CLOSE)}
    wrong = [False, *map(SHAPES.errors.__getitem__, chunk.shapes), False]
    found = (match.start() for match in _BRACES(chunk.kinds) if match.start() not in counted)
    return (at for at in found if wrong[at] or wrong[at + 2])  # a strange character in a comment is no error here


def context_at(document: Document, index: int, options: Options) -> FormatState:
    """What holds where chunk ``index`` begins: found by looking back, at the farthest to the head of the function."""
    chunks = document.chunks
    begin = index
    while begin > 0 and chunks[begin].kinds[0] != Kind.FUNCTION:
        begin -= 1
    context = FormatState()
    for chunk in chunks[begin:index]:
        count_braces(chunk, context)
    if options.nvcc:
        context.in_asm = _in_asm(chunks[begin:index])
    else:
        context.run, context.count = _run_before(chunks, begin, index, options.blank_lines > 0)
    return context


def count_braces(chunk: Chunk, context: FormatState, end: int = -1) -> None:
    """Follow the blocks of a chunk, or of what of it is before its offset ``end``."""
    starts = chunk.starts()
    wrong = any(map(SHAPES.errors.__getitem__, chunk.shapes))
    stray = frozenset(_stray(chunk)) if wrong else frozenset()
    for match in _STRUCTURE(chunk.kinds):
        kind = chunk.kinds[match.start()]
        if 0 <= end < starts[match.start() + 1]:
            return
        if kind == Kind.FUNCTION:
            context.depth, context.in_section = 0, False
        elif kind == Kind.SECTION:
            context.in_section = True
        elif match.start() in stray:
            continue
        elif kind == Kind.OPEN:
            context.depth += 1
        else:
            context.depth = max(0, context.depth - 1)
            context.in_section &= context.depth > 0


_STRUCTURE = any_of({Kind.OPEN, Kind.CLOSE, Kind.FUNCTION, Kind.SECTION}).finditer


def _in_asm(chunks: list[Chunk]) -> bool:
    for chunk in reversed(chunks):
        begin, end = chunk.text.rfind(BEGIN_ASM), chunk.text.rfind(END_ASM)
        if begin != end:
            return begin > end
    return False


def _run_before(chunks: list[Chunk], begin: int, index: int, blanks_count: bool) -> tuple[int, int]:
    """The kind of the aligned statements right before chunk ``index``, and their number since the run began."""
    run, count = -1, 0
    for at in range(index - 1, begin - 1, -1):
        chunk = chunks[at]
        is_straight = _STRAIGHT.fullmatch(chunk.kinds) and not (blanks_count and chunk.derived(_has_blank_line))
        if is_straight and run in (-1, Kind.INSTRUCTION):
            count += chunk.kinds.count(Kind.INSTRUCTION)
            run = Kind.INSTRUCTION if count else -1
            continue
        starts = chunk.starts()
        for statement in range(len(chunk) - 1, -1, -1):
            kind = chunk.kinds[statement]
            if kind in ALIGNED and run in (-1, kind):
                run = kind
                count += 1
            elif kind not in PASSED:
                return run, count % MOST
            part = chunk.text[starts[statement] : starts[statement + 1]]
            if blanks_count and BLANK_LINE(part[: len(part) - len(part.lstrip())] if "/" not in part else _lead(part)):
                return run, count % MOST
    return run, count % MOST


def _has_blank_line(chunk: Chunk) -> bool:
    return BLANK_LINE(chunk.text) is not None


def _lead(part: str) -> str:
    from ptx_lsp.syntax.trivia import lead

    return part[: lead(mask_open_comments(part))]


def region_around(document: Document, begin: DocumentPlace, end: DocumentPlace, options: Options) -> Region:
    """The chunks of two statements, and those before and behind that columns between them may depend on."""
    chunks = document.chunks
    start, count, before = begin.chunk, 0, begin.statement
    if start and not before:  # the gap before a region's first statement is not looked at
        start -= 1
        before = len(chunks[start])
        count = sum(map(chunks[start].kinds.count, ALIGNED))
    if not _FIRST(chunks[start].kinds, 0, before):
        while start > 0 and count < MOST and chunks[start].kinds[0] != Kind.FUNCTION:
            start -= 1
            count += sum(map(chunks[start].kinds.count, ALIGNED))
    stop, count = end.chunk + 1, 0
    if not _FIRST(chunks[end.chunk].kinds, end.statement + 1):
        while stop < len(chunks) and count < MOST:
            count += sum(map(chunks[stop].kinds.count, ALIGNED))
            stop += 1
            if _FIRST(chunks[stop - 1].kinds):
                break
    elif end.statement == len(chunks[end.chunk]) - 1 and stop < len(chunks):
        stop += 1  # a comment at the end of its line belongs to the statement behind
    return region_of(document, start, stop, context_at(document, start, options))
