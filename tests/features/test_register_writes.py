"""Definition of registers: a cursor, and below the lines a number under each write, in the order of the answer."""

from __future__ import annotations

import re

from ptx_lsp.features.definition import Destination, implementations, preparing, register_writes, type_definition

from .cursor import opened

_MARKS = re.compile(r"^//([ \d]*\d)$", re.MULTILINE)


def _marked(text: str) -> list[int]:
    """The offsets above the digits of comment lines, in the order of the digits."""
    found = {}
    for mark in _MARKS.finditer(text):
        line = text.rindex("\n", 0, mark.start() - 1) + 1
        for digit in re.finditer(r"\d", mark[0]):
            found[int(digit[0])] = line + digit.start()
    return [offset for _, offset in sorted(found.items())]


def check_writes(source: str, *, every: bool = False) -> None:
    """The register at the cursor leads to the marked writes; with ``every`` its implementation does."""
    checker, offset, _ = opened(source)
    if every:
        found: list[Destination] | None = implementations(checker.semantics, offset)
    else:
        found = register_writes(checker.semantics, offset)
    assert found is not None
    assert [one.span.start for one in found] == _marked(checker.document.text)
    for one in found:
        assert one.origin.start <= offset <= one.origin.end
        assert one.extent.start <= one.span.start < one.span.end <= one.extent.end


def test_the_write_above() -> None:
    check_writes("""
{ .reg .b32 x, y;
mov.b32 x, 1;
mov.b32 x, 2;
//      1
add.s32 y, <|>x, 1;
mov.b32 x, 3; }
""")


def test_both_ways_the_nearest_first() -> None:
    check_writes("""
{ .reg .b32 x, y; .reg .pred p;
mov.b32 x, 1;
//      2
setp.eq.b32 p, y, 0;
@p bra join;
mov.b32 x, 2;
//      1
join:
add.s32 y, <|>x, 1; }
""")


def test_a_write_with_a_guard_does_not_hide_the_one_before() -> None:
    check_writes("""
{ .reg .b32 x, y; .reg .pred p;
mov.b32 x, 1;
//      2
setp.eq.b32 p, y, 0;
@p mov.b32 x, 2;
//         1
add.s32 y, <|>x, 1; }
""")


def test_a_result_is_its_own_definition() -> None:
    check_writes("""
{ .reg .b32 x;
mov.b32 x, 1;
add.s32 <|>x, x, 1; }
//      1
""")


def test_an_operand_that_is_also_the_result_comes_from_above() -> None:
    check_writes("""
{ .reg .b32 x;
mov.b32 x, 1;
//      1
add.s32 x, <|>x, 1; }
""")


def test_a_loop_leads_to_its_end_and_to_what_is_before_it() -> None:
    check_writes("""
{ .reg .b32 x, y; .reg .pred p;
mov.b32 x, 0;
//      2
again:
add.s32 y, <|>x, 1;
add.s32 x, x, 4;
//      1
setp.lt.s32 p, x, 64;
@p bra again; }
""")


def test_the_base_of_an_address() -> None:
    check_writes("""
{ .reg .b64 a; .reg .b32 v;
mov.b64 a, 64;
//      1
st.shared.b32 [<|>a+4], v; }
""")


def test_an_accumulator_is_written_there_and_before() -> None:
    check_writes("""
{ .reg .b64 d; .reg .f32 %f<4>; .reg .pred p;
wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, d, d, p, 1, 1, 0, 0;
//                                                        2
wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, <|>%f1, %f2, %f3}, d, d, p, 1, 1, 0, 0; }
//                                                        1
""")


def test_of_equal_names_the_one_in_the_same_block() -> None:
    check_writes("""
{ .reg .b32 x, y;
mov.b32 x, 1;
//      1
{ .reg .b32 x; mov.b32 x, 2; }
add.s32 y, <|>x, 1; }
""")


def test_what_nothing_writes_has_no_write() -> None:
    check_writes("{ .reg .b32 x, y; add.s32 y, <|>x, 1; }")
    check_writes("{ .reg .b32 <|>x; mov.b32 x, 1; }")
    check_writes("mov.b32 %r1, %ti<|>d.x;")


def test_the_implementation_is_implementations() -> None:
    check_writes(
        """
{ .reg .b32 x, y;
mov.b32 x, 1;
//      1
add.s32 y, <|>x, 1;
mov.b32 x, 3; }
//      2
""",
        every=True,
    )


def test_the_type_is_in_the_declaration() -> None:
    checker, offset, _ = opened("{ .reg .b32 %r<9>; mov.b32 <|>%r3, 1; }")
    found = type_definition(checker.semantics, offset)
    assert found is not None
    assert checker.document.text[slice(*found.span)] == "%r"
    checker, offset, _ = opened("{ bra <|>L; L: ret; }")
    assert type_definition(checker.semantics, offset) is None


def test_in_a_long_function_the_graph_is_made_first() -> None:
    line = "add.s32 z, z, 1;\n"
    checker, offset, _ = opened(
        f"{{ .reg .b32 x, y, z; .reg .pred p;\nmov.b32 x, 1;\n{line * 2000}@p mov.b32 x, 2;\nadd.s32 y, <|>x, z; }}"
    )
    assert register_writes(checker.semantics, offset) is None
    for _ in preparing(checker.semantics, offset):
        pass
    found = register_writes(checker.semantics, offset)
    assert found is not None
    assert len(found) == 2
