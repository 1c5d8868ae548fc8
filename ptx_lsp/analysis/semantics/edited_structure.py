"""The structure of a function after an edit that leaves its flow of control as it was.

Most edits change instructions within one block. Then the blocks and loops are the same but for their places and counts.
"""

from __future__ import annotations

from collections.abc import Sequence

from ptx_lsp.analysis.dataflow.effects import Control, words
from ptx_lsp.analysis.dataflow.module_effects import Effects
from ptx_lsp.analysis.module.function import Function
from ptx_lsp.analysis.semantics.function_structure import FunctionStructure, TextBlock, TextLoop
from ptx_lsp.analysis.structure.roles import added, counts_of
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.trivia import trivia_length

_MOST = 4000
"""Edits that replace more statements are not compared."""
_PLAIN = frozenset({Kind.INSTRUCTION, Kind.LOCATION, Kind.EMPTY})
_Statement = tuple[Chunk, int]


class _Middle(NamedTuple):
    """The difference of two sequences of statements: ``old[start:old_end]`` became ``new[start:new_end]``."""

    start: int
    old_end: int
    new_end: int


def edited_structure(before: FunctionStructure, effects: Effects, function: Function) -> FunctionStructure | None:
    """The structure of a function after edits; None if it has to be found anew.

    Args:
        before: the structure before the edits.
        effects: the effects of statements.
        function: the function as it is now.

    """
    order = {chunk: number for number, chunk in enumerate(before.chunks)}
    present = frozenset(function.chunks)
    removed = [chunk for chunk in order if chunk not in present]
    fresh = [chunk for chunk in function.chunks if chunk not in order]
    old = [(chunk, at) for chunk in removed for at in range(len(chunk.kinds))]
    new = [(chunk, at) for chunk in fresh for at in range(len(chunk.kinds))]
    if max(len(old), len(new)) > _MOST:
        return None
    if any(kind in chunk.kinds for chunk in (*removed, *fresh) for kind in (Kind.TARGETS, Kind.PROTOTYPE)):
        return None
    middle = _differing(old, new)
    changed = [*old[middle.start : middle.old_end], *new[middle.start : middle.new_end]]
    edited = None
    if changed:
        if not 0 < middle.start <= middle.old_end < len(old):
            return None
        around = {before.block_at(*one) for one in old[middle.start - 1 : middle.old_end + 1]}
        edited = around.pop()
        if around or edited is None:
            return None
        end, (chunk, at) = before.blocks[edited].end, old[middle.old_end]
        if (order[chunk], at) > (order[end.chunk], end.statement):
            return None
        if not all(_is_plain(effects, one) for one in changed):
            return None
        if not _written(effects, changed).isdisjoint(before.deciding):
            return None
    places = {}
    for at, one in enumerate(old):
        if not middle.start <= at < middle.old_end:
            places[one] = new[at if at < middle.start else at + middle.new_end - middle.old_end]
    return _moved(before, function, places, frozenset(removed), edited)


def _differing(old: Sequence[_Statement], new: Sequence[_Statement]) -> _Middle:
    texts, others = ([_bare(chunk.part(at)) for chunk, at in each] for each in (old, new))
    start, most = 0, min(len(texts), len(others))
    while start < most and texts[start] == others[start]:
        start += 1
    end = 0
    while end < most - start and texts[-1 - end] == others[-1 - end]:
        end += 1
    return _Middle(start, len(texts) - end, len(others) - end)


def _bare(part: str) -> str:
    """A statement without the blanks and comments before it."""
    return part[trivia_length(part) :]


def _is_plain(effects: Effects, one: _Statement) -> bool:
    chunk, at = one
    if chunk.kinds[at] not in _PLAIN:
        return False
    return chunk.kinds[at] != Kind.INSTRUCTION or effects.of(chunk, at).control is Control.ON


def _written(effects: Effects, statements: Sequence[_Statement]) -> set[str]:
    """The words that some instructions may write."""
    found: set[str] = set()
    for chunk, at in statements:
        effect, names = effects.of(chunk, at), words(chunk.part(at))
        found.update(names[place] for place in (*effect.writes, *effect.updates) if place < len(names))
    return found


def _moved(
    before: FunctionStructure,
    function: Function,
    places: dict[_Statement, _Statement],
    removed: frozenset[Chunk],
    edited: int | None,
) -> FunctionStructure | None:
    """A structure with other places, and other counts of the block that is edited."""
    blocks: list[TextBlock] = []
    for block in before.blocks:
        if block.start.chunk not in removed and block.end.chunk not in removed:
            blocks.append(block)
            continue
        ends = []
        for place in (block.start, block.end):
            found = (place.chunk, place.statement)
            if place.chunk in removed:
                if found not in places:
                    return None
                found = places[found]
            ends.append(Place(*found, 0))
        blocks.append(block._replace(start=ends[0], end=ends[1]))
    loops = list(before.loops)
    if edited is not None:
        former = blocks[edited]
        shapes = _shapes(function, former)
        blocks[edited] = former._replace(counts=counts_of(shapes), instructions=len(shapes))
        number = former.loop
        while number >= 0:
            loops[number] = _recounted(loops[number], former, blocks[edited])
            number = loops[number].parent
    return FunctionStructure(blocks, loops, function.chunks, before.deciding)


def _shapes(function: Function, block: TextBlock) -> list[int]:
    """The shapes of the instructions of a block, without those between two parts of the body."""
    chunks = function.chunks
    first, last = chunks.index(block.start.chunk), chunks.index(block.end.chunk)
    found: list[int] = []
    for number in range(first, last + 1):
        chunk = chunks[number]
        start = block.start.statement if number == first else 0
        end = block.end.statement + 1 if number == last else len(chunk.kinds)
        found += [
            chunk.shapes[at]
            for at in range(start, end)
            if chunk.kinds[at] == Kind.INSTRUCTION and function.is_inside(chunk, at)
        ]
    return found


def _recounted(loop: TextLoop, former: TextBlock, block: TextBlock) -> TextLoop:
    """A loop of which one block has other counts than before."""
    less = tuple((role, -count) for role, count in former.counts)
    counts = added(added(loop.counts, block.counts), less)
    return loop._replace(counts=counts, instructions=loop.instructions - former.instructions + block.instructions)
