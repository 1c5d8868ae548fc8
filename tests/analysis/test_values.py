"""The known bits of a register at the mark: ``//? %r1 = 0x10`` asks about the statement above it.

``0x1?`` stands for unknown low bits of a digit, ``?`` for nothing known; leading zeros may be left out.
"""

from __future__ import annotations

import re

from ptx_lsp.analysis.dataflow.known_bits import KnownBits
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.syntax.document import Document

_ASKED = re.compile(r"//\? (\S+) = (\S+)")


def shown(bits: KnownBits) -> str:
    """Bits as hexadecimal digits, ``?`` for digits with unknown bits."""
    digits = ["?" if bits.known >> shift & 15 != 15 else f"{bits.value >> shift & 15:x}" for shift in range(60, -4, -4)]
    text = "".join(digits).lstrip("0") or "0"
    return "?" if not bits.known else f"0x{text}"


def check_values(body: str) -> None:
    """Check what each ``//?`` line says of a register before the instruction that follows it."""
    registers = ".reg .pred %p<4>; .reg .b16 %h<8>; .reg .b32 %r<16>; .reg .b64 %rd<16>;"
    module = Module(Document(f".version 8.0\n.target sm_90\n.entry k() {{ {registers}\n{body}\nret;\n}}\n"))
    flow = Semantics(module).flow(module.functions[-1])
    wrong = []
    asked = 0
    for node in flow.graph.nodes:
        for step in flow.steps.of(node.number):
            text = step.chunk.part(step.statement)
            for register, expected in _ASKED.findall(text):
                asked += 1
                found = shown(flow.values.before(step, flow.graph.registers.key(register, node.scope)))
                if found != expected:
                    wrong.append(f"{register} is {found}, not {expected}, before {text.split(chr(10))[-1]}")
    assert asked == len(_ASKED.findall(body))
    assert not wrong, "\n".join(wrong)


def test_straight_line() -> None:
    check_values("""
        mov.b32 %r1, 3;
        shl.b32 %r2, %r1, 4;
        //? %r1 = 0x3
        //? %r2 = 0x30
        or.b32 %r2, %r2, 1;
        //? %r2 = 0x31
        mov.u32 %r3, %tid.x;
        //? %r3 = 0x????????
        and.b32 %r4, %r3, 31;
        //? %r4 = 0x??
        shl.b32 %r5, %r3, 8;
        //? %r5 = 0x??????00
        mov.b32 %r6, 0;
    """)


def test_pack_and_unpack() -> None:
    check_values("""
        mov.b32 %r1, 0x12345678;
        mov.u32 %r2, %tid.x;
        mov.b64 %rd1, {%r1, %r2};
        //? %rd1 = 0x????????12345678
        mov.b64 {%r3, %r4}, %rd1;
        //? %r3 = 0x12345678
        //? %r4 = 0x????????
        mov.b32 {%h1, %h2}, %r1;
        //? %h1 = 0x5678
        //? %h2 = 0x1234
        cvt.u64.u32 %rd2, %r2;
        //? %rd2 = 0x????????
        ret;
    """)


def test_two_ways_meet() -> None:
    check_values("""
        mov.b32 %r1, 0x10;
        @%p1 bra OTHER;
        mov.b32 %r1, 0x30;
    OTHER:
        //? %r1 = 0x?0
        mov.b32 %r2, %r1;
        @%p2 mov.b32 %r2, 0x50;
        //? %r2 = 0x?0
        ret;
    """)


def test_loop_reaches_a_fixed_point() -> None:
    check_values("""
        mov.b32 %r1, 0;
        mov.b64 %rd1, 0x4000000000000000;
    LOOP:
        //? %r1 = 0x???????0
        //? %rd1 = 0x40000000???????0
        add.s32 %r1, %r1, 16;
        cvt.u64.u32 %rd2, %r1;
        or.b64 %rd1, %rd1, %rd2;
        setp.lt.s32 %p1, %r1, 256;
        @%p1 bra LOOP;
        ret;
    """)


def test_blocks_have_registers_of_their_own() -> None:
    check_values("""
        mov.b32 %r1, 1;
        { .reg .b32 %r1; mov.b32 %r1, 2;
        //? %r1 = 0x2
        mov.b32 %r2, %r1; }
        //? %r1 = 0x1
        //? %r2 = 0x2
        ret;
    """)


def test_thousands_of_writes_are_given_up() -> None:
    lines = "\n".join(f"add.s32 %r{n % 2 + 1}, %r{(n + 1) % 2 + 1}, 1;" for n in range(4000))
    check_values(f"mov.b32 %r1, 1;\n{lines}\n//? %r1 = ?\nret;")
