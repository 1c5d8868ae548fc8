"""Barriers and asynchronous work: pages, hovers, references and partners of the instructions that synchronize."""

from __future__ import annotations

import re

import pytest

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features import flow_pages
from ptx_lsp.features.definition import implementations
from ptx_lsp.features.hover import hover
from ptx_lsp.features.references import synchronizing
from ptx_lsp.text import Span

from .cursor import opened

RING = """//- sm_90 ptx 8.0 module
.extern .shared .align 16 .b8 smem[];
.visible .entry kernel(.param .u32 kernel_param_0)
{
.reg .b32 %r<19>; .reg .pred %p<9>; .reg .b64 %rd<9>;
ld.param.u32 %r9, [kernel_param_0];
mov.b32 %r1, smem;
add.s32 %r2, %r1, 8;
mbarrier.init.shared.b64 [%r1], 1;            // full 0
mbarrier.init.shared.b64 [%r2], 1;            // full 1
mbarrier.init.shared.b64 [%r1+16], 64;        // empty 0
mbarrier.init.shared.b64 [%r1+24], 64;        // empty 1
mbarrier.init.shared.b64 [%r1+32], 1;         // alone
and.b32 %r3, %r9, 1;
shl.b32 %r4, %r3, 3;
add.s32 %r5, %r1, %r4;
mbarrier.arrive.expect_tx.shared.b64 %rd1, [%r5], 4096;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1+1024], [%rd3], 4096, [%r5];
mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0;
mbarrier.try_wait.parity.shared.b64 %p1, [%r5+16], %r9;
mapa.shared::cluster.u32 %r6, %r5, 1;
mbarrier.arrive.shared::cluster.b64 _, [%r6+16];
and.b32 %r7, %r1, 0xFEFFFFF8;
mbarrier.arrive.shared::cluster.b64 _, [%r7+32];
mbarrier.test_wait.parity.shared.b64 %p2, [%r1+32], 1;
ret;
}
"""

GROUPS = """//- sm_80 ptx 8.0 module
.visible .entry kernel(.param .u64 kernel_param_0)
{
.reg .b32 %r<19>; .reg .pred %p<9>; .reg .b64 %rd<9>;
.shared .align 16 .b8 tile[4096];
ld.param.u64 %rd1, [kernel_param_0];
mov.b32 %r1, tile;
cp.async.cg.shared.global [%r1], [%rd1], 16;          // first
cp.async.commit_group;                                // first
again:
add.s32 %r1, %r1, 16;
cp.async.cg.shared.global [%r1], [%rd1], 16;          // next
cp.async.commit_group;                                // next
cp.async.wait_group 1;
bar.sync 0;
setp.lt.u32 %p1, %r1, 4096;
@%p1 bra again;
cp.async.wait_all;
mov.b32 %r3, 1;
bar.arrive %r3, 64;
bar.sync 1, 64;
ret;
}
"""


def page_of(source: str) -> tuple[list[str], list[str]]:
    """The lines of a kernel, and those of the page of its barriers."""
    checker, offset, _ = opened(source.replace("ret;", "<|>ret;"))
    for _ in flow_pages.preparing(checker.semantics, flow_pages.BARRIERS, offset):
        pass
    text = flow_pages.page(checker.semantics, flow_pages.BARRIERS, offset, "")
    assert text is not None
    return checker.document.text.split("\n"), text.splitlines()


def check_page(source: str, *rows: str) -> None:
    """Compare the page of barriers, by its titles, and the lines with what they do."""
    lines, page = page_of(source)
    found = []
    for line in page:
        if line.startswith("## "):
            found.append(line)
        elif line.startswith("| [line"):
            place, does, *_ = line.split(" | ")
            number = int(place.split("#L")[1].rstrip(")"))
            note = lines[number - 1].partition("// ")[2]
            found.append(f"{does}" + (f" {note}" if note else ""))
    assert found == list(rows)


