"""Addresses and pointers: of all state spaces, computed, split, exchanged, and kept in memory."""

from __future__ import annotations

from functools import partial

from .shapes import (
    CHOSEN,
    HEADER,
    REGISTERS,
    SHARED,
    Generator,
    Piece,
    body,
    half,
    in_a_loop,
    module,
    number_of,
    one_statement,
    staged,
)


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


POINTER_REGISTERS = ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;\n"


def pointers(n: int) -> str:
    """A kernel with pointers of some alignments, and accesses of vectors that may break them."""
    spaces = "global", "shared", "const", "local"
    return (
        f".visible .entry k{n}(.param .u64 .ptr .{spaces[n % 4]} .align {1 << n % 6} a, "
        f".param .u64 .ptr .global .align {n % 9} b, .param .u32 .ptr c, .param .u64 .ptr .align 16 d) {{\n"
        f"{POINTER_REGISTERS}"
        f"ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [d]; add.s64 %rd4, %rd3, {n % 99};\n"
        f"ld.{spaces[n % 4]}.v4.f32 {{%f1, %f2, %f3, %f4}}, [%rd1+{4 * (n % 7)}]; st.global.v2.b64 [%rd2+{n}], "
        f"{{%rd1, %rd2}}; ld.v2.u32 {{%r1, %r2}}, [%rd4+{n % 5}]; shl.b64 %rd5, %rd1, {n % 5}; "
        f"ld.global.v4.u32 {{%r1, %r2, %r3, %r4}}, [%rd5+{4 << n % 4}];\nret;\n}}\n"
    )


