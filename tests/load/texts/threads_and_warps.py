"""Facts about single threads, lanes and warps: divergence, races, and values that lanes exchange."""

from __future__ import annotations

from functools import partial

from .shapes import HEADER, REGISTERS, SHARED, Generator, Piece, body, flow, in_a_loop, of_threads, repeated


def two_ways(one: str, two: str) -> str:
    """Two ways that meet, each with some statements."""
    return f"setp.ne.u32 %p2, %r2, 0; @%p2 bra TWO; {one} bra MET; TWO: {two}\nMET:\n"


DIVIDING = "mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; bar.sync 0;\n"
"""A predicate that divides warps, and an instruction that all lanes must execute."""

DONE = "mbarrier.try_wait.parity.shared.b64 %p2, [b+{0}], 0; @!%p2 bra W{0};\n"


def kernels(size: int, statements: str) -> str:
    """Kernels of 1024 threads, all with the same statements."""
    text = f"() .reqntid 1024\n{{\n{REGISTERS}{statements}\nret;\n}}\n"
    return HEADER + repeated(size, lambda n: f".visible .entry k{n}{text}")


def arrivals(size: int, predicate: str) -> str:
    """Arrivals at mbarriers, under guards about threads."""
    return of_threads(
        body(
            lambda n: (
                f"mbarrier.init.shared.b64 [b+{8 * n}], 4000; {predicate.format(n)}; "
                f"@%p1 mbarrier.arrive.shared.b64 _, [b+{8 * n}];\nW{8 * n}: {DONE.format(8 * n)}"
            ),
            size,
            before=".shared .align 8 .b8 b[100000]; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 31;\n",
        ),
        1024,
    )


ACCESSES = "".join(
    f"st.shared.u32 [%r5+{4096 * n}], %r1; ld.shared.u32 %r2, [%r5+{4096 * n + 4}];\n" for n in range(12)
)


def races(size: int, place: str, guard: str) -> str:
    """Stores and loads of one array in a loop."""
    return kernels(
        size,
        ".shared .align 4 .b8 s[65536]; mov.u32 %r4, s; mov.u32 %r1, %tid.x; and.b32 %r3, %r1, 31; mov.u32 %r6, 0;\n"
        f"{guard}; mad.lo.u32 %r5, {place}, 4, %r4; @%p1 bra E;\n"
        f"L: {ACCESSES} add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, %r7; @%p1 bra L;\nE: bar.sync 0;",
    )


STATEMENTS: dict[str, Piece] = {
    "votes and shuffles": lambda n: (
        f"shfl.sync.idx.b32 %r1|%p1, %r2, {n}, 31, {n}; vote.sync.ballot.b32 %r2, %p1, {n};\n"
    ),
    "register pools": lambda n: f"setmaxnreg.{('inc', 'dec')[n % 2]}.sync.aligned.u32 {n % 300};\n",
    "values of lanes": lambda n: f"shfl.sync.idx.b32 %r{n % 8}|%p{n % 8}, %r1, {n % 40}, 0x{n % 64:x}, -1;\n",
    "elected lanes and masks of lanes": lambda n: (
        f"elect.sync %r{n % 9}|%p{n % 9}, -1; activemask.b32 %r8; @%p{n % 9} bra G{n}; bar.warp.sync %r{n % 9};\n"
        f"G{n}: match.any.sync.b32 %r7, %r1, %r{n % 9}; redux.sync.add.s32 %r1, %r2, {n};\n"
    ),
}
"""Statements of a kernel."""

OF_THREADS: dict[str, Piece] = {
    "places of threads in swizzled tiles": lambda n: (
        f"shr.u32 %r2, %r1, {n % 5}; and.b32 %r3, %r2, {8 << n % 3}; xor.b32 %r4, %r3, %r4; shl.b32 %r5, %r4, 2; "
        f"and.b32 %r5, %r5, 16380; add.u32 %r5, %r5, %r6; st.shared.u32 [%r5+{16 * (n % 99)}], %r7;\n"
        + "bar.sync 0; xor.b32 %r4, %r4, %r1;\n"
        * (n % 4 == 3)
    ),
    "stores by ranges of threads that overlap": lambda n: (
        f"setp.ge.u32 %p1, %r1, {n * 37 % 900}; setp.lt.and.u32 %p2, %r1, {n * 37 % 900 + n % 99 + 1}, %p1; "
        f"mad.lo.u32 %r2, %r1, 4, %r6; @%p2 st.shared.u32 [%r2+{n % 61 * 4}], %r3; @%p2 ld.shared.u32 %r3, [%r2];\n"
        + "bar.sync 0;\n"
        * (n % 32 == 31)
    ),
}
"""Statements of a kernel of 1024 threads, whose numbers are in ``%r1``."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    **{
        name: lambda size, piece=piece: of_threads(body(piece, size, before=SHARED), 1024)  # type: ignore[misc]
        for name, piece in OF_THREADS.items()
    },
    "divergence that spreads by one branch in each round": in_a_loop(
        lambda n, count: f"mov.u32 x{n + 1}, 0;\n",
        before=".reg .b32 x<#>; mov.u32 x0, %laneid;\n",
        step=lambda n, count: (
            f"setp.ne.u32 %p1, x{count - 1 - n}, 0; @%p1 bra D{n}; add.u32 x{count - n}, x{count - n}, 1;\nD{n}:\n"
            + "shfl.sync.bfly.b32 %r1, %r1, 1, 31, -1;\n" * (n % 8 == 7)
        ),
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
    "arrivals of the first threads": partial(arrivals, predicate="setp.lt.u32 %p1, %r1, {0}"),
    "arrivals of single lanes": partial(arrivals, predicate="setp.eq.u32 %p1, %r2, {0}"),
    "races in loops, under an unknown condition": partial(races, place="%r1", guard="setp.eq.u32 %p1, %r7, 0"),
    "races in loops, of the first threads": partial(races, place="%r1", guard="setp.ge.u32 %p1, %r1, 1000"),
    "races in loops, of lanes": partial(races, place="%r3", guard="setp.eq.u32 %p1, %r7, 0"),
}
