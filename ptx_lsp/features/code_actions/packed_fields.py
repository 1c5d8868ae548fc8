"""Refactoring: change one field of a descriptor literal.

Source: the pages of grammar/layouts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from ptx_lsp.analysis.cursor.cursor import CursorKind
from ptx_lsp.analysis.descriptors.packed_operands import PackedOperand
from ptx_lsp.analysis.descriptors.packed_values import PackedValues
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.diagnostic import Edit
from ptx_lsp.features.code_actions.action import REWRITE, ActionRequest, CodeAction
from ptx_lsp.features.code_actions.descriptors import ALL, descriptor_at, spelled
from ptx_lsp.layouts.decode import DecodedValue, decode
from ptx_lsp.layouts.field_changes import FieldChange, field_changes, new_faults
from ptx_lsp.syntax.constants import integer_or_none

_MOST = 24
"""The maximum number of actions for one literal."""
_Packed = tuple[StatementContext, PackedOperand]
_Key = tuple[str, int, int, frozenset[str]]
"""Layout, value, known bits, context."""


def packed_fields(request: ActionRequest) -> Iterator[CodeAction]:
    """Offer the legal values of the fields of the descriptor under the cursor, if a single literal defines it.

    It uses data flow in the function, so only on explicit request.
    """
    cursor = request.cursor
    if request.is_automatic or cursor is None or cursor.context.instruction is None:
        return
    if cursor.what not in (CursorKind.NAME, CursorKind.NUMBER) or cursor.context.statement.shape.errors:
        return
    values = request.semantics.packed(cursor.context.function)
    found = descriptor_at(cursor, values)
    if found is None:
        return
    packed, place = found
    made = StatementContext(request.module, cursor.context.function, place.chunk, place.statement)
    word = made.word(place.token)
    value = integer_or_none(word)
    if value is None or value >> packed.layout.width:
        return
    others = _readings(values.made_in(place.chunk, place.statement, ALL), values)
    reading = decode(packed.layout, value, packed.spelling)
    span = made.span(place.token).shifted(request.start_of(made))

    def is_fine(change: FieldChange) -> bool:
        return all(_stays_right(other, spelling, value, change) for (_, _, _, spelling), other in others.items())

    for change in islice(field_changes(reading, packed.spelling, is_fine), _MOST):
        *first, last = (one.field.name for one in change.fields)
        names = f"{', '.join(first)} and {last}" if first else last
        text = spelled(change.applied(value), word)
        yield CodeAction(f"set {names} to {change.says}", (Edit(span, text),), kind=REWRITE)


def _readings(users: Iterable[_Packed], values: PackedValues) -> dict[_Key, DecodedValue]:
    """Decode the values that the literal flows into, each value once, where that is proved."""
    found: dict[_Key, DecodedValue] = {}
    for user, packed in users:
        reading = values.read(user, packed).proved
        found[packed.layout.name, reading.value, reading.known, packed.spelling] = reading
    return found


def _stays_right(other: DecodedValue, spelling: frozenset[str], value: int, change: FieldChange) -> bool:
    """Whether a change is also legal at another use, where the bits of the literal arrive unchanged."""
    if other.known & change.mask != change.mask or (other.value ^ value) & change.mask:
        return True
    return not new_faults(other, decode(other.layout, change.applied(other.value), spelling, other.known), change.mask)
