"""Lines of a hover about the partners of an instruction that synchronizes."""

from __future__ import annotations

from ptx_lsp.analysis.cursor.barrier_text import BarrierWriter
from ptx_lsp.analysis.cursor.cursor import Cursor
from ptx_lsp.analysis.references.synchronization import objects_at
from ptx_lsp.analysis.synchronization.barrier_objects import Member, SyncObject
from ptx_lsp.features.hover.parts.hover_info import lines_linked

_MOST_LINES = 4


def synchronization_notes(cursor: Cursor) -> tuple[str, ...]:
    """Return a line for each barrier or kind of work: who makes it, signals it, waits for it; none while unknown."""
    semantics, context = cursor.semantics, cursor.context
    found = objects_at(semantics, context)
    barriers = semantics.barriers(context.function)
    if not found or barriers is None:
        return ()
    writer = BarrierWriter(semantics, context.function, barriers)
    return tuple(filter(None, (_note(cursor, writer, one, member) for one, member in found)))


def _note(cursor: Cursor, writer: BarrierWriter, found: SyncObject, own: Member) -> str:
    line_of = cursor.semantics.module.positions.line_of
    parts = []
    for words, members in writer.relations(found, own):
        # Of thousands only the first have to be found; the negative numbers stand for the others.
        near = [line_of(one.step.place) for one in members[: _MOST_LINES + 1]]
        lines = [*near, *range(-1, len(near) - len(members) - 1, -1)]
        parts.append(f"{words} in {lines_linked(lines, _MOST_LINES)}")
    title = found.kind.name.replace("-", " ") if found.kind.is_work else writer.title(found)
    return f"{title}: {'; '.join(parts)}" if parts else ""
