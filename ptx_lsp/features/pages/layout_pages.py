"""The page of a packed value: what each field of a descriptor, a mask or a selector contains."""

from __future__ import annotations

from ptx_lsp.features.pages.concept_pages import see_also
from ptx_lsp.features.pages.form_rules import words_in_code
from ptx_lsp.isa.concepts import Concept, concept_of, key
from ptx_lsp.layouts.conditions import WordCondition
from ptx_lsp.layouts.layout import Field, FieldEncoding, Layout
from ptx_lsp.layouts.load import layouts


def layout_page(topic: str) -> str | None:
    """Return the page of a layout by its name, in any case, with or without hyphens: ``idesc``, ``smem desc wgmma``."""
    found = next((one for one in layouts().values() if key(one.name) == key(topic)), None)
    return None if found is None else _page(found)


def _page(layout: Layout) -> str:
    rows = ["| bits | field | value | if | meaning |", "|---|---|---|---|---|"]
    rows += [
        f"| {field.bits} | {field.name} | {_value(field)} | {_condition(field.when)} | {field.words} |"
        for field in layout.rows
    ]
    rules = [f"- {rule.says}" for rule in layout.rules]
    parts = [
        f"# {layout.name}: {layout.title}",
        layout.words,
        f"{layout.width} bits. {_operands(layout)}",
        "\n".join(rows),
        "Checked:\n\n" + "\n".join(dict.fromkeys(rules)) if rules else "",
        *layout.notes,
        f"Decode a value with `ptx-lsp decode {layout.name} VALUE`.",
        f"Manual: {layout.number}: [{layout.section}]({layout.link}).",
        see_also(_concepts(layout)),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _operands(layout: Layout) -> str:
    """Return the operands that have the layout, as a sentence."""
    places = (
        f"{words_in_code(place.operands)} of {words_in_code(place.instructions)}" if place.operands else ""
        for place in layout.places
    )
    listed = "; ".join(filter(None, places))
    return f"Operand: {listed}." if listed else ""


def _value(field: Field) -> str:
    """Return the codes of a field, or the number that it contains."""
    holds: FieldEncoding = field.holds
    if holds.codes:
        return ", ".join(f"{code} = {word}" for code, word in holds.codes)
    if holds.reader:
        return holds.reader
    if holds.fixed is not None:
        return str(holds.fixed)
    number = "n" if holds.scale == 1 else f"{holds.scale} * n"
    return f"{number}{f' + {holds.plus}' if holds.plus else ''} {holds.unit}".rstrip()


def _condition(when: WordCondition) -> str:
    parts = (("" if wanted else "not ") + words_in_code(sorted(words), " or ") for wanted, words in when.parts)
    return " and ".join(parts)


def _concepts(layout: Layout) -> tuple[Concept, ...]:
    """Return the concept that has the name of the layout, or a beginning of it, among its words."""
    parts = layout.name.split("-")
    names = ("-".join(parts[:count]) for count in range(len(parts), 0, -1))
    found = next(filter(None, map(concept_of, names)), None)
    return () if found is None else (found,)
