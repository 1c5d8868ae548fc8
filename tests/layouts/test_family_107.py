"""The fields that PTX 9.4 adds for the family of sm_107f: decoded, encoded, and reserved on other targets.

Sections are those of the manual of PTX 9.4.
"""

from __future__ import annotations

import pytest

from ptx_lsp.layouts.decode import DecodedValue, decode
from ptx_lsp.layouts.encode import EncodeError, encode
from ptx_lsp.layouts.layout import CodeMeaning
from ptx_lsp.layouts.load import layouts

LAYOUTS = layouts()

Fields = dict[str, CodeMeaning]


def reading(name: str, value: int, context: str) -> DecodedValue:
    return decode(LAYOUTS[name], value, frozenset(context.split()))


def check_findings(name: str, value: int, context: str, *says: str) -> None:
    """Exactly these findings are reported for a value."""
    assert [finding.says for finding in reading(name, value, context).findings] == list(says)


def check_new(name: str, fields: Fields, value: int, context: str, bits: str) -> None:
    """Fields of sm_107a and their value, whose bits are reserved on sm_100a."""
    assert encode(LAYOUTS[name], fields, frozenset(f"{context} sm_107a".split())) == value
    found = reading(name, value, f"{context} sm_107a")
    assert not found.findings
    assert fields.items() <= found.meanings.items()
    check_findings(name, value, f"{context} sm_100a", f"reserved {bits} must be 0")


F8, F8_PAIR = ".kind::f8f6f4 .cta_group::1", ".kind::f8f6f4 .cta_group::2"
MXF8, MXF8_PAIR = ".kind::mxf8f6f4 .cta_group::1", ".kind::mxf8f6f4 .cta_group::2"
MXF4_PAIR = ".kind::mxf4 .cta_group::2 .block32"
NVF4 = ".kind::mxf4nvf4 .cta_group::1 .block16"
NVF4_PAIR = ".kind::mxf4nvf4 .cta_group::2 .block16"


def test_k_of_8_bit_elements() -> None:
    """9.7.18.4.2: bit 29 with ``.kind::f8f6f4``, bit 31 with ``.kind::mxf8f6f4``."""
    shape: Fields = {"m": 128, "n": 128, "dtype": "f32"}
    check_new("idesc", {**shape, "k": 64}, 0x28200010, F8, "bit 29")
    sparse: Fields = {**shape, "k": 128, "sparse": "sparse"}
    check_new("idesc", sparse, 0x28200014, f"{F8} .sp", "bit 29")
    check_new("idesc", {**shape, "k": 64}, 0x28200010, f"{F8} .ws", "bit 29")
    shape = {"m": 128, "n": 128, "scale-type": "ue8m0"}
    check_new("idesc-mxf8f6f4", {**shape, "k": 64}, 0x88A00000, MXF8, "bit 31")
    sparse = {**shape, "m": 256, "k": 128, "sparse": "sparse"}
    check_new("idesc-mxf8f6f4", sparse, 0x90A00004, f"{MXF8_PAIR} .sp", "bit 31")


def test_the_summary_has_k_where_a_bit_selects_it() -> None:
    expected = "e4m3 × e4m3 → f32, M128 N128{}, A K-major, B K-major, dense"
    assert reading("idesc", 0x08200010, f"{F8} sm_107f").summary == expected.format(" K32")
    assert reading("idesc", 0x08200010, f"{F8} sm_100a").summary == expected.format("")
    assert reading("idesc", 0x08200010, "").summary.startswith("? × ? → ?, M128 N128, ")


def test_k_of_other_kinds_is_not_selected() -> None:
    """9.7.18.2.2: where there is one K, the bit is 0."""
    for kind, value in ((".kind::f16", 0x28200490), (".kind::tf32", 0x28200910), (".kind::ti16", 0x28200DA0)):
        check_findings("idesc", value, f"{kind} .cta_group::1 sm_107a", "reserved bit 29 must be 0")


def test_shapes_with_k_64() -> None:
    """9.7.18.2.1, table 48."""
    check_findings("idesc", 0x24200010, f"{F8} sm_107a", "encodes M = 64; K = 64 needs M = 128 with .cta_group::1")
    check_findings("idesc", 0x28220010, f"{F8} sm_107a", "encodes N = 136; K = 64 needs N in multiples of 16")
    large = "encodes M = 128; K = 64 needs M = 256 with .cta_group::2"
    check_findings("idesc", 0x28200010, f"{F8_PAIR} sm_107a", large)
    check_findings("idesc", 0x30200010, f"{F8_PAIR} sm_107a")
    types = "encodes A type = e4m3, B type = e2m3; K = 64 needs A and B of type e4m3 or e5m2"
    check_findings("idesc", 0x28200C10, f"{F8} sm_107a", types)
    check_findings("idesc-mxf8f6f4", 0x88A00000, f"{MXF8_PAIR} sm_107a", large)


