"""Constraints of operands: ``"=r"`` is an output in a register of 32 bits."""

from __future__ import annotations

import re
from functools import cache

from ptx_lsp.grammar_files import read_grammar
from ptx_lsp.markdown_tables import or_empty, read_tables
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import memoized

CONSTANT = "constant"
"""The kind of an operand that is a constant of unknown value."""
TEXT = "text"
"""The kind of an operand that is unknown text."""


class Letter(NamedTuple):
    """A letter of constraints, or a word of Rust."""

    kind: str
    """A type of registers, ``CONSTANT`` or ``TEXT``."""
    older: str
    """The type that older compilers declare; equal to ``kind`` if there is no difference."""
    meaning: str
    """The operand in the host, in words."""

    @property
    def is_register(self) -> bool:
        """Whether the operand is a register."""
        return self.kind not in (CONSTANT, TEXT)


class Constraint(NamedTuple):
    """A constraint as it is written, in parts."""

    modifiers: str
    """``=``, ``+``, ``&`` …"""
    letters: str
    """The rest: one letter of :func:`letters_of`, if it is right."""
    tied: int | None = None
    """The number of the output whose register an input shares: ``"0"``."""

    @property
    def reads(self) -> bool:
        """Whether the register holds a value before the statement."""
        return "+" in self.modifiers or "=" not in self.modifiers

    @property
    def writes(self) -> bool:
        """Whether the register is read after the statement."""
        return "+" in self.modifiers or "=" in self.modifiers


_PARTS = re.compile(r"([=+&~*%!]*)(.*)", re.DOTALL)


@cache
def _tables() -> dict[str, dict[str, Letter]]:
    found: dict[str, dict[str, Letter]] = {}
    (rows,) = read_tables(read_grammar("hosts/constraints.md"))
    for row in rows:
        older = or_empty(row["older"]) or row["type"]
        letter = Letter(row["type"], older, row["what"])
        found.setdefault(row["dialect"], {})[row["letter"]] = letter
    return found


def letters_of(dialect: str) -> dict[str, Letter]:
    """The letters of a dialect; none for one that is not known."""
    return _tables().get(dialect, {})


@memoized(1024)
def read_constraint(text: str) -> Constraint:
    """Read a constraint.

    >>> read_constraint("+&r"), read_constraint("0")
    (Constraint(modifiers='+&', letters='r', tied=None), Constraint(modifiers='', letters='', tied=0))
    """
    match = _PARTS.fullmatch(text)
    assert match is not None
    modifiers, letters = match[1], match[2]
    if letters.isdecimal() and letters.isascii() and len(letters) < 4:
        return Constraint(modifiers, "", int(letters))
    return Constraint(modifiers, letters)
