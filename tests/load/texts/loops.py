"""Loops: inside of each other, across each other, entered in the middle, left at many places, or of many rounds."""

from __future__ import annotations

from functools import partial

from .shapes import (
    CLOSED,
    HEADER,
    HEADER_8_6,
    OPENED,
    Generator,
    Piece,
    body,
    flow,
    in_a_loop,
    kernel_of,
    listed,
    nested,
    nested_statements,
    of_threads,
    repeated,
    staged,
)


def loop_entered_everywhere(size: int) -> str:
    """One loop, each of whose statements a table enters."""
    return flow(
        lambda n, count: (
            f"I{n}: mad.lo.s32 %r{n % 8}, %r{(n + 1) % 8}, {n}, %r{(n + 5) % 8};\n"
            + "add.s32 %r8, %r8, 1; setp.lt.s32 %p1, %r8, 100; @%p1 bra I0;\n" * (n == count - 1)
        ),
        size,
        lambda count: f"mov.b32 %r8, 0;\nALL: .branchtargets {listed('I', count)};\nbrx.idx %r1, ALL;\n",
    )


def left_through_one_table(size: int) -> str:
    """Loops inside of loops: in the innermost one, a table leads to any of them."""
    return staged(
        lambda n, count: (
            f"L{n}: add.s32 %r{n % 7}, %r1, {n};\n"
            + f"ALL: .branchtargets {listed('C', count)};\nbrx.idx %r8, ALL;\n" * (n == count - 1)
        ),
        lambda n, count: f"C{count - 1 - n}: setp.lt.s32 %p1, %r1, {n}; @%p1 bra L{count - 1 - n};\n",
    )(size)


def loops_of_threads(size: int) -> str:
    """Kernels with loops of many iterations, more for each thread, in which threads write far into an array."""

    def loop(n: int) -> str:
        return (
            f"mov.u32 %r6, 0; add.u32 %r7, %r1, {n};\nL{n}: mad.lo.u32 %r5, %r6, 4, %r4; mad.lo.u32 %r5, %r1, 4, %r5; "
            "st.shared.u32 [%r5], %r1; add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, %r7; @%p1 bra "
            f"L{n};\n"
        )

    first = ".shared .align 4 .b8 s[8192]; mov.u32 %r4, s; mov.u32 %r1, %tid.x;\n"
    kernel = of_threads(body(lambda n: "bar.sync 0;\n", 1, before=first + "".join(map(loop, range(10)))))
    return HEADER + repeated(size, lambda n: kernel.removeprefix(HEADER).replace(" k(", f" k{n}("))


DEPTH = 20


def short_loops(n: int) -> str:
    """Loops of three rounds each inside of each other; the innermost one stores at the sum of all counters."""
    opened = "".join(f"mov.u32 c{one}, 0;\nL{n}_{one}:\n" for one in range(DEPTH))
    sums = "".join(f"mad.lo.u32 %r5, c{one}, {4 * (one + n % 7)}, %r5;\n" for one in range(DEPTH))
    closed = "".join(
        f"add.u32 c{one}, c{one}, 1; setp.lt.u32 %p1, c{one}, 3; @%p1 bra L{n}_{one};\n"
        for one in reversed(range(DEPTH))
    )
    return f"{opened}mov.u32 %r5, %r4;\n{sums}st.shared.u32 [%r5], %r1; bar.sync 0;\n{closed}"


