"""A region: consecutive chunks that are laid out together, and the state at its start."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable
from dataclasses import dataclass

from ptx_lsp.analysis.module.chunk_summary import any_of, ends_on_broken_line, summarise
from ptx_lsp.features.formatting.nvcc import BEGIN_ASM, END_ASM
from ptx_lsp.features.formatting.options import Options
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.document import Document, DocumentPlace
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.trivia import comments, mask_open_comments

MOST = 128
"""The maximum number of instructions aligned together, which bounds the context that a change can affect."""

PASSED = frozenset({Kind.LOCATION, Kind.PRAGMA})
"""Kinds of statements that do not end an aligned run."""
ALIGNED = frozenset({Kind.INSTRUCTION, Kind.REGISTERS})

_FIRST = any_of(set(Kind) - ALIGNED - PASSED - {Kind.EMPTY}).search
_BRACES = any_of({Kind.OPEN, Kind.CLOSE}).finditer
_STRAIGHT = re.compile(b"[" + b"".join(re.escape(bytes([kind])) for kind in {*PASSED, Kind.INSTRUCTION}) + b"]*+")
BLANK_LINE = re.compile(r"\n[ \t\r\f]*+\n").search


@dataclass(slots=True)
class FormatState:
    """The formatting state at the start of a region."""

    depth: int = 0
    in_section: bool = False
    """Whether the outermost open block is a debug section."""
    run: int = -1
    """The kind of statements in the open aligned run; -1: none."""
    count: int = 0
    """The number of statements in it so far."""
    in_asm: bool = False
    """Whether nvcc's marker for the beginning of inline assembly is still open."""
    on_broken_line: bool = False
    """Whether a broken statement stands on the line before the region's first statement."""


@dataclass(slots=True)
class Region:
    """Consecutive statements as parallel arrays; offsets are relative to ``text``."""

    source: str
    text: str
    """``source`` with unclosed comments masked, see :func:`ptx_lsp.syntax.trivia.mask_open_comments`."""
    starts: list[int]
    """The start of each statement including leading white space, and the end of the last one."""
    kinds: bytes
    faulty: list[bool]
    broken: frozenset[int]
    """The statements after which the rest of their line is not judged, as it may be a piece of the same mistake."""
    stray: frozenset[int]
    """Braces that are part of an erroneous line and delimit no block."""
    context: FormatState
    first: int
    """The index of its first chunk."""
    is_last: bool

    @property
    def is_first(self) -> bool:
        """Whether it begins at the start of the document."""
        return not self.first


def region_of(document: Document, first: int, last: int, context: FormatState) -> Region:
    """Return the chunks ``[first, last)`` as a region."""
    return run_to_completion(making_region(document, first, last, context))


def making_region(document: Document, first: int, last: int, context: FormatState) -> Generator[None, None, Region]:
    """:func:`region_of` in steps."""
    parts = document.chunks[first:last]
    starts, faulty, broken, stray = [], [], [], []
    base = count = 0
    for chunk in parts:
        yield
        own = chunk.starts()
        starts += [base + start for start in own[:-1]] if base else own[:-1].tolist()
        wrong = [
            bool(SHAPES.errors[shape]) or kind == Kind.BAD
            for shape, kind in zip(chunk.shapes, chunk.kinds, strict=True)
        ]
        faulty += wrong
        broken += [count + at for at in summarise(chunk).broken]
        if any(wrong):
            stray += [count + at for at in _stray(chunk)]
        base += chunk.length
        count += len(chunk)
    starts.append(base)
    source = "".join([chunk.text for chunk in parts])
    text = mask_open_comments(source)
    kinds = b"".join([chunk.kinds for chunk in parts])
    is_last = last >= len(document.chunks)
    return Region(source, text, starts, kinds, faulty, frozenset(broken), frozenset(stray), context, first, is_last)


