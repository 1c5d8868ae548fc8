"""``prmt``: which bytes its selector picks, as a picture.

Source: Data Movement and Conversion Instructions: prmt.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from ptx_lsp.analysis.cursor.cursor import Cursor
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.features.hover.parts.info import HoverInfo
from ptx_lsp.layouts.selectors import brief, mode_picture, modes, picked, picture, short, words
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.tree import Instruction, Operand

_OPERANDS = 4
_SELECTOR = 3
_WIDTH = 32
_LONGEST_NAME = 24
_SIGN = "s(x): eight times the sign bit of x"


class _Prmt(NamedTuple):
    """A complete ``prmt``."""

    semantics: Semantics
    context: StatementContext
    tree: Instruction
    mode: str

    def text(self, at: int) -> str:
        """An operand as it is written, on one line."""
        return " ".join(self.context.text_of(self.tree.operands[at]).split())[:_LONGEST_NAME]

    @property
    def selector(self) -> int | None:
        """The selector, if it is known."""
        operand = self.tree.operands[_SELECTOR]
        value = evaluate(self.context.statement, operand)
        if isinstance(value, int):
            return value % (1 << _WIDTH)
        return self.semantics.packed(self.context.function).number(self.context, operand, _WIDTH)

    @property
    def zero(self) -> str:
        """Those of a and b that are the constant 0."""
        return "".join(name for name, at in (("a", 1), ("b", 2)) if self._is_zero(self.tree.operands[at]))

    def _is_zero(self, operand: Operand) -> bool:
        return evaluate(self.context.statement, operand) == 0

    @property
    def is_of_one(self) -> bool:
        """Whether both sources are the same register."""
        return self.text(1) == self.text(2)

    def summary(self, selector: int) -> str:
        """The bytes of the result in a line, and what that is good for."""
        found = picked(selector, self.mode, self.zero)
        alike = picked(selector, self.mode, self.zero, alike=self.is_of_one)
        meaning = words(alike)
        return f"`d = [{short(found)}]`" + (f": {meaning}" if meaning else "")


def _prmt(cursor: Cursor) -> _Prmt | None:
    tree = cursor.context.instruction
    if tree is None or tree.opcode[0] != "prmt" or len(tree.operands) != _OPERANDS:
        return None
    return _Prmt(cursor.semantics, cursor.context, tree, next((word for word in tree.opcode if word in modes()), ""))


def _at_selector(cursor: Cursor) -> _Prmt | None:
    """The ``prmt`` whose selector is under the cursor."""
    found = _prmt(cursor)
    if found is None:
        return None
    operand = found.tree.operands[_SELECTOR]
    return found if operand.first <= cursor.token < operand.last else None


def with_picked_bytes(cursor: Cursor, info: HoverInfo) -> HoverInfo:
    """A hover of the constant under the cursor with the bytes that it picks, if it is a selector."""
    found = _at_selector(cursor)
    selector = found.selector if found is not None else None
    if found is None or selector is None:
        return info
    word = cursor.word
    lines = picture(selector, found.mode, found.zero, [found.text(at) for at in range(_SELECTOR)])
    return replace(
        info,
        title=f"`{word}` selector of `prmt{found.mode}`",
        lead=(found.summary(selector),),
        rows=(),
        picture=tuple(lines),
        notes=(*_legend(lines), *info.notes),
    )


def _legend(lines: list[str]) -> list[str]:
    return [_SIGN] if any("s(" in line for line in lines) else []


def selected(cursor: Cursor) -> list[str]:
    """The picture for the register under the cursor, if it is a selector whose value is known, or that of a mode."""
    found = _at_selector(cursor)
    if found is None:
        return []
    selector = found.selector
    if selector is not None:
        return picture(selector, found.mode, found.zero, [found.text(at) for at in range(_SELECTOR)])
    return mode_picture(found.mode, found.zero) if found.mode else []


def picked_bytes(cursor: Cursor) -> tuple[str, list[str]]:
    """For the hover of the whole instruction: a line, and a small picture; both empty for other instructions."""
    found = _prmt(cursor)
    if found is None:
        return "", []
    selector = found.selector
    if selector is None:
        return "", mode_picture(found.mode, found.zero) if found.mode else []
    return found.summary(selector), brief(picked(selector, found.mode, found.zero))


def picks_of_mode(cursor: Cursor) -> list[str]:
    """What the mode under the cursor picks for each selector."""
    found = _prmt(cursor)
    return mode_picture(found.mode, found.zero) if found is not None and cursor.word == found.mode else []
