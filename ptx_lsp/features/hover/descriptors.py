"""Hover of descriptors and other packed values: the fields of an operand, at the operand and where it is built.

Source: the pages of grammar/layouts.
"""

from __future__ import annotations

from ptx_lsp.analysis.cursor.cursor import Cursor, CursorKind
from ptx_lsp.analysis.cursor.packed_at_cursor import is_informative, packed_at
from ptx_lsp.analysis.descriptors.address_sums import Sum
from ptx_lsp.analysis.descriptors.packed_operands import KnownOperand
from ptx_lsp.analysis.descriptors.packed_values import PackedValues
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import Place
from ptx_lsp.features.hover.parts.field_origins import origins
from ptx_lsp.features.hover.parts.hover_info import FurtherReading, HoverInfo, line_link, lines_linked
from ptx_lsp.layouts.decode import DecodedField, DecodedValue
from ptx_lsp.layouts.layout import Layout

_TWO_COLUMNS = 9
"""The number of fields from which the table has two columns."""
_MOST_FINDINGS = 3


def descriptor(cursor: Cursor) -> HoverInfo | None:
    """Return the fields of the descriptor under the cursor, or of the one built from this register; None if none."""
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
    lead = [_summary(known)] if is_informative(known) else []
    if not here:
        name = "".join(context.instruction.opcode[:1]) if context.instruction is not None else ""
        line = module.positions.line_of(context.place)
        lead.insert(0, f"used as `{known.packed.role}` of `{name}` in {line_link(line)}")
    notes = [f"✗ {finding.says}" for finding in known.proved.findings[:_MOST_FINDINGS]]
    start = _start_address(context, known, values)
    in_table = start.shortened(_WIDEST_START) if start is not None else ""
    if start is not None:
        notes += [] if in_table == str(start) else [f"start address: `{start}`"]
        notes += _set_in(context, start)
    notes += sources
    if known.assumed and _needs_assumption(known):
        notes.append("if the address does not carry into the fields above it")
    source = _declared(cursor, context, known, values) if here else ""
    if source:
        notes.append(source)
    notes += layout.notes
    return HoverInfo(
        cursor.span,
        title=f"{title_of(layout)} `{reading.digits}`",
        lead=tuple(lead),
        picture=table_of(reading, in_table) if is_informative(known) else (),
        notes=tuple(notes),
        link=link_of(layout),
    )


_WIDEST_START = 40
"""A longer start address has a line of its own below the table."""


def title_of(layout: Layout) -> str:
    """Return the title of a layout's page with a capital first letter."""
    title = layout.title.replace("`", "")
    return title if layout.title.startswith("`") else title[0].upper() + title[1:]


def link_of(layout: Layout) -> FurtherReading:
    """Return the link to the manual's section of a layout."""
    return FurtherReading(f"PTX ISA: {layout.section}", layout.link)


def _summary(known: KnownOperand) -> str:
    return known.reading.summary.replace(", at ?", "")


def _needs_assumption(known: KnownOperand) -> bool:
    """Whether some field is known only under an assumption."""
    proved = {one.field.key for one in known.proved.fields if one.meaning is not None}
    return any(one.meaning is not None and one.field.key not in proved for one in known.reading.fields)


def _start_address(context: StatementContext, known: KnownOperand, values: PackedValues) -> Sum | None:
    """Return the start address of the matrix as a sum, if it is no number."""
    if not is_informative(known) or all(
        one.field.key != "start" or one.code is not None for one in known.reading.fields
    ):
        return None
    start = values.start_address(context, known.packed)
    return start if start is not None and start.terms else None


def _set_in(context: StatementContext, start: Sum) -> list[str]:
    module = context.module
    found = []
    for term in start.terms:
        if term.definitions:
            lines = [module.positions.line_of(Place(one.chunk, one.statement, 0)) for one in term.definitions]
            found.append(f"`{term.name}` is set in {lines_linked(lines)}")
    return found[:2]


def _declared(cursor: Cursor, context: StatementContext, known: KnownOperand, values: PackedValues) -> str:
    """Return the place at which the register is assigned."""
    if cursor.what is not CursorKind.NAME:
        return ""
    lines = [context.module.positions.line_of(place) for place in values.written(context, known.packed)]
    return f"`{cursor.word}` is set in {lines_linked(lines)}" if lines else ""


def table_of(reading: DecodedValue, start: str = "") -> tuple[str, ...]:
    """Return the table of fields; empty for a single field, which the summary describes.

    Args:
        reading: the value.
        start: the start address as a sum, if it is no number.

    """
    found = tuple(fields_table(reading, start))
    return found if len(found) > 1 else ()


def fields_table(reading: DecodedValue, start: str = "") -> list[str]:
    """Return the fields with bits and meaning, in two columns if they are many; for ``start`` see :func:`table_of`."""
    described = [one for one in reading.fields if not one.is_rest]
    fields = [one for one in described if not _is_quiet(one)] + [one for one in described if _is_quiet(one)]
    longest = max((len(one.field.name) for one in fields), default=0)
    rows = [_row(one, longest, start) for one in fields]
    if len(rows) <= _TWO_COLUMNS:
        return rows
    half = (len(rows) + 1) // 2
    widest = max(map(len, rows[:half]))
    return [f"{one:{widest}}   {two}".rstrip() for one, two in zip(rows[:half], [*rows[half:], ""], strict=False)]


def _is_quiet(one: DecodedField) -> bool:
    """Whether a field is uninteresting: zero, and not a number."""
    return one.code == 0 and (one.field.holds.fixed is not None or len(one.field.holds.codes) == 1)


def _row(one: DecodedField, longest: int, start: str) -> str:
    is_sum = start and one.field.key == "start"
    code = "" if is_sum else one.shown
    text = start if is_sum else one.text if one.text not in ("?", code) else ""
    return f"{one.field.bits:>5}  {one.field.name:{longest}}  {code:>3}  {text}".rstrip()
