"""Hostile files for the flow of values and control through a function.

Blocks in an odd order, values that come from far away, branches that divide warps and do not nest.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from .hostile import HEADER, body, repeated
from .sixth import flow, number_of


def two_ways(one: str, two: str) -> str:
    """Two ways that meet, each with some statements."""
    return f"setp.ne.u32 %p2, %r2, 0; @%p2 bra TWO; {one} bra MET; TWO: {two}\nMET:\n"


DIVIDING = "mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; bar.sync 0;\n"
"""A predicate that divides warps, and an instruction that all lanes must execute."""


def of_threads(text: str) -> str:
    """A kernel that is launched with so many threads that single ones are followed."""
    return text.replace(")\n{", ") .reqntid 512\n{", 1)


FACTORS = 8
_READS = "add.u32 %r5, {0}, %r4; st.shared.u32 [%r5], %r1; ld.shared.u32 %r2, [%r5+4]; st.shared.u32 [%r5+8], %r2;\n"
_SHARED = ".shared .align 4 .b8 s[1024]; mov.u32 %r4, s; ld.param.u64 %rd1, [p];\n"


def sums_of_products(size: int) -> str:
    """A value times eight others, summed, and the sum times the same again, and so on."""
    names = "".join(f"ld.global.u32 c{one}, [%rd1+{4 * one}]; " for one in range(FACTORS))

    def level(n: int) -> str:
        products = "".join(f"mad.lo.u32 w{n}, v{n}, c{one}, w{n}; " for one in range(1, FACTORS))
        return f".reg .b32 w{n}, v{n + 1}; mul.lo.u32 w{n}, v{n}, c0; {products}mov.u32 v{n + 1}, w{n};\n"

    count = max(1, size // len(level(10)))
    levels = "".join(map(level, range(count)))
    before = f".reg .b32 c<{FACTORS}>, v0; {_SHARED}{names}ld.global.u32 v0, [%rd1+64];\n{levels}"
    return of_threads(body(lambda n: _READS.format(f"v{count}"), 1, before=before))


def squares(size: int) -> str:
    """A value multiplied by itself again and again."""
    text = body(lambda n: "mul.lo.u32 %r1, %r1, %r1;\n", size, before=f"{_SHARED}ld.global.u32 %r1, [%rd1];\n")
    return of_threads(text.replace("ret;\n}\n", _READS.format("%r1") + "ret;\n}\n"))


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


def skipped_writes(size: int) -> str:
    """Branches around writes of many registers, each of which is read twice after all of them."""

    def piece(n: int) -> str:
        return f".reg .b32 k{n}; @%p{n % 8} bra Y{n}; mov.b32 k{n}, 1;\nY{n}: bar.sync 0;\n"

    def reads(n: int) -> str:
        return f"@%p8 bra Z{n}; add.s32 %r3, k{n}, 1;\nZ{n}: add.s32 %r3, k{n}, %r3;\n"

    count = number_of(size, piece, reads)
    text = "".join(map(piece, range(count))) + "".join(map(reads, range(count)))
    return body(lambda n: "st.global.u32 [%rd1], %r3;\n", 1, before=text)


GENERATORS: dict[str, Callable[[int], str]] = {
    "blocks in the reverse order, a value from one way": lambda size: flow(
        lambda n, count: (
            f"R{n}: @%p2 bra S{n}; add.s32 %r3, %r{n % 9}, {n};\nS{n}: bra {f'R{n - 1}' if n else 'END'};\n"
        ),
        size,
        lambda count: f"@%p3 bra R{count - 1}; mov.u32 %r1, 1; bra R{count - 1};\n",
    ),
    "blocks in the reverse order, each with a value from one way": lambda size: flow(
        lambda n, count: (
            f"R{n}: .reg .b32 x{n}; @%p2 bra S{n}; mov.b32 x{n}, {n};\n"
            f"S{n}: add.s32 %r3, x{n}, {n}; bra {f'R{n - 1}' if n else 'END'};\n"
        ),
        size,
        lambda count: f"bra R{count - 1};\n",
    ),
    "jumps back to the block before, each with a value": lambda size: flow(
        lambda n, count: (
            f"J{n}: .reg .b32 j{n}; add.s32 %r3, j{count - 1 - n}, {n}; @%p{n % 9} bra K{n}; mov.b32 j{n}, {n};\n"
            f"K{n}: @%p2 bra J{max(n - 1, 0)};\n"
        ),
        size,
    ),
    "branches that divide warps, and do not nest": lambda size: flow(
        lambda n, count: f"@%p1 bra F{min(n + 7, count - 1)}; st.global.u32 [%rd1+{n}], %r1;\nF{n}:\n",
        size,
        lambda count: DIVIDING,
    ),
    "branches that divide warps, to places far away": lambda size: flow(
        lambda n, count: f"@%p1 bra G{n * 7919 % count}; st.global.u32 [%rd1+{n}], %r1;\nG{n}:\n",
        size,
        lambda count: DIVIDING,
    ),
    "a predicate from two ways, read by branches far away": partial(
        body,
        lambda n: f"@%p1 bra L{n}; st.global.u32 [%rd1+{4 * n}], %r1;\nL{n}:\n",
        before=two_ways(DIVIDING, DIVIDING),
    ),
    "a predicate that each branch may change": partial(
        body,
        lambda n: f"@%p2 setp.ne.u32 %p1, %r1, {n}; @%p1 bra L{n}; st.global.u32 [%rd1], %r1;\nL{n}: bar.sync 0;\n",
        before=DIVIDING,
    ),
    "products of matrices under conditions of threads": lambda size: of_threads(
        body(
            lambda n: (
                f"setp.lt.u32 %p1, %r1, {n % 256}; @%p1 bra L{n};\n"
                "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd1, %rd2, 0, 1, 1, 0, 0;\n"
                f"L{n}: bar.sync 0;\n"
            ),
            size,
            before=two_ways("mov.u32 %r1, %tid.x;", "mov.u32 %r1, %tid.y;"),
        ).replace("sm_90", "sm_90a")
    ),
    "numbers of registers under conditions of threads": lambda size: of_threads(
        body(
            lambda n: (
                f"setp.lt.u32 %p1, %r1, {n % 256}; @%p1 bra L{n}; bar.sync 0;\n"
                f"L{n}: setmaxnreg.inc.sync.aligned.u32 {24 + 8 * (n % 20)};\n"
            ),
            size,
            before="mov.u32 %r1, %tid.x;\n",
        ).replace("sm_90", "sm_90a")
    ),
    "sums of products of sums of products": sums_of_products,
    "squares of squares": squares,
    "branches around writes, read far away": skipped_writes,
    "loops with more iterations for each thread": loops_of_threads,
    "one argument stored and passed often": partial(
        body,
        lambda n: f"@%p1 bra L{n}; st.param.b32 [one], %r1;\nL{n}: call.uni twice, (one);\n",
        before=".param .b32 one; .param .b32 other; call.uni twice, (other);\n",
    ),
}
"""All of them, by what is hostile in their texts."""