def test_a_transposed_matrix_of_small_elements_needs_the_smaller_k() -> None:
    """9.7.18.10.1 and 9.7.18.10.10.1."""
    check_findings("idesc-mxf8f6f4", 0x08A08280, f"{MXF8} sm_107a")
    for more, k in (("", 64), (" .sp", 128)):
        value = 0x88A08280 | (4 if more else 0)
        says = f"encodes A type = e2m1; an M-major A needs type e4m3 or e5m2 with K = {k}"
        check_findings("idesc-mxf8f6f4", value, f"{MXF8} sm_107a{more}", says)
    says = "encodes B type = e2m1; an N-major B needs type e4m3 or e5m2 with K = 64"
    check_findings("idesc-mxf8f6f4", 0x88A11400, f"{MXF8} sm_107a", says)


def test_b_of_a_lookup_table() -> None:
    """9.7.18.10.10.1."""
    context = f"{F8} .decompress::lut::b sm_107a"
    check_findings("idesc", 0x08200010, context)
    check_findings("idesc", 0x08200410, context, "encodes B type = e5m2; B is of type e4m3 with .decompress::lut::b")
    says = "encodes transpose B = N-major; B is K-major with .decompress::lut::b"
    check_findings("idesc", 0x08210010, context, says)


def test_k_of_4_bit_elements_has_bits_in_two_places() -> None:
    """9.7.18.4.2: bit 3 is the upper bit of K, bit 31 the lower one."""
    check_new("idesc-mxf4", {"m": 256, "n": 256, "k": 128}, 0x10C00488, MXF4_PAIR, "bit 3")
    layout, context = LAYOUTS["idesc-mxf4"], frozenset(f"{MXF4_PAIR} sm_107a".split())
    known, half_known = (
        next(one for one in decode(layout, 0x90C00480, context, mask).fields if one.field.key == "k")
        for mask in (0xFFFFFFFF, 0xFFFFFFF7)
    )
    assert (known.field.bits, known.code, known.meaning) == ("31, 3", 1, 96)
    assert (half_known.code, half_known.possible) == (None, (96,))
    unknown = next(one for one in decode(layout, 0x10C00480, context, 0x7FFFFFFF).fields if one.field.key == "k")
    assert unknown.text == "64 or 96"


def test_which_k_a_target_has() -> None:
    """9.7.18.2.1.1: K = 96 is for sm_103a and sm_107a, K = 128 for the family of sm_107f."""
    check_findings("idesc-mxf4", 0x90C00480, f"{MXF4_PAIR} sm_103a")
    check_findings("idesc-mxf4", 0x90C00480, f"{MXF4_PAIR} sm_107a")
    check_findings("idesc-mxf4", 0x90C00480, f"{MXF4_PAIR} sm_107f", "K (bits 31, 3) is 1; allowed: 0 64, 2 128")
    check_findings("idesc-mxf4", 0x10C00488, f"{MXF4_PAIR} sm_107f")
    both = "K (bits 31, 3) is 3; allowed: 0 64, 1 96, 2 128"
    check_findings("idesc-mxf4", 0x90C00488, f"{MXF4_PAIR} sm_107a", both)
    with pytest.raises(EncodeError, match="'k' cannot be 128; allowed: 64, 96"):
        encode(LAYOUTS["idesc-mxf4"], {"k": 128}, frozenset({".kind::mxf4", "sm_100a"}))


def test_shapes_with_k_128() -> None:
    """9.7.18.2.1, table 48."""
    says = "encodes K = 128; K = 128 needs .cta_group::2"
    check_findings("idesc-mxf4", 0x08C00488, ".kind::mxf4 .cta_group::1 .block32 sm_107a", says)
    says = "encodes M = 128; K = 128 needs M = 256 with .cta_group::2"
    check_findings("idesc-mxf4", 0x08C00488, f"{MXF4_PAIR} sm_107a", says)


def test_a_sparse_matrix_has_metadata_of_the_targets_version_and_k_192() -> None:
    """9.7.18.4.2.1 and 9.7.18.2.1."""
    assert encode(LAYOUTS["idesc-mxf4"], {}, frozenset({".sp", ".kind::mxf4", "sm_107a"})) >> 12 & 1 == 1
    check_findings("idesc-mxf4", 0x10C01484, f"{MXF4_PAIR} .sp sm_107a")
    older = "metadata version (bit 12) is 0; allowed: 1 v1"
    check_findings("idesc-mxf4", 0x10C00484, f"{MXF4_PAIR} .sp sm_107a", older)
    check_findings("idesc-mxf4", 0x10C00484, f"{MXF4_PAIR} .sp sm_100a")
    check_findings("idesc-mxf4", 0x10C01484, f"{MXF4_PAIR} .sp sm_100a", "reserved bit 12 must be 0")
    check_findings("idesc-mxf4", 0x90C00484, f"{MXF4_PAIR} .sp sm_100a", "K (bit 31) is 1; allowed: 0 128")
    check_findings("idesc-mxf4", 0x90C01484, f"{MXF4_PAIR} .sp sm_107a")
    assert " K192, " in reading("idesc-mxf4", 0x90C01484, f"{MXF4_PAIR} .sp sm_107a").summary


