"""Origins of descriptors: the idioms of compiled kernels, and values that must stay unknown."""

from __future__ import annotations

from ptx_lsp.analysis.cursor.cursor import at
from ptx_lsp.analysis.dataflow.control_flow_graph import Graphs
from ptx_lsp.analysis.descriptors.address_sums import Origins
from ptx_lsp.analysis.descriptors.known_values import KnownValues
from ptx_lsp.analysis.descriptors.packed_operands import KnownOperand, packed_operands, read_operand

from ..features.cursor import opened

HOPPER = """\
.version 8.6
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 smem[];
.visible .entry kernel(.param .u64 given)
{
    .reg .pred %p<4>;
    .reg .b16 %rs<4>;
    .reg .b32 %r<40>;
    .reg .b64 %rd<20>;
    .reg .f32 %f<8>;
BODY
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, <|>%rd2, 1, 1, 1, 0, 0;
    ret;
}
"""
"""A kernel around the lines that make ``%rd2``; ``%rd1`` is made by nothing."""

BLACKWELL = """\
.version 8.6
.target sm_100a
.address_size 64
.visible .entry kernel(.param .u32 given)
{
    .reg .pred %p<4>;
    .reg .b16 %rs<8>;
    .reg .b32 %r<40>;
    .reg .b64 %rd<20>;
BODY
    tcgen05.mma.cta_group::1.kind::f16 [%r30], %rd1, %rd2, <|>%r1, %p1;
    ret;
}
"""


def known(source: str) -> tuple[KnownOperand, str]:
    """The known bits of the operand at the cursor, and its start address."""
    checker, offset, _ = opened(source)
    cursor = at(checker.semantics, offset)
    assert cursor is not None
    context = cursor.context
    values = KnownValues(Graphs(checker.semantics.effects), context.function)
    packed = next(one for one in packed_operands(context) if one.operand.first == cursor.token)
    start = Origins(values.definitions).start_address(context.chunk, context.index, packed.operand)
    return read_operand(context, packed, values), str(start)


def check_matrix(body: str, digits: str, start: str, assumed: int = 0) -> None:
    found, address = known(HOPPER.replace("BODY", body))
    assert found.reading.digits == digits
    assert found.assumed == assumed
    assert address == start


def check_instruction(body: str, digits: str) -> None:
    found, _ = known(BLACKWELL.replace("BODY", body))
    assert found.reading.digits == digits


def test_a_constant() -> None:
    check_matrix("mov.b64 %rd2, 4611686293305360384;", "0x4000004000010000", "0")
    check_matrix("mov.b64 %rd2, 0x4000004000010040;", "0x4000004000010040", "1024")
    check_instruction("mov.b32 %r1, 136316048;", "0x08200490")


def test_a_read_by_an_instruction_whose_result_has_no_percent_sign() -> None:
    check_matrix(
        """
        .reg .b64 plain;
        mov.b64 %rd2, 0x4000004000010040;
        and.b64 plain, %rd2, 15;
        """,
        "0x4000004000010040",
        "1024",
    )


def test_a_result_after_a_sink() -> None:
    check_matrix(
        """
        mov.b64 %rd3, 0x4000004000010040;
        mov.b64 {_, %r2}, %rd3;
        mov.b64 %rd2, {0x10040, %r2};
        """,
        "0x4000004000010040",
        "1024",
    )


def test_address_and_constant() -> None:
    check_matrix(
        """
        mov.u32 %r1, smem;
        add.s32 %r2, %r1, 33792;
        shr.u32 %r3, %r2, 4;
        and.b32 %r4, %r3, 16383;
        cvt.u64.u32 %rd3, %r4;
        or.b64 %rd2, %rd3, 4611686293305360384;
        """,
        "0x400000400001????",
        "smem + 33792",
    )


STEPS = """
    mov.u32 %r1, smem;
    shr.u32 %r3, %r1, 4;
    and.b32 %r4, %r3, 16383;
    cvt.u64.u32 %rd3, %r4;
    or.b64 %rd4, %rd3, 4611686293305360384;
    mov.b64 {%r5, %r6}, %rd4;
"""
CARRY = 0x4000
"""Of a sum with a small number one bit is not proved: that into which the address could carry."""
ABOVE = 0xFFFFC000
"""Of a sum with an unknown number none of the low word."""


