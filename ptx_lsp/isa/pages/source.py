"""The notation of a page, line by line, with the place of every word: the loader's middle form."""

from __future__ import annotations

from dataclasses import dataclass, field

from ptx_lsp.isa.model.form import FormOperand, FormRule
from ptx_lsp.isa.model.gate import OPEN, Gate


class PageError(Exception):
    """A page says something impossible. The text begins with file, line and column, counted from 1."""

    def __init__(self, path: str, place: Word | tuple[int, int], message: str) -> None:
        line, column = (place.line, place.column) if isinstance(place, Word) else place
        super().__init__(f"{path}:{line}:{column}: {message}")


class Word(str):
    """A word of a page that knows where it stands."""

    __slots__ = ("column", "line")
    line: int
    column: int

    @classmethod
    def at(cls, text: str, line: int, column: int) -> Word:
        """``text`` as it stands at ``line`` and ``column``, counted from 1."""
        word = cls(text)
        word.line, word.column = line, column
        return word


CellSource = tuple["Word | tuple[CellSource, ...]", ...]


@dataclass
class RowSource:
    """One alternative of a definition, or one row of a table."""

    cells: list[CellSource]
    gate: Gate
    place: tuple[int, int]


@dataclass
class Definition:
    """``.name = ...``, or a table with several columns."""

    columns: list[Word]
    rows: list[RowSource]
    message: str = ""
    """The words in quotes after it."""


@dataclass
class RuleSource:
    """A rule with its words in place."""

    rule: FormRule
    words: list[Word]
    place: tuple[int, int]


@dataclass
class Body:
    """The indented lines about the forms above them, or about all forms of the page."""

    definitions: list[Definition] = field(default_factory=list)
    advice: list[Definition] = field(default_factory=list)
    kinds: dict[Word, CellSource] = field(default_factory=dict)
    rules: list[RuleSource] = field(default_factory=list)
    gates: list[Gate] = field(default_factory=list)


@dataclass
class QualifierSource:
    """A place for qualifiers: one required, or one or several in braces, all or none."""

    words: list[Word]
    optional: bool


@dataclass
class SlotSource:
    """A place that operands bring along: a selector, or whether they are written."""

    name: Word
    is_selector: bool
    optional: bool


@dataclass
class FormSource:
    """A form line."""

    mnemonic: Word
    syntax: str
    qualifiers: list[QualifierSource] = field(default_factory=list)
    operands: list[FormOperand] = field(default_factory=list)
    operand_slots: list[SlotSource] = field(default_factory=list)
    gate: Gate = OPEN


@dataclass
class FenceSource:
    """An ``isa`` fence: what holds for all its forms, and its groups of forms with the lines below them."""

    common: Body
    groups: list[tuple[list[FormSource], Body]]
