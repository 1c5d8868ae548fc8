"""Kinds of operands, read from the notation's words: ``.vec .type or wider``, ``imm 0..15 or reg .u32``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from ptx_lsp.isa.model.form import Words
from ptx_lsp.named_tuples import NamedTuple

_COUNT = re.compile(r"(\.[\w:]+|[mnk])((?:[*/-]\d+)*)")
_SHAPE = re.compile(r"\.m\d+n\d+k\d+")

NAME_KINDS = frozenset({"label", "function", "variable", "special", "texture"})
"""Kinds that only a name of that sort is; ``texture`` stands for every opaque reference."""


class Count(NamedTuple):
    """The number of elements of a vector: the number in a qualifier, or in a part of the shape, with factors."""

    base: str
    """A placeholder, a literal qualifier, or ``m``, ``n``, ``k`` of the shape."""
    factors: tuple[tuple[str, int], ...]

    def of(self, text: str | None) -> int | None:
        """The count, given the qualifier that the base names (for ``m n k``: the shape); None if it holds no number."""
        digits = re.search(self.base + r"(\d+)" if self.base in "mnk" else r"(\d+)", text or "")
        if digits is None:
            return None
        number = int(digits[1])
        for sign, factor in self.factors:
            number = number * factor if sign == "*" else number // factor if sign == "/" else number - factor
        return number


class Alternative(NamedTuple):
    """One way to fill an operand."""

    what: str
    """``type``, ``imm``, ``sink``, ``vector`` (of unlike elements), or a kind of name."""
    type: str = ""
    """The type, or the placeholder that gives it; for addresses and variables the space."""
    register: bool = False
    """No constant (``reg``, ``only``)."""
    exact: bool = False
    """A register of exactly this type (``only``)."""
    sinks: bool = False
    """``_`` may stand for it, or for some elements of the vector."""
    length: Count | None = None
    """The number of elements of a vector; None for a single value."""
    ranges: tuple[tuple[int, int, int], ...] = ()
    """The legal constants as (first, last, step); empty: any."""
    elements: tuple[OperandPattern, ...] = ()


class OperandPattern(NamedTuple):
    """All ways to fill an operand."""

    alternatives: tuple[Alternative, ...]
    wider: bool = False
    """Registers larger than the type will do (ld, st, cvt)."""
    direction: str = ""
    """``in``, ``out``, or empty for the rule: the first operand is written unless it is an address.

    ``unused``: as the rule says, but ptxas makes no code that reads or writes it.
    """


@cache
def read_kind(words: Words) -> OperandPattern:
    """Read the words after ``name :``, or of a table's cell."""
    wider = words[-2:] == ("or", "wider")
    rest = list(words[:-2] if wider else words)
    direction = str(rest.pop(0)) if rest and rest[0] in ("in", "out", "unused") else ""
    parts: list[list[str | tuple[Words, ...]]] = [[]]
    for word in rest:
        if word == "or":
            parts.append([])
        else:
            parts[-1].append(word)
    return OperandPattern(tuple(_alternative(part) for part in parts if part), wider, direction)


def _alternative(words: list[str | tuple[Words, ...]]) -> Alternative:
    register = exact = False
    while words[0] in ("reg", "only"):
        register, exact = True, exact or words[0] == "only"
        words = words[1:]
    first = words[0]
    if isinstance(first, tuple):
        return Alternative("vector", elements=tuple(read_kind(cell) for cell in first))
    if first == "_":
        return Alternative("sink")
    if first == "imm":
        return Alternative("imm", ranges=tuple(read_range(str(word)) for word in words[1:]))
    if first in NAME_KINDS:
        count = _count(str(words[1])) if len(words) > 2 else None
        return Alternative(first, type=str(words[-1]) if len(words) > 1 else "", length=count)
    texts = [str(word) for word in words]
    sinks = texts[-1] == "_"
    if sinks:
        texts.pop()
    count = _count(texts.pop(0)) if len(texts) > 1 else None
    if texts[0] == "only":
        register = exact = bool(texts.pop(0))
    return Alternative("type", texts[0], register, exact, sinks, count)


def _count(text: str) -> Count:
    match = _COUNT.fullmatch(text)
    if match is None:
        raise ValueError(f"not a count: {text!r}")
    return Count(match[1], tuple((sign, int(number)) for sign, number in re.findall(r"([*/-])(\d+)", match[2])))


def read_range(text: str) -> tuple[int, int, int]:
    """First, last and step of ``4``, ``0..31`` or ``0..64:8``."""
    low, dots, rest = text.partition("..")
    if not dots:
        return int(low), int(low), 1
    high, _, step = rest.partition(":")
    return int(low), int(high), int(step or 1)


def range_texts(ranges: Iterable[tuple[int, int, int]]) -> list[str]:
    """The constants of ranges: a few with gaps between them one by one, others by their first and last one.

    >>> range_texts([(0, 15, 1), (-1, 1, 2), (32, 1024, 32)])
    ['0..15', '-1', '1', '32..1024:32']
    """
    found: list[str] = []
    for low, high, step in ranges:
        if low == high or (step > 1 and low + _FEW * step > high):
            found += map(str, range(low, high + 1, step))
        else:
            found.append(f"{low}..{high}" + (f":{step}" if step > 1 else ""))
    return found


_FEW = 4


def ranges_in_words(ranges: Iterable[tuple[int, int, int]]) -> tuple[str, ...]:
    """The constants of ranges for readers, without repeats.

    >>> ranges_in_words([(0, 15, 1), (-1, 1, 2), (32, 1024, 32)])
    ('0..15', '-1', '1', 'multiples of 32 up to 1024')
    """
    words: list[str] = []
    for low, high, step in ranges:
        if step > 1 and high == low + step:
            words += [str(low), str(high)]
        elif step > 1 and low % step == 0:
            end = "" if high > _NO_LIMIT else f" up to {high}" if low in (0, step) else f" from {low} to {high}"
            words.append(f"multiples of {step}{end}")
        elif step > 1:
            words.append(f"{low}..{high} in steps of {step}")
        else:
            words.append(str(low) if low == high else f"{low} or more" if high > _NO_LIMIT else f"{low}..{high}")
    return tuple(dict.fromkeys(words))


_NO_LIMIT = 1 << 31
"""A limit beyond this is not worth a word."""


LOWER_HALF = (1 << 32) - 1
"""The part of a constant that counts where ptxas compares 32 bits of it."""


def in_ranges(ranges: tuple[tuple[int, int, int], ...], value: int | float | None) -> bool:
    """Whether a constant is one of the legal ones; a value that is not known is."""
    if not ranges or value is None:
        return True
    return any(low <= value <= high and (value - low) % step == 0 for low, high, step in ranges)


def shape_of(values: list[str | None]) -> str | None:
    """The ``.m16n8k16`` among the qualifiers."""
    return next((word for word in values if word and _SHAPE.fullmatch(word)), None)
