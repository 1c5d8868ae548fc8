"""Fragments: the mapping of matrix elements to the lanes and registers of an operand.

Source: the tables ``operand | matrix | ... | row | column`` on the pages of the matrix instructions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from ptx_lsp.grammar_files import read_grammar
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.layouts.conditions import WordCondition, parse_condition
from ptx_lsp.layouts.expressions import Expression
from ptx_lsp.markdown_tables import read_tables
from ptx_lsp.named_tuples import NamedTuple

WARP = 32
"""Lanes of a warp."""
SELECTORS = frozenset(("f", "sp-sel"))
"""The operands of sparse products that select the lanes that provide the metadata."""
METADATA = frozenset(("e", "sp-meta"))
"""The operands of sparse products with the metadata: the positions of the non-zero elements of A."""
_SHAPE = re.compile(r"(\.m(\d+)n(\d+))(?:k(\d+))?")
_COUNT = re.compile(r"\.x(\d+)")
_LIKE = re.compile(r"as `?([\w.]+)`?")
_COLUMNS = frozenset(("operand", "matrix", "type", "when", "row", "column"))


class Element(NamedTuple):
    """The position of an element in the matrix."""

    row: int
    column: int
    tile: int = 0
    """The matrix, for operands that hold several."""


class Holder(NamedTuple):
    """The lane, register and part that hold an element."""

    lane: int
    """The lane of the warp; for an operand of a warpgroup the thread, 0 to 127."""
    register: int
    part: int
    """The index of the element in the register, from the lowest bits."""


@dataclass(frozen=True)
class Fragment:
    """The fragment of one operand of one spelling of an instruction."""

    operand: str
    rows: int
    columns: int
    tiles: int
    bits: int
    """Bits of an element in its register; 0 if unspecified."""
    lanes: int
    """32, or 128 for a warpgroup."""
    row: str
    """The formula, in ``lane``, ``g = lane / 4``, ``t = lane % 4``, ``w`` (warp), ``i`` (element) and ``e``."""
    column: str
    tile: str = ""
    holding: str = ""
    """The condition of the lanes that hold part of the operand; empty: all lanes."""
    unknown: str = ""
    """The reason why there are no formulas: ``not specified``."""
    selector: int = 0
    """The value of the operand ``f`` or ``sp-sel``."""

    @property
    def packed(self) -> int:
        """The number of elements per register."""
        return max(1, WARP // self.bits) if self.bits else 0

    @cached_property
    def registers(self) -> int:
        """The number of registers per lane."""
        held = sum(holds(self, lane) for lane in range(self.lanes)) * self.packed
        return self.rows * self.columns * self.tiles // held if held else 0

    @property
    def elements(self) -> int:
        """The number of elements per lane."""
        return self.registers * self.packed

    @cached_property
    def holders(self) -> dict[Element, Holder]:
        """The holder of each element."""
        return {
            element(self, lane, i): Holder(lane, *divmod(i, self.packed))
            for lane in range(self.lanes)
            if holds(self, lane)
            for i in range(self.elements)
        }


def element(fragment: Fragment, lane: int, i: int) -> Element:
    """The position of element ``i`` of a lane, or of a thread for an operand of a warpgroup.

    Raises:
        ValueError: if the fragment has no formulas.
    """
    if fragment.unknown:
        raise ValueError(fragment.unknown)
    names = _names(fragment, lane, i)
    row, column = _compiled(fragment.row)(names), _compiled(fragment.column)(names)
    return Element(row, column, _compiled(fragment.tile)(names) if fragment.tile else 0)


def holds(fragment: Fragment, lane: int) -> bool:
    """Whether a lane holds part of the operand."""
    return not fragment.holding or bool(_compiled(fragment.holding)(_names(fragment, lane, 0)))


def owner(fragment: Fragment, row: int, column: int, tile: int = 0) -> Holder:
    """The holder of an element.

    Raises:
        KeyError: if the matrix has no such element.
    """
    return fragment.holders[Element(row, column, tile)]


def _names(fragment: Fragment, thread: int, i: int) -> dict[str, int]:
    warp, lane = divmod(thread, WARP)
    return {
        "lane": lane,
        "g": lane // 4,
        "t": lane % 4,
        "w": warp,
        "i": i,
        "e": fragment.packed,
        "f": fragment.selector,
    }


@cache
def _compiled(formula: str) -> Callable[[Mapping[str, int]], int]:
    return Expression(formula).function


class OpcodeWords(NamedTuple):
    """The words of an opcode, its types, and the numbers in its words."""

    words: frozenset[str]
    types: tuple[str, ...]
    """The types of the opcode, in order."""
    numbers: dict[str, int]


def context_of(values: Iterable[tuple[str, str | None]], selector: int | None = None) -> OpcodeWords:
    """The context of a spelling.

    Args:
        values: the slots of the form with their values, in order.
        selector: the value of the operand ``f`` or ``sp-sel`` of sparse products.

    """
    types = catalogue().vocabulary.types
    words: set[str] = set()
    numbers = {"num": 1, "f": selector or 0}
    found = []
    for name, value in values:
        if value is None:
            continue
        words |= {value, f"{name}={value}"}
        shape, count = _SHAPE.fullmatch(value), _COUNT.fullmatch(value)
        if shape is not None:
            words.add(shape[1])
            numbers |= {"M": int(shape[2]), "N": int(shape[3]), "K": int(shape[4] or 0)}
        if count is not None:
            numbers["num"] = int(count[1])
        if value in types:
            found.append(value)
    return OpcodeWords(frozenset(words), tuple(found), numbers)


def fragment_of(page: str, operand: str, context: OpcodeWords) -> Fragment | None:
    """The fragment of an operand; None if its page does not describe it.

    Args:
        page: the instruction's page: ``isa/matrix/mma.md``.
        operand: its name there.
        context: the words of the opcode.

    """
    row = next((row for row in _rows(page) if operand in row.operands and row.when.holds(context.words)), None)
    return _fragment(row, operand, context) if row is not None else None


class _Row(NamedTuple):
    """A row of a table."""

    operands: tuple[str, ...]
    matrix: str
    types: tuple[str, ...]
    """For each operand, or for all: the number of a type of the opcode, a type, or a number of bits."""
    when: WordCondition
    formulas: Mapping[str, str]

    def type_of(self, operand: str) -> str:
        """The entry for one operand's type."""
        return self.types[self.operands.index(operand)] if len(self.types) > 1 else self.types[0]


