"""Descriptors and other packed values: the fields of an operand, at the operand and wherever it is built.

Source: the pages of grammar/layouts.
"""

from __future__ import annotations

from ptx_lsp.analysis.cursor.cursor import Cursor, CursorKind
from ptx_lsp.analysis.cursor.packed_at_cursor import packed_at, tells
from ptx_lsp.analysis.descriptors.address_sums import Sum
from ptx_lsp.analysis.descriptors.packed_operands import KnownOperand, PackedOperand
from ptx_lsp.analysis.descriptors.packed_values import PackedValues
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.features.hover.parts.info import FurtherReading, HoverInfo, line_link, lines_linked
from ptx_lsp.features.hover.parts.origins import origins
from ptx_lsp.layouts.decode import Decoded, DecodedValue
from ptx_lsp.layouts.layout import Layout

_TWO_COLUMNS = 9
"""Of more fields two stand side by side."""
_MOST_FINDINGS = 3


def descriptor(cursor: Cursor) -> HoverInfo | None:
    """The fields of the descriptor that is, or is built from, what is under the cursor; None if that is none."""
    found = packed_at(cursor)
    if found is None:
        return None
    sources = origins(found.context, found.known, found.values)
    return _shown(cursor, found.context, found.known, found.values, sources, here=found.is_here)


def _shown(
    cursor: Cursor,
    context: StatementContext,
    known: KnownOperand,
    values: PackedValues,
    sources: list[str],
    *,
    here: bool,
) -> HoverInfo:
    layout, reading = known.packed.layout, known.reading
    module = cursor.context.module
    lead = [_summary(known)] if tells(known) else []
    if not here:
        name = "".join(context.instruction.opcode[:1]) if context.instruction is not None else ""
        line = module.line_of(context.place)
        lead.insert(0, f"becomes `{known.packed.role}` of `{name}` in {line_link(line)}")
    notes = [f"✗ {finding.says}" for finding in known.proved.findings[:_MOST_FINDINGS]]
    if tells(known) and any(one.field.key == "start" for one in reading.fields):
        notes += _address(context, known.packed, values)
    notes += sources
    if known.assumed and _needs_assumption(known):
        notes.append("so read if the address does not carry into the fields above it")
    source = _declared(cursor, context, known, values) if here else ""
    if source:
        notes.append(source)
    notes += layout.notes
    return HoverInfo(
        cursor.span,
        title=f"{title_of(layout)} `{reading.digits}`",
        lead=tuple(lead),
        picture=table_of(reading) if tells(known) else (),
        notes=tuple(notes),
        link=link_of(layout),
    )


def title_of(layout: Layout) -> str:
    """The title of a layout's page at the beginning of a line."""
    title = layout.title.replace("`", "")
    return title if layout.title.startswith("`") else title[0].upper() + title[1:]


def link_of(layout: Layout) -> FurtherReading:
    """Where the manual has it."""
    return FurtherReading(f"PTX ISA: {layout.section}", layout.link)


def _summary(known: KnownOperand) -> str:
    return known.reading.summary.replace(", at ?", "")


def _needs_assumption(known: KnownOperand) -> bool:
    """Whether some field is known only under the assumption."""
    proved = {one.field.key for one in known.proved.fields if one.meaning is not None}
    return any(one.meaning is not None and one.field.key not in proved for one in known.reading.fields)


def _address(context: StatementContext, packed: PackedOperand, values: PackedValues) -> list[str]:
    """Where the matrix begins, as a sum, and where the registers in it are set."""
    start = values.start_address(context, packed)
    if start is None or not start.terms:
        return []
    found = [f"start address: `{start}`"]
    return found + _set_in(context, start)


def _set_in(context: StatementContext, start: Sum) -> list[str]:
    module = context.module
    found = []
    for term in start.terms:
        if term.definitions:
            lines = [module.line_of(Place(one.chunk, one.statement, 0)) for one in term.definitions]
            found.append(f"`{term.name}` is set in {lines_linked(lines)}")
    return found[:2]


def _declared(cursor: Cursor, context: StatementContext, known: KnownOperand, values: PackedValues) -> str:
    """Where the register gets its value."""
    if cursor.what is not CursorKind.NAME:
        return ""
    lines = [context.module.line_of(place) for place in values.written(context, known.packed)]
    return f"`{cursor.word}` is set in {lines_linked(lines)}" if lines else ""


def table_of(reading: DecodedValue) -> tuple[str, ...]:
    """The table of the fields; none for a single one, which the summary tells."""
    found = tuple(fields_table(reading))
    return found if len(found) > 1 else ()


def fields_table(reading: DecodedValue) -> list[str]:
    """The fields with their bits and what they say; two side by side if there are many."""
    told = [one for one in reading.fields if not one.is_rest]
    fields = [one for one in told if not _is_quiet(one)] + [one for one in told if _is_quiet(one)]
    longest = max((len(one.field.name) for one in fields), default=0)
    rows = [_row(one, longest) for one in fields]
    if len(rows) <= _TWO_COLUMNS:
        return rows
    half = (len(rows) + 1) // 2
    widest = max(map(len, rows[:half]))
    return [f"{one:{widest}}   {two}".rstrip() for one, two in zip(rows[:half], [*rows[half:], ""], strict=False)]


def _is_quiet(one: Decoded) -> bool:
    """Whether a field says nothing that a reader looks for first: zero, and no number."""
    return one.code == 0 and (one.field.holds.fixed is not None or len(one.field.holds.codes) == 1)


def _row(one: Decoded, longest: int) -> str:
    code = one.shown
    text = one.text if one.text not in ("?", code) else ""
    return f"{one.field.bits:>5}  {one.field.name:{longest}}  {code:>3}  {text}".rstrip()