def test_mbarriers_by_address_arrays_by_where_they_begin() -> None:
    check_page(
        RING,
        "## array of 2 mbarriers at `smem`",
        "initializes (1 arrival) full 0",
        "initializes (1 arrival) full 1",
        "arrives, expects bytes (4096 bytes)",
        "starts work that completes bytes",
        "waits (parity 0)",
        "## array of 2 mbarriers at `smem + 16`",
        "initializes (64 arrivals) empty 0",
        "initializes (64 arrivals) empty 1",
        "waits (parity `param_0`)",
        "arrives",
        "## mbarrier `smem + 32`",
        "initializes (1 arrival) alone",
        "arrives",
        "waits (parity 1)",
    )


def test_groups_and_named_barriers() -> None:
    check_page(
        GROUPS,
        "## barrier 0",
        "waits",
        "## barrier 1",
        "arrives (64 threads)",
        "waits (64 threads)",
        "## Copies of a thread, completed by groups or an mbarrier",
        "starts first",
        "commits a group first",
        "starts next",
        "commits a group next",
        "waits until at most 1 group is unfinished",
        "waits for all",
    )


def test_variables_of_the_kernel_have_their_own_names() -> None:
    """A column that would repeat the name of the title in each row is left out."""
    name = "_ZZN4flat4copyIfEEvPKT_E4full"
    source = f"""//- sm_90 ptx 8.0 module
.visible .entry _ZN4flat4copyIfEEvPKT_()
{{
.shared .align 8 .b8 {name}[8]; .reg .b64 %rd<9>;
mbarrier.init.shared.b64 [{name}], 1;
mbarrier.arrive.shared.b64 %rd1, [{name}];
ret;
}}
"""
    check_page(
        source,
        "## mbarrier `full`",
        "initializes (1 arrival)",
        "arrives",
    )
    checker, offset, _ = opened(source.replace("ret;", "<|>ret;"))
    for _ in flow_pages.preparing(checker.semantics, flow_pages.BARRIERS, offset):
        pass
    text = flow_pages.page(checker.semantics, flow_pages.BARRIERS, offset, "")
    assert text is not None
    assert "| line | does | instruction |" in text
    assert "[full], 1;" in text


REMAINDER = """//- sm_90 ptx 8.0 module
.extern .shared .align 8 .b8 smem[];
.visible .entry kernel(.param .u32 kernel_param_0)
{
.reg .b32 %r<30>; .reg .pred %p<4>;
ld.param.u32 %r1, [kernel_param_0];
mov.u32 %r2, smem;
mov.u32 %r3, 0;
mbarrier.init.shared.b64 [%r2+64], 1;
loop:
// 8 * ((%r3 + 1) % 2), of a signed division
add.s32 %r20, %r3, 1;
shr.u32 %r4, %r20, 31; add.s32 %r5, %r20, %r4; and.b32 %r6, %r5, -2; sub.s32 %r7, %r20, %r6;
shl.b32 %r8, %r7, 3; add.s32 %r9, %r2, %r8;
mbarrier.try_wait.parity.shared.b64 %p1, [%r9], 0;
// 8 * (%r3 % 4)
shr.s32 %r10, %r3, 31; shr.u32 %r11, %r10, 30; add.s32 %r12, %r3, %r11;
and.b32 %r13, %r12, -4; sub.s32 %r14, %r3, %r13; shl.b32 %r15, %r14, 3; add.s32 %r16, %r2, %r15;
mbarrier.try_wait.parity.shared.b64 %p1, [%r16+64], 0;
// no remainder: the mask does not belong to the shift
shr.u32 %r17, %r3, 31; add.s32 %r18, %r3, %r17; and.b32 %r19, %r18, -4; sub.s32 %r21, %r3, %r19;
shl.b32 %r22, %r21, 3; add.s32 %r23, %r2, %r22;
mbarrier.try_wait.parity.shared.b64 %p1, [%r23+128], 0;
add.s32 %r3, %r3, 1;
setp.lt.s32 %p2, %r3, %r1;
@%p2 bra loop;
ret;
}
"""


