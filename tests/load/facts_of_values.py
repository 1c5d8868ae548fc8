"""Hostile files about facts that are known of values: what they point to, their order, their copies, their bits.

All of them are right. Facts that depend on all of the others, or that statements take back one after another.
"""

from __future__ import annotations

from collections.abc import Callable

from .blind import kernel_of, turns
from .dataflow import of_threads
from .hostile import HEADER, REGISTERS, body
from .rounds import in_a_loop, staged
from .sixth import flow, number_of

DEPTH = 20
_WIDTH = 32
"""Half of the registers that exchange their halves."""


def short_loops(n: int) -> str:
    """Loops of three rounds each inside of each other; the innermost one stores at the sum of all counters."""
    opened = "".join(f"mov.u32 c{one}, 0;\nL{n}_{one}:\n" for one in range(DEPTH))
    sums = "".join(f"mad.lo.u32 %r5, c{one}, {4 * (one + n % 7)}, %r5;\n" for one in range(DEPTH))
    closed = "".join(
        f"add.u32 c{one}, c{one}, 1; setp.lt.u32 %p1, c{one}, 3; @%p1 bra L{n}_{one};\n"
        for one in reversed(range(DEPTH))
    )
    return f"{opened}mov.u32 %r5, %r4;\n{sums}st.shared.u32 [%r5], %r1; bar.sync 0;\n{closed}"


def all_cases(n: int) -> str:
    """Writes of one register under the eight conjunctions of three predicates and their complements, and a read."""
    text = (
        f".reg .b32 x{n}; setp.eq.u32 %p1, %r1, {n}; setp.lt.u32 %p2, %r2, {n}; setp.gt.s32 %p3, %r3, {n % 99}; "
        "not.pred %p4, %p1; not.pred %p5, %p2; not.pred %p6, %p3;\n"
    )
    for case in range(8):
        first, second, third = (place + 3 * (case >> place - 1 & 1) for place in (1, 2, 3))
        text += f"and.pred %p7, %p{first}, %p{second}; and.pred %p7, %p7, %p{third}; @%p7 mov.b32 x{n}, {case};\n"
    return f"{text}st.global.u32 [%rd1+{4 * n}], x{n};\n"


def exchanged(n: int) -> str:
    """A pair of registers that exchange halves, in one stage of many."""
    bit = 1 << n // _WIDTH % 6
    pair = n % _WIDTH
    a = (pair & ~(bit - 1)) << 1 | pair & (bit - 1)
    b = a | bit
    text = (
        f"mov.b32 {{%h1, %h2}}, x{a}; mov.b32 {{%h3, %h4}}, x{b}; "
        f"mov.b32 x{a}, {{%h1, %h3}}; mov.b32 x{b}, {{%h4, %h2}};\n"
    )
    if pair == _WIDTH - 1:
        text += f"and.b32 %r1, x{n % 64}, 16; setp.ne.u32 %p1, %r1, 0; @%p1 bra H{n}; add.u32 x0, x0, 1;\nH{n}:\n"
    return text


def list_in_a_table(size: int) -> str:
    """A constant table each entry of which is the place of the next one, and loads that follow it."""

    def entry(n: int) -> str:
        return f"{n}, "

    def step(n: int) -> str:
        return f"shl.b32 %r2, %r1, 2; add.u32 %r2, %r3, %r2; ld.const.u32 %r1, [%r2+{n % 2 * 4}];\n"

    count = number_of(size, entry, step)
    entries = ", ".join(str((n * 7919 + 1) % count) for n in range(count))
    statements = "".join(map(step, range(count)))
    return (
        f"{HEADER}.const .align 4 .u32 t[{count}] = {{{entries}}};\n.visible .entry k(.param .u64 p)\n{{\n{REGISTERS}"
        f"ld.param.u64 %rd1, [p]; mov.u32 %r3, t; mov.u32 %r1, 0;\n{statements}st.global.u32 [%rd1], %r1;\nret;\n}}\n"
    )


