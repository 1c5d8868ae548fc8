"""The layouts of tcgen05 beside the manual: what offsets count, what a mask zeroes, what a combination needs."""

from __future__ import annotations

import pytest

from ptx_lsp.layouts.decode import decode
from ptx_lsp.layouts.encode import encode
from ptx_lsp.layouts.load import layouts

LAYOUTS = layouts()


def check_words(name: str, key: str, expected: str, value: int = 0, context: str = "") -> None:
    """The words that are shown for a field of a value."""
    fields = decode(LAYOUTS[name], value, frozenset(context.split())).fields
    assert {one.field.key: one.field.words for one in fields}[key] == expected


def check_findings(name: str, value: int, context: str, *says: str) -> None:
    """Exactly these findings are reported for a value."""
    findings = decode(LAYOUTS[name], value, frozenset(context.split())).findings
    assert [finding.says for finding in findings] == list(says)


UNSWIZZLED, SWIZZLED = 0x0000404000010000, 0x4000404000010000


def test_offsets_of_a_matrix_descriptor_depend_on_the_major_dimension_and_the_swizzle() -> None:
    """Manual 9.7.16.3: the stride of an unswizzled MN-major matrix is not from 8 to the next 8."""
    name = "smem-desc-tcgen05"
    check_words(name, "stride", "from 8 rows (K-major) or 8 of K (MN-major) to the next", SWIZZLED)
    check_words(name, "stride", "from 8 rows (K-major) or 16 bytes of M or N to the next", UNSWIZZLED)
    check_words(name, "leading", "not used (K-major), or from one swizzle width to the next", SWIZZLED)
    check_words(name, "leading", "from 16 bytes of K (K-major) or 8 of K (MN-major) to the next", UNSWIZZLED)


def test_the_base_offset_is_that_of_the_swizzle_pattern() -> None:
    """An operand at 0x480 in a pattern at 0x400 has base offset ``(0x400 >> 7) & 7``, 0."""
    layout = LAYOUTS["smem-desc-tcgen05"]
    check_words(layout.name, "base-offset", "bits 7-9 of the swizzle pattern's address, not of the start's")
    assert any("is 0 if the swizzle pattern begins at a multiple of 1024 bytes (128B)" in one for one in layout.notes)
    operand = SWIZZLED | 0x480 >> 4
    assert encode(layout, {"swizzle": "128B", "stride": 1024, "leading": 16, "start": 0x480}) == operand
    check_findings(layout.name, operand, "sm_100a")


def test_a_transposed_tf32_matrix_needs_the_swizzle_of_32_byte_atoms() -> None:
    """Manual 9.7.16.10.1."""
    for key, major in (("transpose-a", "M-major"), ("transpose-b", "N-major")):
        needed, excluded = (f"contiguous dimension; {major} {one} 128B of 32B atoms" for one in ("needs", "not with"))
        check_words("idesc", key, needed, context=".kind::tf32")
        check_words("idesc", key, excluded, context=".kind::f16")
        check_words("idesc-mxf8f6f4", key, excluded, context=".kind::mxf8f6f4")


def test_a_shifted_matrix_has_128_or_256_rows() -> None:
    """Manual 9.7.16.10.9.1."""
    check_findings("idesc", 0x04200490, ".kind::f16 .cta_group::1")
    check_findings(
        "idesc", 0x04200490, ".kind::f16 .cta_group::1 .ashift", "encodes M = 64; M is 128 or 256 with .ashift"
    )


def test_an_exclusive_allocation_has_more_columns() -> None:
    """Manual of PTX 9.4, 9.7.18.7.1."""
    check_findings("tmem-address", 511, "sm_100a")
    for target in ("sm_107a", "sm_107f"):
        check_findings("tmem-address", 575, target)
        says = "encodes column = 576; Tensor Memory has 512 columns, 576 with .exclusive"
        check_findings("tmem-address", 576, target, says)
    says = "encodes column = 512; Tensor Memory has 512 columns; 576 need sm_107f and .exclusive"
    check_findings("tmem-address", 512, "sm_100a", says)


SPANS = {"non-zero": "made from the other fields", "skip": 3, "use": 4}
"""Three columns are zero, four are used: skip span 2, use span 3."""


def mask(value: int, part: int, columns: int) -> str:
    """The mask of one part, its first column last, as the manual writes it: ``1`` is a column that is read as zero."""
    fields = {one.field.key: one.meaning for one in decode(LAYOUTS["zero-column-mask"], value, frozenset()).fields}
    spans = [("1", int(fields["skip"])), ("0", int(fields["use"]))]
    if fields[f"first-{part}"] == "used":
        spans.reverse()
    pattern = "".join(bit * length for bit, length in spans) * columns
    start = int(fields[f"start-{part}"])
    return pattern[start : start + columns][::-1]


@pytest.mark.parametrize(
    ("part", "fields", "expected"),
    [
        (0, {"start-0": 0, "first-0": "used"}, "11100001110000"),
        (0, {"start-0": 0, "first-0": "zero"}, "11100001110000111"),
        (1, {"start-1": 0, "first-1": "used"}, "000011100001110000"),
        (0, {"start-0": 0, "first-0": "zero"}, "00001110000111"),
        (1, {"start-1": 1, "first-1": "zero"}, "0000111000011"),
        (2, {"start-2": 2, "first-2": "used"}, "111000011100"),
        (3, {"start-3": 1, "first-3": "used"}, "1110000111000"),
    ],
)
def test_a_zero_column_mask_is_that_of_the_manuals_examples(
    part: int, fields: dict[str, int | str], expected: str
) -> None:
    """Manual 9.7.16.4.3, examples 2 to 4."""
    value = encode(LAYOUTS["zero-column-mask"], {**SPANS, **fields})
    assert value >> 40 & 0xFFFF == 0x0302
    assert mask(value, part, len(expected)) == expected
