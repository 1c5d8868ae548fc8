"""The braces and declarations of a fragment, by which statements of a file depend on each other."""

from __future__ import annotations

import re
from collections.abc import Generator

from ptx_lsp.analysis.module.chunk_summary import Mark, summarise, summarising
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.process_cache import TextCache
from ptx_lsp.syntax.chunk import chunks
from ptx_lsp.syntax.documents.stepwise_loading import load_stepwise
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import SHAPES, shape_ids
from ptx_lsp.syntax.split import split


class Structure(NamedTuple):
    """The braces and declarations of a fragment."""

    closes: int
    """Braces that it closes without opening them."""
    opens: int
    """Braces that it opens without closing them."""
    outside: frozenset[str]
    """Names that it declares outside of braces, or within braces that it leaves open."""


_NOTHING = Structure(0, 0, frozenset())
_SHAPING = re.compile(r"[{}:]|(?<!\w)\.[A-Za-z]", re.ASCII)
"""Text of a brace, a label or a directive, and of some other things."""
_LARGE = 4000
"""Characters of a fragment that takes more than some milliseconds."""
_MARKS_IN_A_STEP = 1024
_KNOWN: TextCache[Structure] = TextCache(1 << 12, 1 << 16)


def may_have_structure(text: str) -> bool:
    """Whether the text of a fragment can have braces or declarations, whatever its digits are."""
    return _SHAPING.search(text) is not None


def structuring(text: str) -> Generator[None, None, Structure]:
    """The structure of the text of a fragment, in steps of a few milliseconds if it is long."""
    if not may_have_structure(text):
        return _NOTHING
    try:
        return _KNOWN[text]
    except KeyError:
        found = _KNOWN[text] = yield from _reading(text)
        return found


def _reading(text: str) -> Generator[None, None, Structure]:
    balance = _Balance()
    is_large = len(text) >= _LARGE
    for chunk in (yield from load_stepwise(text)).chunks if is_large else chunks(_shaping_parts(text)):
        summary = yield from chunk.deriving(summarise, summarising(chunk))
        for number, mark in enumerate(summary.marks, 1):
            balance.add(mark)
            if not number % _MARKS_IN_A_STEP:
                yield
        yield
    return balance.structure


def _shaping_parts(text: str) -> list[str]:
    """The statements of a text without most of its instructions, which need not be known for its structure.

    All of them if some statement is broken: what belongs to it depends on those on its lines.
    """
    parts = split(text)
    left = [part for part in parts if _INSTRUCTION(part) is None]
    return parts if any(map(SHAPES.errors.__getitem__, shape_ids(left))) else left


_NAME = r"(?:[%$]\w++|[A-Za-z_]\w*+)"
_B = r"[ \t\n]*+"
_NUMBER = r"(?:0|[1-9]\d*+)"
_SIMPLE = rf"(?:{_NAME}|{_NUMBER})"
_ADDRESS = rf"\[{_B}{_NAME}{_B}(?:\+{_B}{_NUMBER}{_B})?\]"
_VECTOR = rf"\{{{_B}{_SIMPLE}{_B}(?:,{_B}{_SIMPLE}{_B})*+\}}"
_OPERAND = rf"(?:{_SIMPLE}|{_ADDRESS}|{_VECTOR}){_B}"
_OPCODE = r"(?!call\b)[A-Za-z]\w*+(?:\.[A-Za-z]\w*+)++"
_INSTRUCTION = re.compile(
    rf"{_B}(?:@!?{_NAME}[ \t\n]{_B})?{_OPCODE}(?:[ \t\n]{_B}{_OPERAND}(?:,{_B}{_OPERAND})*+)?;",
    re.ASCII,
).fullmatch
"""An instruction with simple operands, in which no syntax is wrong; calls have their own."""


class _Balance:
    """The braces and declarations up to a mark."""

    def __init__(self) -> None:
        self._closes = 0
        self._names: set[str] = set()
        self._at_depth: list[set[str]] = []
        """The names within each of the braces that are open."""

    def add(self, mark: Mark) -> None:
        """Go on by a mark."""
        if mark.kind == Kind.OPEN:
            self._at_depth.append(set())
        elif mark.kind == Kind.CLOSE and self._at_depth:
            self._at_depth.pop()
        elif mark.kind == Kind.CLOSE:
            self._closes += 1
        else:
            names = self._at_depth[-1] if self._at_depth else self._names
            names.update([symbol.name for symbol in mark.symbols])

    @property
    def structure(self) -> Structure:
        """The blocks that are closed and left open, and the names that are declared."""
        return Structure(self._closes, len(self._at_depth), frozenset(self._names.union(*self._at_depth)))
