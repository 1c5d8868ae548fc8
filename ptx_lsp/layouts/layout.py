"""The layout of a packed value: the content of a page of grammar/layouts."""

from __future__ import annotations

from ptx_lsp.layouts.conditions import WordCondition
from ptx_lsp.layouts.expressions import Expression
from ptx_lsp.layouts.readers import READERS
from ptx_lsp.named_tuples import NamedTuple

CodeMeaning = int | str
"""The meaning of a field: a number in the unit of its page, or a word."""


class FieldEncoding(NamedTuple):
    """The encoding of a field: a number, or one of several codes.

    >>> FieldEncoding(scale=16, unit="bytes").meaning(64)
    1024
    """

    codes: tuple[tuple[int, str], ...] = ()
    """The legal codes and their words; empty for a number."""
    scale: int = 1
    plus: int = 0
    unit: str = ""
    fixed: int | None = None
    """The only legal code of bits without meaning."""
    width: int = 0
    """The number of bits."""
    is_signed: bool = False
    """Whether the number is in two's complement."""
    reader: str = ""
    """The reader of an encoding that is neither a number nor a list of codes: a name in ``READERS``."""
    is_open: bool = False
    """Whether codes outside the list are legal, as numbers."""

    def meaning(self, code: int) -> CodeMeaning | None:
        """The meaning of a code; None if it is not legal."""
        if self.reader:
            return READERS[self.reader].meaning(code, self.width)
        if self.fixed is not None:
            return code if code == self.fixed else None
        if self.codes:
            found = next((_meaning(word) for known, word in self.codes if known == code), None)
            return code if found is None and self.is_open else found
        return self.number(code) * self.scale + self.plus

    def number(self, code: int) -> int:
        """A code as a signed number."""
        return code - (1 << self.width) if self.is_signed and code >> self.width - 1 else code

    def code(self, meaning: CodeMeaning) -> int | None:
        """The code for a meaning, given as number or word; None if there is none."""
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
        """The legal codes of a field of the given width."""
        if self.fixed is not None:
            return (self.fixed,)
        return tuple(code for code, _ in self.codes) if self.codes and not self.is_open else range(1 << width)

    def text(self, meaning: CodeMeaning) -> str:
        """A meaning with its unit: ``1024 bytes``."""
        return f"{meaning} {self.unit}".rstrip()


def _meaning(word: str) -> CodeMeaning:
    return int(word) if word.isdecimal() else word


class BitRun(NamedTuple):
    """Consecutive bits of a value."""

    low: int
    """The least significant bit."""
    width: int
    """The number of bits."""

    @property
    def high(self) -> int:
        """The most significant bit."""
        return self.low + self.width - 1

    @property
    def mask(self) -> int:
        """The mask of the bits."""
        return ((1 << self.width) - 1) << self.low


class Field(NamedTuple):
    """A field: consecutive bits, or bits in several places.

    >>> field = Field("k", "K", (BitRun(31, 1), BitRun(3, 1)), FieldEncoding(), WordCondition(), "")
    >>> field.bits, field.code_in(1 << 31), hex(field.in_place(2))
    ('31, 3', 1, '0x8')
    """

    key: str
    """The name for input: ``transpose-a``."""
    name: str
    """The name for display: ``transpose A``."""
    runs: tuple[BitRun, ...]
    """Its bits, the less significant ones of the code first; one run for nearly all fields."""
    holds: FieldEncoding
    when: WordCondition
    """The contexts in which this row applies; several rows can share a key."""
    words: str

    @property
    def width(self) -> int:
        """The number of its bits."""
        return sum(run.width for run in self.runs)

    @property
    def mask(self) -> int:
        """The mask of its bits in the whole value."""
        return sum(run.mask for run in self.runs)

    @property
    def bits(self) -> str:
        """The bit range as text: ``17-22``, ``2``; ``31, 3`` for bits in two places."""
        return ", ".join(str(run.low) if run.width == 1 else f"{run.low}-{run.high}" for run in self.runs)

    def code_in(self, value: int) -> int:
        """The code of the field in a whole value."""
        code = width = 0
        for run in self.runs:
            code |= (value & run.mask) >> run.low << width
            width += run.width
        return code

    def in_place(self, code: int) -> int:
        """A code at its place in the whole value, all other bits 0."""
        value = 0
        for run in self.runs:
            value |= code << run.low & run.mask
            code >>= run.width
        return value


class FieldRule(NamedTuple):
    """A consistency rule over fields."""

    condition: Expression | None
    must: Expression
    when: WordCondition
    says: str

    @property
    def keys(self) -> tuple[str, ...]:
        """The fields that the rule refers to."""
        both = (*self.must.names, *(self.condition.names if self.condition else ()))
        return tuple(dict.fromkeys(both))


class LayoutPlace(NamedTuple):
    """The operands that have a layout: names of operands and instructions, and a condition."""

    operands: tuple[str, ...]
    instructions: tuple[str, ...]
    when: WordCondition


class Template(NamedTuple):
    """A common value."""

    name: str
    meanings: tuple[tuple[str, CodeMeaning], ...]
    """The meanings of its fields; all others have their default."""


class Layout(NamedTuple):
    """A page of grammar/layouts."""

    name: str
    title: str
    words: str
    width: int
    places: tuple[LayoutPlace, ...]
    rows: tuple[Field, ...]
    """The fields in the order of display, the most informative first; several rows for one field."""
    rules: tuple[FieldRule, ...]
    templates: tuple[Template, ...]
    """Common values; not all of them are legal in every context."""
    summaries: tuple[str, ...]
    """Templates of the summary line, with ``{field}`` for meanings; the first one whose fields all exist is used."""
    shorts: tuple[str, ...]
    """Templates of a shorter summary, for inlay hints; none if it would not be informative."""
    spelled: str
    """The spelling in a qualifier, if it is not a number: its ``digits``, or the ``set`` of them."""
    notes: tuple[str, ...]
    """Notes on all such values, one sentence each."""
    number: str
    """The section number in the manual."""
    section: str
    link: str

    @property
    def deciding(self) -> frozenset[str]:
        """The fields that determine the presence of other fields."""
        words = (word for row in self.rows for _, part in row.when.parts for word in part)
        return frozenset(word.partition("=")[0] for word in words if "=" in word)

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of the fields, in order."""
        return tuple(dict.fromkeys(row.key for row in self.rows))
