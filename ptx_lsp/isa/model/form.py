"""The records that a page becomes: forms with places for qualifiers, operands, tables, rules and gates.

They hold what the page says and nothing that is derived from it;
:mod:`ptx_lsp.isa.model.prepared_form` makes them fast.
"""

from __future__ import annotations

import itertools
from enum import IntEnum
from functools import cache

from ptx_lsp.derived_values import once
from ptx_lsp.isa.model.deviation import Deviation
from ptx_lsp.isa.model.gate import OPEN, Gate
from ptx_lsp.isa.model.ordering import Ordering
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.patterns import compiled_on_use

Words = tuple["str | tuple[Words, ...]", ...]
"""The words of a cell or of an operand's kind; a nested tuple is a vector of unlike elements."""


class PlaceKind(IntEnum):
    """The kind of a place of a form."""

    NAME = 0
    """The first word of the opcode."""
    QUALIFIER = 1
    SELECTOR = 2
    """A qualifier after an operand: ``a{.asel}``."""
    OPTION = 3
    """An operand that may be left out; its choices are its name and None."""


class Group(NamedTuple):
    """Alternatives with a gate of their own, as written: series unexpanded, ``-`` for nothing, ``*`` the default."""

    words: tuple[str, ...]
    gate: Gate = OPEN


class Slot:
    """A place of a form."""

    def __init__(self, name: str, kind: PlaceKind, groups: tuple[Group, ...]) -> None:
        self.name = name
        self.kind = kind
        self.groups = groups

    @once
    def choices(self) -> dict[str | None, Gate]:
        """Every word that can stand here with its gate; None stands for leaving the place empty."""
        return expand_groups(self.groups)

    @property
    def default(self) -> str | None:
        """The word that leaving out means, if the page marks one."""
        return next((word[:-1] for group in self.groups for word in group.words if word.endswith("*")), None)

    @property
    def optional(self) -> bool:
        """Whether the place may stay empty."""
        return None in self.choices


class TableRow(NamedTuple):
    """One row of a table: the product of its cells, under one gate."""

    cells: tuple[Words, ...]
    gate: Gate = OPEN


class Table(NamedTuple):
    """Values of several places that go together; columns without a dot give operands their kinds."""

    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]


class Advice(NamedTuple):
    """The values of an operand that someone can mean, though ptxas takes more: those in the last column of a table."""

    table: Table
    """Its last cells are ranges of constants, ``align 16``, or ``access .vec .type`` for an address."""
    message: str = ""
    """Why, in the page's own words."""

    @property
    def operand(self) -> str:
        """The operand's name on the page."""
        return self.table.columns[-1]


class Deprecated(NamedTuple):
    """A word of the opcode that the manual advises against."""

    word: str
    """A qualifier; the mnemonic for the form as such."""
    gate: Gate
    """Since when."""
    instead: str = ""
    """The spelling of today: ``shfl.sync ..., -1`` where ``...`` are the operands; empty: without the word."""


class Clause(NamedTuple):
    """A part of a rule's side: one of ``words`` is there; with a ``subject``, that place holds one of them."""

    words: tuple[str, ...]
    subject: str = ""


class FormRule(NamedTuple):
    """A sentence about the parts of a form."""

    left: tuple[Clause, ...]
    verb: str
    """``iff``, ``requires``, ``excludes``, ``since`` (a gate for the left side) or ``always``."""
    right: tuple[Clause, ...] = ()
    gate: Gate = OPEN
    message: str = ""

    @property
    def words(self) -> set[str]:
        """All words of both sides."""
        return {word for clause in (*self.left, *self.right) for word in clause.words}


