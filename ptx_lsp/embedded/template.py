"""Templates: references to operands and escapes, as the compiler of the host reads them.

What nvcc does was tried with 13.0. Without operands it copies a template as it stands. With operands ``%%`` is ``%``,
``%=`` a number; a letter after ``%`` that no digit follows stays with it (``%laneid``), and with a digit it is a
modifier (``%r1``), which nvcc refuses; any other character vanishes together with the ``%``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import IntEnum

from ptx_lsp.named_tuples import NamedTuple
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


class Sigil(NamedTuple):
    """A sigil and what belongs to it, with offsets in the template."""

    kind: SigilKind
    span: Span
    number: int = -1
    """The number of an operand."""
    name: str = ""
    """The name of an operand, or the modifier."""
    text: str | None = None
    """The text that takes its place; None if it stays."""


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


def percent_marks(template: str) -> Iterator[Sigil]:
    """The marks of a template of GCC's notation, which has operands."""
    for match in _PERCENT.finditer(template):
        span = Span(*match.span())
        kind = match.lastgroup
        if kind == "number":
            yield Sigil(SigilKind.OPERAND, span, int(match["number"]))
        elif kind == "other":
            yield Sigil(SigilKind.ESCAPE, span, text=_ESCAPED.get(match["other"], ""))
        elif kind == "modified":
            yield Sigil(SigilKind.MODIFIED, span, int(match["modified"][:9]), match["modifier"])
        elif kind == "name":
            name = match["name"]
            is_name = name.isidentifier() and name.isascii()
            yield Sigil(SigilKind.NAMED, span, name=name, text=f"%{name}" if is_name else "%name")
        elif kind == "bare":
            yield Sigil(SigilKind.BARE, span, name=match["bare"])
        else:
            yield Sigil(SigilKind.LAST, span)


def dollar_marks(template: str) -> Iterator[Sigil]:
    """The marks of a template of LLVM's notation, and of MLIR's."""
    yield from _dollar_marks(_DOLLAR, template)


def nvvm_marks(template: str) -> Iterator[Sigil]:
    """The marks of a template of ``nvvm.inline_ptx``: as those of LLVM, but ``%0`` is an operand too."""
    yield from _dollar_marks(_DOLLAR_OR_PERCENT, template)


def _dollar_marks(pattern: re.Pattern[str], template: str) -> Iterator[Sigil]:
    for match in pattern.finditer(template):
        span = Span(*match.span())
        if match["number"] is not None:
            yield Sigil(SigilKind.OPERAND, span, int(match["number"]))
        elif match["braced"] is not None:
            yield Sigil(SigilKind.OPERAND, span, int(match["braced"]), text=f"${match['braced']}")
        elif match["role"] is not None:
            name = match["role"] + match["place"]
            yield Sigil(SigilKind.NAMED, span, name=name, text=f"${name}")
        else:
            yield Sigil(SigilKind.ESCAPE, span, text={"$": "$", "{:uid}": UNIQUE}.get(match["other"], ""))


def brace_marks(template: str) -> Iterator[Sigil]:
    """The marks of a template of Rust: ``{0}``, ``{name}``, ``{}`` in order, ``{{``."""
    following = 0
    for match in _BRACES.finditer(template):
        span = Span(*match.span())
        name = match["name"]
        if name is None:
            yield Sigil(SigilKind.ESCAPE, span, text=match[0][0])
            continue
        name = name.strip()
        if not name or name.isdecimal() and name.isascii() and len(name) < 9:
            number = int(name or following)
            following += not name
            yield Sigil(SigilKind.OPERAND, span, number, text=f"${number}")
        elif name.isidentifier() and name.isascii():
            yield Sigil(SigilKind.NAMED, span, name=name, text=f"${name}")


_NOTATIONS: dict[str, Callable[[str], Iterator[Sigil]]] = {
    "gcc": percent_marks,
    "llvm": dollar_marks,
    "nvvm": nvvm_marks,
    "rust": brace_marks,
}


def marks_of(dialect: str, template: str, *, has_operands: bool) -> Iterator[Sigil]:
    """The sigils of a template, in order. Without operands it has none where the compiler copies it then."""
    if not has_operands and dialect in ("gcc", "rust"):
        return iter(())
    notation = _NOTATIONS.get(dialect)
    return notation(template) if notation is not None else iter(())
