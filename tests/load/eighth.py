"""Twenty-two more kinds of hostile files: addresses that are hard to follow, work of many threads, texts pasted as PTX.

The first ones are right: their pointers go through tables, halves and swizzles, their barriers and mbarriers are
computed, their values come from hashes and networks. The others have thousands of forms that are nearly right.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from .blind import turns
from .hostile import HEADER, body, module
from .rounds import listed, staged
from .seventh import PRODUCT
from .sixth import SM_90A, Piece, number_of, under
from .threads import many_threads

SHARED = ".shared .align 16 .b8 s[32768]; mov.u32 %r6, s; mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [p];\n"
CHOSEN = "setp.eq.u32 %p1, %r1, {n}; @%p1 mov.u32 %r3, {name}{n};\n"

SHAPES = "m8n8k4 m16n8k4 m16n8k8 m16n8k16 m16n8k32 m16n8k64 m16n8k128 m16n8k256 m8n8k16 m8n8k32 m8n8k128".split()
TYPES = "f16 bf16 tf32 f32 f64 s8 u8 s4 u4 b1 e4m3 e5m2 e2m1 s32".split()
OPERATIONS = "and or xor exch add inc dec min max cas".split()
WIDTHS = "b32 b64 u32 s32 u64 s64 f32 f64 f16x2 bf16 b128 noftz.f16".split()
ORDERS = "relaxed acquire release acq_rel".split()
SCOPES = "cta cluster gpu sys".split()
SPACES = "global shared shared::cta shared::cluster".split()

RIGHT_STATEMENTS: dict[str, tuple[str, Piece]] = {
    "loads through pointers to pointers": (
        "ld.param.u64 %rd1, [p];\n",
        lambda n: (
            f"ld.global.v2.u64 {{%rd2, %rd3}}, [%rd1+{16 * (n % 9)}]; setp.lt.s32 %p1, %r1, {n}; "
            "selp.b64 %rd1, %rd2, %rd3, %p1; ld.global.u32 %r1, [%rd1+8];\n"
        ),
    ),
    "pointers split into halves, and joined": (
        "ld.param.u64 %rd1, [p];\n",
        lambda n: (
            f"mov.b64 {{%r1, %r2}}, %rd1; add.cc.u32 %r1, %r1, {4 * n}; addc.u32 %r2, %r2, 0; "
            + (
                "mov.b64 %rd1, {%r1, %r2}; "
                if n % 2
                else "cvt.u64.u32 %rd2, %r1; cvt.u64.u32 %rd3, %r2; shl.b64 %rd3, %rd3, 32; or.b64 %rd1, %rd2, %rd3; "
            )
            + "ld.global.u32 %r3, [%rd1];\n"
        ),
    ),
    "barriers of computed numbers": (
        SHARED,
        lambda n: (
            f"mad.lo.u32 %r2, %r3, {n}, %r1; and.b32 %r2, %r2, 15; st.shared.u32 [%r6+{4 * (n % 999)}], %r2; "
            f"{('bar.sync', 'bar.arrive', 'barrier.sync')[n * n % 3]} %r2, 64; "
            f"ld.shared.u32 %r3, [%r6+{4 * (n % 77)}];\n"
        ),
    ),
    "rounds of a hash of the thread's number, each an address": (
        f".reg .b32 w<16>; {SHARED}mov.u32 w0, %r1;\n"
        + "".join(f"mad.lo.u32 w{n}, w{n - 1}, 0x9E3779B9, {n}; " for n in range(1, 16))
        + "\n",
        lambda n: (
            f"shf.r.wrap.b32 %r2, w{(n + 14) % 16}, w{(n + 14) % 16}, 17; shf.r.wrap.b32 %r3, w{(n + 1) % 16}, "
            f"w{(n + 9) % 16}, 7; lop3.b32 %r4, %r2, %r3, w{(n + 9) % 16}, 0x96; add.u32 w{n % 16}, w{n % 16}, %r4;\n"
            f"and.b32 %r5, w{n % 16}, 4092; add.u32 %r5, %r5, %r6; st.shared.u32 [%r5], w{(n + 5) % 16};\n"
        ),
    ),
    "fragments of products, converted and fed to the next ones": (
        f"{SHARED}mov.u32 %r7, s;\n",
        lambda n: (
            f"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {{%r5, %r6}}, [%r7+{n % 99 * 16}];\n"
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r1, %r2, %r3, %r4}, "
            "{%r5, %r6}, {%f0, %f1, %f2, %f3};\n"
            f"cvt.rn.f16x2.f32 %r{n % 4 + 1}, %f1, %f0; cvt.rn.f16x2.f32 %r{(n + 1) % 4 + 1}, %f3, %f2; "
            f"movmatrix.sync.aligned.m8n8.trans.b16 %r{(n + 2) % 4 + 1}, %r{n % 4 + 1};\n"
        ),
    ),
}
"""Statements of right kernels, with what stands before them."""

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
"""Statements of right kernels of 1024 threads, whose numbers are in ``%r1``."""

X86 = (
    "\tmovl\t$$n, -$m(%rbp,%rax,4)\n",
    ".LBB$m_$n:\n",
    "\tvfmadd231ps\t%zmm1{%k1}{z}, %zmm2, %zmm$n\n",
    "\t.cfi_def_cfa_offset $n\n",
    "\tje\t.LBB$m_$n\t\t# 8-byte Folded Reload\n",
    "\tv_mad_f32 v$n, s[0:1], v[2:3], v$m quad_perm:[0,1,2,3]\n",
    '\t.type\tf$n,@function\n\t.section\t.rodata.str1.1,"aMS",@progbits,1\n',
    "\tldp\tx29, x30, [sp], #$n\n",
    "\tcallq\t*f$n@GOTPCREL(%rip)\n",
)
LATER = (
    "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r$n];",
    "cp.async.ca.shared.global [%r1], [%rd1+$n], 16;",
    "mbarrier.init.shared.b64 [%r1+$n], 1;",
    "redux.sync.add.s32 %r1, %r2, $n;",
    "min.xorsign.abs.f32 %f1, %f2, %f3; createpolicy.fractional.L2::evict_last.b64 %rd$n, 1.0;",
    "fence.mbarrier_init.release.cluster; mapa.u32 %r1, %r2, $n;",
    "wgmma.wait_group.sync.aligned $n; elect.sync %r1|%p1, $n;",
    "tcgen05.wait::ld.sync.aligned; tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned; bar.sync $n;",
    "add.rn.f32x2 %rd1, %rd2, %rd3; add.u16x2 %r1, %r2, $n; st.bulk.weak.shared::cta [%r1], $n, 0;",
    "atom.global.b128.exch %rd1, [%rd2], $n; multimem.red.global.add.u32 [%rd1], $n;",
    "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%rd1, %rd2}, {%rd3}, {%rd4}, {%rd5, %rd$n};",
    'alloca.u64 %rd1, $n; griddepcontrol.wait; .pragma "used_bytes_mask $n"; szext.clamp.u32 %r1, %r2, $n;',
)
ALIKE = str.maketrans("aceopxyiB1", "асеорхуіВ1")


def alike(n: int) -> str:
    """Statements some words of which have letters of another alphabet, or signs that turn the direction."""
    words = f".reg .b32 count{n}, axe{n}; mov.b32 count{n}, axe{n}; ex2.approx.f32 %f1, %f{n % 9}; bra loop{n};".split()
    return " ".join(word.translate(ALIKE) if (n >> place) & 1 else word for place, word in enumerate(words)) + (
        "\u202e // \u2066 x\u200b\n" if n % 3 else "\n"
    )


def product(n: int) -> str:
    """A matrix product of a shape and four types, of which few go together."""
    d, a, b, c = (TYPES[n // 11 // step % 14] for step in (1, 14, 3, 5))
    sparse = ("", ".sp", ".sp::ordered_metadata")[n % 3]
    return (
        f"mma{sparse}.sync.aligned.{SHAPES[n % 11]}.row.col.{d}.{a}.{b}.{c} {{%f1, %f2}}, {{%r1}}, {{%r2}}, {{%f3}};\n"
    )


def reduction(n: int) -> str:
    """An atomic operation with an order, a scope, a space and a type, of which some go together."""
    order, scope, space = ORDERS[n // 3 % 4], SCOPES[n // 12 % 4], SPACES[n // 48 % 4]
    operation, width = OPERATIONS[n // 2 % 10], WIDTHS[n // 20 % 12]
    vector = ("", "", ".v2")[n // 7 % 3]
    kind, first = ("red", "") if n % 2 else ("atom", "%r1, ")
    return f"{kind}.{order}.{scope}.{space}.{operation}{vector}.{width} {first}[%rd{n % 9}+{8 * n}], %r2;\n"


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


def files_at_the_end(size: int) -> str:
    """A kernel each line of which is of another file; the files follow in another order, with long paths."""

    def line(n: int) -> str:
        return f".loc {n + 1} {n % 999 + 1} 3\nadd.s32 %r{n % 9}, %r1, {n};\n"

    def file(n: int) -> str:
        return f'.file {n + 1} "/usr/include/thrust/detail/kernel_{n}.h", {1_700_000_000 + n}, {n}\n'

    count = number_of(size, line, file)
    kernel = body(lambda n: "membar.cta;\n", 1, before="".join(map(line, range(count))))
    return kernel + "".join(file(count - 1 - n) for n in range(count))


def files_up_and_down(size: int) -> str:
    """Files whose paths go up and down many folders, and a kernel with lines of some."""
    kernel = body(lambda n: f".loc {n + 1} {n + 1} 1\nadd.s32 %r1, %r1, {n};\n", size // 8)
    parts = ("../", "a/../", "./", "//", "b c/", "%2e%2e/", "C:/", "..../", "~/", "file:///")

    def file(n: int) -> str:
        path = "".join(parts[(n + place * place) % 10] for place in range(n % 60))
        return f'.file {n + 1} "/x/{path}k{n}.cu"\n'

    return module(file, size * 7 // 8) + kernel.removeprefix(HEADER)


GENERATORS: dict[str, Callable[[int], str]] = {
    **{name: partial(body, piece, before=before) for name, (before, piece) in RIGHT_STATEMENTS.items()},
    **{
        name: lambda size, piece=piece: many_threads(body(piece, size, before=SHARED))  # type: ignore[misc]
        for name, piece in OF_THREADS.items()
    },
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
    "one mbarrier among many, chosen by the thread": staged(
        lambda n, count: (
            f".shared .align 8 .b64 m{n}; mbarrier.init.shared.b64 [m{n}], 1; {CHOSEN.format(n=n, name='m')}"
        ),
        lambda n, count: (
            f"{'bar.sync 0; ' * (n == 0)}mbarrier.arrive.shared.b64 _, [%r3];\n"
            f"W{n}: mbarrier.try_wait.parity.shared.b64 %p1, [m{n}], 0; @!%p1 bra W{n};\n"
        ),
        before=lambda count: f"{SHARED}mov.u32 %r3, s;\n",
    ),
    "warps of many roles, each of which awaits the one before": staged(
        lambda n, count: (
            f"mbarrier.init.shared.b64 [m+{8 * n}], 32;{' bar.sync 0; brx.idx %r2, ALL;' * (n == count - 1)}\n"
        ),
        lambda n, count: (
            f"ROLE{n}: mbarrier.try_wait.parity.shared.b64 %p1, [m+{8 * n}], %r3; @!%p1 bra ROLE{n};\n"
            f"ld.shared.u32 %r4, [%r6+{4 * n}]; st.shared.u32 [%r6+{4 * ((n + 1) % count)}], %r4;\n"
            f"mbarrier.arrive.shared.b64 _, [m+{8 * ((n + 1) % count)}]; xor.b32 %r3, %r3, 1; bra ROLE{n};\n"
        ),
        before=lambda count: (
            f"{SHARED}.shared .align 8 .b64 m[{count}]; shr.u32 %r2, %r1, 5; mov.u32 %r3, 0;\n"
            f"ALL: .branchtargets {listed('ROLE', count)};\n"
        ),
    ),
    "descriptors of tiles, made of their bits": under(
        SM_90A,
        lambda size: body(
            lambda n: (
                f"add.u32 %r2, %r6, {n * 1024 % 32768}; and.b32 %r2, %r2, 0x3FFFF; shr.u32 %r2, %r2, 4; "
                f"cvt.u64.u32 %rd{n % 2 + 1}, %r2; or.b64 %rd{n % 2 + 1}, %rd{n % 2 + 1}, {n % 64 << 16}; "
                f"bfi.b64 %rd{n % 2 + 1}, %rd3, %rd{n % 2 + 1}, 32, 14; or.b64 %rd{n % 2 + 1}, %rd{n % 2 + 1}, "
                f"{1 << 62};\nwgmma.fence.sync.aligned; {PRODUCT} wgmma.commit_group.sync.aligned; "
                f"wgmma.wait_group.sync.aligned {n % 2};\n"
            ),
            size,
            before=f"{SHARED}mov.b64 %rd1, 0; mov.b64 %rd2, 0; mov.b64 %rd3, 64;\n",
        ),
    ),
    "a network that sorts registers": network,
    "lines of files that are declared after them": files_at_the_end,
    "files with paths that go up and down": files_up_and_down,
    "matrix products of every shape and every type": partial(body, product),
    "atomic operations of every order, scope, space and type": partial(body, reduction),
    "instructions of all later versions": under(
        ".version 6.0\n.target sm_50\n.address_size 64\n", partial(body, turns(*(f"{one}\n" for one in LATER)))
    ),
    "letters that look like others": partial(body, alike),
    "patches of programs, with conflicts": lambda size: module(
        turns(
            "diff --git a/k$n.ptx b/k$n.ptx\n--- a/k$n.ptx\n+++ b/k$n.ptx\n",
            "@@ -$n,7 +$m,9 @@ .entry k$m(.param .u64 p)\n",
            "-\tadd.s32 %r1, %r2, $n;\n+\tadd.s32 %r1, %r2, $m;\n",
            " {\n+.reg .b32 %r<$n>;\n-.reg .u32 %r<$m>;\n",
            "<<<<<<< HEAD\n.entry k$m() {\nL$n: bra L$m;\n||||||| 0x$n\n=======\n.entry k$m() { // $n\n>>>>>>> main\n",
        ),
        size,
    ),
    "statements after numbers of lines and addresses": lambda size: body(
        turns(
            "  $n  add.s32 %r1, %r2, $n;\n",
            "k.ptx:$n:$m: mov.b32 %r1, x$n;\n",
            "0000$n:\t$m | bra L$n;\n",
            "$n> L$n: ret;\n",
            "[$n] .reg .b32 y$n;\n",
        ),
        size,
    ),
    "assembly of other processors": lambda size: module(turns(*X86), size),
}
"""All of them, by what is hostile in their texts."""
