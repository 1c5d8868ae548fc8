"""Templates: references to operands and escapes, as the compiler of the host reads them.

What nvcc does was tried with 13.0. Without operands it copies a template as it stands. With operands ``%%`` is ``%``,
``%=`` a number; a letter after ``%`` that no digit follows stays with it (``%laneid``), and with a digit it is a
modifier (``%r1``), which nvcc refuses; any other character vanishes together with the ``%``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from enum import IntEnum

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import ProcessCache
from ptx_lsp.text import Span


class SigilKind(IntEnum):
    """The kinds of sigils in a template, by what follows them."""

    OPERAND = 0
    MODIFIED = 1
    """An operand with a modifier: ``%r1``."""
    NAMED = 2
    """``%[name]``."""
    BARE = 3
    """A name of PTX whose sigil is not escaped: ``%laneid``."""
    LAST = 4
    """A sigil at the end."""
    ESCAPE = 5
    """An escape: for the sigil, a number, or for nothing."""


class Meaning(NamedTuple):
    """The meaning of a sigil and of what belongs to it, wherever it stands."""

    kind: SigilKind
    number: int = -1
    """The number of an operand."""
    name: str = ""
    """The name of an operand, or the modifier."""
    text: str | None = None
    """The text that takes its place; None if it stays."""


class Sigil(NamedTuple):
    """A sigil and what belongs to it at its place, with the parts of its :class:`Meaning`."""

    kind: SigilKind
    span: Span
    number: int = -1
    name: str = ""
    text: str | None = None


_PERCENT = re.compile(r"%(?:(?P<number>\d{1,9})|(?P<modifier>[A-Za-z])(?P<modified>\d+)|\[(?P<name>[^\[\]\n]*+)\]"
                      r"|(?P<bare>[A-Za-z]\w*)|(?P<other>.)|)", re.DOTALL | re.ASCII)  # fmt: skip
_DOLLAR_PARTS = (
    r"(?:(?P<number>\d{1,9})|\{(?P<braced>\d{1,9})(?::(?P<flag>\w+))?\}|(?P<other>[$(|)]|\{:uid\}))"
    r"|\{\$(?P<role>rw?|w)(?P<place>\d{1,9})\}"
)
_DOLLAR = re.compile(rf"\${_DOLLAR_PARTS}", re.ASCII)
_DOLLAR_OR_PERCENT = re.compile(rf"(?:\$|%(?=\d)){_DOLLAR_PARTS}", re.ASCII)
_BRACES = re.compile(r"\{\{|\}\}|\{(?P<name>[^{}:]*)(?::[^{}]*)?\}", re.DOTALL)
UNIQUE = "0"
"""The number that stands for ``%=``."""
_ESCAPED = {"%": "%", "=": UNIQUE}
_IN_ORDER = -2
"""The number of an operand that is the next one."""


def _percent_meaning(match: re.Match[str]) -> Meaning:
    """The meaning of a mark of GCC's notation, in a template that has operands."""
    kind = match.lastgroup
    if kind == "number":
        return Meaning(SigilKind.OPERAND, int(match["number"]))
    if kind == "other":
        return Meaning(SigilKind.ESCAPE, text=_ESCAPED.get(match["other"], ""))
    if kind == "modified":
        return Meaning(SigilKind.MODIFIED, int(match["modified"][:9]), match["modifier"])
    if kind == "name":
        name = match["name"]
        is_name = name.isidentifier() and name.isascii()
        return Meaning(SigilKind.NAMED, name=name, text=f"%{name}" if is_name else "%name")
    return Meaning(SigilKind.BARE, name=match["bare"]) if kind == "bare" else Meaning(SigilKind.LAST)


def _dollar_meaning(match: re.Match[str]) -> Meaning:
    """The meaning of a mark of LLVM's notation, and of MLIR's."""
    if match["number"] is not None:
        return Meaning(SigilKind.OPERAND, int(match["number"]))
    if match["braced"] is not None:
        return Meaning(SigilKind.OPERAND, int(match["braced"]), text=f"${match['braced']}")
    if match["role"] is not None:
        name = match["role"] + match["place"]
        return Meaning(SigilKind.NAMED, name=name, text=f"${name}")
    return Meaning(SigilKind.ESCAPE, text={"$": "$", "{:uid}": UNIQUE}.get(match["other"], ""))


