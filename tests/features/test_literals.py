"""Numbers in hovers."""

from __future__ import annotations

import pytest

from ptx_lsp.features.hover.parts.literal_values import floating, integer, number
from ptx_lsp.text import Span

HERE = Span(0, 0)


@pytest.mark.parametrize(
    ("value", "rows"),
    [
        (5, {"decimal": "5", "hexadecimal": "0x5", "binary": "0101"}),
        (0x80000000, {"as .s32": "-2147483648", "power of 2": "2^31"}),
        (0xFFFFFFFFFFFFFFFF, {"as .s64": "-1"}),
        (0x3F800000, {"as .f32": "1.0"}),
        (0, {"decimal": "0", "binary": "0000"}),
    ],
)
def test_integers(value: int, rows: dict[str, str]) -> None:
    found = dict(integer(str(value), value, HERE).rows)
    assert rows.items() <= found.items()


def test_a_float_shows_its_bits_in_both_formats() -> None:
    assert dict(floating("1.0", 1.0, HERE).rows) == {".f32": "0f3F800000", ".f64": "0d3FF0000000000000"}


def test_a_float_that_is_rounded_in_f32_says_so() -> None:
    assert dict(floating("0.1", 0.1, HERE).rows)[".f32"] == "0f3DCCCCCD, exactly 0.100000001490116119384765625"


@pytest.mark.parametrize(("value", "name"), [("inf", "infinity"), ("-inf", "-infinity"), ("nan", "NaN")])
def test_special_values_have_names(value: str, name: str) -> None:
    assert dict(floating("0f", float(value), HERE).rows)["value"] == name


@pytest.mark.parametrize(
    ("word", "value"),
    [("0x1F", "31"), ("0b101", "5"), ("017", "15"), ("42U", "42"), ("0f3F800000", "1.0"), ("1.5e3", "1500.0")],
)
def test_every_spelling_is_read(word: str, value: str) -> None:
    info = number(word, HERE)
    assert info is not None
    assert info.rows[0].text == value


def test_a_value_too_large_for_f32() -> None:
    assert dict(floating("1e300", 1e300, HERE).rows)[".f32"] == "does not fit"
