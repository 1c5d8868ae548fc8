"""Decoding of a packed value, possibly with unknown bits, into fields and faults."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from functools import cached_property

from ptx_lsp.layouts.layout import CodeMeaning, Field, FieldRule, Layout
from ptx_lsp.named_tuples import NamedTuple

_MAX_ALTERNATIVES = 2
"""Maximum number of alternatives listed for a partially known field."""
_UNINFORMATIVE = re.compile(r"\?| or |not legal|^$")
_MEANINGLESS = ("rest", "ignored")
"""The names of meaningless bits on the pages."""
_NAMED = re.compile(r"\{([\w-]+)\}")
_MAX_ENUMERATED_WIDTH = 8
"""Maximum width of a field whose values are enumerated."""


class FieldFaultKind(Enum):
    """The kinds of faults of a packed value."""

    RESERVED = "reserved"
    """Reserved bits are not 0."""
    FIXED = "fixed"
    """Bits with a fixed value have another one."""
    CODE = "code"
    """A field has an undefined code."""
    RULE = "rule"
    """Fields are inconsistent with each other, the opcode or the target."""
    WIDTH = "width"
    """The value has too many bits."""


class FieldFault(NamedTuple):
    """A fault of a packed value: bits and reason."""

    mask: int
    """The affected bits."""
    says: str
    fault: FieldFaultKind
    right: int = 0
    """For bits with a single legal value: that value, in place."""


class DecodedField(NamedTuple):
    """A field with its decoded value."""

    field: Field
    code: int | None
    """The bits of the field; None if they are not all known."""
    meaning: CodeMeaning | None
    """The meaning of the code; None if it is unknown or not legal."""
    possible: tuple[CodeMeaning, ...] = ()
    """The possible meanings of a field with unknown bits, if they are few."""

    @property
    def is_rest(self) -> bool:
        """Whether these are meaningless bits, all 0."""
        return self.code == 0 and self.field.name in _MEANINGLESS

    @property
    def shown(self) -> str:
        """The bits as a number, with its sign; ``?`` if they are not all known, empty if they are not a number."""
        if self.code is None:
            return "?"
        return "" if self.field.holds.reader else str(self.field.holds.number(self.code))

    @property
    def text(self) -> str:
        """The meaning with its unit; ``?`` if unknown."""
        if self.meaning is not None:
            return self.field.holds.text(self.meaning)
        if self.code is not None:
            return "not legal"
        return " or ".join(self.field.holds.text(one) for one in self.possible) or "?"


class DecodedValue:
    """A packed value decoded by its layout; ``known`` are the bits that are known."""

    def __init__(
        self,
        layout: Layout,
        value: int,
        known: int,
        fields: tuple[DecodedField, ...],
        findings: tuple[FieldFault, ...],
    ) -> None:
        self.layout = layout
        self.value = value
        self.known = known
        self.fields = fields
        self.findings = findings

    @cached_property
    def meanings(self) -> Mapping[str, CodeMeaning]:
        """The meanings of the known fields, by key."""
        return {one.field.key: one.meaning for one in self.fields if one.meaning is not None}

    @property
    def summary(self) -> str:
        """The summary line."""
        return self._said(self.layout.summaries)

    @property
    def short(self) -> str:
        """A shorter summary; empty if some field in it is unknown."""
        texts = (self._said((template,)) for template in self.layout.shorts)
        return next((text for text in texts if not _UNINFORMATIVE.search(text)), "")

    def _said(self, templates: tuple[str, ...]) -> str:
        texts = {one.field.key: one for one in self.fields}
        template = next((one for one in templates if texts.keys() >= set(_NAMED.findall(one))), templates[-1])

        def said(found: re.Match[str]) -> str:
            one = texts.get(found[1])
            if one is None:
                return "?"
            return str(one.meaning) if one.meaning is not None else one.text

        return _NAMED.sub(said, template)

    @property
    def digits(self) -> str:
        """The value in hexadecimal, with ``?`` for unknown digits."""
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
    """The fields in a context: for each key the first row whose condition holds.

    Args:
        layout: the layout of the bits.
        context: words of the opcode, and the target.
        meaning: the meaning of a field on which others depend; by default that of its default code.
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
    """The default code of a field: 0, or its first legal code."""
    holds = field.holds
    legal = [code for code, _ in holds.codes] or holds.legal(field.width)
    return 0 if 0 in legal else legal[0]


def decode(
    layout: Layout, value: int, context: AbstractSet[str] = frozenset(), known: int | None = None
) -> DecodedValue:
    """Decode a packed value.

    Args:
        layout: the layout of its bits.
        value: the bits; unknown ones count as 0.
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
    findings += _broken_rules(reading, context, layout.rules, reading.meanings)
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
            says = f"{field.name} ({place}) is {one.shown}; allowed: {legal}"
            found.append(FieldFault(field.mask, says, fault, field.in_place(right or 0)))
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


def disagreements(
    reading: DecodedValue, context: AbstractSet[str], beside: Mapping[str, DecodedValue]
) -> list[FieldFault]:
    """The rules that fields of a value break together with those of other operands of the instruction.

    A rule names the field ``swizzle`` of the operand ``a-desc`` as ``a_desc_swizzle``.
    """
    others = {f"{role}-{key}": meaning for role, one in beside.items() for key, meaning in one.meanings.items()}
    rules = [rule for rule in reading.layout.rules if not others.keys().isdisjoint(rule.keys)]
    return _broken_rules(reading, context, rules, {**reading.meanings, **others}) if rules else []


def _broken_rules(
    reading: DecodedValue, context: AbstractSet[str], rules: Sequence[FieldRule], meanings: Mapping[str, object]
) -> list[FieldFault]:
    found = []
    for rule in rules:
        if not rule.when.holds(context):
            continue
        if rule.condition is not None and not rule.condition.value(meanings):
            continue
        if rule.must.value(meanings) is False:
            named = [one for one in reading.fields if one.field.key in rule.must.names]
            named = named or [one for one in reading.fields if one.field.key in rule.keys]
            mask = sum(one.field.mask for one in named)
            encoded = [f"{one.field.name} = {one.text}" for one in named]
            says = f"encodes {', '.join(encoded)}; {rule.says}" if encoded else rule.says
            found.append(FieldFault(mask, says, FieldFaultKind.RULE))
    return found
