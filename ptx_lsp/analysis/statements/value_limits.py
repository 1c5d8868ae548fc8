"""Instructions that take only certain constants, so that statements of one shape can differ in their faults."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cache
from math import lcm

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.form import InstructionForm, flatten
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.operand_pattern import LOWER_HALF, OperandPattern, read_kind
from ptx_lsp.isa.model.prepared_form import NOT_WRITTEN
from ptx_lsp.isa.name_order import name_order
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import KEPT_BY_SHAPE, memoized
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind

_SHORT = 9
"""Digits of the constants that are sorted into classes; of longer ones each is one."""


@cache
def limits_values(instruction: InstructionPage) -> bool:
    """Whether some form of a page takes only certain constants."""
    return any(_mentions_constants(form) for form in instruction.forms)


def _mentions_constants(form: InstructionForm) -> bool:
    cells = [*form.kinds.values(), *(cell for table in form.tables for row in table.rows for cell in row.cells)]
    return any("imm" in cell for cell in cells) or any(operand.kind == "number" for operand in flatten(form.operands))


@KEPT_BY_SHAPE.answers
def depends_on_values(shape: Shape) -> bool:
    """Whether the page of the shape's opcode limits the value of a constant that its statements have."""
    instruction = catalogue().instruction(shape.opcode) if shape.opcode and value_constants(shape) else None
    return instruction is not None and limits_values(instruction)


@memoized(1 << 12)
def ignores_values(opcode: tuple[str, ...]) -> bool:
    """Whether no page that an opcode may mean limits the value of a constant: all numbers fit, or none."""
    candidates = catalogue().candidates(opcode)
    return bool(candidates) and not any(map(limits_values, candidates))


@KEPT_BY_SHAPE.answers
def value_constants(shape: Shape) -> tuple[int, ...]:
    """The constants of an instruction that a page may limit, by token: not the offsets of addresses, which are free."""
    tree = shape.tree
    if not shape.constants or not isinstance(tree, Instruction):
        return shape.constants
    free = {at for one in _offsets(tree.operands) for at in range(one.first, one.last)}
    return tuple([at for at in shape.constants if at not in free])


def _offsets(operands: Iterable[Operand]) -> Iterator[Operand]:
    """The operands that are added to the names in others."""
    for operand in operands:
        if operand.offset is not None:
            yield operand.offset
        if operand.pair is not None:
            yield from _offsets((operand.pair,))
        yield from _offsets(operand.parts)


@KEPT_BY_SHAPE.answers
def computes(shape: Shape) -> bool:
    """Whether an instruction of this shape has constants that are computed."""
    tree = shape.tree
    pending = list(tree.operands) if isinstance(tree, Instruction) else []
    while pending:
        one = pending.pop()
        if one.kind is OperandKind.CONSTANT:
            return True
        pending += [*one.parts, *(other for other in (one.offset, one.pair) if other is not None)]
    return False


def constant_classes(opcode: tuple[str, ...], words: Sequence[str]) -> Sequence[Hashable]:
    """For each constant of an instruction a value that it shares with those for which the matcher has the same answer.

    Only for constants that stand alone: of a sum the answer depends on more than its parts.
    """
    if not words:
        return words
    return [_class(opcode, words[0])] if len(words) == 1 else [_class(opcode, word) for word in words]


class _Limits(NamedTuple):
    """The borders between constants for which a page can have different answers."""

    borders: list[int]
    """The numbers, in order, at which ranges of legal constants begin, and those after their ends."""
    step: int
    """A multiple of the steps of all ranges."""


@memoized(1 << 12)
def _limits(opcode: tuple[str, ...]) -> _Limits | None:
    """The limits of the pages for an opcode; None if other pages may be asked too."""
    candidates = catalogue().candidates(opcode)
    forms = [form for page in candidates for form in page.prepared.get(opcode[0], ())]
    is_spelled = name_order(opcode) is None and all(any(word in form.homes for form in forms) for word in opcode[1:])
    if not candidates or not is_spelled:
        return None
    ranges = {one for page in candidates for one in _ranges(page)}
    borders = sorted({border for low, high, _ in ranges for border in (low, high + 1)})
    return _Limits(borders, lcm(*(step for *_, step in ranges)))


@memoized(1 << 12)
def _class(opcode: tuple[str, ...], word: str) -> Hashable:
    """The class of a constant; that of a negative one is the class of its digits."""
    limits = _limits(opcode)
    if limits is None or not word.isdecimal() or len(word) > _SHORT or word[0] == "0" != word or not word.isascii():
        return word
    borders, step = limits
    if not borders:
        return 0
    number = int(word)
    places = [bisect_right(borders, one) for one in (number, -number, LOWER_HALF + 1 - number)]
    return (*places, number % step)


@cache
def _ranges(instruction: InstructionPage) -> frozenset[tuple[int, int, int]]:
    """The ranges of legal constants of a page: least, greatest, step."""
    found: set[tuple[int, int, int]] = set()
    for form in instruction.forms:
        numbers = [int(one.name) for one in flatten(form.operands) if one.kind == "number"]
        found.update((number, number, 1) for number in numbers)
        columns = [
            row.cells[at]
            for table in form.tables
            for at, name in enumerate(table.columns)
            if not name.startswith(".")
            for row in table.rows
        ]
        for words in (*form.kinds.values(), *columns):
            if words != NOT_WRITTEN:
                found.update(_ranges_of(read_kind(words)))
    return frozenset(found)


def _ranges_of(pattern: OperandPattern) -> Iterator[tuple[int, int, int]]:
    for one in pattern.alternatives:
        if one.what == "imm":
            yield from one.ranges
        for element in one.elements:
            yield from _ranges_of(element)
