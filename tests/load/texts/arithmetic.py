"""Arithmetic, conversions, and operations on bits."""

from __future__ import annotations

from functools import partial

from .shapes import Generator, Piece, body, cycle, in_a_loop, kernel_of, of_threads, turns

ROUNDINGS = "rn rz rm rp rni rzi rna rs".split()
CHANGES = "ftz sat relu satfinite".split()
TYPES = "u8 s8 u16 s16 u32 s32 u64 s64 f16 f32 f64 bf16 tf32 e4m3x2 b32 pred".split()


def network(size: int) -> str:
    """Registers sorted by comparisons of neighbours: as many rounds as registers."""
    count = max(4, int((size / 36) ** 0.5))
    compared = "".join(
        f"min.s32 %r1, v{n}, v{n + 1}; max.s32 v{n + 1}, v{n}, v{n + 1}; mov.b32 v{n}, %r1;\n"
        for step in range(count)
        for n in range(step % 2, count - 1, 2)
    )
    loads = "".join(f"ld.global.s32 v{n}, [%rd1+{4 * n}]; " for n in range(count))
    stores = "".join(f"st.global.s32 [%rd1+{4 * n}], v{n}; " for n in range(count))
    return body(
        lambda n: f"{stores}\n", 1, before=f".reg .b32 v<{count}>; ld.param.u64 %rd1, [p];\n{loads}\n{compared}"
    )


FACTORS = 8
READS = "add.u32 %r5, {0}, %r4; st.shared.u32 [%r5], %r1; ld.shared.u32 %r2, [%r5+4]; st.shared.u32 [%r5+8], %r2;\n"
SHARED_ARRAY = ".shared .align 4 .b8 s[1024]; mov.u32 %r4, s; ld.param.u64 %rd1, [p];\n"


def sums_of_products(size: int) -> str:
    """A value times eight others, summed, and the sum times the same again, and so on."""
    names = "".join(f"ld.global.u32 c{one}, [%rd1+{4 * one}]; " for one in range(FACTORS))

    def level(n: int) -> str:
        products = "".join(f"mad.lo.u32 w{n}, v{n}, c{one}, w{n}; " for one in range(1, FACTORS))
        return f".reg .b32 w{n}, v{n + 1}; mul.lo.u32 w{n}, v{n}, c0; {products}mov.u32 v{n + 1}, w{n};\n"

    count = max(1, size // len(level(10)))
    levels = "".join(map(level, range(count)))
    before = f".reg .b32 c<{FACTORS}>, v0; {SHARED_ARRAY}{names}ld.global.u32 v0, [%rd1+64];\n{levels}"
    return of_threads(body(lambda n: READS.format(f"v{count}"), 1, before=before))


def squares(size: int) -> str:
    """A value multiplied by itself again and again."""
    text = body(lambda n: "mul.lo.u32 %r1, %r1, %r1;\n", size, before=f"{SHARED_ARRAY}ld.global.u32 %r1, [%rd1];\n")
    return of_threads(text.replace("ret;\n}\n", READS.format("%r1") + "ret;\n}\n"))


STATEMENTS: dict[str, Piece] = {
    "masks of any kind": lambda n: f"lop3.b32 %r1, %r2, %r3, %r4, {n};\n",
    "chains of sums": lambda n: f"add.s32 %r{(n + 1) % 9}, %r{n % 9}, %r{(n + 5) % 9};\n",
    "conversions that lose bits": lambda n: f"cvt.u8.u32 %r{n % 9}, %r1; cvt.rn.f16.f32 %r2, %f{n % 9};\n",
    "shifts that are too far": lambda n: f"shl.b32 %r{n % 9}, %r1, {n};\n",
    "divisions by constants": lambda n: f"div.s32 %r1, %r2, {n % 7}; rem.u32 %r2, %r1, {n % 5};\n",
    "conversions between all types": lambda n: f"cvt.rn.{TYPES[n % 16]}.{TYPES[n // 16 % 16]} %r{n % 9}, %f{n % 8};\n",
    "conversions with words that do not go together": lambda n: (
        f"cvt.{ROUNDINGS[n % 8]}.{CHANGES[n // 8 % 4]}.{TYPES[n // 32 % 16]}.{TYPES[n // 512 % 16]} %r1, %f1;\n"
    ),
    "products and sums of wide results": lambda n: (
        f"mul.wide.u32 %rd{n % 8}, %r{n % 7}, {n}; add.s64 %rd1, %rd{n % 8}, %rd{(n + 5) % 8};\n"
    ),
    "permutations of bytes": lambda n: f"prmt.b32 %r{n % 8}, %r{(n + 1) % 8}, {n}, 0x{n % 65536:x};\n",
    "tables of truth": lambda n: f"lop3.b32 %r{n % 8}, %r1, %r2, %r{n % 7}, {n % 300};\n",
    "fields of bits": lambda n: f"bfe.u32 %r1, %r{n % 8}, {n % 70}, {n % 50}; bfi.b32 %r2, %r1, %r3, {n % 99}, 4;\n",
    "sums with carries across labels": lambda n: (
        f"add.cc.u32 %r1, %r{n % 9}, %r2; C{n}: addc{'.cc' * (n % 2)}.u32 %r3, %r4, {n}; "
        f"madc.hi.cc.u32 %r5, %r6, %r7, %r{n % 9}; @%p1 bra C{n - n % 5}; subc.u32 %r2, %r3, 0;\n"
    ),
}
"""Statements of a kernel."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    "a network that sorts registers": network,
    "bits that move by one place in each round": in_a_loop(
        lambda n, count: f"mov.u32 x{n + 1}, 0;\n",
        before=".reg .b32 x<#>; mov.u32 x0, 1;\n",
        step=lambda n, count: (
            f"shl.b32 %r2, x{count - 1 - n}, 1; or.b32 x{count - n}, x{count - n}, %r2; "
            f"and.b32 %r3, x{count - n}, {1 << n % 31}; setp.ne.u32 %p1, %r3, 0; @%p1 bra END;\n"
        ),
    ),
    "video instructions": kernel_of(
        cycle(
            "\tvadd4.u32.s32.u32.sat.add %r1.b3210, %r2.b7654, %r3, %r#;\n",
            "\tvmad.s32.s32.u32.po.sat.shr7 %r1, %r2.h0, -%r3.h1, %r4;\n",
            "\tvset2.s32.u32.lt.add %r1, %r2.h10, %r3.h32, %r#;\n",
            "\tvshl.u32.u32.u32.wrap %r1.b#, %r2, %r3;\n",
        )
    ),
    "sums of products of sums of products": sums_of_products,
    "squares of squares": squares,
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
}
