"""Transfer functions of the statements of one shape: read once from its tree; of a statement only words are read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum

from ptx_lsp.analysis.dataflow.operations import Computation, computation, integer_types, unknown
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.patterns import compile_pattern
from ptx_lsp.process_cache import ProcessCache
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.shape import SHAPES
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind
from ptx_lsp.syntax.trivia import COMMENT, mask_open_comments


class Part(IntEnum):
    """The part of a descriptor that a value becomes."""

    NONE = 0
    """None, or nothing that assumptions hold for."""
    WHOLE = 1
    """Its lower end: all of it, or its low word or half."""
    HIGH = 2
    """Its high word."""


class WrittenOperand(IntEnum):
    """The notation of an operand, as far as its value can be followed."""

    NAME = 0
    NUMBER = 1
    VECTOR = 2
    CONSTANT = 3
    """A constant expression."""
    ADDRESS = 4
    """A name and a number in brackets: ``[%SP+8]``; the number is among the parts if there is one."""
    ARGUMENTS = 5
    """Of a call."""
    OTHER = 6


CONSTANTS = frozenset({WrittenOperand.NUMBER, WrittenOperand.CONSTANT})


class OperandSource(NamedTuple):
    """An operand in the statements of a shape."""

    written: WrittenOperand
    operand: Operand
    word: int = -1
    """The place of its name or number among the statement's words."""
    negative: bool = False
    parts: tuple[OperandSource, ...] = ()


class TransferFunction:
    """The computation of the instructions of a shape from their operands."""

    __slots__ = ("compute", "is_followed", "mnemonic", "opcode", "operands", "parts", "tree", "types", "width", "words")

    def __init__(self, statement: Statement, tree: Instruction) -> None:
        self.tree = tree
        self.opcode = tree.opcode
        self.mnemonic = tree.opcode[0]
        self.types = tuple(integer_types(tree.opcode))
        self.width = self.types[0][1] if self.types else 0
        """Bits of the first integer type; 0 if the opcode has none."""
        self.compute: Computation = computation(tree.opcode)
        self.parts = tuple(tuple(kept_parts(tree, part)) for part in Part)
        """For each part that the result can be: what the source operands become."""
        masked = _plain(statement.text)
        places = {found.start(): number for number, found in enumerate(_WORDS.finditer(masked))}
        self.words = len(places)
        self.operands = tuple(_source(statement, places, operand) for operand in tree.operands)
        self.is_followed = bool(self.types and self.operands) and self.compute is not unknown
        """Whether something can be known of the result."""


_WORDS = compile_pattern(r"\d[\d.]*[eE][+-]\d++|%?+[\w$.]++(?:\s++\.[\w$.]++)*+", re.ASCII)
"""A number with an exponent is one word, as any other, and so is an opcode with blanks before its dots: statements of a
shape share their counts, however they are written."""
_find_words = _WORDS.findall
_SKIPPED = compile_pattern(rf'"[^"\n]*+"?+|{COMMENT}', re.ASCII)
_BY_SHAPE: ProcessCache[int, TransferFunction | None] = ProcessCache(1 << 13)


def transfer_function(chunk: Chunk, index: int) -> TransferFunction | None:
    """The transfer function of a statement; None if it is no instruction that can be read."""
    number = chunk.shapes[index]
    try:
        return _BY_SHAPE[number]
    except KeyError:
        shape = SHAPES[number]
        tree = shape.tree
        found = None
        if isinstance(tree, Instruction) and not shape.errors:
            found = TransferFunction(chunk.statement(index), tree)
        _BY_SHAPE[number] = found
        return found


def operand_source(chunk: Chunk, index: int, operand: Operand) -> OperandSource | None:
    """An operand of a statement as its value is read; None if it is a part of another one."""
    known = transfer_function(chunk, index)
    return next((one for one in known.operands if one.operand is operand), None) if known is not None else None


def words_of(chunk: Chunk, index: int) -> list[str]:
    """The words of a statement, as :attr:`OperandSource.word` counts them."""
    return _find_words(_plain(chunk.part(index)))


def number_of(source: OperandSource, words: Sequence[str], chunk: Chunk, index: int) -> int | None:
    """The value of a number or constant expression; None if it is no integer."""
    if source.written is WrittenOperand.NUMBER:
        text = words[source.word]
        if text.isdigit() and (text[0] != "0" or text == "0"):
            return -int(text) if source.negative else int(text)
    number = evaluate(chunk.statement(index), source.operand)
    return number if isinstance(number, int) else None


def _plain(text: str) -> str:
    """A statement with blanks for its comments and strings."""
    if "/" in text or '"' in text:
        return _SKIPPED.sub(lambda skipped: " " * len(skipped[0]), mask_open_comments(text))
    return text


def _source(statement: Statement, places: dict[int, int], operand: Operand) -> OperandSource:
    kind = operand.kind
    if kind is OperandKind.NAME:
        word = places.get(statement.tokens[operand.name].start, -1)
        is_plain = not (operand.selector or operand.sign or operand.offset is not None or operand.pair is not None)
        return OperandSource(WrittenOperand.NAME if is_plain and word >= 0 else WrittenOperand.OTHER, operand, word)
    if kind is OperandKind.INTEGER:
        count = operand.last - operand.first
        word = places.get(statement.tokens[operand.last - 1].start, -1)
        negative = count == 2 and statement.word(operand.first) == "-"
        is_number = word >= 0 and (count == 1 or negative)
        return OperandSource(WrittenOperand.NUMBER if is_number else WrittenOperand.CONSTANT, operand, word, negative)
    if kind is OperandKind.CONSTANT:
        return OperandSource(WrittenOperand.CONSTANT, operand)
    if kind is OperandKind.ADDRESS and len(operand.parts) == 1:
        return _address(statement, places, operand)
    if kind in _GROUPS and operand.parts:
        parts = tuple(_source(statement, places, part) for part in operand.parts)
        return OperandSource(_GROUPS[kind], operand, parts=parts)
    return OperandSource(WrittenOperand.OTHER, operand)


_GROUPS = {OperandKind.VECTOR: WrittenOperand.VECTOR, OperandKind.ARGUMENTS: WrittenOperand.ARGUMENTS}


def _address(statement: Statement, places: dict[int, int], operand: Operand) -> OperandSource:
    base = operand.parts[0]
    word = places.get(statement.tokens[base.name].start, -1) if base.name >= 0 else -1
    if word < 0 or base.selector or base.sign or base.indexed:
        return OperandSource(WrittenOperand.OTHER, operand)
    offset = () if base.offset is None else (_source(statement, places, base.offset),)
    return OperandSource(WrittenOperand.ADDRESS, operand, word, parts=offset)


_KEEPS = frozenset({"mov", "add", "sub", "or", "xor", "cvt", "selp", "shfl", "cvta"})
"""Instructions whose operands are parts of a descriptor as their result is."""


def kept_parts(tree: Instruction, part: Part) -> list[Part]:
    """For each source operand the part of the descriptor that it becomes."""
    count = len(tree.operands) - 1
    mnemonic = tree.opcode[0]
    if mnemonic in _KEEPS:
        kept = 1 if mnemonic == "shfl" else count
        return [part] * kept + [Part.NONE] * (count - kept)
    if mnemonic == "mad" and not {".lo", ".wide"}.isdisjoint(tree.opcode):
        return [Part.NONE, Part.NONE, part]
    if mnemonic == "bfi":
        return [Part.NONE, part, *[Part.NONE] * (count - 2)]
    return [Part.NONE] * count
