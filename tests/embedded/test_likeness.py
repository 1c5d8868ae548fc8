"""Fragments are alike if they differ only in the numbers of their own names, and in other numbers."""

from __future__ import annotations

import pytest

from ptx_lsp.checks.embedded.likeness import Likeness, likeness
from ptx_lsp.embedded.fragment import AsmFragment, fragments_of
from ptx_lsp.hosts.find import find_sites


def fragment(template: str) -> AsmFragment:
    text = f'__device__ void f(int a, int b) {{ asm("{template}" : "=r"(a) : "r"(b)); }}\n'
    (site,) = find_sites(text, "cuda-cpp")
    (found,) = fragments_of(site)
    return found


def like(template: str) -> Likeness | None:
    return likeness(fragment(template))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("L1: bra L1;", "L27: bra L27;"),
        ("{ .reg .b32 r1; mov.b32 r1, %1; }", "{ .reg .b32 r9; mov.b32 r9, %1; }"),
        ("{ .reg .b32 a1, a2; mov.b32 a2, a1; }", "{ .reg .b32 a7, a3; mov.b32 a3, a7; }"),
    ],
)
def test_names_are_alike(one: str, other: str) -> None:
    assert like(one) == like(other) is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [("mov.b32 %0, %1; // 12, 7", "mov.b32 %0, %1; // 9, 10"), ("mov.b32 %0, /* 1 */ %1;", "mov.b32 %0, /* 02 */ %1;")],
)
def test_numbers_of_comments_do_not_matter(one: str, other: str) -> None:
    assert like(one) == like(other) is not None


def test_numbers_are_apart() -> None:
    one, other = like("add.s32 %0, %1, 17;"), like("add.s32 %0, %1, 4;")
    assert one is not None
    assert other is not None
    assert one.text == other.text
    assert (one.numbers, other.numbers) == (("17",), ("4",))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("add.s32 %0, %1, 17;", "add.s16 %0, %1, 17;"),
        ("add.s32 %0, %1, 17;", "add.s32 %1, %0, 17;"),
        ("L1: bra L1;", "L1: bra L2;"),
        ("{ .reg .b32 a1, a2; mov.b32 a2, a1; }", "{ .reg .b32 a1, a2; mov.b32 a1, a2; }"),
        ("mov.b32 %0, %%r1;", "mov.b32 %0, %%r2;"),
        ("mov.b32 %0, x1;", "mov.b32 %0, $x1;"),
        ("mov.b64 {%0, x1}, a1.x;", "mov.b64 {%0, x1}, a2.x;"),
        ("st.shared::cta.b32 [a1], %1;", "st.shared::cluster.b32 [a1], %1;"),
        ("add.f32 %0, %1, 0f00000001;", "add.f32 %0, %1, 0f00000002;"),
        ("mov.b32 %0, 017;", "mov.b32 %0, 018;"),
        ('.file 1 \\"a1\\";', '.file 1 \\"a2\\";'),
        ("mov.b32 %0, %1; // %1", "mov.b32 %0, %1; // %2"),
        ("mov.b32 %0, %1; // x1", "mov.b32 %0, %1; // x2"),
        ('.pragma \\"a 1\\"; L1: bra L1;', '.pragma \\"a 2\\"; L1: bra L1;'),
    ],
)
def test_others_are_not_alike(one: str, other: str) -> None:
    assert like(one) != like(other) or like(one) is None


@pytest.mark.parametrize(
    "template",
    [
        "{ .reg .b32 q<4>; mov.b32 q1, %1; }",  # a member of a group
        "mov.b32 %0, x1; // x1",
        "lop3: bra lop3;",
        "@p1 mov.b32 p1, %1;",
        "mov.b32 %0, 1.5;",
        "mov.b32 %0, 12345678901, x1;",
        'mov.b32 %0, \\"x1\\";',
        "mov.b64 {x1, %0}, x1.y;",
        '.file 1 \\"a; L1: bra L1;',
    ],
)
def test_like_no_others(template: str) -> None:
    assert like(template) is None
