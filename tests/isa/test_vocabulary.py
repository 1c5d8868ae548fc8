"""The words of the language outside the pages."""

from __future__ import annotations

import pytest

from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.form import PlaceKind, literals
from ptx_lsp.isa.model.instruction_page import InstructionPage
from ptx_lsp.isa.model.target import Target
from ptx_lsp.isa.model.version import RELEASES, Version

WORDS = catalogue().vocabulary

DIRECTIVES = """
    .version .target .address_size .entry .func .alias .branchtargets .calltargets .callprototype
    .maxnreg .maxntid .reqntid .minnctapersm .maxnctapersm .noreturn .pragma .abi_preserve .abi_preserve_control
    .minperctamemory @@DWARF .section .file .loc .loc_intermediate .nv_intermediate_source_section
    .extern .visible .weak .common .reqnctapercluster .explicitcluster .maxclusterrank .blocksareclusters .language
    .attribute .managed .unified .ptr .align .reg .sreg .const .global .local .param .shared .tex
    .code_block .ir_name .sourceFileName .source_begin .source_end
""".split()

SPECIAL_REGISTERS = (
    """
    %tid %ntid %laneid %warpid %nwarpid %ctaid %nctaid %smid %nsmid %gridid %is_explicit_cluster %clusterid
    %nclusterid %cluster_ctaid %cluster_nctaid %cluster_ctarank %cluster_nctarank %lanemask_eq %lanemask_le
    %lanemask_lt %lanemask_ge %lanemask_gt %clock %clock_hi %clock64 %globaltimer %globaltimer_lo %globaltimer_hi
    %reserved_smem_offset_begin %reserved_smem_offset_end %reserved_smem_offset_cap %reserved_smem_offset_0
    %reserved_smem_offset_1 %total_smem_size %aggr_smem_size %dynamic_smem_size %current_graph_exec
    %perctamemoryoffset %perctamemorysize
""".split()
    + [f"%envreg{at}" for at in range(32)]
    + [f"%pm{at}{bits}" for at in range(8) for bits in ("", "_64")]
)

TYPES = """
    .s8 .s16 .s32 .s64 .u8 .u16 .u32 .u64 .f16 .f16x2 .f32 .f64 .b8 .b16 .b32 .b64 .b128 .pred
    .bf16 .e4m3 .e5m2 .tf32 .e2m3 .e3m2 .e2m1 .ue8m0 .ue4m3 .s2f6x2 .ue5m3x2
    .bf16x2 .f32x2 .e4m3x2 .e5m2x2 .e2m3x2 .e3m2x2 .e2m1x2 .ue8m0x2 .e4m3x4 .e5m2x4 .e2m3x4 .e3m2x4 .e2m1x4
    .e2m1p4x4 .ue8m0x4 .u16x2 .s16x2 .u8x4 .s8x4 .u4 .s4 .u2 .s2 .b1 .b4x16 .b4x16_p64 .b6x16_p32 .b6p2x16 .b8x16
    .texref .samplerref .surfref
""".split()

SPACES = """
    .reg .sreg .const .global .local .param .param::entry .param::func .shared .shared::cta .shared::cluster .tex
""".split()

TARGETS = """
    sm_10 sm_11 sm_12 sm_13 sm_20 sm_30 sm_32 sm_35 sm_37 sm_50 sm_52 sm_53 sm_60 sm_61 sm_62 sm_70 sm_72 sm_75 sm_80
    sm_86 sm_87 sm_88 sm_89 sm_90 sm_90a sm_100 sm_100a sm_100f sm_101 sm_101a sm_101f sm_103 sm_103a sm_103f sm_107
    sm_107a sm_107f sm_110 sm_110a sm_110f sm_120 sm_120a sm_120f sm_121 sm_121a sm_121f
""".split()

OPAQUE_FIELDS = """
    width height depth channel_data_type channel_order normalized_coords force_unnormalized_coords filter_mode
    addr_mode_0 addr_mode_1 addr_mode_2 array_size num_mipmap_levels num_samples memory_layout
""".split()