def test_the_index_of_a_ring_is_a_remainder() -> None:
    titles = [line for line in page_of(REMAINDER)[1] if line.startswith("## ")]
    assert titles == [
        "## array of 4 mbarriers at `smem + 64`",
        "## array of 2 mbarriers at `smem + 8 * ((i + 1) % 2)`",
        "## array of mbarriers at `smem - 8 * ((u32(i) + (u32(i) >> 31)) & 4294967292) + 8 * i + 128`",
    ]
    assert "initializes (1 arrival) | 0 |" in rows_of(REMAINDER, "mbarrier.init")
    assert "waits (parity 0) | `i % 4` |" in rows_of(REMAINDER, "%r16")


LONG_INDEX = """//- sm_90 ptx 8.0 module
.extern .shared .align 8 .b8 smem[];
.visible .entry kernel(.param .u32 kernel_param_0)
{
.reg .b32 %r<30>; .reg .b64 %rd<4>; .reg .pred %p<4>;
ld.param.u32 %r1, [kernel_param_0];
mov.u32 %r2, smem;
mbarrier.init.shared.b64 [%r2], 1;
mbarrier.init.shared.b64 [%r2+8], 1;
mbarrier.init.shared.b64 [%r2+16], 1;
// the tiles less those that are loaded before the loop, divided by 3 with a product by its reciprocal
add.s32 %r3, %r1, 127; shr.s32 %r4, %r3, 31; shr.u32 %r5, %r4, 25; add.s32 %r6, %r3, %r5; shr.s32 %r7, %r6, 7;
min.s32 %r8, %r7, 1; sub.s32 %r9, %r7, %r8;
mul.wide.u32 %rd1, %r9, -1431655765; shr.u64 %rd2, %rd1, 33; cvt.u32.u64 %r10, %rd2;
mul.lo.s32 %r11, %r10, 3; sub.s32 %r12, %r9, %r11; shl.b32 %r13, %r12, 3; add.s32 %r14, %r2, %r13;
mbarrier.try_wait.parity.shared.b64 %p1, [%r14], 0;
// a stride of two stages
shl.b32 %r15, %r1, 4; add.s32 %r16, %r2, %r15;
mbarrier.try_wait.parity.shared.b64 %p1, [%r16], 1;
ret;
}
"""


def test_a_long_index_is_shortened_and_a_row_of_several_stages_has_its_address() -> None:
    page = page_of(LONG_INDEX)[1]
    assert "| line | does | stage or address |" in page
    assert any("initializes (1 arrival) | 2 |" in row for row in page)
    row = rows_of(LONG_INDEX, "waits (parity 0)")
    assert re.search(r"`.* % 3` \|", row), row
    assert "…" in row, row
    assert "`smem + 16 * param_0` |" in rows_of(LONG_INDEX, "waits (parity 1)")


def rows_of(source: str, words: str) -> str:
    """The rows of the page that show these words."""
    return "\n".join(line for line in page_of(source)[1] if words in line)


@pytest.mark.parametrize(
    "source", [RING, GROUPS, REMAINDER, LONG_INDEX], ids=["ring", "groups", "remainder", "long index"]
)
def test_tables_fit_a_page(source: str) -> None:
    for row in page_of(source)[1]:
        assert len(re.sub(r"\]\([^)]*\)|[\[`]", "", row)) <= 100, row


def test_nothing_to_show() -> None:
    checker, offset, _ = opened("//- sm_80 ptx 8.0 module\n.entry k() { <|>ret; }\n")
    for _ in flow_pages.preparing(checker.semantics, flow_pages.BARRIERS, offset):
        pass
    text = flow_pages.page(checker.semantics, flow_pages.BARRIERS, offset, "")
    assert text is not None
    assert "no synchronization" in text


