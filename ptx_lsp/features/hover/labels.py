"""Hover of labels: the branches to a label, and whether they form a loop."""

from __future__ import annotations

from ptx_lsp.analysis.cursor.cursor import Cursor
from ptx_lsp.analysis.dataflow.effects import Control
from ptx_lsp.analysis.references.occurrences import Occurrence
from ptx_lsp.analysis.references.tally import tally
from ptx_lsp.analysis.symbols.symbols import Symbol
from ptx_lsp.features.hover.parts.counts import counted, times_in_words
from ptx_lsp.features.hover.parts.declaration_text import declaration
from ptx_lsp.features.hover.parts.hover_info import HoverInfo, line_link, lines_linked
from ptx_lsp.syntax.kind import Kind

_MOST_LINES = 4


def label(cursor: Cursor, symbol: Symbol) -> HoverInfo:
    """Return the hover of a label with the branches to it."""
    module = cursor.context.module
    own = module.positions.line_of(symbol.place)
    found = tally(cursor.semantics, symbol)
    jumps = [one for one in found.mentions if _jumps(cursor, one)]
    others = len(found.mentions) - len(jumps)
    start = module.positions.span_of(symbol.place).start
    places = [one.span(module).start for one in jumps]
    lines = [module.document.position(place)[0] + 1 for place in places]
    after = [line for line, place in zip(lines, places, strict=True) if place > start]
    text = f"`{symbol.name}`: label in {line_link(own)}"
    if not lines:
        text += "; named, but not jumped to" if others else "; nothing jumps there"
    elif found.is_complete:
        text += f"; jumped to {times_in_words(len(lines))}, from {lines_linked(sorted(lines), _MOST_LINES)}"
    else:
        text += f"; jumped to at least {len(lines)} times"
    notes = []
    if after:
        length = counted(max(after) - own + 1, "line")
        notes.append(f"head of a loop of {length}: {line_link(max(after))} jumps back")
    if lines and others:
        notes.append(f"also named {times_in_words(others)}, in lists of targets or debug data")
    if cursor.context.instruction is not None:
        here = module.document.position(cursor.span.start)[0] + 1
        if here != own:
            distance = counted(abs(own - here), "line")
            notes.append(f"{distance} {'above' if own < here else 'below'}")
    return HoverInfo(cursor.span, code=(declaration(symbol),), lead=(text,), notes=tuple(notes))


def _jumps(cursor: Cursor, place: Occurrence) -> bool:
    """Whether the name is an operand of a branch."""
    if place.chunk.kinds[place.statement] != Kind.INSTRUCTION:
        return False
    return cursor.semantics.effects.of(place.chunk, place.statement).control is Control.JUMP
