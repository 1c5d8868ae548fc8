"""Encoding of field meanings into a packed value."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from ptx_lsp.layouts.decode import default_code, fields_of
from ptx_lsp.layouts.layout import CodeMeaning, Field, Layout
from ptx_lsp.value_text import truncated


class EncodeError(ValueError):
    """Field meanings that cannot be encoded; one sentence for each."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def encode(layout: Layout, meanings: Mapping[str, CodeMeaning], context: AbstractSet[str] = frozenset()) -> int:
    """The value whose fields have ``meanings``; other fields are 0, or their first code if 0 is not legal.

    The consistency of the fields is checked by :func:`ptx_lsp.layouts.decode.decode`.

    Raises:
        EncodeError: for unknown fields, and for meanings that a field cannot encode.
    """
    fields = {field.key: field for field in fields_of(layout, context, lambda one: _said(one, meanings))}
    problems = [
        f"'{truncated(key)}' is not a field; expected {', '.join(fields)}" for key in meanings if key not in fields
    ]
    value = 0
    for key, field in fields.items():
        code = default_code(field)
        if key in meanings:
            found = field.holds.code(meanings[key])
            if found is None or found >= 1 << field.width:
                problems.append(f"'{key}' cannot be {truncated(str(meanings[key]))}; {_can_be(field)}")
                continue
            code = found
        value |= field.in_place(code)
    if problems:
        raise EncodeError(problems)
    return value


def from_digits(layout: Layout, digits: str) -> int | None:
    """The value of a selector of an opcode: ``3210`` of ``.b3210``; None if the digits are invalid.

    >>> from ptx_lsp.layouts.load import layouts
    >>> hex(from_digits(layouts()["video-bytes"], "7210")), from_digits(layouts()["video-byte-mask"], "310")
    ('0x7210', 11)
    """
    if layout.spelled == "set":
        places = [int(digit) for digit in digits]
        is_right = places == sorted(set(places), reverse=True) and places[0] < layout.width
        return sum(1 << place for place in places) if is_right else None
    fields = [row for row in layout.rows if not row.when.parts]
    if len(digits) != len(fields) or any(int(digit) >> fields[0].width for digit in digits):
        return None
    return int(digits, 16)


def _said(field: Field, meanings: Mapping[str, CodeMeaning]) -> CodeMeaning | None:
    """The requested meaning of a field, in the spelling of its page."""
    code = field.holds.code(meanings[field.key]) if field.key in meanings else default_code(field)
    return None if code is None else field.holds.meaning(code)


def _can_be(field: Field) -> str:
    holds = field.holds
    if holds.reader:
        return f"expected a {holds.reader}" if holds.reader != "opaque" else f"expected a number of {field.width} bits"
    if holds.codes and not holds.is_open:
        return "allowed: " + ", ".join(word for _, word in holds.codes)
    if holds.fixed is not None:
        return f"it must be {holds.fixed}"
    steps = f" in steps of {holds.scale}" if holds.scale > 1 else ""
    return f"allowed: {holds.least} to {holds.most}{steps}"