def opened_at(source: str, place: str) -> tuple[Checker, int, list[str]]:
    """A kernel with the cursor before a text, and its lines."""
    checker, offset, _ = opened(source.replace(place, f"<|>{place}", 1))
    return checker, offset, checker.document.text.split("\n")


def check_partners(source: str, place: str, *partners: str) -> None:
    """Compare the implementation of the instruction at a text: the beginnings of lines."""
    checker, offset, _ = opened_at(source, place)
    found = implementations(checker.semantics, offset)
    assert found is not None
    texts = [checker.document.text[one.extent.start : one.extent.end] for one in found]
    assert len(texts) == len(partners), texts
    assert all(text.startswith(partner) for text, partner in zip(texts, partners, strict=True)), texts


def test_the_partners_of_a_wait_signal_it() -> None:
    check_partners(RING, "mbarrier.try_wait.parity.shared.b64 %p1, [%r2]", "mbarrier.arrive.expect_tx", "cp.async.bulk")
    check_partners(RING, "mbarrier.arrive.shared::cluster.b64 _, [%r7", "mbarrier.test_wait")
    check_partners(RING, "cp.async.bulk", "mbarrier.try_wait.parity.shared.b64 %p1, [%r2]")
    check_partners(RING, "mbarrier.init.shared.b64 [%r2]")


def test_the_partners_of_a_wait_for_groups_make_the_group_that_it_waits_for() -> None:
    check_partners(GROUPS, "cp.async.wait_group 1", "cp.async.commit_group", "cp.async.commit_group")
    check_partners(GROUPS, "cp.async.wait_all", "cp.async.commit_group")
    check_partners(
        GROUPS, "cp.async.commit_group;                                // first", "cp.async.cg", "cp.async.wait"
    )
    check_partners(GROUPS, "cp.async.cg.shared.global [%r1], [%rd1], 16;          // next", "cp.async.commit_group")
    check_partners(GROUPS, "bar.sync 1", "bar.arrive %r3")
    check_partners(GROUPS, "add.s32 %r1")


def test_references_of_an_instruction_that_synchronizes() -> None:
    checker, offset, _ = opened_at(RING, "mbarrier.test_wait")
    found = synchronizing(checker.semantics, offset)
    assert found is not None
    words = [checker.document.text[one.start :].split(" ")[0] for one in found]
    assert words == [
        "mbarrier.init.shared.b64",
        "mbarrier.arrive.shared::cluster.b64",
        "mbarrier.test_wait.parity.shared.b64",
    ]
    checker, offset, _ = opened_at(RING, "and.b32 %r3")
    assert synchronizing(checker.semantics, offset) == []


def check_hover(source: str, place: str, *notes: str) -> None:
    """Compare the lines of a hover about partners, with the lines of the snippet in the place of numbers."""
    checker, offset, _ = opened_at(source, place)
    info = hover(checker.semantics, offset)
    assert info is not None
    shown = [note for note in info.notes if " in [line" in note or " in lines" in note]
    assert len(shown) == len(notes), shown
    for note, wanted in zip(shown, notes, strict=True):
        for part in wanted.split(" … "):
            assert part in note, note


def test_hovers_name_the_lines_of_the_partners() -> None:
    check_hover(
        RING,
        "mbarrier.test_wait",
        "mbarrier `smem + 32`: initialized in [line … ; signalled in [line ",
    )
    check_hover(GROUPS, "cp.async.wait_all", "waits for the work committed in [line")
    check_hover(GROUPS, "bar.arrive", "barrier 1: also waited at in [line")
    check_hover(GROUPS, "cp.async.commit_group;", "started in [line … waited for in [line")
    check_hover(GROUPS, "add.s32 %r1")


def test_an_edit_makes_the_barriers_anew() -> None:
    checker, offset, _ = opened_at(RING, "mbarrier.test_wait")
    assert synchronizing(checker.semantics, offset)
    place = checker.document.text.index("+32], 1;         // alone")
    checker.edit(Span(place, place + 3), "+40")
    found = synchronizing(checker.semantics, offset)
    assert found is not None
    assert len(found) == 2


