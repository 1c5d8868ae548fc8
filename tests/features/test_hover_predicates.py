"""Hovers on predicates: the condition that one stands for."""

from __future__ import annotations

import pytest

from .hovering import check_hover, check_not_said

SET = "setp.ge.s32 %p1, %r1, %r2;\n"
CHAIN = "setp.ne.s32 %p3, %r3, 0;\nsetp.ge.and.s32 %p1, %r1, %r2, %p3;\n"


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (SET + "@%p<|>1 bra L;\nL:", "the instruction is executed where it is true"),
        (SET + "@%p<|>1 bra L;\nL:", "true where `%r1 >= %r2` (signed), as of line 7"),
        (SET + "@!%p<|>1 bra L;\nL:", "false where `%r1 < %r2` (signed), as of line 7"),
        (CHAIN + "@%p<|>1 ret;", "true where `%r1 >= %r2` (signed) and `%r3 != 0`, as of line 8"),
        (CHAIN + "@!%p<|>1 ret;", "false where `%r1 < %r2` (signed) or `%r3 == 0`, as of line 8"),
        (CHAIN + "selp.b32 %r4, 1, 0, %p<|>1;", "true where `%r1 >= %r2` (signed) and `%r3 != 0`"),
        (CHAIN + "and.pred %p5, %p1, %p<|>4;", "never written"),
        (CHAIN + "and.pred %p<|>5, %p1, %p4;", "becomes true where `%r1 >= %r2` (signed) and `%r3 != 0` and `%p4`"),
        (CHAIN + "or.pred %p<|>5, %p1, %p4;", "becomes true where (`%r1 >= %r2` (signed) and `%r3 != 0`) or `%p4`"),
        ("setp.ltu.f32 %p1|%p2, %f1, %f2;\n@%p<|>1 ret;", "true where `%f1 < %f2` (or unordered)"),
        ("setp.ltu.f32 %p1|%p2, %f1, %f2;\n@%p<|>2 ret;", "true where `%f1 >= %f2`, as of line 7"),
        ("setp.ltu.f32 %p1|%p<|>2, %f1, %f2;", "becomes true where `%f1 >= %f2`"),
        ("setp.lo.u32 %p<|>1, %r1, 8;", "becomes true where `%r1 < 8` (unsigned)"),
        ("setp.ls.u32 %p<|>1, %r1, 0;", "becomes true where `%r1 == 0`"),
        ("setp.gt.u32 %p<|>1, %r1, 0;", "becomes true where `%r1 != 0`"),
        ("setp.eq.s32 %p1, %r1, 0;\nmov.pred %p2, %p1;\n@%p<|>2 ret;", "true where `%r1 == 0`, as of line 8"),
        ("setp.eq.s32 %p1, %r1, 0;\nbra L;\nL:\n@%p<|>1 ret;", "true where `%r1 == 0`, as of line 7"),
        ("vote.sync.all.pred %p1, %p2, -1;\n@%p<|>1 ret;", "true where `vote.sync.all.pred` of `%p2`, `-1`"),
        ("mov.b32 %r1, 1;\nsetp.ne.b32 %p1, %r1, 0;\n@%p<|>1 ret;", "true, as of line 8"),
        ("mov.b32 %r1, -1;\nsetp.gt.u32 %p1, %r1, 0;\n@%p<|>1 ret;", "true, as of line 8"),
        ("mov.b32 %r1, -1;\nsetp.gt.s32 %p1, %r1, 0;\n@%p<|>1 ret;", "false, as of line 8"),
        ("setp.eq.u32 %p<|>1, 1, 0;", "becomes false"),
        ("mov.pred %p1, -1;\n@%p1 r<|>et;", "always executed"),
        ("mov.pred %p1, -1;\n@!%p1 r<|>et;", "never executed"),
        (
            "setp.eq.u32 %p1, 1, 1;\nsetp.ge.and.s32 %p2, %r1, %r2, %p1;\n@%p<|>2 ret;",
            "true where `%r1 >= %r2` (signed)",
        ),
        (SET + "setp.lt.or.u64 %p2, %rd1, 7, !%p<|>1;", "true where `%r1 >= %r2` (signed), as of line 7"),
    ],
)
def test_the_condition_of_a_predicate(source: str, says: str) -> None:
    check_hover(f"//- sm_80 ptx 7.0\n{source}", says)


@pytest.mark.parametrize(
    "source",
    [
        "@%p<|>1 ret;",
        "@%p2 setp.eq.s32 %p1, %r1, 0;\n@%p<|>1 ret;",
        SET + "@%p4 bra L;\nsetp.eq.s32 %p1, %r1, 0;\nL:\n@%p<|>1 ret;",
        "@%p4 setp.eq.s32 %p<|>1, %r1, 0;",
        "setp.eq.s32 %p1, %r1;\n@%p<|>1 ret;",
        "setp.eq.s32 %p1, %r1, 0\n@%p<|>1 ret;",
        "@%p<|>1 ret;\nsetp.eq.s32 %p1, %r1, 0;",
    ],
)
def test_nothing_is_said_where_it_is_not_sure(source: str) -> None:
    check_not_said(f"//- sm_80 ptx 7.0\n{source}", "true where", "false where")


def test_a_loop_reads_the_write_of_the_round_before() -> None:
    check_hover(
        "L:\nadd.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, %r2;\n@%p<|>1 bra L;",
        "true where `%r1 < %r2` (signed), as of line 8",
    )


def test_the_table_of_an_instruction_has_the_conditions() -> None:
    check_hover(CHAIN + "@!%p1 b<|>ra L;\nL:", "@!%p1  executed where %r1 < %r2 (signed) or %r3 == 0")
    check_hover("@%p9 b<|>ra L;\nL:", "executed where %p9 is true")
    check_hover("@!%p9 b<|>ra L;\nL:", "executed where %p9 is false")
    check_hover(SET + "se<|>lp.b32 %r4, 1, 0, %p1;", "reads %p1, .pred: %r1 >= %r2 (signed)")


def test_in_a_long_function_only_what_is_near_or_written_once() -> None:
    many = "\n".join(f"add.s32 %r{at % 9 + 10}, %r1, {at};" for at in range(3000))
    check_hover(f"{SET}{many}\n@%p<|>1 ret;", "true where `%r1 >= %r2` (signed), as of line 6")
    check_hover(f"{many}\n{CHAIN}@%p<|>1 ret;", "and `%r3 != 0`")
    twice = f"{SET}{many}\nL:\n@%p<|>1 ret;\nsetp.eq.s32 %p1, %r3, 0;\nbra L;"
    check_not_said(twice, "true where")


def test_a_guard_far_from_its_comparison() -> None:
    far = "add.s32 %r3, %r3, 1;\n" * 2000
    check_hover(f"//- sm_80 ptx 7.0\n{SET}L:\n{far}@%p1 r<|>et;", "executed where %r1 >= %r2 (signed)")
