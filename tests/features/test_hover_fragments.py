"""Hovers on the registers of matrix instructions: which elements they hold."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.hover import hover
from ptx_lsp.features.hover.fragments import braced
from ptx_lsp.features.hover.parts import tile_pictures
from ptx_lsp.features.hover.parts.tile_pictures import blocks, boxes, cells
from ptx_lsp.layouts.fragments import Fragment, fragment_of

from ..layouts.spellings import PATHS, spellings
from .cursor import opened
from .hovering import check_both, check_hover, check_not_said, hovered

BROKEN = sorted((Path(__file__).parents[1] / "diagnostics").glob("*.ptx"))
D, A, B = "{%f0, %f1, %f2, %f3}", "{%r0, %r1, %r2, %r3}", "{%r4, %r5}"


def mma(d: str = D, a: str = A, b: str = B, c: str = D) -> str:
    """An ``mma`` with the cursor in one of its operands."""
    return f"//- sm_90a ptx 8.6\nmma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d}, {a}, {b}, {c};"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (mma(d="{%f<|>0, %f1, %f2, %f3}"), "register 0 of `d` of `mma`: row `g`, column `2*t`"),
        (mma(d="{%f0, %f1, %f2, %f<|>3}"), "row `g + 8`, column `2*t + 1` of a 16 × 8 matrix"),
        (mma(c="{%f0, %f<|>1, %f2, %f3}"), "register 1 of `c` of `mma`: row `g`, column `2*t + 1`"),
        (mma(a="{%r0, %r<|>1, %r2, %r3}"), "row `g + 8`, columns `2*t` and `2*t + 1` of a 16 × 16 matrix"),
        (mma(a="{%r0, %r1, %r2, %r3<|>}"), "row `g + 8`, columns `2*t + 8` and `2*t + 9`"),
        (mma(b="{%r4, %r<|>5}"), "rows `2*t + 8` and `2*t + 9`, column `g` of a 16 × 8 matrix"),
        (mma(a="<|>{%r0, %r1, %r2, %r3}"), "row `g + 8*(i/2%2)`, column `8*(i/4) + 2*t + i%2`"),
        (mma(a="{%r0, %r1, %r2, %r3}").replace("m16", "<|>m16", 1), "A is M x K, B K x N"),
        (mma().replace("mma", "m<|>ma", 1), "4 × .f16x2 at (g + 8*(i/2%2), 8*(i/4) + 2*t + i%2)"),
        (mma().replace("mma", "m<|>ma", 1), "element `i` at (row, column), `g = lane / 4`, `t = lane % 4`"),
    ],
)
def test_mma(source: str, expected: str) -> None:
    check_hover(source, expected)


def test_lanes_stand_in_the_picture() -> None:
    check_hover(
        mma(d="{%f0, %f<|>1, %f2, %f3}"),
        "  0   ·  0  ·  1  ·  2  ·  3     8   ·  ·  ·  ·  ·  ·  ·  ·",
        "  7   · 28  · 29  · 30  · 31    15",
    )


def test_blocks_of_a_large_tile() -> None:
    picture = "columns     0-7    8-15\nrows 0-7    a0     a2\nrows 8-15   [a1]   a3"
    check_hover(mma(a="{%r0, %r<|>1, %r2, %r3}"), picture)


def test_the_register_itself_is_still_told() -> None:
    check_hover(mma(a="{%r0, %r<|>1, %r2, %r3}"), ".reg .b32 %r<64>;", "`%r1`: `.b32` register")


def test_bytes_and_bits() -> None:
    words = "{%r8, %r9, %r10, %r11}, {%r0, %r1, %r2<|>, %r3}, {%r4, %r5}, {%r8, %r9, %r10, %r11};"
    check_hover(
        f"//- sm_90a ptx 8.6\nmma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {words}",
        "row `g`, columns `4*t + 16` to `4*t + 19` of a 16 × 32 matrix",
    )
    check_hover(
        f"//- sm_90a ptx 8.6\nmma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {words}",
        "columns `32*t + 128` to `32*t + 159` of a 16 × 256 matrix",
    )


def test_four_products_at_once() -> None:
    many = "{%f0, %f1, %f2<|>, %f3, %f4, %f5, %f6, %f7}"
    check_hover(
        f"//- sm_90a ptx 8.6\nmma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {many}, {{%r0, %r1}}, {B}, "
        f"{many.replace('<|>', '')};",
        "of tile `lane/4%4`",
    )


def test_sparse_metadata() -> None:
    source = (
        "//- sm_90a ptx 8.6\nmma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 "
        f"{D}, {A}, {{%r4, %r5, %r6, %r7}}, {D}, %r8<|>, 1;"
    )
    check_hover(source, "8 groups from the low bits up", "in lanes with `t/2 == 1`")


@pytest.mark.parametrize(
    ("shape", "types", "selector", "expected"),
    [
        ("n8k32", "f32.f16.f16", "1, 1, 1, 1, 0, 0", "in lanes with `t/2 == 1`"),
        ("n8k16", "f32.tf32.tf32", "0, 1, 1, 1", "column `4*(t%2) + i%4`, in lanes with `t/2 == 0`"),
        ("n8k64", "f32.e4m3.e5m2", "0, 1, 1, 1", "row `16*w + g + 8*(t%2)`, columns `8*(t/2)` to `8*(t/2) + 7`"),
    ],
)
def test_sparse_metadata_of_a_warpgroup(shape: str, types: str, selector: str, expected: str) -> None:
    opcode = f"wgmma.mma_async.sp.sync.aligned.m64{shape}.{types}"
    check_hover(f"//- sm_90a ptx 8.6\n{opcode} {D}, %rd1, %rd2, %r8<|>, {selector};", expected)


def test_sparse_a_has_half_the_columns() -> None:
    source = (
        "//- sm_90a ptx 8.6\nmma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 "
        f"{D}, {{%r0<|>, %r1, %r2, %r3}}, {{%r4, %r5, %r6, %r7}}, {D}, %r8, 1;"
    )
    check_hover(source, "of a 16 × 16 matrix")


def test_wgmma_by_warps() -> None:
    many = ", ".join(f"%f{number}{'<|>' * (number == 13)}" for number in range(32))
    opcode = "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16"
    source = f"//- sm_90a ptx 8.6\n{opcode} {{{many}}}, %rd1, %rd2, 1, 1, 1, 0, 0;"
    check_hover(source, "row `16*w + g`, column `2*t + 25` of a 64 × 64 matrix", "…   d12 [d13]   …")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r<|>1, %r2, %r3}, [%r4];", "and `2*t + 1` of tile `1`"),
        ("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r0, %r<|>1, %r2, %r3}, [%r4];", "rows `2*t` and `2*t + 1`"),
        ("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r4], {%r0, %r<|>1};", "`2*t + 1` of tile `1`"),
        ("movmatrix.sync.aligned.m8n8.trans.b16 %r<|>2, %r1;", "`d` of `movmatrix`: row `g`, columns `2*t`"),
    ],
)  # fmt: skip
def test_moves(line: str, expected: str) -> None:
    check_hover(f"//- sm_90a ptx 8.6\n{line}", expected)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("tcgen05.ld.sync.aligned.32x32b.x4.b32 {%r4, %r5, %r<|>6, %r7}, [%r1];", "row `lane`, column `2` of a 32"),
        ("tcgen05.ld.sync.aligned.16x64b.x4.b32 {%r4, %r5, %r<|>6, %r7}, [%r1];", "`g + 8*(t%2)`, column `t/2 + 4`"),
        ("tcgen05.st.sync.aligned.16x256b.x1.b32 [%r1], {%r4, %r5, %r<|>6, %r7};", "row `g + 8`, column `2*t`"),
        ("tcgen05.st.sync.aligned.16x128b.x1.b32 [%r1], {%r4, %r5<|>};", "row `g + 8`, column `t`"),
        ("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r4, %r<|>5}, [%r1];", "column `g + 8` of tile `0`"),
        ("stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%r1], {%r4<|>};", "row `g + 8*(i/2%2)`, column `2*t + i%2`"),
    ],
)  # fmt: skip
def test_blackwell(line: str, expected: str) -> None:
    check_hover(f"//- sm_100a ptx 8.6\n{line}", expected)


def test_wmma_fragments_are_not_specified() -> None:
    source = (
        "//- sm_90a ptx 8.6\nwmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32 {%f0, %f1, %f2, %f3, %f4, %f5, "
        "%f6, %f7}, {%r0, %r1<|>, %r2, %r3}, {%r4, %r5, %r6, %r7}, {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7};"
    )
    check_hover(source, "the elements are not specified, and differ between architectures")


def test_other_registers_are_as_ever() -> None:
    check_not_said("//- sm_90a ptx 8.6\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r<|>4];", "row `")
    check_not_said("//- sm_90a ptx 8.6\nadd.s32 %r<|>1, %r2, %r3;", "row `")


def test_one_register_too_many() -> None:
    check_not_said(mma(a="{%r0, %r1, %r2, %r3, %r4, %r<|>5}"), "columns")


def test_no_brace_elsewhere() -> None:
    checker, offset, _ = opened("//- sm_90a ptx 8.6\nld.global.v2.f32 <|>{%f0, %f1}, [%rd1];")
    assert braced(checker.module, offset) is None


@cache
def every_fragment() -> list[Fragment]:
    found = {
        fragment_of(one.path, operand, one.context)
        for path in PATHS for one in spellings(path) for operand in one.registers
    }  # fmt: skip
    return sorted((one for one in found if one is not None and not one.unknown), key=repr)


def test_pictures_fit_for_all_shapes() -> None:
    fragments = every_fragment()
    assert len(fragments) > 100
    for fragment in fragments:
        for register in {0, 1, fragment.registers // 2, fragment.registers - 1}:
            if register >= fragment.registers:
                continue
            for lines in (list(blocks(fragment, register)), list(blocks(fragment, None))):
                assert len(lines) <= 8, fragment
                assert max(map(len, lines)) <= 72, (fragment, lines)
            own = f"[{fragment.operand}{register}]" if fragment.registers > 1 else f"[{fragment.operand}]"
            assert own in "\n".join(blocks(fragment, register)), (fragment, register)
            if fragment.columns == 8 and fragment.rows in (8, 16):
                lines = list(cells(fragment, register))
                assert len(lines) == 9
                assert max(map(len, lines)) <= 72


def test_some_lanes_are_enough_for_the_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    fragments = [one for one in every_fragment() if one.registers <= 32]
    quick = [boxes(one) for one in fragments]
    boxes.cache_clear()
    monkeypatch.setattr(tile_pictures, "CORNERS", tuple(range(32)))
    assert quick == [boxes(one) for one in fragments]
    boxes.cache_clear()


@pytest.mark.parametrize("path", PATHS)
def test_hovers_fit_for_all_shapes(path: str) -> None:
    chosen = {(one.context.types, tuple(one.registers.items())[:2]): one for one in spellings(path)}
    for one in list(chosen.values())[::7]:
        for operand in ("d", "a", "b", "c", "r"):
            count = one.registers.get(operand, 0)
            if not count:
                continue
            info = hovered(f"//- {one.target} ptx 9.0\n{_statement(one.opcode, one.registers, operand)}")
            assert info is not None
            check_both(info)


def _statement(opcode: tuple[str, ...], registers: dict[str, int], pointed: str) -> str:
    shown = []
    for name, count in registers.items():
        letter = "%f" if name in "dc" and (".f32" in opcode) else "%r"
        many = ", ".join(f"{letter}{number}" for number in range(count))
        vector = f"{{{many}}}" if name in "dabcr" and not opcode[0].startswith("mov") else many
        vector = vector.replace(letter + "0", letter + "0<|>", 1) if name == pointed else vector
        shown.append({"p": "[%r9]", "taddr": "[%r9]", "f": "0"}.get(name, vector))
    return f"{''.join(opcode)} {', '.join(shown)};"


@pytest.mark.parametrize("file", BROKEN[::12], ids=lambda file: file.stem)
def test_never_raises(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    semantics = Checker(text).semantics
    for offset in range(0, len(text), 7):
        hover(semantics, offset)