def _ring_kernel(begin: int, compared: int, offset: int) -> str:
    """A ring of three mbarriers, whose index begins at ``begin``, before a ring of two."""
    inits = "\n".join(f"mbarrier.init.shared.b64 [%r1+{place}], 1;" for place in (64, 72, 80, 96, 104, 112, 120))
    return f"""//- sm_90 ptx 8.0 module
.extern .shared .align 16 .b8 smem[];
.visible .entry kernel()
{{
.reg .b32 %r<19>; .reg .pred %p<9>; .reg .b64 %rd<9>;
mov.b32 %r1, smem;
{inits}
mov.b32 %r2, {begin}; mov.b32 %r6, 0; mov.b32 %r9, 0;
again:
add.s32 %r3, %r2, 1;
setp.eq.b32 %p1, %r3, {compared};
selp.b32 %r2, {begin}, %r3, %p1;
shl.b32 %r4, %r2, 3;
add.s32 %r5, %r1, %r4;
mbarrier.try_wait.parity.shared.b64 %p2, [%r5+{offset}], %r9;
setp.ne.s32 %p3, %r6, 1;
add.s32 %r7, %r6, 1;
selp.b32 %r6, %r7, 0, %p3;
shl.b32 %r8, %r6, 3;
add.s32 %r10, %r1, %r8;
mbarrier.try_wait.parity.shared.b64 %p2, [%r10+96], %r9;
mbarrier.try_wait.parity.shared.b64 %p2, [%r10+112], %r9;
@%p2 bra again;
ret;
}}
"""


def test_rings_are_as_long_as_their_indices_count() -> None:
    two = ["initializes (1 arrival)"] * 2 + ["waits (parity 0)"]
    check_page(
        _ring_kernel(0, 3, 64),
        "## array of 3 mbarriers at `smem + 64`",
        *["initializes (1 arrival)"] * 3,
        "waits (parity 0)",
        "## array of 2 mbarriers at `smem + 96`",
        *two,
        "## array of 2 mbarriers at `smem + 112`",
        *two,
    )


def test_the_index_of_a_ring_may_begin_at_one() -> None:
    """The mbarrier of stage ``i`` is at ``8 * (i - 1)``."""
    found = _ring_kernel(1, 4, 56)
    check_page(found, *_rows_of(_ring_kernel(0, 3, 64)))
    unknown = found.replace("setp.eq.b32 %p1, %r3, 4;", "setp.eq.b32 %p1, %r3, %r11;")
    rows = [row.replace("array of 3 mbarriers", "array of mbarriers") for row in _rows_of(_ring_kernel(0, 3, 64))]
    check_page(unknown, f"{rows[0]}, 3 known by constant addresses", *rows[1:])


def _kernel_with(variable: str, inits: int, code: str) -> str:
    made = "\n".join(f"mbarrier.init.shared.b64 [%r1+{8 * at}], 1;" for at in range(inits))
    return f"""//- sm_90 ptx 8.0 module
{variable}
.visible .entry kernel(.param .u32 kernel_param_0)
{{
.reg .b32 %r<19>; .reg .pred %p<9>; .reg .b64 %rd<9>;
mov.b32 %r1, full;
{made}
ld.param.u32 %r2, [kernel_param_0];
{code}
ret;
}}
"""


def test_the_stage_may_be_a_remainder() -> None:
    """Compilers divide by 3 with the high half of a product; the third stage after another one is in the same ring."""
    remainder = """add.s32 %r3, %r2, 2;
mul.hi.u32 %r4, %r3, -1431655765;
shr.u32 %r5, %r4, 1;
mul.lo.s32 %r6, %r5, 3;
sub.s32 %r7, %r3, %r6;
shl.b32 %r8, %r7, 3;
add.s32 %r9, %r1, %r8;
mbarrier.arrive.expect_tx.shared.b64 _, [%r9], 16;
mbarrier.try_wait.parity.shared.b64 %p1, [%r9+24], 0;"""
    three = ["initializes (1 arrival)"] * 3
    check_page(
        _kernel_with(".extern .shared .align 16 .b8 full[];", 6, remainder),
        "## array of 3 mbarriers at `full`",
        *three,
        "arrives, expects bytes (16 bytes)",
        "## array of 3 mbarriers at `full + 24`",
        *three,
        "waits (parity 0)",
    )


