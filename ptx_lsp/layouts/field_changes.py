"""Alternative values of the fields of a packed value that introduce no new fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet

from ptx_lsp.layouts.decode import DecodedField, DecodedValue, FieldFault, decode
from ptx_lsp.layouts.layout import CodeMeaning
from ptx_lsp.named_tuples import NamedTuple

_MAX_WIDTH = 8
"""Maximum width of a numeric field with alternatives; wider ones are lengths and addresses."""
_MAX_VALUES = 8
"""Maximum number of alternatives per field."""


class FieldChange(NamedTuple):
    """A change of one field, or of several fields that must agree."""

    fields: tuple[DecodedField, ...]
    """The current fields; the field of interest is first."""
    says: str
    """The new meaning, with the unit."""
    mask: int
    """The bits of the fields."""
    bits: int
    """The new value of these bits, in place."""

    def applied(self, value: int) -> int:
        """Apply the change to a packed value."""
        return value & ~self.mask | self.bits


def field_changes(
    reading: DecodedValue, context: AbstractSet[str], is_fine: Callable[[FieldChange], bool] = bool
) -> Iterator[FieldChange]:
    """The alternatives of each field of a value, field by field in the order of the layout.

    A change leaves no finding about its own fields and adds none elsewhere. Of a numeric field with a rule, the nearest
    legal numbers are listed; an unrestricted number is omitted unless its field is narrow.

    Args:
        reading: the value, all of its fields known.
        context: the context of the decoding.
        is_fine: an additional filter of changes.
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
    """The faults after a change of the bits of ``mask`` that are new or concern these bits."""
    known = set(before.findings)
    return [one for one in after.findings if one not in known or one.mask & mask]


def _change(reading: DecodedValue, context: AbstractSet[str], one: DecodedField, code: int) -> FieldChange | None:
    """The change of a field to a code, and of the fields that must agree with it; None if not legal."""
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
        bits |= one.field.in_place(one.field.holds.code(meaning) or 0)
    return FieldChange(tuple(fields), fields[0].field.holds.text(meaning), mask, bits)


def _is_ruled(reading: DecodedValue, one: DecodedField) -> bool:
    """Whether a rule restricts the legal values of a field."""
    return any(one.field.key in rule.must.names for rule in reading.layout.rules)