def _brace_meaning(match: re.Match[str]) -> Meaning | None:
    """The meaning of a mark of Rust: ``{0}``, ``{name}``, ``{}``, ``{{``; None of braces that are none."""
    name = match["name"]
    if name is None:
        return Meaning(SigilKind.ESCAPE, text=match[0][0])
    name = name.strip()
    if not name:
        return Meaning(SigilKind.OPERAND, _IN_ORDER)
    if name.isdecimal() and name.isascii() and len(name) < 9:
        return Meaning(SigilKind.OPERAND, int(name), text=f"${int(name)}")
    return Meaning(SigilKind.NAMED, name=name, text=f"${name}") if name.isidentifier() and name.isascii() else None


class _Notation(NamedTuple):
    """A notation of operands in templates."""

    mark: re.Pattern[str]
    """A mark, with groups for its parts."""
    meaning_of: Callable[[re.Match[str]], Meaning | None]
    splitting: re.Pattern[str]
    """The pattern of a mark as one group."""
    known: ProcessCache[str, Meaning]
    """The meanings of marks that were read before."""
    needs_operands: bool = False
    """Whether templates without operands are copied as they stand."""
    has_order: bool = False
    """Whether marks can stand for the next operand."""


def _notation(mark: re.Pattern[str], meaning_of: Callable[[re.Match[str]], Meaning | None]) -> _Notation:
    without_groups = re.sub(r"\(\?P<[a-z]+>", "(?:", mark.pattern)
    splitting = re.compile(f"({without_groups})", mark.flags)
    return _Notation(mark, meaning_of, splitting, ProcessCache(_MOST))


_MOST = 1 << 10
_NOTATIONS = {
    "gcc": _notation(_PERCENT, _percent_meaning)._replace(needs_operands=True),
    "llvm": _notation(_DOLLAR, _dollar_meaning),
    "nvvm": _notation(_DOLLAR_OR_PERCENT, _dollar_meaning),
    "rust": _notation(_BRACES, _brace_meaning)._replace(needs_operands=True, has_order=True),
}
_IN_A_STEP = 1 << 13
"""Marks."""


class WrittenMarks(NamedTuple):
    """The marks of a template, as they are written. Equal ones are read once."""

    parts: list[str]
    """The text before the first mark, the mark, the text after it, the next mark, and so on."""
    keys: list[str]
    """The text of each mark; of one that stands for the next operand that of one with its number."""
    meanings: dict[str, Meaning]
    """The meanings by the text of the marks; without those that are none."""


def reading_marks(dialect: str, template: str, *, has_operands: bool) -> Generator[None, None, WrittenMarks | None]:
    """The marks of a template, in steps of some thousand; None if it has none."""
    notation = _NOTATIONS.get(dialect)
    if notation is None or notation.needs_operands and not has_operands:
        return None
    parts = notation.splitting.split(template, _IN_A_STEP)
    keys = parts[1::2]
    meanings: dict[str, Meaning] = {}
    _read(notation, keys, meanings)
    some = keys
    while len(some) == _IN_A_STEP:
        yield
        rest = notation.splitting.split(parts.pop(), _IN_A_STEP)
        some = rest[1::2]
        _read(notation, some, meanings)
        parts += rest
        keys += some
    if notation.has_order and any(one.number == _IN_ORDER for one in meanings.values()):
        yield from _numbering(keys, meanings)
    return WrittenMarks(parts, keys, meanings) if meanings else None


def _read(notation: _Notation, words: list[str], meanings: dict[str, Meaning]) -> None:
    """Add the meanings of marks to those of others."""
    for word in words:
        if word not in meanings:
            found = notation.known.get(word)
            if found is None:
                mark = notation.mark.match(word)
                if mark is None or (found := notation.meaning_of(mark)) is None:
                    continue
                notation.known[word] = found
            meanings[word] = found


def _numbering(keys: list[str], meanings: dict[str, Meaning]) -> Iterator[None]:
    """Give the marks that stand for the next operand its number, in steps."""
    in_order = {key for key, one in meanings.items() if one.number == _IN_ORDER}
    for number, at in enumerate([at for at, key in enumerate(keys) if key in in_order]):
        keys[at] = key = f"{{{number}}}"
        meanings[key] = Meaning(SigilKind.OPERAND, number, text=f"${number}")
        if not (number + 1) % _IN_A_STEP:
            yield
    for key in in_order:
        del meanings[key]
