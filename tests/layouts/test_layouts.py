"""Packed values: what compiled kernels hold, every legal value there and back, every flipped bit."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import islice, product
from math import prod

import pytest

from ptx_lsp.grammar_files import read_grammar
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.form import flatten
from ptx_lsp.layouts.decode import DecodedValue, decode, fields_of
from ptx_lsp.layouts.encode import EncodeError, encode
from ptx_lsp.layouts.layout import CodeMeaning, Field, Layout
from ptx_lsp.layouts.load import LayoutError, layouts, load_layout
from ptx_lsp.layouts.templates import templates

LAYOUTS = layouts()

CONTEXTS = {
    "idesc": [
        f".kind::{kind} .cta_group::{group} sm_100a{more}"
        for kind in ("f16", "tf32", "f8f6f4", "i8")
        for group in (1, 2)
        for more in ("", " .sp", " .ws", " .ws .sp")
        if group == 1 or ".ws" not in more
    ]
    + [
        f".kind::{kind} .cta_group::{group} sm_107a{more}"
        for kind in ("f16", "f8f6f4", "ti16")
        for group in (1, 2)
        for more in ("", " .sp", " .ws", " .ws .sp", " .decompress::lut::b")
        if (group == 1 or ".ws" not in more) and (kind == "f8f6f4" or "lut" not in more)
    ],
    "idesc-mxf8f6f4": [
        f".kind::mxf8f6f4 .cta_group::{group}{target}{more}"
        for group in (1, 2)
        for target in ("", " sm_107a")
        for more in ("", " .sp")
    ],
    "idesc-mxf4": [
        f".kind::{kind} .cta_group::{group} {scale}{more}"
        for kind, scale in (("mxf4", ".block32"), ("mxf4nvf4", ".block16"), ("mxf4nvf4", ".scale_vec::4X"))
        for group in (1, 2)
        for more in ("", " .sp", " sm_107a", " .sp sm_107a", " sm_107f")
    ],
    "smem-desc-tcgen05": ["sm_100a", "sm_103a", "sm_107a", "sm_107a .decompress::lut::b"],
    "tmem-address": ["sm_100a", "sm_107a"],
    "sparse-metadata-2-4": ["", ".sp::ordered_metadata"],
    "bmsk-length": [".clamp", ".wrap"],
    "bmsk-position": [".clamp", ".wrap"],
    "szext-length": [".clamp", ".wrap"],
    "cta-mask": ["", ".multicast::cluster::32b"],
    "im2col-offset": [".im2col .3d", ".im2col .4d", ".im2col .5d"],
    "prmt-pattern": [".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"],
    "scale-byte": [".kind::mxf8f6f4", ".kind::mxf4", ".kind::mxf4nvf4 .scale_vec::2X", ".scale_vec::4X"],
    "sparsity-selector": [
        ".m16n8k16 .f16",
        ".m16n8k8 .tf32",
        ".m16n8k16 .tf32",
        ".m16n8k32 .bf16",
        ".m16n8k32 .u8",
        ".m16n8k64 .s4",
        ".m16n8k64 .s8",
        ".m16n8k128 .u4",
        ".m64n8k32 .f16",
        ".m64n8k64 .e4m3",
    ],
}
"""The opcodes in which a layout stands; the others stand in any."""
CASES = [(name, context) for name in LAYOUTS for context in CONTEXTS.get(name, [""])]


def words(context: str) -> frozenset[str]:
    return frozenset(context.split())


def check_summary(name: str, value: int, context: str, summary: str) -> None:
    reading = decode(LAYOUTS[name], value, words(context))
    assert reading.summary == summary
    assert not reading.findings


def test_instruction_descriptors_of_compiled_kernels() -> None:
    f16 = ".kind::f16 .cta_group::1"
    check_summary("idesc", 0x08200490, f16, "bf16 × bf16 → f32, M128 N128, A K-major, B K-major, dense")
    check_summary("idesc", 0x08210010, f16, "f16 × f16 → f32, M128 N128, A K-major, B N-major, dense")
    pair = ".kind::f16 .cta_group::2"
    check_summary("idesc", 0x10118490, pair, "bf16 × bf16 → f32, M256 N64, A M-major, B N-major, dense")
    check_summary("idesc", 0x10200014, pair + " .sp", "f16 × f16 → f32, M256 N128, A K-major, B K-major, sparse")
    mx = ".kind::mxf8f6f4 .cta_group::2"
    check_summary("idesc-mxf8f6f4", 0x10C01400, mx, "e4m3 × e2m1 → f32, M256 N256, scales ue8m0, ids 0 0, dense")
    nv = ".kind::mxf4nvf4 .cta_group::2 .block16"
    check_summary("idesc-mxf4", 0x90400480, nv, "e2m1 × e2m1 → f32, M256 N256 K96, scales ue4m3, ids 0 0, dense")


def test_matrix_descriptors_of_compiled_kernels() -> None:
    check_summary("smem-desc-wgmma", 0x4000004000010000, "", "swizzle 128B, SBO 1024 B, LBO 16 B, at 0")
    check_summary("smem-desc-wgmma", 0x8000002000400000, "", "swizzle 64B, SBO 512 B, LBO 1024 B, at 0")
    check_summary("smem-desc-tcgen05", 0x4000404000010000, "sm_100a", "swizzle 128B, SBO 1024 B, LBO 16 B, at 0")
    check_summary("smem-desc-tcgen05", 0xC000401000000000, "sm_100a", "swizzle 32B, SBO 256 B, LBO 0 B, at 0")
    check_summary("smem-desc-tcgen05", 0x4010404000000000, "sm_103a", "swizzle 128B, SBO 1024 B, LBO 0 B, at 0")
    check_summary("zero-column-mask", 0x080F0F8100000005, "", "16 used, 16 zero, shift 8")


def check_findings(name: str, value: int, context: str, *says: str) -> None:
    found = [finding.says for finding in decode(LAYOUTS[name], value, words(context)).findings]
    assert found == list(says)


def check_words(name: str, key: str, expected: str, value: int) -> None:
    """The words that are shown for a field of a value."""
    fields = decode(LAYOUTS[name], value).fields
    assert {one.field.key: one.field.words for one in fields}[key] == expected


def test_offsets_of_a_wgmma_descriptor_depend_on_the_major_dimension_and_the_swizzle() -> None:
    """The stride of an unswizzled matrix that is not K-major is not from 8 to the next 8."""
    name, unswizzled, swizzled = "smem-desc-wgmma", 0x0000004000010000, 0x4000004000010000
    check_words(name, "stride", "from 8 rows (K-major) or 16 bytes of M or N to the next", unswizzled)
    check_words(name, "stride", "from 8 rows (K-major) or 8 of K (MN-major) to the next", swizzled)
    check_words(name, "leading", "from 16 bytes of K (K-major) or 8 of K (MN-major) to the next", unswizzled)
    check_words(name, "leading", "not used (K-major), or from one swizzle width to the next", swizzled)


def test_the_base_offset_of_wgmma_is_that_of_the_swizzle_pattern() -> None:
    """A matrix at 0x480 in a pattern that starts at 0x400 has base offset ``(0x400 >> 7) & 7``, 0."""
    check_words("smem-desc-wgmma", "base-offset", "bits 7-9 of the swizzle pattern's address, not of the start's", 0)
    formula = re.search(r"`\(([\w ]+) >> (\d)\) & (\d)`", read_grammar("isa/matrix/wgmma.mma_async.md"))
    assert formula is not None
    assert formula.groups() == ("pattern start", "7", "7")
    fields = {"swizzle": "128B", "stride": 1024, "leading": 16, "start": 0x480}
    check_summary(
        "smem-desc-wgmma", encode(LAYOUTS["smem-desc-wgmma"], fields), "", "swizzle 128B, SBO 1024 B, LBO 16 B, at 1152"
    )


def test_what_is_wrong_is_told() -> None:
    f16 = ".kind::f16 .cta_group::1"
    check_findings("idesc", 0x082004D0, f16, "reserved bit 6 must be 0")
    check_findings("idesc", 0x10200490, f16, "encodes M = 256; M is 64 or 128 with .cta_group::1")
    types = "encodes A type = f16, B type = bf16"
    check_findings("idesc", 0x08200410, f16, f"{types}; A and B have the same type with .kind::f16")
    types = "encodes A type = bf16, B type = bf16"
    check_findings("idesc", 0x08200480, f16, f"{types}; D of type f16 needs A and B of type f16")
    check_findings("idesc", 0x08200494, f16, "encodes sparsity = sparse; bit 2 needs .sp in the opcode")
    check_findings("smem-desc-tcgen05", 0x4000004000010000, "sm_100a", "fixed (bits 46-48) is 0; allowed: 1")
    check_findings(
        "smem-desc-tcgen05",
        0x4010404000000000,
        "sm_100a",
        "encodes leading is = an address; an absolute leading dimension needs sm_103a",
    )
    check_findings("smem-desc-wgmma", 0x4000404000010000, "", "reserved bit 46 must be 0")


def test_of_unknown_bits_nothing_is_said() -> None:
    reading = decode(LAYOUTS["idesc"], 0x08000490, words(".kind::f16 .cta_group::1"), known=0xFF81FFFF)
    assert reading.summary == "bf16 × bf16 → f32, M128 N?, A K-major, B K-major, dense"
    assert not reading.findings
    assert reading.digits == "0x08??0490"


def some_codes(field: Field) -> list[int]:
    """All legal codes of a field with few, those that its page names, powers of two and the ends of others."""
    if field.width <= 4 or field.holds.codes and not field.holds.is_open or field.holds.fixed is not None:
        return list(field.holds.legal(field.width))
    named = [code for code, _ in field.holds.codes]
    return list(dict.fromkeys([*named, 0, *(1 << bit for bit in range(field.width)), (1 << field.width) - 1]))


def combinations(layout: Layout, context: frozenset[str], most: int) -> Iterator[dict[str, CodeMeaning]]:
    """Combinations of what the fields can say: all if they are at most `most`, else samples without end."""
    chance = random.Random(layout.name)
    fields = fields_of(layout, context)
    choices = [[field.holds.meaning(code) for code in some_codes(field)] for field in fields]
    if prod(map(len, choices)) <= most and not layout.deciding:
        for one in product(*choices):
            yield dict(zip((field.key for field in fields), one, strict=True))
    else:
        while True:
            yield sample(layout, context, chance)


def sample(layout: Layout, context: frozenset[str], chance: random.Random) -> dict[str, CodeMeaning]:
    """One combination of what the fields can say, also of those that there are because of what others say."""
    said: dict[str, CodeMeaning] = {}

    def meaning(field: Field) -> CodeMeaning:
        found = field.holds.meaning(chance.choice(some_codes(field)))
        assert found is not None
        return said.setdefault(field.key, found)

    for field in fields_of(layout, context, meaning):
        meaning(field)
    return said


def tried(
    layout: Layout, context: frozenset[str], most: int
) -> Iterator[tuple[dict[str, CodeMeaning], int, DecodedValue]]:
    """Combinations with their values, decoded: `most`, or more, up to the first legal value."""
    has_legal = False
    for count, meanings in enumerate(combinations(layout, context, most)):
        if count == 3000 or count >= most and has_legal:
            return
        value = encode(layout, meanings, context)
        reading = decode(layout, value, context)
        has_legal |= not reading.findings
        yield meanings, value, reading


@pytest.mark.parametrize(("name", "context"), CASES)
def test_there_and_back(name: str, context: str) -> None:
    """Decoding inverts encoding, and every value that the rules allow can be encoded."""
    layout = LAYOUTS[name]
    has_legal = False
    for meanings, _, reading in tried(layout, words(context), 150):
        assert reading.meanings == meanings
        has_legal |= not reading.findings
    assert has_legal, "no value that was tried is legal"


@pytest.mark.parametrize(("name", "context"), CASES)
def test_every_flipped_bit_is_legal_in_its_own_right_or_reported(name: str, context: str) -> None:
    layout = LAYOUTS[name]
    legal = (value for _, value, reading in tried(layout, words(context), 100) if not reading.findings)
    values = list(islice(legal, 10))
    assert values, "no value that was tried is legal"
    for value in values:
        for bit in range(layout.width):
            flipped = decode(layout, value ^ 1 << bit, words(context))
            if not flipped.findings:
                assert encode(layout, flipped.meanings, words(context)) == value ^ 1 << bit


def is_of_targets(row: Field) -> bool:
    """Whether a row is for some targets only; on others its bits may be in no field."""
    return any(wanted and any(word.startswith("sm_") for word in part) for wanted, part in row.when.parts)


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=list(LAYOUTS))
def test_pages_are_whole(layout: Layout) -> None:
    """Fields lie side by side; rules and the summary name fields; places name instructions and their operands."""
    for context in CONTEXTS.get(layout.name, [""]):
        taken = 0
        for field in fields_of(layout, words(context)):
            assert not taken & field.mask, field.key
            taken |= field.mask
        assert taken < 1 << layout.width
        if not layout.deciding:
            always = {row.key for row in layout.rows if not is_of_targets(row)} - {"ignored"}
            assert {field.key for field in fields_of(layout, words(context))} >= always
    named = ((at.operands, other.keys) for other in LAYOUTS.values() for at in other.places)
    others = {f"{operand}-{key}" for operands, keys in named for operand in operands for key in keys}
    for rule in layout.rules:
        assert set(rule.keys) <= {*layout.keys, *others}, rule.says
    for place in layout.places:
        for name in place.instructions:
            if "*" not in name and place.operands:
                first, *rest = name.split(".")
                page = catalogue().instruction((first, *(f".{word}" for word in rest)))
                assert page is not None, name
                named = {operand.name for form in page.forms for operand in flatten(form.operands)}
                named |= {slot.name for form in page.forms for slot in form.slots}
                assert named & set(place.operands), f"{name} has {sorted(named)}"
    for template in (*layout.summaries, *layout.shorts):
        assert set(re.findall(r"{([\w-]+)}", template)) <= set(layout.keys), template


def test_what_a_field_cannot_say() -> None:
    with pytest.raises(EncodeError, match="'m' cannot be 100; allowed: 0 to 496 in steps of 16"):
        encode(LAYOUTS["idesc"], {"m": 100}, words(".kind::f16"))
    with pytest.raises(EncodeError, match="'atype' cannot be e4m3; allowed: f16, bf16"):
        encode(LAYOUTS["idesc"], {"atype": "e4m3"}, words(".kind::f16"))
    with pytest.raises(EncodeError, match="'k' is not a field"):
        encode(LAYOUTS["idesc"], {"k": 64}, words(".kind::f16"))


@pytest.mark.parametrize("name", [name for name, layout in LAYOUTS.items() if layout.templates])
def test_every_template_is_legal_somewhere(name: str) -> None:
    layout = LAYOUTS[name]
    contexts = [words(context) for context in CONTEXTS.get(name, [""])]
    legal = {template.name for context in contexts for template, _ in templates(layout, context)}
    assert legal == {template.name for template in layout.templates}


@pytest.mark.parametrize(("name", "context"), CASES)
def test_templates_hold_what_they_say(name: str, context: str) -> None:
    for template, reading in templates(LAYOUTS[name], words(context)):
        assert not decode(LAYOUTS[name], reading.value, words(context)).findings
        assert dict(template.meanings).items() <= reading.meanings.items()
        assert reading.short


def test_a_template_names_fields_only() -> None:
    page = read_grammar("layouts/smem-desc-wgmma.md").replace("`swizzle = 128B,", "`swivel = 128B,")
    with pytest.raises(LayoutError, match="'swivel'"):
        load_layout("page.md", page)
