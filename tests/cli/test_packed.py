"""``ptx-lsp decode`` and ``encode``: descriptors on a terminal."""

from __future__ import annotations

import json

import pytest

from ptx_lsp.cli.entry import main


@pytest.fixture
def packed(capsys):
    """What a command answers: exit status, output, complaint."""

    def packed(line):
        return (main(line.split()), *capsys.readouterr())

    return packed


def test_an_instruction_descriptor(packed):
    status, shown, _ = packed("decode idesc --kind f16 0x8200490")
    assert status == 0
    lines = shown.splitlines()
    assert lines[:2] == [
        "0x08200490  instruction descriptor of tcgen05.mma",
        "bf16 × bf16 → f32, M128 N128, A K-major, B K-major, dense",
    ]
    assert "  24-28  M             8  128      rows of A and D" in lines
    assert max(map(len, lines)) <= 100


def test_the_target_tells_matrix_descriptors_apart(packed):
    shown = packed("decode smem-desc --arch sm_90a 0x4000004000010000")[1]
    assert "of wgmma.mma_async\nswizzle 128B, SBO 1024 B" in shown
    assert "of tcgen05.mma" in packed("decode smem-desc --arch sm_100a 0x4000404000010000")[1]
    status, _, complaint = packed("decode smem-desc 0x4000404000010000")
    assert status == 2
    assert "smem-desc-tcgen05 or smem-desc-wgmma; specify --arch" in complaint
    assert packed("decode smem-desc-wgmma 0x4000004000010000")[0] == 0


def test_digits_that_are_not_known(packed):
    shown = packed("decode smem-desc --arch sm_100a 0x40004040????????")[1]
    assert shown.startswith("0x40004040????????  ")
    assert "swizzle 128B, SBO 1024 B, LBO ? B, at ?" in shown


@pytest.mark.parametrize("number", ["9" * 5000, "0x" + "f" * 5000], ids=["decimal", "hexadecimal"])
def test_a_number_of_too_many_digits(packed, number):
    cut = f"'{number[:60]}…'"
    status, _, complaint = packed(f"decode idesc --kind f16 {number}")
    assert (status, complaint) == (2, f"ptx-lsp: {cut} has more than 32 bits\n")
    status, _, complaint = packed(f"encode idesc --kind f16 --m {number}")
    assert status == 2
    assert complaint.startswith(f"ptx-lsp: 'm' cannot be {number[:60]}…; allowed: 0 to ")


def test_an_expression_that_is_too_long(packed):
    status, _, complaint = packed(f"encode lop3-table --function {'~' * 100_000}a")
    assert status == 2
    assert len(complaint) < 400


def test_a_wrong_value_says_what_is_wrong(packed):
    status, shown, _ = packed("decode idesc --kind f16 --cta-group 1 0x102004D0")
    assert status == 1
    assert shown.endswith(
        "wrong: reserved bit 6 must be 0\nwrong: encodes M = 256; M is 64 or 128 with .cta_group::1\n"
    )


def test_there_and_back(packed):
    line = "encode idesc --kind f8f6f4 --cta-group 1 --atype e4m3 --btype=e5m2 --dtype f32 --m 128 --n 256"
    status, shown, _ = packed(line)
    assert status == 0
    assert shown.startswith("0x08400410  ")


def test_as_json(packed):
    status, shown, _ = packed("encode idesc --kind f16 --m 96 --n 8 --cta-group 1 --json")
    assert status == 1
    found = json.loads(shown)
    assert found["value"] == "0x06020000"
    assert found["findings"] == [{"bits": "0x1f000000", "message": "encodes M = 96; M is 64 or 128 with .cta_group::1"}]
    assert found["fields"][0] == {"field": "m", "bits": [24, 28], "code": 6, "meaning": 96}


def test_a_field_in_two_places_as_json(packed):
    status, shown, _ = packed("encode idesc --kind mxf4 --cta-group 2 --arch sm_107a --m 256 --n 256 --k 128 --json")
    assert status == 0
    found = json.loads(shown)
    assert found["value"] == "0x10c00488"
    assert found["fields"][2] == {"field": "k", "bits": [31, 31, 3, 3], "code": 2, "meaning": 128}


