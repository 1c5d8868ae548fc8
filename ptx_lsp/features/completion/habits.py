"""What is usually written next: by the table of frequencies, and by the file itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ptx_lsp.analysis.cursor.unfinished import UnfinishedStatement
from ptx_lsp.isa.completion.frequencies import following, mnemonic_weight
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES

_MOST_CHUNKS = 48
"""The chunks around the cursor that are counted, about 12,000 statements."""
_OF_FILE = 2.0
"""The weight of the file, relative to the table."""


class _Opcodes:
    """The opcodes of a chunk, with their numbers; chunks do not change."""

    def __init__(self, chunk: Chunk) -> None:
        self.counts: Counter[tuple[str, ...]] = Counter()
        for shape, count in Counter(chunk.shapes).items():
            if SHAPES[shape].kind == Kind.INSTRUCTION:
                self.counts[SHAPES[shape].opcode] += count


def usual_words(place: UnfinishedStatement, opcode: tuple[str, ...], words: Iterable[str]) -> dict[str, float]:
    """Scores of the words that may follow in an opcode, of those that are usual; more is better."""
    allowed = frozenset(words)
    table = {word: weight for word, weight in following(opcode).items() if word in allowed}
    own: Counter[str] = Counter()
    length = len(opcode)
    for written, count in _of_file(place).items():
        if len(written) > length and written[:length] == opcode and written[length] in allowed:
            own[written[length]] += count
    return _scores(table, own)


def usual_instructions(place: UnfinishedStatement, names: Iterable[str]) -> dict[str, float]:
    """Scores of instructions at the start of a statement, by their first words."""
    table = {name: mnemonic_weight(name) for name in names}
    own: Counter[str] = Counter()
    for written, count in _of_file(place).items():
        if written and written[0] in table:
            own[written[0]] += count
    return _scores(table, own)


def _scores(table: dict[str, int], own: Counter[str]) -> dict[str, float]:
    all_of_table, all_of_file = sum(table.values()) or 1, own.total() or 1
    scores = {word: weight / all_of_table for word, weight in table.items() if weight}
    for word, count in own.items():
        scores[word] = scores.get(word, 0.0) + _OF_FILE * count / all_of_file
    return scores


def _of_file(place: UnfinishedStatement) -> Counter[tuple[str, ...]]:
    """The opcodes around the cursor; the unfinished statement itself counts for little."""
    module = place.context.module
    chunks = module.document.chunks
    here = module.positions.chunk_number(place.context.chunk)
    found: Counter[tuple[str, ...]] = Counter()
    for chunk in chunks[max(here - _MOST_CHUNKS // 2, 0) : here + _MOST_CHUNKS // 2]:
        found.update(chunk.derived(_Opcodes).counts)
    if place.context.index < len(place.context.chunk):
        written = SHAPES[place.context.chunk.shapes[place.context.index]].opcode
        if found.get(written, 0) == 1:
            del found[written]
    return found
