"""Loops and labelled blocks as ranges of the text, nested in each other."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import accumulate, chain

from ptx_lsp.analysis.module.function import Function, statement_count
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.function_structure import FunctionStructure, TextLoop
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.structure.roles import Counts, added
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.trivia import trivia_length
from ptx_lsp.text import Span

_STEP = 200
AT_ONCE = 1500
"""The functions that are not structured yet may have so many statements together for an answer without slices."""


class TextSection(NamedTuple):
    """A loop, or a block with its label and the blocks without one that follow it."""

    span: Span
    label: str
    """The label with which it begins; empty for a loop without one."""
    label_span: Span
    """The label, or the first statement."""
    loop: TextLoop | None
    """None for a block."""
    counts: Counts
    instructions: int
    is_reachable: bool
    here: int = 0
    """Of a loop whose blocks are far apart the number of instructions in the span; 0 if it has all of them."""

    @property
    def title(self) -> str:
        """``loop over %r5``, ``loop``, or the label."""
        if self.loop is None:
            return self.label
        return f"loop over {self.loop.counter}" if self.loop.counter else "loop"

    @property
    def summary(self) -> str:
        """The counts: ``24 instructions: 4 mma, 2 ld``."""
        plural = "s" * (self.instructions != 1)
        counts = ", ".join(f"{count} {role}" for role, count in self.counts)
        part = f"{self.here} of " if self.here else ""
        return f"{part}{self.instructions} instruction{plural}" + (f": {counts}" if counts else "")


class _Places:
    """Places in the text for one answer, in which many are of the same chunk."""

    def __init__(self, module: Module) -> None:
        self._positions = module.positions
        self._starts: dict[Chunk, int] = {}

    def _of(self, chunk: Chunk) -> int:
        found = self._starts.get(chunk)
        if found is None:
            found = self._starts[chunk] = self._positions.chunk_start(chunk)
        return found

    def start(self, place: Place) -> int:
        """The offset of a statement, without the blanks and comments before it."""
        start, text = place.chunk.starts()[place.statement], place.chunk.part(place.statement)
        return self._of(place.chunk) + start + trivia_length(text)

    def end(self, place: Place) -> int:
        """The offset of the end of a statement."""
        return self._of(place.chunk) + place.chunk.starts()[place.statement + 1]

    def label(self, place: Place, label: str) -> Span:
        """The label with which a statement begins."""
        start = self.start(place)
        return Span(start, start + len(label))


def is_ready(semantics: Semantics) -> bool:
    """Whether :func:`preparing` takes a few milliseconds at most."""
    left = AT_ONCE
    for function in semantics.module.functions:
        if function.has_body and semantics.structure(function) is None:
            left -= statement_count(function)
            if left < 0:
                return False
    return True


def preparing(semantics: Semantics) -> Iterator[None]:
    """Find the loops and blocks of all functions, in steps of some milliseconds."""
    for function in list(semantics.module.functions):
        if function.has_body:
            yield from semantics.structuring(function)


def sections(semantics: Semantics, function: Function) -> list[TextSection]:
    """The loops and labelled blocks of a function in the order of the text, outer ones first; empty if not known."""
    return run_to_completion(finding_sections(semantics, function))


def finding_sections(semantics: Semantics, function: Function) -> Generator[None, None, list[TextSection]]:
    """:func:`sections` in steps of some milliseconds."""
    structure = semantics.structure(function)
    if structure is None:
        return []
    places = _Places(semantics.module)
    found: list[TextSection] = []
    for one in chain(_loops(places, structure), _labelled(places, structure)):
        found.append(one)
        if not len(found) % _STEP:
            yield
    found.sort(key=lambda one: (one.span.start, -one.span.end, one.loop is None))
    return found


def block_around(semantics: Semantics, function: Function, chunk: Chunk, statement: int) -> Span | None:
    """The basic block with a statement, which may have no label; None if the blocks are not known."""
    structure = semantics.structure(function)
    number = structure.block_at(chunk, statement) if structure is not None else None
    if structure is None or number is None:
        return None
    block = structure.blocks[number]
    places = _Places(semantics.module)
    return Span(places.start(block.start), places.end(block.end))


def _loops(places: _Places, structure: FunctionStructure) -> Iterator[TextSection]:
    blocks = structure.blocks
    before = list(accumulate((block.instructions * block.is_reachable for block in blocks), initial=0))
    for loop in structure.loops:
        header = blocks[loop.header]
        span = Span(places.start(blocks[loop.first].start), places.end(blocks[loop.last].end))
        own = places.label(header.start, header.label)
        here = before[loop.last + 1] - before[loop.first]
        here = here if here < loop.instructions else 0
        yield TextSection(span, header.label, own, loop, loop.counts, loop.instructions, is_reachable=True, here=here)


def _labelled(places: _Places, structure: FunctionStructure) -> Iterator[TextSection]:
    blocks, ends = structure.blocks, {loop.last for loop in structure.loops}
    number = 0
    while number < len(blocks):
        first = blocks[number]
        if not first.label:
            number += 1
            continue
        last, counts, instructions = number, first.counts, first.instructions
        while last + 1 < len(blocks) and last not in ends:
            following = blocks[last + 1]
            if following.label or following.loop != first.loop:
                break
            last += 1
            counts, instructions = added(counts, following.counts), instructions + following.instructions
        span = Span(places.start(first.start), places.end(blocks[last].end))
        own = Span(span.start, span.start + len(first.label))
        yield TextSection(span, first.label, own, None, counts, instructions, first.is_reachable)
        number = last + 1