@pytest.mark.parametrize(
    "remainder",
    [
        "rem.u32 %r7, %r3, 3;",
        "rem.s32 %r7, %r3, 3;",
        "div.u32 %r4, %r3, 3; mul.lo.s32 %r5, %r4, 3; sub.s32 %r7, %r3, %r5;",
        "mul.hi.u32 %r4, %r3, -1431655765; shr.u32 %r5, %r4, 1; mul.lo.s32 %r6, %r5, 3; sub.s32 %r7, %r3, %r6;",
        "mul.hi.s32 %r4, %r3, 1431655766; shr.u32 %r5, %r4, 31; add.s32 %r6, %r4, %r5; mad.lo.s32 %r7, %r6, -3, %r3;",
        (
            "mul.wide.u32 %rd4, %r3, -1431655765; shr.u64 %rd5, %rd4, 33; cvt.u32.u64 %r5, %rd5; "
            "mul.lo.s32 %r6, %r5, 3; sub.s32 %r7, %r3, %r6;"
        ),
    ],
    ids=["rem.u32", "rem.s32", "div", "mul.hi.u32", "mul.hi.s32", "mul.wide.u32"],
)
def test_a_ring_by_remainder_has_the_stages_that_constant_addresses_name(remainder: str) -> None:
    """The mbarriers behind it, whose ring is as long, are another array."""
    ring = f"""mov.u32 %r3, 0;
again:
{remainder}
shl.b32 %r8, %r7, 3; add.s32 %r9, %r1, %r8;
mbarrier.arrive.expect_tx.shared.b64 _, [%r9], 16;
mbarrier.try_wait.parity.shared.b64 %p1, [%r9+24], 0;
add.s32 %r3, %r3, 1;
@%p1 bra again;"""
    source = _kernel_with(".extern .shared .align 16 .b8 full[];", 6, ring)
    titles = [line for line in page_of(source)[1] if line.startswith("## ")]
    assert titles == ["## array of 3 mbarriers at `full`", "## array of 3 mbarriers at `full + 24`"]
    assert "initializes (1 arrival) | 2 |" in rows_of(source, "[%r1+16]")
    stage = "%r7" if "rem.s32" in remainder else "% 3"
    assert stage in rows_of(source, "expects bytes")


def test_stages_whose_addresses_are_long() -> None:
    """The row has the stage, though its address would be cut."""
    ring = """ld.param.u32 %r3, [kernel_param_0+4]; mov.u32 %r4, %ntid.x; mul.lo.s32 %r5, %r4, 1000;
add.s32 %r6, %r5, %r3; add.s32 %r6, %r6, %r2; and.b32 %r7, %r6, 1;
shl.b32 %r8, %r7, 3; add.s32 %r9, %r1, %r8;
mbarrier.try_wait.parity.shared.b64 %p1, [%r9], 0;"""
    source = _kernel_with(".extern .shared .align 16 .b8 full[];", 2, ring).replace(
        ".param .u32 kernel_param_0", ".param .align 4 .b8 kernel_param_0[8]"
    )
    assert "| initializes (1 arrival) | 1 |" in rows_of(source, "initializes")
    assert "1000 * ntid.x" in rows_of(source, "waits")