def _stray(chunk: Chunk) -> Iterable[int]:
    """Yield the unmatched braces of a chunk with errors."""
    counted = {mark.statement for mark in summarise(chunk).marks if mark.kind in (Kind.OPEN, Kind.CLOSE)}
    wrong = [False, *map(SHAPES.errors.__getitem__, chunk.shapes), False]
    found = (match.start() for match in _BRACES(chunk.kinds) if match.start() not in counted)
    return (at for at in found if wrong[at] or wrong[at + 2])  # an invalid character in a comment is not an error here


def context_at(document: Document, index: int, options: Options) -> FormatState:
    """Return the state at the start of chunk ``index``, searching back at most to the function's head."""
    chunks = document.chunks
    begin = index
    while begin > 0 and chunks[begin].kinds[0] != Kind.FUNCTION:
        begin -= 1
    context = FormatState()
    for chunk in chunks[begin:index]:
        count_braces(chunk, context)
    ends = (chunk.derived(ends_on_broken_line) for chunk in reversed(chunks[:index]))
    context.on_broken_line = next(filter(lambda one: one is not None, ends), None) or False
    if options.nvcc:
        context.in_asm = _in_asm(chunks[begin:index])
    else:
        context.run, context.count = _run_before(chunks, begin, index, options.blank_lines > 0)
    return context


def count_braces(chunk: Chunk, context: FormatState, end: int = -1) -> None:
    """Update the nesting state by a chunk, or by the part of it before the offset ``end``."""
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
        if BEGIN_ASM in chunk.text or END_ASM in chunk.text:
            for index in range(len(chunk) - 1, -1, -1):
                if marks := _asm_marks(chunk, index):
                    return marks[-1] == BEGIN_ASM
    return False


def _asm_marks(chunk: Chunk, index: int) -> list[str]:
    """Those of nvcc's markers that are comments before a statement; within one they are not looked at."""
    part = chunk.part(index)
    if chunk.kinds[index] == Kind.EMPTY or BEGIN_ASM not in part and END_ASM not in part:
        return []
    lead = len(_lead(part))
    words = [part[span.start : span.end].rstrip() for span in comments(part) if span.end <= lead]
    return [word for word in words if word in (BEGIN_ASM, END_ASM)]


def _run_before(chunks: list[Chunk], begin: int, index: int, blanks_count: bool) -> tuple[int, int]:
    """Return the kind and number of the aligned statements directly before chunk ``index``."""
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
    from ptx_lsp.syntax.trivia import trivia_length

    return part[: trivia_length(mask_open_comments(part))]


def region_around(document: Document, begin: DocumentPlace, end: DocumentPlace, options: Options) -> Region:
    """Return the chunks of two statements, extended by the neighbors that their alignment depends on."""
    chunks = document.chunks
    start, count, before = begin.chunk, 0, begin.statement
    if start and not before:  # the gap before a region's first statement is not formatted
        start -= 1
        before = len(chunks[start])
        count = sum(map(chunks[start].kinds.count, ALIGNED))
    if not _FIRST(chunks[start].kinds, 0, before):
        while start > 0 and count < MOST and chunks[start].kinds[0] != Kind.FUNCTION:
            start -= 1
            count += sum(map(chunks[start].kinds.count, ALIGNED))
    if options.nvcc:
        while start > 0 and "\n" not in _lead(chunks[start].part(0)):
            start -= 1  # a template may be open on the line, and is printed verbatim
    stop, count = end.chunk + 1, 0
    if not _FIRST(chunks[end.chunk].kinds, end.statement + 1):
        while stop < len(chunks) and count < MOST:
            count += sum(map(chunks[stop].kinds.count, ALIGNED))
            stop += 1
            if _FIRST(chunks[stop - 1].kinds):
                break
    elif end.statement == len(chunks[end.chunk]) - 1 and stop < len(chunks):
        stop += 1  # a comment at the end of its line belongs to the next statement
    return region_of(document, start, stop, context_at(document, start, options))
