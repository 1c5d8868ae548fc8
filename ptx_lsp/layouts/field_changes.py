"""What a field of a packed value can say instead, so that nothing becomes wrong that was right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from ptx_lsp.layouts.decode import DecodedField, DecodedValue, FieldFault, decode
from ptx_lsp.layouts.layout import CodeMeaning

_MAX_WIDTH = 8
"""Numbers of more bits are lengths and addresses; nobody chooses them from a list."""
_MAX_VALUES = 8
"""So many values of one field are told."""


class FieldChange(NamedTuple):
    """Another value of one field, or of the fields that must say the same."""

    fields: tuple[DecodedField, ...]
    """The fields as they are; of several the one that is meant first."""
    says: str
    """What they say afterwards, with the unit."""
    mask: int
    """Their bits."""
    bits: int
    """What these become, in place."""

    def applied(self, value: int) -> int:
        """A packed value with these fields changed."""
        return value & ~self.mask | self.bits


def field_changes(
    reading: DecodedValue, context: AbstractSet[str], is_fine: Callable[[FieldChange], bool] = bool
) -> Iterator[FieldChange]:
    """What each field of a value can say instead, field by field in the layout's order.

    A change leaves no finding about its own fields, and elsewhere none that is not there already. Of a number those
    are told that some rule leaves, the nearest ones; a number that may be anything is left out unless it is small.

    Args:
        reading: the value, all of its fields known.
        context: what it was read with.
        is_fine: what else a change must pass.
    """
    seen: set[tuple[int, int]] = set()
    for one in reading.fields:
        holds = one.field.holds
        if one.code is None or not holds.codes and one.field.width > _MAX_WIDTH:
            continue
        found = []
        for code in holds.legal(one.field.width):
            if code != one.code:
                change = _change(reading, context, one, code)
                if change is not None and is_fine(change):
                    found.append((code, change))
        if len(found) > _MAX_VALUES:
            if not _is_ruled(reading, one):
                continue
            there = one.code
            found = sorted(sorted(found, key=lambda pair: abs(pair[0] - there))[:_MAX_VALUES])
        for _, change in found:
            if (change.mask, change.bits) not in seen:
                seen.add((change.mask, change.bits))
                yield change


def new_faults(before: DecodedValue, after: DecodedValue, mask: int) -> list[FieldFault]:
    """What is wrong after a change of the bits of ``mask`` that was right before, or is wrong in these bits."""
    known = set(before.findings)
    return [one for one in after.findings if one not in known or one.mask & mask]


def _change(reading: DecodedValue, context: AbstractSet[str], one: DecodedField, code: int) -> FieldChange | None:
    """The change of a field to a code, and of those to the same meaning that must agree with it; None if not legal."""
    meaning = one.field.holds.meaning(code)
    if meaning is None:
        return None
    fields = [one]
    for _ in range(2):
        change = _of(fields, meaning)
        after = decode(reading.layout, change.applied(reading.value), context, reading.known)
        wrong = new_faults(reading, after, change.mask)
        if not wrong:
            return change
        about = 0
        for finding in wrong:
            about |= finding.mask
        others = [
            other
            for other in reading.fields
            if other not in fields
            and other.field.mask & about
            and isinstance(meaning, str)
            and other.code is not None
            and other.field.holds.codes
            and other.field.holds.code(meaning) is not None
        ]
        if not others:
            return None
        fields += others
    return None


def _of(fields: list[DecodedField], meaning: CodeMeaning) -> FieldChange:
    mask = bits = 0
    for one in fields:
        mask |= one.field.mask
        bits |= (one.field.holds.code(meaning) or 0) << one.field.low
    return FieldChange(tuple(fields), fields[0].field.holds.text(meaning), mask, bits)


def _is_ruled(reading: DecodedValue, one: DecodedField) -> bool:
    """Whether a rule tells which values of a field are legal."""
    return any(one.field.key in rule.must.names for rule in reading.layout.rules)