def test_participants_of_unrolled_code_are_rows_by_what_they_do() -> None:
    turns = "mbarrier.try_wait.parity.shared.b64 %p1, [%r1], 0;\nmbarrier.try_wait.parity.shared.b64 %p1, [%r1], 1;\n"
    source = _kernel_with(".shared .align 8 .b8 full[8];", 1, turns * 32)
    rows = [line for line in page_of(source)[1] if "arrival)" in line or "(parity" in line]
    assert [row.split("|")[2].strip() for row in rows] == [
        "initializes (1 arrival)",
        "waits (parity 0)",
        "waits (parity 1)",
    ]
    assert "and 22 more" in rows[1]


def test_a_variable_of_mbarriers_is_one_array() -> None:
    index = """rem.s32 %r3, %r2, 5;
shl.b32 %r4, %r3, 3;
add.s32 %r5, %r1, %r4;
mbarrier.try_wait.parity.shared.b64 %p1, [%r5], 0;
mbarrier.try_wait.parity.shared.b64 %p1, [%r5+8], 0;"""
    check_page(
        _kernel_with(".shared .align 8 .b8 full[40];", 5, index),
        "## array of 5 mbarriers at `full`",
        *["initializes (1 arrival)"] * 5,
        *["waits (parity 0)"] * 2,
    )


def test_an_mbarrier_of_another_cta_has_the_name_of_its_counterpart() -> None:
    source = _kernel_with(
        ".shared .align 8 .b8 full[16];",
        2,
        "mapa.shared::cluster.u32 %r3, %r1, %r2;\nmbarrier.arrive.shared::cluster.b64 _, [%r3+8];",
    )
    checker, offset, _ = opened_at(source, "mbarrier.arrive")
    for _ in flow_pages.preparing(checker.semantics, flow_pages.BARRIERS, offset):
        pass
    text = flow_pages.page(checker.semantics, flow_pages.BARRIERS, offset, "")
    assert text is not None
    assert "`full + 8` of CTA `param_0`" in text


def _rows_of(source: str) -> list[str]:
    two = ["initializes (1 arrival)"] * 2 + ["waits (parity 0)"]
    rows = ["## array of 3 mbarriers at `smem + 64`", *["initializes (1 arrival)"] * 3, "waits (parity 0)"]
    return [*rows, "## array of 2 mbarriers at `smem + 96`", *two, "## array of 2 mbarriers at `smem + 112`", *two]


STAGES = """//- sm_90 ptx 8.0 module
.extern .shared .align 16 .b8 smem[];
.visible .entry kernel(.param .u32 kernel_param_0)
{
.reg .b32 %r<19>; .reg .pred %p<9>;
mov.b32 %r1, smem;
ld.param.u32 %r9, [kernel_param_0];
add.s32 %r5, %r1, 64;
mbarrier.init.shared.b64 [%r5], 1;
mbarrier.init.shared.b64 [%r1+72], 1;
mov.b32 %r2, 0;
again:
mbarrier.try_wait.parity.shared.b64 %p1, [%r5], %r9;    // in the loop
add.s32 %r3, %r2, 1;
setp.eq.b32 %p2, %r3, 2;
selp.b32 %r2, 0, %r3, %p2;
shl.b32 %r4, %r2, 3;
add.s32 %r6, %r1, %r4;
add.s32 %r5, %r6, 64;
mbarrier.arrive.shared.b64 _, [%r5];
@%p1 bra again;
mbarrier.try_wait.parity.shared.b64 %p1, [%r5+8], %r9;  // of the next stage, or none
ret;
}
"""


def test_a_register_that_holds_the_first_stage_and_then_others() -> None:
    source = STAGES.replace("[%r5+8]", "[%r5]")
    check_page(
        source,
        "## array of 2 mbarriers at `smem + 64`",
        *["initializes (1 arrival)"] * 2,
        "waits (parity `param_0`) in the loop",
        "arrives",
        "waits (parity `param_0`) of the next stage, or none",
    )
    assert "| 0 or `%r2` |" in "\n".join(page_of(source)[1])