GENERATORS: dict[str, Callable[[int], str]] = {
    "pointers to all arrays, which rotate through all registers": in_a_loop(
        lambda n, count: f".local .align 4 .b8 v{n}[16]; mov.u32 x{n}, v{n};\n",
        before=".reg .b32 x<#>;\n",
        step=lambda n, count: (
            f"mov.u32 x{count}, x0;\n" * (n == 0) + f"mov.u32 x{n}, x{n + 1}; st.local.u32 [x{n}+{n % 4 * 4}], {n};\n"
        ),
    ),
    "registers ordered by a chain of comparisons, compared far away": staged(
        lambda n, count: f"ld.global.s32 x{n}, [%rd1+{4 * n}];\n",
        lambda n, count: f"setp.lt.s32 %p1, x{n}, x{n + 1}; @!%p1 bra END;\n",
        lambda n, count: (
            f"setp.gt.s32 %p2, x{n}, x{n * 7919 % count}; @%p2 bra S{n}; st.global.u32 [%rd1+{4 * n}], x{n};\nS{n}:\n"
        ),
        before=lambda count: f".reg .b32 x<{count + 1}>; mov.b32 x{count}, 0x7fffffff;\n",
    ),
    "nests of twenty loops of three rounds each": lambda size: of_threads(
        body(
            short_loops,
            size,
            before=f".shared .align 4 .b8 s[16384]; .reg .u32 c<{DEPTH}>; mov.u32 %r1, %tid.x; mov.u32 %r4, s;\n",
        )
    ),
    "writes under guards that only together cover all cases": lambda size: body(
        all_cases,
        size,
        before="ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %ctaid.x;\n",
    ),
    "copies of copies in a tree, overwritten from the root on": staged(
        lambda n, count: f"mov.u32 x{n}, {f'x{n // 2}' if n else '%r1'};\n",
        lambda n, count: f"add.u32 x{n}, x{n}, x{(n + 1) // 2};\n",
        lambda n, count: f"st.global.u32 [%rd1+{4 * n}], x{count - 1 - n};\n",
        before=lambda count: f".reg .u32 x<{count}>; mov.u32 %r1, %tid.x;\n",
    ),
    "halves of registers, exchanged in all stages of a butterfly": kernel_of(
        exchanged,
        ".reg .b32 x<64>; mov.u32 x0, %tid.x;\n" + "".join(f"mov.u32 x{n}, {n * n};\n" for n in range(1, 64)),
        "st.shared.u32 [shm], x1;\n",
    ),
    "a list linked by numbers in a constant table": list_in_a_table,
    "floats that each operation makes smaller": kernel_of(
        turns(
            "mul.rn.f64 %g1, %g1, 0d3FE0000000000000; add.rn.f64 %g2, %g1, %g2;\n",
            "fma.rn.f64 %g3, %g1, %g2, 1e-300; div.rn.f64 %g1, %g3, 3.0;\n",
            "sqrt.rn.f64 %g2, %g3; cvt.rn.f32.f64 %f1, %g2; rcp.rn.f32 %f2, %f1; ex2.approx.ftz.f32 %f3, %f2;\n",
            "cvt.f64.f32 %g2, %f3; sub.rn.f64 %g1, %g2, $n.5e-300; min.f64 %g3, %g1, %g2;\n",
            "setp.leu.f64 %p1, %g1, 0.$ne-9; @%p1 bra S$n; neg.f64 %g1, %g1;\nS$n:\n",
            "copysign.f32 %f4, %f3, %f1; testp.subnormal.f32 %p2, %f4; selp.f64 %g1, %g1, %g2, %p2;\n",
            "cvt.rni.f64.f64 %g4, %g1; cvt.rzi.s32.f64 %r1, %g4; cvt.rn.f64.s32 %g2, %r1;\n",
        ),
        "mov.f64 %g1, 0d7FEFFFFFFFFFFFFF; mov.f64 %g2, 1e300; mov.f64 %g3, 0.1; mov.f32 %f1, 1.5; mov.f32 %f3, 2.0;\n",
        "st.shared.f64 [shm], %g1;\n",
    ),
    "loops without a way out, each of which leads to the next": lambda size: flow(
        lambda n, count: (
            f"E{n}: add.s32 %r1, %r1, %r2; setp.eq.s32 %p1, %r1, {n}; @%p1 bra E{min(n + 1, count - 1)}; "
            f"bar.sync {n % 16}; bra E{n};\n"
        ),
        size,
        lambda count: "mov.u32 %r1, %tid.x; mov.u32 %r2, %laneid;\n",
    ),
}
"""All of them, by what is hostile in their texts."""
