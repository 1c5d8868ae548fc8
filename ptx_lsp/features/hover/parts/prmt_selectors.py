"""The bytes that the selector of ``prmt`` picks, as text and picture.

Source: Data Movement and Conversion Instructions: prmt.
"""

from __future__ import annotations

from dataclasses import replace

from ptx_lsp.analysis.cursor.cursor import Cursor
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.features.hover.parts.hover_info import HoverInfo
from ptx_lsp.layouts.selectors import (
    brief_diagram,
    byte_list,
    describe_selection,
    mode_diagram,
    modes,
    selected_bytes,
    selection_diagram,
)
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.tree import Instruction, Operand

_OPERANDS = 4
_SELECTOR = 3
_WIDTH = 32
_LONGEST_NAME = 24
_SIGN = "s(x): eight times the sign bit of x"


class _Prmt(NamedTuple):
    """A complete ``prmt`` instruction."""

    semantics: Semantics
    context: StatementContext
    tree: Instruction
    mode: str

    def text(self, at: int) -> str:
        """Return an operand as written, on one line."""
        return " ".join(self.context.text_of(self.tree.operands[at]).split())[:_LONGEST_NAME]

    @property
    def selector(self) -> int | None:
        """The value of the selector, or None if unknown."""
        operand = self.tree.operands[_SELECTOR]
        value = evaluate(self.context.statement, operand)
        if isinstance(value, int):
            return value % (1 << _WIDTH)
        return self.semantics.packed(self.context.function).number(self.context, operand, _WIDTH)

    @property
    def zero(self) -> str:
        """The names of the sources a and b that are the constant 0."""
        return "".join(name for name, at in (("a", 1), ("b", 2)) if self._is_zero(self.tree.operands[at]))

    def _is_zero(self, operand: Operand) -> bool:
        return evaluate(self.context.statement, operand) == 0

    @property
    def is_of_one(self) -> bool:
        """Whether both sources are the same register."""
        return self.text(1) == self.text(2)

    def summary(self, selector: int) -> str:
        """Return the bytes of the result in one line, and their purpose."""
        found = selected_bytes(selector, self.mode, self.zero)
        alike = selected_bytes(selector, self.mode, self.zero, alike=self.is_of_one)
        meaning = describe_selection(alike)
        return f"`d = [{byte_list(found)}]`" + (f": {meaning}" if meaning else "")


def _prmt(cursor: Cursor) -> _Prmt | None:
    tree = cursor.context.instruction
    if tree is None or tree.opcode[0] != "prmt" or len(tree.operands) != _OPERANDS:
        return None
    return _Prmt(cursor.semantics, cursor.context, tree, next((word for word in tree.opcode if word in modes()), ""))


def _at_selector(cursor: Cursor) -> _Prmt | None:
    """Return the ``prmt`` whose selector is under the cursor, or None."""
    found = _prmt(cursor)
    if found is None:
        return None
    operand = found.tree.operands[_SELECTOR]
    return found if operand.first <= cursor.token < operand.last else None


def with_picked_bytes(cursor: Cursor, info: HoverInfo) -> HoverInfo:
    """Add the picked bytes to the hover of a constant if it is a selector."""
    found = _at_selector(cursor)
    selector = found.selector if found is not None else None
    if found is None or selector is None:
        return info
    word = cursor.word
    lines = selection_diagram(selector, found.mode, found.zero, [found.text(at) for at in range(_SELECTOR)])
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
    """Return the picture for the selector register under the cursor: its known value, else the mode."""
    found = _at_selector(cursor)
    if found is None:
        return []
    selector = found.selector
    if selector is not None:
        return selection_diagram(selector, found.mode, found.zero, [found.text(at) for at in range(_SELECTOR)])
    return mode_diagram(found.mode, found.zero) if found.mode else []


def picked_bytes(cursor: Cursor) -> tuple[str, list[str]]:
    """Return a summary and a small picture for the instruction's hover; both empty for other instructions."""
    found = _prmt(cursor)
    if found is None:
        return "", []
    selector = found.selector
    if selector is None:
        return "", mode_diagram(found.mode, found.zero) if found.mode else []
    return found.summary(selector), brief_diagram(selected_bytes(selector, found.mode, found.zero))


def picks_of_mode(cursor: Cursor) -> list[str]:
    """Return the bytes that the mode under the cursor picks for each selector value."""
    found = _prmt(cursor)
    return mode_diagram(found.mode, found.zero) if found is not None and cursor.word == found.mode else []
