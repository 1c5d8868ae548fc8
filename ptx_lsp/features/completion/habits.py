"""The words and names that are usual at a place: by the table of frequencies, and by the file itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain

from ptx_lsp.analysis.cursor.completed_statement import CompletedStatement
from ptx_lsp.analysis.cursor.unfinished import UnfinishedStatement
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import SymbolKind
from ptx_lsp.isa.completion.frequencies import following, mnemonic_weight
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.documents.nearby import after, before, runs_around
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind

_COUNTED = 6000
"""The statements before and after the cursor whose opcodes are counted."""
_OF_FILE = 2.0
"""The weight of the file, relative to the table."""


class _Opcodes:
    """The opcodes of a chunk, with their numbers; chunks do not change."""

    def __init__(self, chunk: Chunk) -> None:
        self.counts = _counts(chunk.shapes)


def _counts(shapes: Iterable[int]) -> Counter[tuple[str, ...]]:
    found: Counter[tuple[str, ...]] = Counter()
    for shape, count in Counter(shapes).items():
        if SHAPES[shape].kind == Kind.INSTRUCTION:
            found[SHAPES[shape].opcode] += count
    return found


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
    context = place.context
    found: Counter[tuple[str, ...]] = Counter()
    for run in runs_around(context.module.document.chunks, context.chunk, context.index, _COUNTED).values():
        is_whole = run.end - run.first == len(run.chunk)
        found.update(run.chunk.derived(_Opcodes).counts if is_whole else _counts(run.chunk.shapes[run.first : run.end]))
    if context.index < len(context.chunk):
        written = SHAPES[context.chunk.shapes[context.index]].opcode
        if found.get(written, 0) == 1:
            del found[written]
    return found


# ---- operands

_MOST_STATEMENTS = 1200
"""Statements before the cursor that are looked at, and half as many after it."""
_MOST_NAMES = 24
"""The names after which the search ends."""


def names_in_role(draft: CompletedStatement) -> list[str]:
    """The names and numbers at the place of the cursor in instructions with the same first word, the nearest first.

    A register that is there once is not among them: it is a result that nothing else needs. Of an address the place
    does not count: all ``mbarrier`` instructions name a barrier, at different places.
    """
    context = draft.place.context
    mnemonic = draft.tree.opcode[0]
    place = draft.path[0]
    chunks = context.function.chunks
    found: Counter[str] = Counter()
    numbers: Counter[str] = Counter()
    for side, most in ((before, _MOST_STATEMENTS), (after, _MOST_STATEMENTS // 2)):
        for chunk, index in side(chunks, context.chunk, context.index, most):
            if len(found) >= _MOST_NAMES:
                break
            shape = SHAPES[chunk.shapes[index]]
            if shape.kind == Kind.INSTRUCTION and not shape.errors and shape.opcode[:1] == (mnemonic,):
                tree = shape.tree
                assert isinstance(tree, Instruction)
                statement = chunk.statement(index)
                for name in _names(tree, place):
                    found[statement.word(name)] += 1
                written = _number(tree, place)
                if written >= 0:
                    numbers[statement.word(written)] += 1
    usual = [name for name, count in found.items() if count > 1 or _is_variable(context, name)]
    # A place that mostly has a constant: the number of a barrier, a lane mask.
    return [*(text for text, _ in numbers.most_common()), *usual] if numbers.total() > found.total() else usual


def _is_variable(context: StatementContext, name: str) -> bool:
    symbol = context.visible(name)
    return symbol is not None and symbol.kind is SymbolKind.VARIABLE


def is_mostly_register(draft: CompletedStatement) -> bool:
    """Whether the nearest instruction of the same kind has a register at the place of the cursor, no address.

    A of ``tcgen05.mma`` is an address in Tensor Memory or a descriptor: most likely what the one before has.
    """
    context, place, kind = draft.place.context, draft.path[0], draft.tree.opcode[:2]
    here = context.function.chunks, context.chunk, context.index, _NEAREST
    for chunk, index in chain(before(*here), after(*here)):
        shape = SHAPES[chunk.shapes[index]]
        if shape.kind != Kind.INSTRUCTION or shape.errors or shape.opcode[:2] != kind:
            continue
        tree = shape.tree
        if isinstance(tree, Instruction) and place < len(tree.operands):
            return tree.operands[place].kind is OperandKind.NAME
    return False


_NEAREST = 1000


def _names(tree: Instruction, place: int) -> list[int]:
    """The tokens of the names at a place, and of the addresses."""
    found: list[Operand] = [one.parts[0] for one in tree.operands if one.kind is OperandKind.ADDRESS and one.parts]
    if place < len(tree.operands) and tree.operands[place].kind is OperandKind.NAME and place:
        found.append(tree.operands[place])
    return [one.name for one in found if one.name >= 0]


def _number(tree: Instruction, place: int) -> int:
    """The token of a number at a place; -1 if there is something else."""
    one = tree.operands[place] if place < len(tree.operands) else None
    is_plain = one is not None and one.kind is OperandKind.INTEGER and one.last - one.first == 1
    return one.first if one is not None and is_plain else -1