def test_fields_are_listed(packed):
    assert (
        "  --atype          e4m3, e5m2, e2m3, e3m2, e2m1             elements of A\n"
        in packed("encode idesc --kind f8f6f4")[1]
    )
    assert "zero-column-mask             64 bits  zero-column mask of tcgen05.mma.ws\n" in packed("decode list")[1]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("decode idesc --kind f16", "one value is needed: ptx-lsp decode idesc 0x…"),
        ("decode idesc --kind f16 1 2", "one value is needed"),
        ("decode idesc --kind f16 many", "'many' is not a number"),
        ("decode idesc --kind f16 0x123456789", "has more than 32 bits"),
        ("decode idesc 0", "'idesc' can be idesc-mxf4 or idesc-mxf8f6f4 or idesc; specify --kind"),
        ("decode nothing 0", "'nothing' is not a layout; 'ptx-lsp decode list' shows all"),
        ("decode cache-polcy 0", "'cache-polcy' is not a layout; did you mean cache-policy?"),
        ("decode wgmma 0", "'wgmma' can be wgmma-scale-d or wgmma-sign or wgmma-transpose; specify which"),
        ("decode video-byte-mask .b013", "'.b013' is not a byte mask"),
        ("decode video-bytes .b8210", "'.b8210' is not a number"),
        ("encode lop3-table --function a+b", "'function' cannot be a+b; expected a function of a, b, c"),
        ("encode mbarrier-object --tx 2000000", "'tx' cannot be 2000000; allowed: -1048575 to 1048576"),
        ("decode smem-desc --arch 90a 0", "'90a' is not a target such as sm_90a"),
        ("encode idesc --kind f16 --atype e4m3", "'atype' cannot be e4m3; allowed: f16, bf16"),
        ("encode idesc --kind f16 --m", "'--m' has no value"),
        ("encode idesc --kind f16 128", "'128' is not a field"),
        ("encode idesc --kind f16 --k 64", "'k' is not a field; expected m, n"),
    ],
)
def test_wrong_usage(packed, line, complaint):
    status, shown, complained = packed(line)
    assert status == 2
    assert not shown
    assert complaint in complained


@pytest.mark.parametrize(
    ("line", "summary"),
    [
        ("cache-policy 0x14F0000000000000", "evict_last for 16 of 16 accesses, else evict_unchanged"),
        ("cache-policy 0x1c00020000000000", "evict_last for 16 blocks of 4 KB, else evict_unchanged"),
        ("lop3-table 0xCA", "d = a ? b : c"),
        ("lane-mask 0xff0f", "lanes 0-3, 8-15"),
        ("cta-mask 3", "CTAs 0, 1"),
        ("prmt-selector 0x8140", "sign of a.b0, a.b1, b.b0, a.b0"),
        ("prmt-pattern --with .f4e 2", "bytes 5 4 3 2"),
        ("tensormap.swizzle-mode 3", "swizzle mode of 128 bytes"),
        ("tensormap.rank 2", "rank 3"),
        ("video-bytes .b7210", "b.b3 a.b2 a.b1 a.b0"),
        ("video-byte-mask .b310", "bytes 0, 1, 3"),
        ("wgmma-sign -1", "negated"),
        ("fns-offset -2", "offset -2"),
        ("mbarrier-object 0x7fffdbfffe1ffff6", "even phase, 5 of 5 arrivals pending, tx-count 16"),
        ("mbarrier-state 0x7fffd80020800000", "even phase, 5 arrivals pending before this one"),
    ],
)
def test_other_values(packed, line, summary):
    status, shown, complaint = packed(f"decode {line}")
    assert (status, complaint) == (0, "")
    assert shown.splitlines()[1] == summary


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("lop3-table --function=(a&b)^c", "0x6a"),
        ("lane-mask --lanes 0-15,31", "0x8000ffff"),
        ("cta-mask --ctas 0,1", "0x00000003"),
        ("cache-policy --mode share --primary evict_first --share 16", "0x12f0000000000000"),
        ("cache-policy --mode range --primary evict_last --count 16 --first 48", "0x1c03020000000000"),
        ("prmt-selector --byte-0 b.b3 --byte-3", None),
        ("wgmma-sign --sign negated", "0xffffffff"),
        ("tensormap.rank --rank 5", "0x00000004"),
    ],
)
def test_made_from_words(packed, line, value):
    status, shown, complaint = packed(f"encode {line}")
    if value is None:
        assert (status, complaint) == (2, "ptx-lsp: '--byte-3' has no value\n")
    else:
        assert (status, shown.split()[0]) == (0, value)


def test_a_128_bit_answer_is_taken_apart_by_instructions(packed):
    status, shown, _ = packed("decode try-cancel-response 0x123")
    assert status == 0
    assert shown.splitlines()[1] == "opaque"
    assert "test .is_canceled" in shown
