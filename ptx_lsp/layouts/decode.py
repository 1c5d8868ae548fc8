"""From a packed value, or the part of it that is known, to what its fields say and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from ptx_lsp.layouts.layout import CodeMeaning, Field, Layout

_MAX_ALTERNATIVES = 2
"""So many meanings of a field that is not wholly known are told."""
_UNINFORMATIVE = re.compile(r"\?| or |not legal|^$")
_MEANINGLESS = ("rest", "ignored")
"""What pages call bits that say nothing."""
_NAMED = re.compile(r"\{([\w-]+)\}")
_MAX_ENUMERATED_WIDTH = 8
"""Of fields with more bits all values are not tried."""


class FieldFaultKind(Enum):
    """What can be wrong."""

    RESERVED = "reserved"
    """Bits that must be 0 are not."""
    FIXED = "fixed"
    """Bits that always hold one value hold another one."""
    CODE = "code"
    """A field has a code that says nothing."""
    RULE = "rule"
    """Fields do not go together, or not with the opcode or the target."""
    WIDTH = "width"
    """The value has too many bits."""


class FieldFault(NamedTuple):
    """Something that is wrong: where, and why."""

    mask: int
    """The bits that it is about."""
    says: str
    fault: FieldFaultKind
    right: int = 0
    """For bits that can hold one value only: that value, in place."""


class DecodedField(NamedTuple):
    """What a field says."""

    field: Field
    code: int | None
    """Its bits; None if they are not all known."""
    meaning: CodeMeaning | None
    """What they say; None if that is not known, or nothing legal."""
    possible: tuple[CodeMeaning, ...] = ()
    """Of a field with unknown bits: what it can say, if that is not much."""

    @property
    def is_rest(self) -> bool:
        """Whether these are bits of no meaning, none of which is set."""
        return self.code == 0 and self.field.name in _MEANINGLESS

    @property
    def shown(self) -> str:
        """The bits as a number, with its sign; ``?`` if they are not all known, nothing if they are no number."""
        if self.code is None:
            return "?"
        return "" if self.field.holds.reader else str(self.field.holds.number(self.code))

    @property
    def text(self) -> str:
        """The meaning with its unit; ``?`` if it is not known."""
        if self.meaning is not None:
            return self.field.holds.text(self.meaning)
        if self.code is not None:
            return "not legal"
        return " or ".join(self.field.holds.text(one) for one in self.possible) or "?"


@dataclass(frozen=True)
class DecodedValue:
    """A packed value as its layout reads it."""

    layout: Layout
    value: int
    known: int
    """The bits that are known."""
    fields: tuple[DecodedField, ...]
    findings: tuple[FieldFault, ...]

    @cached_property
    def meanings(self) -> Mapping[str, CodeMeaning]:
        """What the fields say that are known."""
        return {one.field.key: one.meaning for one in self.fields if one.meaning is not None}

    @property
    def summary(self) -> str:
        """One line."""
        return self._said(self.layout.summaries)

    @property
    def short(self) -> str:
        """The same in a few words; empty if one of them is not known."""
        texts = (self._said((template,)) for template in self.layout.shorts)
        return next((text for text in texts if not _UNINFORMATIVE.search(text)), "")

    def _said(self, templates: tuple[str, ...]) -> str:
        texts = {one.field.key: one for one in self.fields}
        usual = templates[0] if len(templates) == 1 else ""
        template = next((one for one in templates if texts.keys() >= set(_NAMED.findall(one))), usual)

        def said(found: re.Match[str]) -> str:
            one = texts.get(found[1])
            if one is None:
                return "?"
            return str(one.meaning) if one.meaning is not None else one.text

        return _NAMED.sub(said, template)

    @property
    def digits(self) -> str:
        """The value in hexadecimal, with ``?`` for digits that are not known."""
        count = self.layout.width // 4
        shown = (
            f"{(self.value >> 4 * at) & 15:x}" if (self.known >> 4 * at) & 15 == 15 else "?"
            for at in reversed(range(count))
        )
        return "0x" + "".join(shown)


def fields_of(
    layout: Layout,
    context: AbstractSet[str] = frozenset(),
    meaning: Callable[[Field], CodeMeaning | None] = lambda field: field.holds.meaning(default_code(field)),
) -> tuple[Field, ...]:
    """The fields that a context has: of each the first row whose condition holds.

    Args:
        layout: how the bits are laid out.
        context: words of the opcode, and the target.
        meaning: what a field says on which others depend; without it that is what it says where nothing is asked for.
    """
    found: dict[str, Field] = {}
    deciding, said = layout.deciding, set(context)
    for row in layout.rows:
        if row.key not in found and row.when.holds(said):
            found[row.key] = row
            if row.key in deciding:
                said.add(f"{row.key}={meaning(row)}")
    return tuple(found.values())


def default_code(field: Field) -> int:
    """What a field holds where nothing is asked for: 0, or its first legal code."""
    holds = field.holds
    legal = [code for code, _ in holds.codes] or holds.legal(field.width)
    return 0 if 0 in legal else legal[0]


def decode(
    layout: Layout, value: int, context: AbstractSet[str] = frozenset(), known: int | None = None
) -> DecodedValue:
    """Read a value.

    Args:
        layout: how its bits are laid out.
        value: the bits; those that are not known count as 0.
        context: words of the opcode, and the target: ``{".kind::f16", ".cta_group::1", "sm_100a"}``.
        known: the bits that are known; all if None.

    """
    whole = (1 << layout.width) - 1
    known = whole if known is None else known & whole
    findings = [] if value <= whole else [FieldFault(whole, f"more than {layout.width} bits", FieldFaultKind.WIDTH)]
    value &= known
    fields = fields_of(layout, context, lambda field: _decoded(field, value, known).meaning)
    decoded = [_decoded(field, value, known) for field in fields]
    findings += _illegal(decoded)
    findings += _reserved(decoded, value, whole)
    reading = DecodedValue(layout, value, known, tuple(decoded), ())
    findings += _broken_rules(reading, context)
    return DecodedValue(layout, value, known, tuple(decoded), tuple(findings))


def _decoded(field: Field, value: int, known: int) -> DecodedField:
    if known & field.mask == field.mask:
        code = field.code_in(value)
        return DecodedField(field, code, field.holds.meaning(code))
    sure = field.code_in(known)
    bits = field.code_in(value)
    legal = field.holds.legal(field.width)
    if field.width > _MAX_ENUMERATED_WIDTH and (not field.holds.codes or field.holds.is_open):
        return DecodedField(field, None, None)
    possible = [field.holds.meaning(code) for code in legal if code & sure == bits]
    if len(possible) > _MAX_ALTERNATIVES:
        possible = []
    return DecodedField(field, None, None, tuple(one for one in possible if one is not None))


def _illegal(decoded: list[DecodedField]) -> list[FieldFault]:
    found = []
    for one in decoded:
        if one.code is not None and one.meaning is None:
            field = one.field
            number = field.holds.number
            legal = ", ".join(f"{number(code)} {word}" for code, word in field.holds.codes) or str(field.holds.fixed)
            place = f"bit {field.bits}" if field.width == 1 else f"bits {field.bits}"
            right = field.holds.fixed
            fault = FieldFaultKind.CODE if right is None else FieldFaultKind.FIXED
            says = f"{field.name} ({place}) is {one.shown}; legal: {legal}"
            found.append(FieldFault(field.mask, says, fault, (right or 0) << field.low))
    return found


def _reserved(decoded: list[DecodedField], value: int, whole: int) -> list[FieldFault]:
    used = 0
    for one in decoded:
        used |= one.field.mask
    wrong = value & whole & ~used
    if not wrong:
        return []
    bits = [str(bit) for bit in range(wrong.bit_length()) if wrong >> bit & 1]
    says = f"reserved {'bit' if len(bits) == 1 else 'bits'} {', '.join(bits)} must be 0"
    return [FieldFault(wrong, says, FieldFaultKind.RESERVED)]


def _broken_rules(reading: DecodedValue, context: AbstractSet[str]) -> list[FieldFault]:
    found = []
    masks = {one.field.key: one.field.mask for one in reading.fields}
    for rule in reading.layout.rules:
        if not rule.when.holds(context):
            continue
        if rule.condition is not None and not rule.condition.value(reading.meanings):
            continue
        if rule.must.value(reading.meanings) is False:
            mask = 0
            for key in rule.must.names or rule.keys:
                mask |= masks.get(key, 0)
            found.append(FieldFault(mask, rule.says, FieldFaultKind.RULE))
    return found
