"""Conditions on a page: for which spellings of the instruction a label, a bullet or a paragraph of the lead is.

A page writes them in round brackets: ``(`.ne` and `.f32`, `.f64`)``, ``(`.lt` and not `.s32`, `.u32`)``.
"""

from __future__ import annotations

import re

from ptx_lsp.named_tuples import NamedTuple

_SIDE = r"(?:not\s+)?`[^`]+`(?:,\s+`[^`]+`)*"
CONDITION = rf"{_SIDE}(?:\s+and\s+{_SIDE})*"
"""The regular expression of a condition, without its brackets; it may be broken over lines."""
_CONDITION = re.compile(CONDITION)
_CODE = re.compile(r"`([^`]+)`")

OPERAND_KINDS = frozenset({"variable", "function", "special", "vector", "constant"})
"""Kinds of operands that a condition can ask for; known of whole statements alone."""


class Spelling(NamedTuple):
    """An instruction as it is written: a whole statement, or what is written of it so far."""

    opcode: str
    """With its qualifiers: ``ld.global.u32``."""
    parts: frozenset[str] = frozenset()
    """Its qualifiers, the places that they fill, the names of its operands on the page, and :data:`OPERAND_KINDS`."""

    def has(self, part: str) -> bool:
        """Whether a part is written: an operand, a qualifier, qualifiers in a row, the beginning of the opcode.

        >>> written = Spelling("sust.b.2d.v2.b32.zero", frozenset({"a", ".2d"}))
        >>> [written.has(part) for part in ("sust.b", ".2d", ".2d.v2", "a", ".b3", "sust.p")]
        [True, True, True, True, False, False]
        """
        if part in self.parts:
            return True
        opcode = f"{self.opcode}."
        return f"{part}." in opcode if part.startswith(".") else opcode.startswith(f"{part}.")


class ConditionSide(NamedTuple):
    """One side of ``and``."""

    parts: tuple[str, ...]
    is_without: bool = False
    """Whether none of the parts may be written; otherwise one of them must be."""

    def holds(self, spelling: Spelling) -> bool:
        """Whether the side is fulfilled."""
        return any(map(spelling.has, self.parts)) is not self.is_without

    def __str__(self) -> str:
        """Return it as a page writes it."""
        return "not " * self.is_without + ", ".join(f"`{part}`" for part in self.parts)


class PageCondition(NamedTuple):
    """A condition; without sides it always holds."""

    sides: tuple[ConditionSide, ...] = ()

    def holds(self, spelling: Spelling) -> bool:
        """Whether a spelling fulfils every side."""
        return all(side.holds(spelling) for side in self.sides)

    @property
    def in_words(self) -> str:
        """The condition for readers of the page.

        >>> read_condition("`.lt` and not `.s32`, `.u32`").in_words
        'with `.lt` and without `.s32` or `.u32`'
        """
        return " and ".join(
            f"{'without' if side.is_without else 'with'} {' or '.join(f'`{part}`' for part in side.parts)}"
            for side in self.sides
        )

    def __str__(self) -> str:
        """Return it as a page writes it."""
        return " and ".join(map(str, self.sides))


ALWAYS = PageCondition()


def read_condition(text: str) -> PageCondition:
    """Read a condition without its brackets; an empty one always holds.

    >>> read_condition("`.ne` and not `a`").sides
    (ConditionSide(parts=('.ne',), is_without=False), ConditionSide(parts=('a',), is_without=True))
    """
    text = " ".join(text.split())
    if not text:
        return ALWAYS
    if not _CONDITION.fullmatch(text):
        raise ValueError(f"not a condition: ({text})")
    sides = (ConditionSide(tuple(_CODE.findall(side)), side.startswith("not ")) for side in text.split(" and "))
    return PageCondition(tuple(sides))
