"""The result of matching: the form, how the statement fills it, and the mistakes."""

from __future__ import annotations

from enum import IntEnum

from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.model.form import InstructionForm
from ptx_lsp.isa.model.gate import Need
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.named_tuples import NamedTuple


class Problem(IntEnum):
    """The kinds of mistakes, and of what ptxas lets pass."""

    UNKNOWN_QUALIFIER = 0
    MISSING_QUALIFIER = 1
    DUPLICATE_QUALIFIER = 2
    CONFLICT = 3
    """Two parts that do not go together."""
    ORDER = 4
    """Qualifiers of one class in the wrong order."""
    OPERAND_COUNT = 5
    OPERAND_KIND = 6
    OPERAND_TYPE = 7
    OPERAND_VALUE = 8
    VECTOR_LENGTH = 9
    NEWER_VERSION = 10
    NEWER_TARGET = 11
    REMOVED = 12
    MEANINGLESS = 13
    """A qualifier that ptxas ignores here."""
    DOUBLED = 14
    """A qualifier that stands twice; ptxas takes it."""
    SOME_RELEASES = 15
    """Taken by some releases of ptxas, refused by others."""
    OPERAND_PART = 16
    """A selector after an operand, such as ``.b0`` or ``.x``, that is not one of ``wanted``."""
    NARROW_ADDRESS = 18
    """A register of 32 bits as an address of 64."""
    OPERAND_SIGN = 17
    """``-`` or ``!`` before an operand."""


class Mismatch(NamedTuple):
    """One thing that is wrong, or that ptxas alone lets pass."""

    problem: Problem
    qualifier: int = -1
    """The word of the opcode, counted from the mnemonic as 0; -1: none, or the whole instruction."""
    operand: tuple[int, ...] = ()
    """The operand: ``(2,)`` the third, ``(2, 1)`` its second part; -1 is the pair of ``d|p``."""
    wanted: tuple[str, ...] = ()
    """The right words here, best first: qualifiers, types, kinds of operands, values or counts."""
    need: Need | None = None
    """The version or target that the module lacks, for NEWER_VERSION, NEWER_TARGET, REMOVED and SOME_RELEASES."""
    message: str = ""
    """The page's own words, where a rule has some."""
    other: int = -1
    """The other word of a conflict."""


class Match(NamedTuple):
    """The form that a statement fits, or the nearest one and what keeps it from fitting."""

    instruction: InstructionPage
    form: InstructionForm
    mismatches: tuple[Mismatch, ...] = ()
    notes: tuple[Mismatch, ...] = ()
    values: tuple[str | None, ...] = ()
    """The word in each place of the form; None: nothing."""
    places: tuple[int, ...] = ()
    """For each word of the opcode its place in the form; -1: none."""
    roles: tuple[str, ...] = ()
    """For each written operand its name on the page; empty for one too many."""
    writes: tuple[bool, ...] = ()
    """For each written operand whether the instruction writes it (registers, not memory)."""
    operands: tuple[ActualOperand, ...] = ()
    """The operands in the brackets of the form, which for textures can be others than those in the text."""

    @property
    def fits(self) -> bool:
        """Whether nothing is wrong."""
        return not self.mismatches
