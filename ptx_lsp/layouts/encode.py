"""From what fields should say to the packed value."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from ptx_lsp.layouts.decode import fields_of
from ptx_lsp.layouts.layout import Field, Layout, Meaning


class EncodeError(ValueError):
    """A field cannot say what it should; one sentence for each."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def encode(layout: Layout, meanings: Mapping[str, Meaning], context: AbstractSet[str] = frozenset()) -> int:
    """The value whose fields say ``meanings``; fields that are not named hold 0, or their first code if 0 is not legal.

    Whether the fields go together is for :func:`ptx_lsp.layouts.decode.decode` to say.

    Raises:
        EncodeError: for names that are no fields, and for what a field cannot say.
    """
    fields = {field.key: field for field in fields_of(layout, context)}
    problems = [f"'{key}' is no field; there are {', '.join(fields)}" for key in meanings if key not in fields]
    value = 0
    for key, field in fields.items():
        code = _default(field)
        if key in meanings:
            found = field.holds.code(meanings[key])
            if found is None or found >= 1 << field.width:
                problems.append(f"'{key}' cannot be {meanings[key]}; {_can_be(field)}")
                continue
            code = found
        value |= code << field.low
    if problems:
        raise EncodeError(problems)
    return value


def _default(field: Field) -> int:
    legal = field.holds.legal(field.width)
    return 0 if 0 in legal else legal[0]


def _can_be(field: Field) -> str:
    holds = field.holds
    if holds.codes:
        return "legal: " + ", ".join(word for _, word in holds.codes)
    if holds.fixed is not None:
        return f"it is always {holds.fixed}"
    most = ((1 << field.width) - 1) * holds.scale + holds.plus
    steps = f" in steps of {holds.scale}" if holds.scale > 1 else ""
    return f"legal: {holds.plus} to {most}{steps}"