def test_a_step_in_the_low_word() -> None:
    """The high word is proved; the fields of the low word above the address are assumed not to get a carry."""
    check_matrix(STEPS + "add.s32 %r7, %r5, 2; mov.b64 %rd2, {%r7, %r6};", "0x400000400001????", "smem + 32", CARRY)


def test_a_step_by_an_unknown_stage() -> None:
    check_matrix(
        STEPS + "mov.u32 %r8, %tid.x; shl.b32 %r9, %r8, 10; add.s32 %r7, %r9, %r5; mov.b64 %rd2, {%r7, %r6};",
        "0x400000400001????",
        "smem + 16384·%r8",
        ABOVE,
    )
    check_matrix(
        STEPS + "mov.u32 %r8, %tid.x; mad.lo.s32 %r7, %r8, 512, %r5; mov.b64 %rd2, {%r7, %r6};",
        "0x400000400001????",
        "smem + 8192·%r8",
        ABOVE,
    )


def test_a_step_of_the_whole() -> None:
    check_matrix(STEPS + "add.s64 %rd2, %rd4, 64;", "0x400000400001????", "smem + 1024", CARRY)


def test_a_loop() -> None:
    """Each round steps on: joined to a fixed point."""
    check_matrix(
        STEPS
        + """
        mov.b64 %rd2, %rd4;
        LOOP:
        add.s64 %rd2, %rd2, 2;
        setp.ne.s64 %p1, %rd2, 0;
        @%p1 bra LOOP;
        OUT:
        """,
        "0x400000400001????",
        "16·%rd2",
        0xFFFFFFFFFFFFC000,
    )


def test_a_lane_chooses() -> None:
    check_matrix(
        STEPS + "shfl.sync.idx.b32 %r7, %r5, 0, 31, -1; mov.b64 %rd2, {%r7, %r6};", "0x400000400001????", "16·%r7"
    )
    check_matrix(
        STEPS + "mov.pred %p1, 1; selp.b32 %r7, %r5, 0, %p1; mov.b64 %rd2, {%r7, %r6};",
        "0x400000400001????",
        "16·%r7",
        0x10000,
    )


def test_two_ways() -> None:
    """Bits that differ between two paths are unknown."""
    check_matrix(
        """
        mov.pred %p1, 1;
        mov.b64 %rd2, 0x4000004000010000;
        @%p1 mov.b64 %rd2, 0x8000004000010000;
        OUT:
        """,
        "0x?000004000010000",
        "16·%rd2",
    )


IN_PLACE = """
    mov.u32 %r1, smem;
    cvt.u64.u32 %rd2, %r1;
    and.b64 %rd2, %rd2, 0x3FFFF;
    shr.u64 %rd2, %rd2, 4;
    or.b64 %rd2, %rd2, ((1024 >> 4) << 32);
    mov.u64 %rd3, 1;
    shl.b64 %rd3, %rd3, 62;
    or.b64 %rd2, %rd2, %rd3;
"""


def test_built_in_one_register() -> None:
    """Each statement of a straight line reads what the one above wrote, and what comes after reads the last."""
    check_matrix(IN_PLACE, "0x400000400000????", "smem")
    check_matrix(f"{IN_PLACE} bra LOOP; LOOP: wgmma.fence.sync.aligned;", "0x400000400000????", "smem")
    check_matrix(f"LOOP: {IN_PLACE} @%p1 bra LOOP;", "0x400000400000????", "smem")
    many = "add.s32 %r9, %r9, 1;\n" * 600
    check_matrix(IN_PLACE.replace("mov.u64 %rd3", f"{many}mov.u64 %rd3") + "NEXT:", "0x400000400000????", "smem")


def test_built_in_one_register_on_several_ways() -> None:
    """A way into or out of the line leads past some of its statements."""
    unknown = "0x?00000?0????????"
    check_matrix(IN_PLACE.replace("mov.u64 %rd3", "MIDDLE: mov.u64 %rd3") + "AFTER:", unknown, "16·%rd2")
    check_matrix(IN_PLACE.replace("mov.u64 %rd3", "@%p1 bra AFTER; mov.u64 %rd3") + "AFTER:", unknown, "16·%rd2")