@pytest.mark.parametrize(
    ("known", "wanted"),
    [
        (WORDS.directives, DIRECTIVES),
        (WORDS.special_registers, SPECIAL_REGISTERS),
        (WORDS.types, TYPES),
        (WORDS.spaces, SPACES),
        (WORDS.targets, [*TARGETS, "sm_21", "sm_82"]),
        (WORDS.rare.target_options, "texmode_unified texmode_independent debug map_f64_to_f32".split()),
        (WORDS.rare.pragmas, "nounroll used_bytes_mask enable_smem_spilling frequency mma_throughput".split()),
        (WORDS.rare.constants, ["WARP_SZ"]),
        (WORDS.rare.opaque_fields, OPAQUE_FIELDS),
    ],
)
def test_the_lists_are_those_of_the_manual(known, wanted):
    assert sorted(known) == sorted(wanted)
    assert all(word.words for word in known.values())


def test_every_qualifier_of_a_page_means_something_in_general():
    unknown = {word for page in catalogue().instructions for word in qualifiers(page) if not WORDS.meaning(word)}
    assert not unknown


def qualifiers(page: InstructionPage) -> set[str]:
    """The dotted words of a page's names and forms."""
    words = {f".{part}" for name in page.names for part in name.split(".")[1:]}
    for form in page.forms:
        slots = (slot for slot in form.slots if slot.kind in (PlaceKind.QUALIFIER, PlaceKind.SELECTOR))
        words |= {word for slot in slots for group in slot.groups for word in literals(group.words) if word is not None}
    return words


def test_types_and_where_they_live():
    assert WORDS.types[".bf16x2"].bits == 32
    assert WORDS.types[".bf16x2"].holder == ".b32"
    assert WORDS.types[".s32"].holder == ""


def test_packed_types_live_where_the_forms_say():
    for name, holder in catalogue().shared.holders.items():
        assert WORDS.types[name].holder == holder


def test_special_registers():
    assert WORDS.special_registers["%tid"].vector == 4
    assert WORDS.special_registers["%clock64"].type == ".u64"
    assert WORDS.special_registers["%envreg31"].words
    assert not WORDS.special_registers["%pm7"].gate.allows(Version(2, 3), Target(20))


def test_versions_and_targets():
    assert WORDS.versions[Version(8, 6)].toolkit == "12.7"
    assert WORDS.versions[Version(8, 6)].driver == "r565"
    assert tuple(WORDS.versions) == RELEASES
    drivers = [word.driver for word in WORDS.versions.values() if word.driver]
    assert drivers == sorted(drivers)
    assert len(drivers) == len(RELEASES) - 7  # 1.0 to 1.4, 5.1 and 9.5
    assert WORDS.targets["sm_90a"].version == (8, 0)
    assert WORDS.targets["sm_88"].version == (9, 0)
    assert WORDS.newest_version == (9, 5)


def test_directives_have_words():
    assert WORDS.directives[".maxntid"].place == "entry"
    assert WORDS.directives[".maxntid"].grammar == ".maxntid nx{, ny{, nz}}"
    assert all(name in word.grammar for name, word in WORDS.directives.items() if name != ".sreg")


def test_directives_that_are_gone():
    for name, last in ((".maxnctapersm", Version(2, 0)), (".tex", Version(1, 4)), ("@@DWARF", Version(1, 5))):
        gate = WORDS.directives[name].gate
        assert gate.allows(last, Target(10))
        assert not gate.allows(RELEASES[RELEASES.index(last) + 1], Target(10))


def test_declared_types_have_gates():
    assert not WORDS.types[".b128"].declared.allows(Version(8, 2), Target(70))
    assert WORDS.types[".f16x2"].declared.allows(Version(4, 2), Target(53))
    assert WORDS.types[".bf16"].declared is None
    assert WORDS.types[".e2m3x4"].tolerated


def test_a_series_of_qualifiers_fills_in_its_numbers():
    assert WORDS.meaning(".m64n104k16") == "shape: M = 64, N = 104, K = 16"
    assert WORDS.meaning(".m64n104") == ""


def test_values_belong_to_fields():
    fields = WORDS.rare.opaque_fields
    assert all(any(name.startswith(word.field) for name in fields) for word in WORDS.rare.opaque_values.values())
    assert fields["force_unnormalized_coords"].owners == {".samplerref": "independent"}


def test_fields_of_tensor_maps_are_those_of_the_page():
    page = catalogue().instruction(("tensormap", ".replace"))
    assert set(WORDS.rare.tensormap_fields) <= qualifiers(page)
    assert len(WORDS.rare.tensormap_fields) == 11


def test_all_instructions_of_the_manual_are_listed():
    assert {"add", "wgmma.mma_async", "tcgen05.mma", "clmad"} <= set(WORDS.mnemonics)
    assert len(WORDS.mnemonics) > 200
