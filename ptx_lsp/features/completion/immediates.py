"""Immediate operands: legal constants, values named on the page, ``WARP_SZ``, ``_``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.features.completion.item import Item, ItemKind
from ptx_lsp.features.completion.operand_request import CONSTANT, FIRST, LAST, LIKELY, OperandRequest
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.actual_operand import ActualOperand
from ptx_lsp.isa.vocabulary.records import NamedValue
from ptx_lsp.isa.vocabulary.register_types import BITS

_DETAIL = 20
"""The maximum width of the detail, in columns."""
_MOST_VALUES = 16
"""The maximum size of a range that is listed; of a larger one, only the first value is offered."""
_NUMBER = re.compile(r"`(0x[0-9a-fA-F]+|-?\d+)`")


def constants(request: OperandRequest) -> Iterator[Item]:
    """Yield the legal operands that are not symbols of the module."""
    seen: set[str] = set()
    for named in _whole_values(request):
        if request.takes(ActualOperand("integer", value=int(named.text, 16))):
            seen.add(named.text)
            key = ("value", named.text, named.means)
            yield request.item(named.text, ItemKind.VALUE, LIKELY, _detail(named.means), key=key)
    for text, detail, rank in _numbers(request):
        value = int(text, 0)
        if text not in seen and request.takes(ActualOperand("integer", value=value)):
            seen.add(text)
            yield request.item(text, ItemKind.VALUE, rank, detail)
    yield from _named(request)
    if request.takes(ActualOperand("sink")):
        yield request.item("_", ItemKind.VALUE, LAST, "discarded")


def _whole_values(request: OperandRequest) -> Iterator[NamedValue]:
    """Yield the named values, such as selectors and lane masks."""
    opcode = request.draft.tree.opcode
    roles = {one.name for one in request.wanted if one.name and not one.is_base and not one.is_written}
    for named in catalogue().vocabulary.named_values:
        if any(named.is_for(role, opcode) for role in roles):
            yield named


def _detail(means: str) -> str:
    """Shorten a meaning to the width of the detail column."""
    return means if len(means) <= _DETAIL else means[: _DETAIL - 1].rstrip() + "…"


def _numbers(request: OperandRequest) -> Iterator[tuple[str, str, int]]:
    for one in request.wanted:
        operand = one.operand
        if operand is not None and operand.kind == "number":
            yield operand.name, "the only value", LIKELY
        for wanted in one.alternatives:
            for low, high, step in wanted.ranges:
                values = range(low, high + 1, step)
                detail = "" if low == high else f"{low}..{high}"
                # Where the page names the constants first, as of a barrier, a register is rare.
                is_usual = len(one.alternatives) > 1 and wanted is one.alternatives[0] and wanted.what == "imm"
                for value in values if (high - low) // step < _MOST_VALUES else values[:1]:
                    yield str(value), detail, FIRST - 1 if is_usual and not one.is_base else LIKELY
    for form in request.draft.forms:
        words = form.instruction.words
        for one in request.wanted:
            if one.fitting in form.fittings and one.name and not one.is_base and not one.is_written:
                for text in _NUMBER.findall(words.meaning(one.name, form.spelling(one.fitting))):
                    yield text, "", CONSTANT


def _named(request: OperandRequest) -> Iterator[Item]:
    """Yield ``WARP_SZ`` where an integer of its size is legal."""
    module = request.place.context.module
    for name, constant in catalogue().vocabulary.rare.constants.items():
        wants = any(
            wanted.what == "imm" or (wanted.what == "type" and _is_word(one.fitting.value(wanted.type)))
            for one in request.wanted
            if not one.is_base
            for wanted in one.alternatives
        )
        if not wants or not constant.gate.allows(module.version, module.target):
            continue
        if request.takes(ActualOperand("integer", value=int(constant.value))):
            yield request.item(name, ItemKind.CONSTANT, CONSTANT, str(constant.value), key=("word", name))


def _is_word(type_: str | None) -> bool:
    return bool(type_) and BITS.get(type_ or "") in (32, 64) and (type_ or "")[1] in "bus"
