"""Hover of labels: the branches to a label, and whether they form a loop."""

from __future__ import annotations

from ptx_lsp.analysis.cursor.cursor import Cursor
from ptx_lsp.analysis.dataflow.effects import Control
from ptx_lsp.analysis.references.occurrences import Occurrence
from ptx_lsp.analysis.references.reaching_definitions import is_cheap
from ptx_lsp.analysis.references.tally import tally
from ptx_lsp.analysis.semantics.function_structure import FunctionStructure
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import Symbol, SymbolKind
from ptx_lsp.features.hover.parts.counts import counted, times_in_words
from ptx_lsp.features.hover.parts.declaration_text import declaration
from ptx_lsp.features.hover.parts.hover_info import HoverInfo, line_link, lines_linked
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tree import Instruction, Targets

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
    structure = _structure(cursor, symbol)
    number = structure.block_at(symbol.place.chunk, symbol.place.statement) if structure is not None else None
    if structure is not None and number is not None:
        first = structure.blocks[number].start
        number = number if (first.chunk, first.statement) == symbol.place[:2] else None
    notes = _notes(cursor, structure, number) if structure is not None and number is not None else []
    if after and number is None:
        length = counted(max(after) - own, "line")
        notes.append(f"part of a loop: {line_link(max(after))} jumps back here, {length}")
    if lines and others:
        notes.append(f"also named {times_in_words(others)}, in lists of targets or debug data")
    if cursor.context.instruction is not None:
        here = module.document.position(cursor.span.start)[0] + 1
        if here != own:
            distance = counted(abs(own - here), "line")
            notes.append(f"{distance} {'above' if own < here else 'below'}")
    return HoverInfo(cursor.span, code=(declaration(symbol),), lead=(text,), notes=tuple(notes))


def listed_labels(context: StatementContext, symbol: Symbol) -> str:
    """Return the labels of a list by their numbers: ``0: `$L1` (line 7)``; empty for a list of functions."""
    chunk, label, _ = symbol.place
    place = context.module.function_of(chunk).after(chunk, label)
    if place is None:
        return ""
    statement = place.chunk.statement(place.statement)
    tree = statement.shape.tree
    if not isinstance(tree, Targets) or any(one.count >= 0 for one in tree.names):
        return ""
    shown = []
    for number, one in enumerate(tree.names[:_MOST_TARGETS]):
        name = statement.word(one.name)
        target = context.scope.lookup(name)
        if target is None or target.kind is not SymbolKind.LABEL:
            return ""
        shown.append(f"{number}: `{name}` ({line_link(context.module.positions.line_of(target.place))})")
    more = len(tree.names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


_MOST_TARGETS = 12
"""The maximum number of labels of a list that are shown."""


def _structure(cursor: Cursor, symbol: Symbol) -> FunctionStructure | None:
    """Return the blocks and loops of the function, if they are found or quickly found."""
    semantics, function = cursor.semantics, cursor.context.module.function_of(symbol.place.chunk)
    if semantics.structure(function) is None and function.has_body and is_cheap(semantics, function):
        for _ in semantics.structuring(function):
            pass
    return semantics.structure(function)


def _notes(cursor: Cursor, structure: FunctionStructure, number: int) -> list[str]:
    """Return what a label begins: a loop with its back edges, a block, and the line from which control falls in."""
    module, block = cursor.context.module, structure.blocks[number]
    line_of = module.positions.line_of
    found = []
    latches: tuple[int, ...] = ()
    at = structure.loop_headed_by(number)
    if at is not None:
        loop = structure.loops[at]
        latches = tuple(loop.latches)
        lines = [line_of(structure.blocks[one].end) for one in loop.latches]
        over = f" over `{loop.counter}`" if loop.counter else ""
        length = line_of(structure.blocks[loop.last].end) - line_of(structure.blocks[loop.first].start) + 1
        inside = f", depth {loop.depth}" if loop.depth > 1 else ""
        edges = f"back edge{'s' * (len(lines) > 1)} from {lines_linked(lines, _MOST_LINES)}"
        counts = ", ".join(f"{count} {role}" for role, count in loop.counts)
        size = f"{counted(length, 'line')}, {counted(loop.instructions, 'instruction')}"
        found.append(f"loop header{over}{inside}: {edges}; {size}" + (f": {counts}" if counts else ""))
    if not block.is_reachable:
        found.append("unreachable: control never comes here")
    elif (
        number
        and structure.blocks[number - 1].instructions
        and number - 1 in block.predecessors
        and number - 1 not in latches
        and not _is_jump_only(structure, number)
    ):
        found.append(f"control falls in from {line_link(line_of(structure.blocks[number - 1].end))}")
    length = line_of(block.end) - line_of(block.start) + 1
    ways = [structure.blocks[one] for one in block.successors]
    to = [f"`{one.label}`" if one.label else line_link(line_of(one.start)) for one in ways[:_MOST_LINES]]
    if len(ways) > _MOST_LINES:
        to.append(f"{len(ways) - _MOST_LINES} more")
    found.append(f"block of {counted(length, 'line')}" + (f", then {' or '.join(to)}" if to else ""))
    return found


def _is_jump_only(structure: FunctionStructure, number: int) -> bool:
    """Whether the block above only jumps to a block: it ends with a branch that is always taken."""
    above = structure.blocks[number - 1]
    chunk, statement, _ = above.end
    tree = chunk.statement(statement).shape.tree
    return bool(above.ends) and isinstance(tree, Instruction) and tree.guard is None


def _jumps(cursor: Cursor, place: Occurrence) -> bool:
    """Whether the name is an operand of a branch."""
    if place.chunk.kinds[place.statement] != Kind.INSTRUCTION:
        return False
    return cursor.semantics.effects.of(place.chunk, place.statement).control is Control.JUMP
