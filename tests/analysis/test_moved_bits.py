"""Instructions that only move bits: the results change in no other bits than those that are named."""

from __future__ import annotations

import random

import pytest

from ptx_lsp.analysis.dataflow.known_bits import KnownBits
from ptx_lsp.analysis.dataflow.operations import compute
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.moved_bits import ALL, moved_bits
from ptx_lsp.checks.engine.checker import Checker
from ptx_lsp.syntax.kind import Kind


def context_of(instruction: str) -> StatementContext:
    """An instruction in a kernel."""
    registers = ".reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>;"
    checker = Checker(
        f".version 8.0\n.target sm_90\n.address_size 64\n.entry k() {{ {registers}\n{instruction}\nret; }}\n"
    )
    function = checker.module.functions[-1]
    (chunk,) = (one for one in function.chunks if Kind.INSTRUCTION in one.kinds)
    return StatementContext(checker.module, function, chunk, chunk.kinds.index(Kind.INSTRUCTION))


def check_moved(instruction: str, name: str, bits: int, expected: list[tuple[str, int]] | None) -> None:
    """``bits`` of the register ``name`` get into the ``expected`` bits of results."""
    assert moved_bits(context_of(instruction), name, bits) == expected


def test_bytes() -> None:
    check_moved("prmt.b32 %r1, %r2, %r3, 0x5410;", "%r3", ALL, [("%r1", 0xFFFF0000)])
    check_moved("prmt.b32 %r1, %r2, %r3, 0x3210;", "%r3", ALL, [("%r1", 0)])
    check_moved("prmt.b32 %r1, %r2, %r3, %r4;", "%r3", ALL, None)


def test_halves() -> None:
    check_moved("mov.b32 {%h1, %h2}, %r1;", "%r1", 0xFF0000FF, [("%h1", 0x00FF), ("%h2", 0xFF00)])
    check_moved("mov.b32 {_, %h2}, %r1;", "%r1", 0x000000FF, [("%h2", 0)])
    check_moved("mov.b32 %r1, {%h1, %h2};", "%h2", ALL, [("%r1", 0xFFFF0000)])


def test_stores() -> None:
    check_moved("st.global.u16 [%rd1], %r1;", "%r1", 0xFFFF0000, [])
    check_moved("st.global.u16 [%rd1], %r1;", "%r1", 0x00008000, None)
    check_moved("st.global.u64 [%rd1], %rd1;", "%rd1", ALL, None)
    check_moved("st.global.u32 [%rd1], %r1;", "%rd1", ALL, None)


def test_what_computes_uses_all_bits() -> None:
    check_moved("add.u32 %r1, %r2, 1;", "%r2", 1, None)
    check_moved("and.b32 %r1, %r2, %r3;", "%r2", 1, None)
    check_moved("shl.b32 %r1, %r2, %r3;", "%r3", 1, None)
    check_moved("shl.b32 %r1, 1, %r3;", "%r3", 1, None)


def test_a_guard_is_used() -> None:
    check_moved("@%p1 mov.u32 %r1, %r2;", "%r2", 1, [("%r1", 1)])


@pytest.mark.parametrize(
    ("instruction", "width"),
    [
        ("mov.b32 %r1, %r2;", 32),
        ("cvt.u64.u32 %rd1, %r2;", 32),
        ("cvt.s64.s32 %rd1, %r2;", 32),
        ("cvt.u16.u32 %h1, %r2;", 32),
        ("cvt.s32.s16 %r1, %r2;", 32),
        ("and.b32 %r1, %r2, 0x00ff0ff0;", 32),
        ("and.b32 %r1, -256, %r2;", 32),
        ("shl.b32 %r1, %r2, 13;", 32),
        ("shl.b32 %r1, %r2, 40;", 32),
        ("shr.u32 %r1, %r2, 9;", 32),
        ("shr.s32 %r1, %r2, 9;", 32),
        ("shr.s32 %r1, %r2, 32;", 32),
        ("bfe.u32 %r1, %r2, 7, 11;", 32),
        ("prmt.b32 %r1, %r2, 0x12345678, 0x1043;", 32),
        ("prmt.b32 %r1, %r2, %r2, 0x6301;", 32),
    ],
)
def test_other_bits_stay_as_they_are(instruction: str, width: int) -> None:
    context = context_of(instruction)
    tree = context.instruction
    assert tree is not None
    choose = random.Random(instruction)
    reached = 0
    for _ in range(200):
        bits, value = choose.getrandbits(width) & choose.getrandbits(width), choose.getrandbits(width)
        moved = moved_bits(context, "%r2", bits)
        assert moved is not None
        ((_, named),) = moved

        def result(register: int) -> int | None:
            texts = [context.text_of(one) for one in tree.operands[1:]]
            numbers = [register if text == "%r2" else int(text, 0) for text in texts]
            return compute(tree.opcode, [KnownBits.constant(one % (1 << 64)) for one in numbers]).number

        before, after = result(value), result(value ^ bits & choose.getrandbits(width))
        assert before is not None
        assert after is not None
        assert (before ^ after) & ~named == 0
        reached |= (before ^ after) & named
    assert reached or "40" in instruction