def test_scale_factors() -> None:
    """9.7.18.10.7.1: ``.ue5m3``, and ``.ue4m3`` with blocks of 32."""
    check_new("idesc-mxf4", {"m": 128, "n": 128, "scale-type": "ue5m3"}, 0x09200480, NVF4, "bit 24")
    block32 = ".kind::mxf4nvf4 .cta_group::1 .block32"
    check_findings("idesc-mxf4", 0x08200480, f"{block32} sm_107a")
    says = "encodes scale type = ue4m3; .scale_vec::2X and .block32 scale by ue8m0"
    check_findings("idesc-mxf4", 0x08200480, f"{block32} sm_100a", says)
    says = "scale type (bits 23-24) is 2; allowed: 1 ue8m0"
    check_findings("idesc-mxf4", 0x11200480, f"{MXF4_PAIR} sm_107a", says)


def test_lanes_of_the_scale_factors_of_a() -> None:
    """9.7.18.4.2 and 9.7.18.10.7.2: bit 26."""
    lanes: Fields = {"m": 128, "n": 128, "scale-a-lanes": 128}
    check_new("idesc-mxf8f6f4", lanes, 0x0CA00000, MXF8, "bit 26")
    check_new("idesc-mxf4", {**lanes, "scale-type": "ue4m3"}, 0x0C200480, NVF4, "bit 26")


def test_scale_factors_of_k_128_begin_at_byte_0() -> None:
    """9.7.18.10.7.2: four or eight factors for each row."""
    check_findings("idesc-mxf4", 0x10400488, f"{NVF4_PAIR} sm_107a")
    says = "encodes scale A id = 2, scale B id = 0; four or eight scale factors begin at byte 0"
    check_findings("idesc-mxf4", 0x50400488, f"{NVF4_PAIR} sm_107a", says)


def test_16_bit_integers() -> None:
    """9.7.18.4.2 and 9.7.18.2.1: ``.kind::ti16``."""
    ti16 = ".kind::ti16 .cta_group::1 sm_107a"
    fields: Fields = {"m": 128, "n": 128, "dtype": "s32", "atype": "s1z4m11", "btype": "s1z4m11"}
    assert encode(LAYOUTS["idesc"], fields, frozenset(ti16.split())) == 0x08200DA0
    found = reading("idesc", 0x08200DA0, ti16)
    assert found.summary == "s1z4m11 × s1z4m11 → s32, M128 N128, A K-major, B K-major, dense"
    assert not found.findings
    check_findings("idesc", 0x0821EDA0, ti16)
    check_findings("idesc", 0x08200DA8, ti16, "saturate (bit 3) is 1; allowed: 0 no")
    check_findings("idesc", 0x04220DA0, ti16)
    says = "encodes N = 136; N is a multiple of 16 with .kind::ti16 and M = 128"
    check_findings("idesc", 0x08220DA0, ti16, says)
    says = "encodes N = 144; N is a multiple of 32 from 32 to 256 with .kind::ti16 and .cta_group::2"
    check_findings("idesc", 0x08240DA0, ".kind::ti16 .cta_group::2 sm_107a", says)
    check_findings("idesc", 0x02100DA0, f"{ti16} .ws")
    check_findings("idesc", 0x08200DA5, f"{ti16} .sp")


MATRIX = 0x4000404000010000


def test_a_matrix_descriptor() -> None:
    """9.7.18.4.1: bit 53 with ``.decompress::lut::b``, and one more bit of the two addresses."""
    name, second = "smem-desc-tcgen05", MATRIX | 1 << 53
    decompress = "sm_107a .decompress::lut::b"
    check_findings(name, second, decompress)
    assert reading(name, second, decompress).meanings["segment"] == "second 24 bytes"
    for context in ("sm_107a", "sm_100a", "sm_100a .decompress::lut::b"):
        check_findings(name, second, context, "reserved bit 53 must be 0")
    for bit, key in ((14, "start"), (30, "leading")):
        assert reading(name, 1 << bit | MATRIX, "sm_107f").meanings[key] == 0x40000 + (16 if key == "leading" else 0)
        check_findings(name, 1 << bit | MATRIX, "sm_107f")
        check_findings(name, 1 << bit | MATRIX, "sm_100a", f"reserved bit {bit} must be 0")