@cache
def _rows(page: str) -> tuple[_Row, ...]:
    return tuple(_read(page))


def _read(page: str) -> Iterator[_Row]:
    for row in (row for table in read_tables(read_grammar(page)) for row in table):
        if not row.keys() >= _COLUMNS:
            continue
        own = _Row(
            tuple(row["operand"].split()),
            row["matrix"],
            tuple(row["type"].replace(" bits", "bits").split()),
            parse_condition(row["when"]),
            {name: row.get(name, "") for name in ("row", "column", "tile", "lanes")},
        )
        like = _LIKE.fullmatch(row["row"])
        if like is None:
            yield own
            continue
        for other in _rows(f"{page.rpartition('/')[0]}/{like[1]}.md"):
            for operand in (one for one in own.operands if one in other.operands):
                kind = other.type_of(operand)
                if own.types and not kind.startswith("."):
                    kind = own.type_of(operand)
                when = WordCondition(own.when.parts + other.when.parts)
                yield _Row((operand,), own.matrix or other.matrix, (kind,), when, other.formulas)


def _fragment(row: _Row, operand: str, context: OpcodeWords) -> Fragment | None:
    formulas = row.formulas
    if not formulas["column"]:
        return Fragment(operand, 0, 0, 1, 0, WARP, "", "", unknown=formulas["row"])
    bits = _bits(row.type_of(operand), context)
    if not bits:
        return None
    names = {**context.numbers, "e": max(1, WARP // bits)}
    sizes = [Expression(size).value(names) for size in row.matrix.split(" × ")]
    if not all(isinstance(size, int) and size for size in sizes):
        return None
    rows, columns, tiles = (int(str(size)) for size in (*sizes, 1)[:3])
    uses_warp = "w" in Expression(formulas["row"]).names
    return Fragment(
        operand,
        rows,
        columns,
        tiles,
        bits,
        4 * WARP if uses_warp else WARP,
        formulas["row"],
        formulas["column"],
        formulas["tile"],
        formulas["lanes"],
        selector=context.numbers["f"],
    )


def _bits(kind: str, context: OpcodeWords) -> int:
    """The size of an element in its register; 0 if the opcode does not determine it."""
    types = catalogue().vocabulary.types
    if kind.startswith("."):
        return types[kind].bits
    if kind.endswith("bits"):
        return int(kind.removesuffix("bits"))
    number = int(kind)
    return types[context.types[number - 1]].bits if number <= len(context.types) else 0