STATEMENTS: dict[str, Piece] = {
    "negated addresses": lambda n: f"ld.global.u32 %r1, [-%rd1+{n}];\n",
    "addresses of registers of 32 bits": lambda n: f"ld.global.u32 %r1, [%r{n % 9}+{n}];\n",
    "shared addresses": lambda n: (
        f"mad.lo.s32 %r{(n + 1) % 9}, %r{n % 9}, 4, {n}; st.shared.u32 [%r{(n + 1) % 9}], 1;\n"
    ),
    "addresses built from sums": lambda n: (
        f"add.s64 %rd{n % 9}, %rd{(n + 1) % 9}, {8 * n}; ld.global.f32 %f1, [%rd{n % 9}];\n"
    ),
    "local arrays and their addresses": lambda n: (
        f".local .align 8 .b8 depot{n}[{n}]; mov.u64 %rd{n % 9}, depot{n}; "
        f"cvta.local.u64 %rd1, %rd{n % 9}; st.u32 [%rd1+{n}], %f1;\n"
    ),
    "mapped addresses": lambda n: (
        f"mapa.shared::cluster.u32 %r{n % 8}, %r1, {n}; ld.shared::cluster.u32 %r2, [%r{(n + 1) % 8}];\n"
    ),
}
"""Statements of a kernel."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    "one address of many sums": one_statement("ld.global.u32 %r1, [%rd1", lambda n: f"+{n}", "]"),
    "addresses between generic, shared and cluster spaces": partial(
        body,
        lambda n: (
            f"cvta.shared.u64 %rd1, %rd2; add.s64 %rd3, %rd1, {n % 3 * 4}; st.u32 [%rd3+{n % 50 * 4}], %r1;\n"
            "cvta.to.shared.u64 %rd2, %rd3; mapa.shared::cluster.u64 %rd4, %rd2, %r3; isspacep.shared %p1, %rd3; "
            f"@%p1 ld.shared::cluster.u32 %r1, [%rd4+{n % 40 * 4}]; getctarank.shared::cluster.u32 %r3, %rd4;\n"
        ),
        before=".shared .align 4 .b8 s[4096]; mov.u64 %rd2, s; mov.u32 %r3, %cluster_ctarank;\n",
    ),
    "addresses and values exchanged in branches": partial(
        body,
        lambda n: (
            f"setp.lt.s32 %p1, %r{n % 8}, {n}; @%p1 bra X{n};\nmov.b32 %t, %r{n * 5 % 8}; "
            f"mov.b32 %r{n * 5 % 8}, %r{(n * 3 + 1) % 8}; mov.b32 %r{(n * 3 + 1) % 8}, %t;\n"
            f"X{n}: st.shared.u32 [%r{n * 7 % 8}], %r{(n + 3) % 8};\n"
            + f"setp.ne.s32 %p2, %r1, {n}; @%p2 bra X{n - 9};\n"
            * (n % 10 == 9)
        ),
        before=".reg .b32 %t; .shared .align 4 .b8 s[4096]; mov.u32 %r1, s; mov.u32 %r2, s; mov.u32 %r3, %tid.x;\n",
    ),
    "places of two indices, each with its own stride": partial(
        body,
        lambda n: (
            f"mad.lo.s32 %r4, %r1, {4 * (n % 61 + 1)}, %r3; mad.lo.s32 %r5, %r2, {4 * (n * 13 % 127 + 1)}, %r4; "
            f"st.shared.u32 [%r5+{4 * (n % 9)}], %r6; ld.shared.u32 %r6, [%r4+{4 * (n * 11 % 99)}];\n"
        ),
        before=".shared .align 16 .b8 s[32768]; mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, s;\n",
    ),
    "a stack frame of values, loaded in another order": partial(
        half,
        lambda n: (
            ".local .align 16 .b8 depot[16384]; .reg .b64 %SP, %SPL; mov.u64 %SPL, depot; cvta.local.u64 %SP, %SPL;\n"
            * (n == 0)
            + f"add.u64 %rd{n % 9}, %SP, {4 * (n % 4096)}; st.u32 [%rd{n % 9}], %r{n % 7};\n"
        ),
        lambda n: f"ld.local.u32 %r{n % 9}, [%SPL+{4 * (n * 1237 % 4096)}];\n",
    ),
    "loads through pointers to pointers": partial(
        body,
        lambda n: (
            f"ld.global.v2.u64 {{%rd2, %rd3}}, [%rd1+{16 * (n % 9)}]; setp.lt.s32 %p1, %r1, {n}; "
            "selp.b64 %rd1, %rd2, %rd3, %p1; ld.global.u32 %r1, [%rd1+8];\n"
        ),
        before="ld.param.u64 %rd1, [p];\n",
    ),
    "pointers split into halves, and joined": partial(
        body,
        lambda n: (
            f"mov.b64 {{%r1, %r2}}, %rd1; add.cc.u32 %r1, %r1, {4 * n}; addc.u32 %r2, %r2, 0; "
            + (
                "mov.b64 %rd1, {%r1, %r2}; "
                if n % 2
                else "cvt.u64.u32 %rd2, %r1; cvt.u64.u32 %rd3, %r2; shl.b64 %rd3, %rd3, 32; or.b64 %rd1, %rd2, %rd3; "
            )
            + "ld.global.u32 %r3, [%rd1];\n"
        ),
        before="ld.param.u64 %rd1, [p];\n",
    ),
    "rounds of a hash of the thread's number, each an address": partial(
        body,
        lambda n: (
            f"shf.r.wrap.b32 %r2, w{(n + 14) % 16}, w{(n + 14) % 16}, 17; shf.r.wrap.b32 %r3, w{(n + 1) % 16}, "
            f"w{(n + 9) % 16}, 7; lop3.b32 %r4, %r2, %r3, w{(n + 9) % 16}, 0x96; add.u32 w{n % 16}, w{n % 16}, %r4;\n"
            f"and.b32 %r5, w{n % 16}, 4092; add.u32 %r5, %r5, %r6; st.shared.u32 [%r5], w{(n + 5) % 16};\n"
        ),
        before=f".reg .b32 w<16>; {SHARED}mov.u32 w0, %r1;\n"
        + "".join(f"mad.lo.u32 w{n}, w{n - 1}, 0x9E3779B9, {n}; " for n in range(1, 16))
        + "\n",
    ),
    "one pointer to any of many arrays": staged(
        lambda n, count: f".shared .align 16 .b8 a{n}[16]; {CHOSEN.format(n=n, name='a')}",
        lambda n, count: f"st.shared.u32 [%r3+{n % 4 * 4}], %r2; ld.shared.u32 %r2, [a{n}+{n * 3 % 4 * 4}];\n",
        before=lambda count: f"{SHARED}mov.u32 %r3, s;\n",
    ),
    "pointers to many arrays, kept in a table": staged(
        lambda n, count: f".shared .align 4 .b32 a{n}[4]; mov.u64 %rd2, a{n}; st.local.u64 [table+{8 * n}], %rd2;\n",
        lambda n, count: (
            f"mad.lo.u32 %r3, %r2, {n}, %r1; rem.u32 %r3, %r3, {count}; mad.wide.u32 %rd4, %r3, 8, %rd3; "
            f"ld.local.u64 %rd5, [%rd4]; ld.shared.u32 %r2, [%rd5+{n % 4 * 4}];\n"
        ),
        before=lambda count: f".local .align 8 .b64 table[{count}]; mov.u64 %rd3, table; mov.u32 %r1, %tid.x;\n",
    ),
    "pointers to all arrays, which rotate through all registers": in_a_loop(
        lambda n, count: f".local .align 4 .b8 v{n}[16]; mov.u32 x{n}, v{n};\n",
        before=".reg .b32 x<#>;\n",
        step=lambda n, count: (
            f"mov.u32 x{count}, x0;\n" * (n == 0) + f"mov.u32 x{n}, x{n + 1}; st.local.u32 [x{n}+{n % 4 * 4}], {n};\n"
        ),
    ),
    "a list linked by numbers in a constant table": list_in_a_table,
    "pointers with alignments that accesses break": partial(module, pointers),
}
