"""A packed value's layout, as its page says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ptx_lsp.layouts.conditions import WordCondition
from ptx_lsp.layouts.expressions import Expression
from ptx_lsp.layouts.readers import READERS

CodeMeaning = int | str
"""What a field says: a number in the unit of its page, or a word."""


@dataclass(frozen=True, slots=True)
class FieldEncoding:
    """How the bits of a field are read: as a number, or as one of some codes.

    >>> Holds(scale=16, unit="bytes").meaning(64)
    1024
    """

    codes: tuple[tuple[int, str], ...] = ()
    """Legal codes and their words; empty for a number."""
    scale: int = 1
    plus: int = 0
    unit: str = ""
    fixed: int | None = None
    """The only code that is legal, of bits that say nothing."""
    width: int = 0
    """How many bits there are."""
    is_signed: bool = False
    """Whether a number is in two's complement."""
    reader: str = ""
    """Who reads it, where neither a number nor a list of codes says it: a name in ``READERS``."""
    is_open: bool = False
    """Whether other codes than those of the list are legal: they are numbers."""

    def meaning(self, code: int) -> CodeMeaning | None:
        """What a code says; None if it is not legal."""
        if self.reader:
            return READERS[self.reader].meaning(code, self.width)
        if self.fixed is not None:
            return code if code == self.fixed else None
        if self.codes:
            found = next((_meaning(word) for known, word in self.codes if known == code), None)
            return code if found is None and self.is_open else found
        return self.number(code) * self.scale + self.plus

    def number(self, code: int) -> int:
        """A code with its sign."""
        return code - (1 << self.width) if self.is_signed and code >> self.width - 1 else code

    def code(self, meaning: CodeMeaning) -> int | None:
        """The code that says it, given as its number or word; None if there is none."""
        if self.reader:
            return READERS[self.reader].code(str(meaning), self.width)
        if self.fixed is not None:
            return self.fixed if meaning in (self.fixed, str(self.fixed)) else None
        if self.codes:
            found = next((code for code, word in self.codes if word == str(meaning)), None)
            return meaning if found is None and self.is_open and isinstance(meaning, int) else found
        if isinstance(meaning, str):
            return None
        code, rest = divmod(meaning - self.plus, self.scale)
        if self.is_signed and -(1 << self.width - 1) <= code < 1 << self.width - 1:
            code %= 1 << self.width
        elif self.is_signed:
            return None
        return code if not rest and code >= 0 else None

    @property
    def least(self) -> int:
        """The smallest number."""
        return min(self._ends)

    @property
    def most(self) -> int:
        """The largest number."""
        return max(self._ends)

    @property
    def _ends(self) -> tuple[int, int]:
        low = -(1 << self.width - 1) if self.is_signed else 0
        high = (1 << self.width - self.is_signed) - 1
        return low * self.scale + self.plus, high * self.scale + self.plus

    def legal(self, width: int) -> range | tuple[int, ...]:
        """The legal codes of a field of so many bits."""
        if self.fixed is not None:
            return (self.fixed,)
        return tuple(code for code, _ in self.codes) if self.codes and not self.is_open else range(1 << width)

    def text(self, meaning: CodeMeaning) -> str:
        """A meaning with its unit: ``1024 bytes``."""
        return f"{meaning} {self.unit}".rstrip()


def _meaning(word: str) -> CodeMeaning:
    return int(word) if word.isdecimal() else word


@dataclass(frozen=True, slots=True)
class Field:
    """Some bits in a row."""

    key: str
    """Its name where it is typed: ``transpose-a``."""
    name: str
    """Its name where it is read: ``transpose A``."""
    low: int
    width: int
    holds: FieldEncoding
    when: WordCondition
    """The contexts for which this row stands; several rows can share a key."""
    words: str

    @property
    def high(self) -> int:
        """The uppermost bit."""
        return self.low + self.width - 1

    @property
    def mask(self) -> int:
        """Its bits in the whole value."""
        return ((1 << self.width) - 1) << self.low

    @property
    def bits(self) -> str:
        """Its bits in words: ``17-22``, ``2``."""
        return str(self.low) if self.width == 1 else f"{self.low}-{self.high}"

    def code_in(self, value: int) -> int:
        """Its code in the whole value."""
        return (value & self.mask) >> self.low


class FieldRule(NamedTuple):
    """What fields must hold together."""

    condition: Expression | None
    must: Expression
    when: WordCondition
    says: str

    @property
    def keys(self) -> tuple[str, ...]:
        """The fields that the rule is about."""
        both = (*self.must.names, *(self.condition.names if self.condition else ()))
        return tuple(dict.fromkeys(both))


class LayoutPlace(NamedTuple):
    """Where such a value stands: operands, by name, of instructions, in some contexts."""

    operands: tuple[str, ...]
    instructions: tuple[str, ...]
    when: WordCondition


class Template(NamedTuple):
    """A value that is written often."""

    name: str
    meanings: tuple[tuple[str, CodeMeaning], ...]
    """What its fields say; the others hold what is usual."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A page of grammar/layouts."""

    name: str
    title: str
    words: str
    width: int
    places: tuple[LayoutPlace, ...]
    rows: tuple[Field, ...]
    """The fields in the order in which they are told, the most telling first; several rows for one field."""
    rules: tuple[FieldRule, ...]
    templates: tuple[Template, ...]
    """Usual values; not all of them are legal in every context."""
    summaries: tuple[str, ...]
    """The one line, with ``{field}`` for what fields say; the first one holds whose fields are all there."""
    shorts: tuple[str, ...]
    """The same in a few words, for hints between those of a text; none where that would tell nothing."""
    spelled: str
    """How it is spelled where it is no number: ``digits`` of a qualifier, or the ``set`` of them."""
    notes: tuple[str, ...]
    """What is to be known of all such values: a sentence each."""
    number: str
    """The number of the section of the manual."""
    section: str
    link: str

    @property
    def deciding(self) -> frozenset[str]:
        """The fields on which it depends what other fields there are."""
        words = (word for row in self.rows for _, part in row.when.parts for word in part)
        return frozenset(word.partition("=")[0] for word in words if "=" in word)

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of the fields, in order."""
        return tuple(dict.fromkeys(row.key for row in self.rows))