def test_other_fields_from_registers() -> None:
    """The base offset is made from the same address; neither it nor a register with other fields changes the sum."""
    check_matrix(
        """
        mov.u32 %r1, smem;
        add.s32 %r2, %r1, 32;
        cvt.u64.u32 %rd3, %r2;
        shl.b64 %rd4, %rd3, 42;
        and.b64 %rd5, %rd4, 3940649673949184;
        and.b64 %rd6, %rd3, 262112;
        shr.u64 %rd7, %rd6, 4;
        or.b64 %rd8, %rd7, %rd5;
        or.b64 %rd2, %rd8, 4611686293305294848;
        """,
        "0x400?00400000????",
        "smem + 32",
    )
    unaligned = "mov.u32 %r1, smem; add.s32 %r2, %r1, 16; and.b32 %r3, %r2, 262112; shr.u32 %r4, %r3, 4;"
    check_matrix(f"{unaligned} cvt.u64.u32 %rd2, %r4;", "0x000000000000????", "%r3")


def test_a_part_is_added_after_the_address_is_in_units() -> None:
    """The mask keeps more than the address field, because the sum is in units; one of bytes would cut the address."""
    mine = "mov.u32 %r1, smem; add.s32 %r2, %r1, 4096; {} and.b32 %r5, %r4, 32767; {} cvt.u64.u32 %rd2, %r6;"
    in_units = mine.format("shr.u32 %r3, %r2, 4; add.s32 %r4, %r7, %r3;", "mov.u32 %r6, %r5;")
    check_matrix(in_units, "0x000000000000????", "smem + 4096 + 16·%r7")
    in_bytes = mine.format("add.s32 %r4, %r7, %r2;", "shr.u32 %r6, %r5, 4;")
    check_matrix(in_bytes, "0x0000000000000???", "%r5")


def test_a_mangled_object() -> None:
    text = HOPPER.replace("smem", "_ZZ6kernelvE6tile_a")
    body = "mov.u32 %r1, _ZZ6kernelvE6tile_a; shr.u32 %r2, %r1, 4; cvt.u64.u32 %rd2, %r2;"
    assert known(text.replace("BODY", body))[1] == "tile_a"


def test_halves_of_words() -> None:
    check_instruction("mov.u16 %rs1, 1168; mov.u16 %rs2, 2080; mov.b32 %r1, {%rs1, %rs2};", "0x08200490")


def test_a_field_at_run_time() -> None:
    check_instruction(
        "ld.param.u32 %r2, [given]; shl.b32 %r3, %r2, 17; and.b32 %r4, %r3, 8257536; or.b32 %r1, %r4, 134218896;",
        "0x08??0490",
    )


def test_what_is_not_known() -> None:
    check_instruction("ld.param.u32 %r1, [given];", "0x????????")
    check_instruction("", "0x????????")
    check_matrix("ld.param.u64 %rd2, [given];", "0x????????????????", "16·%rd2")


def test_an_unknown_descriptor_stays_unknown_behind_a_step() -> None:
    check_matrix("ld.param.u64 %rd3, [given]; add.s64 %rd2, %rd3, 2;", "0x????????????????", "32 + 16·%rd3")


def test_names_of_inner_blocks() -> None:
    """A register of a block is another one, and a guarded write there joins."""
    check_matrix(
        """
        mov.b64 %rd2, 0x4000004000010000;
        { .reg .b64 %rd2; mov.b64 %rd2, 0; }
        """,
        "0x4000004000010000",
        "0",
    )


def test_real_findings_only_from_proved_bits() -> None:
    found, _ = known(HOPPER.replace("BODY", "mov.b64 %rd2, 0x4000404000010000;"))
    assert [finding.says for finding in found.proved.findings] == ["reserved bit 46 must be 0"]
    step = "mov.u32 %r8, %tid.x; add.s32 %r7, %r8, %r5; mov.b64 %rd2, {%r7, %r6};"
    source = STEPS.replace("4611686293305360384", "0x4000004040010000") + step
    found, _ = known(HOPPER.replace("BODY", source))
    assert found.reading.findings
    assert not found.proved.findings
