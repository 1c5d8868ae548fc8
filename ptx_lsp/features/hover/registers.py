"""Hover of registers: declaration, definitions and uses, known value, role in the instruction."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.analysis.cursor.cursor import Cursor
from ptx_lsp.analysis.references.reaching_definitions import flow_for_once, is_cheap
from ptx_lsp.analysis.references.register_writes import writes_at
from ptx_lsp.analysis.references.tally import Tally, lines, tally
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.features.hover.parts.counts import times_in_words
from ptx_lsp.features.hover.parts.declaration_text import as_line, declaration
from ptx_lsp.features.hover.parts.expression_text import expression_note
from ptx_lsp.features.hover.parts.hover_info import HoverInfo, line_link, lines_linked
from ptx_lsp.features.hover.parts.known_value import known_value
from ptx_lsp.features.hover.parts.operand_role import operand_note
from ptx_lsp.features.hover.parts.predicate_text import predicate_note
from ptx_lsp.features.hover.parts.prmt_selectors import selected

LONGEST_SEARCH = 1 << 18
"""The maximum size of a function, in code points, in which the used members of a group are counted."""
_MOST_LINES = 3


def register(cursor: Cursor, symbol: Symbol) -> HoverInfo:
    """Return the hover of a register, or of a whole group at its declaration."""
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
    notes = [operand_note(cursor), *_value(cursor, symbol)]
    notes.append(predicate_note(cursor, symbol, found))
    return HoverInfo(
        cursor.span,
        code=(declaration(symbol), *_definition(cursor, found)),
        lead=(f"`{name}`: {what}, {declared}; {_accesses(cursor, found)}",),
        notes=tuple(filter(None, notes)),
        picture=tuple(selected(cursor)),
    )


def _value(cursor: Cursor, symbol: Symbol) -> Iterator[str]:
    """Yield what is known of the value: its bits, and an expression; both by one graph of the function."""
    semantics, function = cursor.semantics, cursor.context.function
    with flow_for_once(semantics, function):
        if is_cheap(semantics, function):
            semantics.flow(function)
        value = known_value(cursor, symbol)
        if value:
            yield f"value here: {value}"
        yield expression_note(cursor)


def _accesses(cursor: Cursor, found: Tally) -> str:
    """Return the number and lines of writes and reads."""
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
        times = times_in_words(len(places))
        others = lines(module, places, _MOST_LINES) if len(places) <= _MOST_LINES else []
        shown.append(f"{verb} {times}" + (f" ({lines_linked(others)})" if others else ""))
    return ", ".join(shown)


def _definition(cursor: Cursor, found: Tally) -> tuple[str, ...]:
    """Return the instructions whose results reach the cursor if they are few, without the one that it is on."""
    if not found.is_complete:
        return ()
    places = [(place.chunk, place.statement) for place in found.writes]
    if len(places) > 1:
        reaching = cursor.context.instruction and writes_at(cursor.semantics, cursor.context, cursor.token)
        reached = {place[:2] for place in reaching or ()}
        places = [place for place in dict.fromkeys(places) if place in reached]
    here = (cursor.context.chunk, cursor.context.index)
    texts = [as_line(chunk.statement(statement)) for chunk, statement in places if (chunk, statement) != here]
    return tuple(texts) if len(texts) <= _MOST_LINES and all(len(text) <= _LONGEST for text in texts) else ()


_LONGEST = 140


def _members(cursor: Cursor, symbol: Symbol) -> str:
    """Return the number of registers of a group that are used; empty in a very long function."""
    chunks = cursor.context.module.function_of(symbol.place.chunk).chunks
    if sum(chunk.length for chunk in chunks) > LONGEST_SEARCH:
        return ""
    literal = re.escape(symbol.name)
    member = re.compile(rf"{literal}(?<![\w$%.]{literal})(\d+)(?![\w$])", re.ASCII)
    numbers = {int(digits) for chunk in chunks for digits in member.findall(chunk.text) if len(digits) <= 9}
    used = sum(number < (symbol.count or 0) for number in numbers)
    return f"; {used} of them used" if used else "; none of them used"
