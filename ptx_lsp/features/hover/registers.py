"""Registers: declaration, who writes and reads them, what they hold at the cursor, what they are for there."""

from __future__ import annotations

import re

from ptx_lsp.analysis.cursor.cursor import Cursor
from ptx_lsp.analysis.references.tally import Tally, lines, tally
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.features.hover.parts.declared import as_line, declaration
from ptx_lsp.features.hover.parts.info import HoverInfo, line_link, lines_linked
from ptx_lsp.features.hover.parts.known import known_value
from ptx_lsp.features.hover.parts.part import part_of_instruction
from ptx_lsp.features.hover.parts.predicates import stands_for
from ptx_lsp.features.hover.parts.selectors import selected
from ptx_lsp.features.hover.parts.wording import many

LONGEST_SEARCH = 1 << 18
"""Code points of a function in which the members of a group are counted."""
_MOST_LINES = 3


def register(cursor: Cursor, symbol: Symbol) -> HoverInfo:
    """One register, or at its declaration a whole group."""
    module = cursor.context.module
    name = cursor.word
    is_group = symbol.count is not None and name == symbol.name
    what = f"vector of {symbol.vector} × `{symbol.type}` in registers" if symbol.vector else f"`{symbol.type}` register"
    declared = f"declared in {line_link(module.positions.line_of(symbol.place))}"
    if is_group:
        what = what.replace(" register", " registers", not symbol.vector)
        sign = " ×" if symbol.vector else ""
        lead = f"{symbol.count}{sign} {what}, {declared}: `{name}0` to `{name}{max((symbol.count or 1) - 1, 0)}`"
        return HoverInfo(cursor.span, code=(declaration(symbol),), lead=(lead + _members(cursor, symbol),))
    found = tally(cursor.semantics, symbol, name)
    notes = [part_of_instruction(cursor)]
    value = known_value(cursor, symbol)
    if value:
        notes.append(f"value here: {value}")
    notes.append(stands_for(cursor, symbol, found))
    return HoverInfo(
        cursor.span,
        code=(declaration(symbol), *_definition(cursor, found)),
        lead=(f"`{name}`: {what}, {declared}; {_accesses(cursor, found)}",),
        notes=tuple(filter(None, notes)),
        picture=tuple(selected(cursor)),
    )


def _accesses(cursor: Cursor, found: Tally) -> str:
    """How often a register is written and read, and where."""
    module = cursor.context.module
    if not found.is_complete:
        return f"used at least {found.count} times"
    if not found.count:
        return "not used"
    shown = []
    for verb, places in (("written", found.writes), ("read", found.reads)):
        if not places:
            shown.append(f"never {verb}")
            continue
        times = many(len(places))
        others = lines(module, places, _MOST_LINES) if len(places) <= _MOST_LINES else []
        shown.append(f"{verb} {times}" + (f" ({lines_linked(others)})" if others else ""))
    return ", ".join(shown)


def _definition(cursor: Cursor, found: Tally) -> tuple[str, ...]:
    """The instruction that writes a register, if there is only one, and the cursor is not there."""
    if not found.is_complete or len(found.writes) != 1:
        return ()
    [place] = found.writes
    if (place.chunk, place.statement) == (cursor.context.chunk, cursor.context.index):
        return ()
    text = as_line(place.chunk.statement(place.statement))
    return (text,) if len(text) <= _LONGEST else ()


_LONGEST = 140


def _members(cursor: Cursor, symbol: Symbol) -> str:
    """How many registers of a group the function names; empty in a very long one."""
    chunks = cursor.context.module.function_of(symbol.place.chunk).chunks
    if sum(chunk.length for chunk in chunks) > LONGEST_SEARCH:
        return ""
    literal = re.escape(symbol.name)
    member = re.compile(rf"{literal}(?<![\w$%.]{literal})(\d+)(?![\w$])", re.ASCII)
    numbers = {int(digits) for chunk in chunks for digits in member.findall(chunk.text) if len(digits) <= 9}
    used = sum(number < (symbol.count or 0) for number in numbers)
    return f"; {used} of them used" if used else "; none of them used"
