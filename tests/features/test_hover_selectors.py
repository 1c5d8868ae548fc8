"""Hovers on ``prmt``: the bytes that are picked, as a picture and in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.features.hover import hover

from .hovering import check_both, check_hover, check_not_said, hovered

PICTURE = """\
         byte 3  byte 2  byte 1  byte 0
a = %r2   3: a3   2: a2   1: a1   0: a0
b = %r3   7: b3   6: b2   5: b1   4: b0
digit         5       4       1       0
d = %r1      b1      b0      a1      a0"""


def test_the_selector_as_a_picture() -> None:
    check_hover(
        "prmt.b32 %r1, %r2, %r3, 0x54<|>10;",
        "`0x5410` selector of `prmt`",
        "`d = [b1 b0 a1 a0]`: low halves of a and b",
        PICTURE,
    )


@pytest.mark.parametrize(
    ("operands", "says"),
    [
        ("%r2, %r3, 215<|>20", "`d = [b1 b0 a1 a0]`: low halves of a and b"),
        ("%r2, %r3, 0x76<|>32", "high halves of a and b"),
        ("%r2, %r3, 0x01<|>23", "swaps the bytes of a"),
        ("%r2, %r3, 0<|>", "byte 0 of a four times"),
        ("%r2, 0, 0x44<|>40", "`d = [0 0 0 a0]`: byte 0 of a, zero-extended"),
        ("%r2, 0, 0x54<|>32", "high half of a, zero-extended"),
        ("0, %r2, 0x54<|>10", "b shifted left by 16"),
        ("%r2, %r2, 0x54<|>32", "`d = [b1 b0 a3 a2]`: swaps the halves of a"),
        ("%r2, %r2, 0x43<|>21", "rotates a right by 8"),
        ("%r2, %r3, 0x88<|>80", "`d = [s(a0) s(a0) s(a0) a0]`: byte 0 of a, sign-extended"),
        ("%r2, %r3, 0xFFFF54<|>10", "low halves of a and b"),
        ("%r2, %r3, (5 << 12) + 0x<|>410", "selector of `prmt`"),
    ],
)
def test_summaries(operands: str, says: str) -> None:
    check_hover(f"prmt.b32 %r1, {operands};", says)


def test_signs_are_explained() -> None:
    check_hover("prmt.b32 %r1, %r2, 0, 0x99<|>10;", "d = %r1   s(a1)   s(a1)      a1      a0", "sign bit of x")
    check_not_said("prmt.b32 %r1, %r2, 0, 0x32<|>10;", "sign bit")


def test_a_selector_without_a_name_shows_its_bytes_only() -> None:
    digits = "digit         7       3       5       1"
    check_hover("prmt.b32 %r1, %r2, %r3, 0x73<|>51;", "`d = [b3 a3 b1 a1]`\n", digits)


@pytest.mark.parametrize(
    ("mode", "selector", "bytes_"),
    [
        (".f4e", "1", "b0 a3 a2 a1"),
        (".b4e", "1", "b2 b3 a0 a1"),
        (".rc8", "2", "a2 a2 a2 a2"),
        (".ecl", "2", "a3 a2 a2 a2"),
        (".ecr", "2", "a2 a2 a1 a0"),
        (".rc16", "7", "a3 a2 a3 a2"),
    ],
)
def test_a_mode_with_its_selector(mode: str, selector: str, bytes_: str) -> None:
    check_hover(f"prmt.b32{mode} %r1, %r2, %r3, <|>{selector};", f"selector of `prmt{mode}`", f"`d = [{bytes_}]`")
    whole = f"pr<|>mt.b32{mode} %r1, %r2, %r3, {selector};"
    check_hover(whole, f"`d = [{bytes_}]`", "byte of d      3      2      1      0")


def test_a_mode_as_a_table() -> None:
    table = "c & 3  byte 3  byte 2  byte 1  byte 0\n    0      b1      b2      b3      a0"
    check_hover("prmt.b32.b4<|>e %r1, %r2, %r3, %r4;", "`.b4e` of `prmt`", "downward", table)
    check_hover("prm<|>t.b32.b4e %r1, %r2, %r3, %r4;", table)
    check_hover("prmt.b32.b4e %r1, %r2, %r3, %r<|>4;", table, "register, declared")


def test_the_instruction_says_what_it_picks() -> None:
    check_hover(
        "pr<|>mt.b32 %r1, %r2, %r3, 0x5410;",
        "prmt.b32  d, a, b, c;\n```\n\nPTX 2.0, `sm_20` or newer · [PTX ISA: prmt]",
        "`d = [b1 b0 a1 a0]`: low halves of a and b",
        "byte of d      3      2      1      0\nis            b1     b0     a1     a0",
    )
    check_not_said("pr<|>mt.b32 %r1, %r2, %r3, %r4;", "byte of d", "d = [")


def test_a_register_whose_value_is_known() -> None:
    check_hover("mov.b32 %r4, 0x5410;\nprmt.b32 %r1, %r2, %r3, %r<|>4;", PICTURE, "value here: 21520")
    check_hover("mov.b32 %r5, 0x5400;\nor.b32 %r4, %r5, 16;\nprmt.b32 %r1, %r2, %r3, %r<|>4;", PICTURE)
    check_hover("mov.b32 %r4, 0x5410;\np<|>rmt.b32 %r1, %r2, %r3, %r4;", "low halves of a and b")
    check_not_said("ld.global.u32 %r4, [%rd1];\nprmt.b32 %r1, %r2, %r3, %r<|>4;", "digit  ")


@pytest.mark.parametrize(
    "statement",
    [
        "prmt.b32 %r1, %r2, %r3, 0x54<|>10",
        "prmt.b32 %r1, %r2, 0x54<|>10;",
        "prmt.b32 %r1, %r2, %r3, 0x54<|>10, 1;",
        "prmt.b64 %r1, %r2, %r3, 0x54<|>10;",
        "prmt %r1, %r2, %r3, 0x54<|>10;",
        "prmt.b32.f4e.rc8 %r1, %r2, %r3, 0x54<|>10;",
        "prmt.b32 {%r1, %r2}, %r2, %r3, 0x54<|>10;",
        "prmt.b32 %r1, [%r2], %r3, 0x54<|>10;",
        "prmt.b32 , , , 0x54<|>10;",
        "pr<|>mt.b32 %r1;",
        "prmt.b32 %r1, %r2, %r3, 99999999999999999999999<|>9;",
        "prmt.b32.x<|>y %r1, %r2, %r3, 1;",
    ],
)
def test_nothing_raises_on_broken_instructions(statement: str) -> None:
    info = hovered(statement)
    if info is not None:
        check_both(info)


BROKEN = sorted((Path(__file__).parents[1] / "diagnostics").glob("*.ptx"))


@pytest.mark.parametrize("path", BROKEN[::4], ids=lambda path: path.stem)
def test_nothing_raises_in_broken_files(path: Path) -> None:
    text = path.read_text("utf-8").replace("mov.", "prmt.").replace("add.", "setp.").replace("ld.global", "and.pred")
    semantics = Checker(text).semantics
    for offset in range(0, len(text), 11):
        info = hover(semantics, offset)
        if info is not None:
            check_both(info)