STATEMENTS: dict[str, Piece] = {
    "overlapping loops": lambda n: f"O{n}: add.s32 %r{n % 9}, %r1, 1; @%p1 bra O{max(n - 20, 0)};\n",
    "loops in loops": lambda n: f"N{n}:\n" if n % 40 < 20 else f"@%p1 bra N{n - 1 - 2 * (n % 20)};\n",
    "ways out of one loop": lambda n: f"{'LOOP: ' if not n else ''}@%p{n % 9} bra OUT{n % 30}; bra LOOP;\n",
    "values that go round in loops": lambda n: (
        f"V{n}: mov.b32 %r{n % 8}, %r{(n + 1) % 8}; setp.ne.s32 %p1, %r{n % 8}, {n}; @%p1 bra V{n - n % 16};\n"
    ),
    "addresses that move in loops": lambda n: (
        f"M{n}: ld.global.u32 %r1, [%rd1]; add.s64 %rd1, %rd1, {4 * n}; setp.lt.u64 %p1, %rd1, %rd2; @%p1 bra M{n};\n"
    ),
    "loops that enter each other": lambda n: f"I{n}: @%p{n % 8} bra I{n ^ 1}; @%p{(n + 1) % 8} bra I{n ^ 3};\n",
    "jumps into the middle of loops": lambda n: (
        f"@%p1 bra J{n}; K{n}: add.s32 %r1, %r1, 1; J{n}: setp.lt.s32 %p1, %r1, {n}; @%p1 bra K{n};\n"
    ),
}
"""Statements of a kernel."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    "loops nested as deep as the text is long": partial(
        nested_statements,
        lambda n: f"N{n}: add.s32 %r1, %r1, {n};\n",
        "bar.sync 0;\n",
        lambda n: f"setp.lt.s32 %p1, %r1, {n}; @%p1 bra N{n};\n",
    ),
    "one loop, entered at each of its statements": loop_entered_everywhere,
    "loops inside of each other, left through one table": left_through_one_table,
    "one counter compared with many bounds in one loop": in_a_loop(
        before="",
        step=lambda n, count: (
            f"setp.gt.u32 %p{n % 7}, %r8, {n * 7919 % count * 9}; @%p{n % 7} bra E{n}; "
            f"st.global.u32 [%rd1+{4 * n}], %r8;\nE{n}:\n"
        ),
    ),
    "loops of billions of known steps": staged(
        lambda n, count: (
            f"mov.u32 %r2, {n + 27}; mov.u32 %r1, 0;\n"
            f"I{n}: and.b32 %r3, %r2, 1; setp.ne.u32 %p1, %r3, 0; shr.u32 %r3, %r2, 1; mad.lo.u32 %r4, %r2, 3, 1; "
            f"selp.b32 %r2, %r4, %r3, %p1; setp.ne.u32 %p2, %r2, 1; @%p2 bra I{n};\n"
            f"J{n}: add.u32 %r1, %r1, %r2; setp.lt.u32 %p1, %r1, {4_000_000_000 - n}; @%p1 bra J{n};\n"
            f"add.u32 %r5, %r1, {4 * n}; and.b32 %r5, %r5, 1020; add.u32 %r5, %r5, %r6; st.shared.u32 [%r5], %r2;\n"
        ),
        before=lambda count: ".shared .align 4 .b8 s[1024]; mov.u32 %r6, s;\n",
    ),
    "a nest of loops": nested(
        HEADER_8_6 + OPENED,
        lambda n: f"L{n}:\tadd.s32 %r{n % 90}, %r{(n + 1) % 90}, 1;\n",
        "\tbar.sync 0;\n",
        lambda n: f"\tsetp.lt.s32 %p1, %r{n % 90}, 9;\n@%p1\tbra L{n};\n",
        CLOSED,
    ),
    "loops that cross": kernel_of(
        lambda n: f"L{n}:\tadd.s32 %r1, %r1, {n};\n@%p1 bra L{max(0, n - 5)};\n@%p2 bra L{n + 3};\n"
    ),
    "loops with more iterations for each thread": loops_of_threads,
    "nests of twenty loops of three rounds each": lambda size: of_threads(
        body(
            short_loops,
            size,
            before=f".shared .align 4 .b8 s[16384]; .reg .u32 c<{DEPTH}>; mov.u32 %r1, %tid.x; mov.u32 %r4, s;\n",
        )
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