class FormOperand(NamedTuple):
    """An operand of a form, as the page writes it."""

    kind: str
    """``name``, ``number`` (exactly that constant), ``sink``, ``address``, ``vector`` or ``arguments``."""
    name: str = ""
    """Its name on the page; of an address or vector the name of its first part."""
    parts: tuple[FormOperand, ...] = ()
    sign: str = ""
    selector: str = ""
    """The place of the selector after it."""
    pair: str = ""
    """The name of the second result after ``|``."""
    option: str = ""
    """The place that says whether it is written; operands in one pair of braces share it."""


class FormLine(NamedTuple):
    """One line of a page, as read."""

    syntax: str
    """The line as the page writes it, with the mnemonic in place."""
    line: int
    """Its line on the page, counted from 1."""
    slots: tuple[Slot, ...]
    """The places: first the name, then qualifiers in order, then selectors and optional operands."""
    operands: tuple[FormOperand, ...]
    kinds: dict[str, Words]
    """The kinds of each operand, in the notation's words."""
    tables: tuple[Table, ...] = ()
    rules: tuple[FormRule, ...] = ()
    gates: tuple[Gate, ...] = ()
    """All of them must let a module pass."""
    names: tuple[str, ...] = ()
    """The names in the page's heading."""
    meaningless: tuple[Group, ...] = ()
    """Qualifiers that ptxas ignores here, beside what it ignores on all instructions."""
    trailing: tuple[Group, ...] = ()
    """Those that it ignores at the end of the opcode only."""
    advice: tuple[Advice, ...] = ()
    """The constants and addresses that someone can mean."""
    deprecated: tuple[Deprecated, ...] = ()
    """The words that the manual advises against."""
    loose: tuple[str, ...] = ()
    """The names of places that compilers and libraries fill in another order than the manual's."""
    deviations: tuple[Deviation, ...] = ()
    """Deviations of ptxas from the manual about the operands."""
    ordering: Ordering = ()
    """The asynchronous work that it starts, completes, waits for or fences, and its accesses of memory."""


class InstructionForm(FormLine):
    """One line of a page: one way to write an instruction. It is its own identity."""

    @once
    def slot_numbers(self) -> dict[str, int]:
        """The place of each name of a slot."""
        return {slot.name: place for place, slot in enumerate(self.slots)}

    @property
    def mnemonic(self) -> str:
        """The first word of the opcode."""
        return self.slots[0].name

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


def flatten(operands: tuple[FormOperand, ...]) -> list[FormOperand]:
    """All operands, each followed by its parts."""
    return [inner for operand in operands for inner in (operand, *flatten(operand.parts))]


_SERIES = compiled_on_use(r"\[(\d+)\.\.(\d+)(?::(\d+))?\]")


@cache
def expand(word: str) -> tuple[str, ...]:
    """All members of a series, or the word itself.

    >>> expand(".m64n[8..24:8]k16")
    ('.m64n8k16', '.m64n16k16', '.m64n24k16')
    """
    if "[" not in word:
        return (word,)
    pieces = _SERIES().split(word)
    pools: list[list[str]] = [[pieces[0]]]
    for first, last, step, text in zip(pieces[1::4], pieces[2::4], pieces[3::4], pieces[4::4], strict=True):
        pools += [[str(number) for number in range(int(first), int(last) + 1, int(step or 1))], [text]]
    return tuple(map("".join, itertools.product(*pools)))


@cache
def literals(words: tuple[str, ...]) -> dict[str | None, None]:
    """The words of a cell of qualifiers, expanded and in order; None for ``-``."""
    found: dict[str | None, None] = {}
    for word in words:
        if word == "-":
            found[None] = None
        else:
            found.update(dict.fromkeys(expand(word.removesuffix("*"))))
    return found


@cache
def expand_groups(groups: tuple[Group, ...]) -> dict[str | None, Gate]:
    """The choices of a place; a word listed in two groups passes either gate."""
    choices: dict[str | None, Gate] = {}
    for group in groups:
        for word in literals(group.words):
            known = choices.get(word)
            if known is None or word is None or known == group.gate:
                choices[word] = group.gate
            else:
                choices[word] = known.either(group.gate)
    return choices