def test_waits_that_are_far_apart_are_no_range() -> None:
    source = GROUPS.replace("bar.sync 0;", "cp.async.wait_group 1;\nbar.sync 0;\nbarrier.sync 0;")
    page = "\n".join(page_of(source)[1])
    assert re.search(r"\| lines \[\d+\]\S+ \[\d+\]\S+ \| waits until at most 1 group is unfinished", page)
    assert re.search(r"## barrier 0\n\n.*\n.*\n\| lines \[\d+\]\S+ \[\d+\]\S+ \| waits", page)


def test_stages_in_another_cta() -> None:
    """A mask gives the address in the first CTA of a pair, ``mapa`` that in any one."""
    source = STAGES.replace(
        "mbarrier.try_wait.parity.shared.b64 %p1, [%r5+8]",
        "and.b32 %r7, %r5, 0xFEFFFFF8;\nmbarrier.arrive.shared::cluster.b64 _, [%r7];\n"
        "mapa.shared::cluster.u32 %r8, %r5, %r9;\nmbarrier.arrive.shared::cluster.b64 _, [%r8];\n"
        "mbarrier.try_wait.parity.shared.b64 %p1, [%r5]",
    )
    page = "\n".join(page_of(source)[1])
    assert "| `%r2`, may be in another CTA |" in page, page
    assert "| `%r2` of CTA `param_0` |" in page, page


def test_waits_for_one_barrier_in_several_registers_are_one_row() -> None:
    source = GROUPS.replace("bar.arrive %r3, 64;", "mov.b32 %r4, 64;\nbar.sync %r3, %r4;")
    page = "\n".join(page_of(source)[1])
    assert re.search(r"## barrier 1\n\n.*\n.*\n\| lines \S+ \S+ \| waits \(64 threads\) \| `bar.sync` \|", page), page


def test_the_stage_may_be_masked() -> None:
    index = """mov.u32 %r3, %tid.x;
shl.b32 %r4, %r3, 3;
and.b32 %r5, %r4, MASK;
add.s32 %r6, %r1, %r5;
mbarrier.try_wait.parity.shared.b64 %p1, [%r6], 0;"""
    head = ".extern .shared .align 16 .b8 full[];"
    for mask, count in ((8, 2), (24, 4)):
        page = page_of(_kernel_with(head, 5, index.replace("MASK", str(mask))))[1]
        assert f"## array of {count} mbarriers at `full`" in page, page


def test_a_counterpart_that_only_some_threads_compute_and_use() -> None:
    code = """setp.lt.u32 %p1, %r2, 2;
@%p1 mapa.shared::cluster.u32 %r3, %r1, %r2;
@%p1 mbarrier.arrive.shared::cluster.b64 _, [%r3+8];"""
    page = "\n".join(page_of(_kernel_with(".shared .align 8 .b8 full[16];", 2, code))[1])
    assert "`full + 8` of CTA `param_0`" in page, page
    page = "\n".join(page_of(_kernel_with(".shared .align 8 .b8 full[16];", 2, code.replace("@%p1 mb", "@%p2 mb")))[1])
    assert "`full + 8` of CTA" not in page, "it may be another value"


def test_the_picture_of_the_control_flow_comes_last() -> None:
    """Where Mermaid is not rendered, it is some hundred lines of text."""
    checker, offset, _ = opened(GROUPS.replace("ret;", "<|>ret;"))
    for _ in flow_pages.preparing(checker.semantics, flow_pages.FLOW, offset):
        pass
    text = flow_pages.page(checker.semantics, flow_pages.FLOW, offset, "")
    assert text is not None
    assert text.index("| block | lines |") < text.index("```mermaid")
    assert text.rstrip().endswith("```")


@pytest.mark.parametrize("source", [RING, GROUPS], ids=["ring", "groups"])
def test_links_to_lines_have_no_break(source: str) -> None:
    """A preview breaks the line at a blank, so that half of a link is on the next one."""
    texts = [text for line in page_of(source)[1] for text in re.findall(r"\[([^\]]*)\]\([^)]*#L\d+\)", line)]
    assert any(text.startswith("line") for text in texts)
    assert not any(" " in text for text in texts)
