"""Operands of a form as short text: ``d: {4 × .f32}``, ``[a]``, ``b: .u32 or 0..31``."""

from __future__ import annotations

from ptx_lsp.analysis.cursor.possible_forms import PossibleForm
from ptx_lsp.isa.matching.fitting import Fitting
from ptx_lsp.isa.model.form import FormOperand
from ptx_lsp.isa.model.operand_pattern import Alternative, OperandPattern, range_texts

_MOST_RANGES = 8
_NAMES = {
    "label": "label",
    "function": "function",
    "variable": "variable",
    "special": "special register",
    "texture": "texture, sampler or surface",
}


def operand_text(possible: PossibleForm, fitting: Fitting, operand: FormOperand, *, typed: bool = True) -> str:
    """Return an operand in PTX notation by its name on the page; if ``typed``, with its required type."""
    kind = operand.kind
    if kind == "sink":
        return "_"
    if kind in ("address", "vector", "arguments"):
        first, last = {"address": ("[", "]"), "vector": ("{", "}"), "arguments": ("(", ")")}[kind]
        parts = fitting.operands(operand.parts)
        shown = [
            operand_text(possible, fitting, part, typed=typed and at > 0 and kind == "address")
            for at, part in enumerate(parts)
        ]
        return f"{first}{', '.join(shown) or operand.name}{last}"
    text = operand.name
    if operand.pair in possible.optional:
        text += f"{{|{operand.pair}}}"
    elif operand.pair and fitting.wants_pair(operand):
        text += f"|{operand.pair}"
    if kind == "number" or not typed:
        return text
    words = type_words(possible, fitting, operand.name, short=True)
    return f"{text}: {words}" if words else text


def type_words(possible: PossibleForm, fitting: Fitting, name: str, *, short: bool = False) -> str:
    """Return the legal types of an operand, with the written qualifiers substituted.

    ``short``: without kinds that the operand's name implies, and without alternatives beyond the first two.
    """
    found: dict[str, None] = {}
    for kind in fitting.kinds(name):
        for wanted in kind.alternatives:
            words = _alternative(possible, fitting, wanted, short=short)
            if words:
                found[words] = None
    wider = not short and found and any(kind.wider for kind in fitting.kinds(name))
    shown = list(found)[:2] if short else list(found)
    return " or ".join(shown) + (" or wider" if wider else "")


def _alternative(possible: PossibleForm, fitting: Fitting, wanted: Alternative, *, short: bool) -> str:
    what = wanted.what
    if what == "imm":
        return _ranges(wanted.ranges) or "constant"
    if what == "vector":
        elements = ", ".join(_kind(possible, fitting, element) for element in wanted.elements)
        return f"{{{elements}}}"
    if what != "type":
        return "" if short else _NAMES.get(what, "_" if what == "sink" else what)
    word = _word(possible, fitting, wanted.type)
    if wanted.length is None or not word:
        return word
    base = fitting.form.form.slot_numbers.get(wanted.length.base)
    count = None if base in possible.missing else fitting.count(wanted.length)
    if count is None:
        return f"{{{wanted.length.base} × {word}}}" if base in possible.missing else word
    return f"{{{count} × {word}}}"


def _kind(possible: PossibleForm, fitting: Fitting, kind: OperandPattern) -> str:
    return " or ".join(filter(None, (_alternative(possible, fitting, one, short=True) for one in kind.alternatives)))


def _word(possible: PossibleForm, fitting: Fitting, word: str) -> str:
    """Return the word in the slot called ``word``, or the slot's name while it is open; any other word unchanged."""
    place = fitting.form.form.slot_numbers.get(word)
    if place is None:
        return "" if word == "-" else word
    return word if place in possible.missing else fitting.values[place] or ""


def _ranges(ranges: tuple[tuple[int, int, int], ...]) -> str:
    return "|".join(range_texts(ranges)) if len(ranges) <= _MOST_RANGES else ""
