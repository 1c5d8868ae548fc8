"""Thirty more kinds of hostile files: programs as compilers make them, of which each piece is right, and broken ones.

The first ones are meant to be right: what is hard in them is how control, addresses, counts and bits depend on each
other. The others are wrong in what joins statements, wait for what never comes, or are no statements at all.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial

from .blind import cycle
from .hostile import HEADER, body, half, module
from .sixth import SM_90A, SM_100A, Piece, flow, nest, under

SM_100 = SM_100A.replace("sm_100a", "sm_100")
DEBUGGED = HEADER.replace("sm_90", "sm_90, debug")

BITS = (
    "and.b32 %r{a}, %r{b}, {n}; ",
    "bfi.b32 %r{a}, %r{b}, %r{c}, {low}, {n9}; ",
    "bfe.u32 %r{a}, %r{b}, {low}, {n9}; ",
    "prmt.b32 %r{a}, %r{b}, %r{c}, {n4}; ",
    "lop3.b32 %r{a}, %r{b}, %r{c}, %r{a}, {n8}; ",
    "shf.l.wrap.b32 %r{a}, %r{b}, %r{c}, {low}; ",
    "popc.b32 %r{a}, %r{b}; ",
    "or.b32 %r{a}, %r{b}, {n}; ",
)
LONG_OPCODES = (
    "cp.async.bulk.tensor.5d.shared::cluster.global.im2col::w.mbarrier::complete_tx::bytes.multicast::cluster",
    "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.and.b32",
    "tcgen05.mma.sp.cta_group::2.kind::mxf8f6f4.block_scale.scale_vec::1X.collector::a::lastuse",
    "wgmma.mma_async.sp.sync.aligned.m64n256k64.s32.satfinite.u8.s8",
    "mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale.f32.e2m1.e2m1.f32.ue4m3",
    "red.async.relaxed.cluster.global.mbarrier::complete_tx::bytes.shared::cluster.inc.u32",
    "ld.relaxed.sys.global.L1::evict_last.L2::cache_hint.L2::256B.v8.b32",
    "multimem.ld_reduce.acquire.sys.global.add.acc::f32.v4.bf16x2",
    "tcgen05.ld.red.sync.aligned.16x32bx2.x128.min.abs.NaN.pack::16b.f32",
    "barrier.cluster.arrive.release.aligned.popc.red.and.pred",
    "fence.proxy.tensormap::generic.acquire.sync_restrict::shared::cluster.cta",
)
SEQUENCE = (
    "{",
    ".param .align 8 .b8 a[16];",
    ".param .b32 r;",
    "st.param.b64 [a], %rd1;",
    "st.param.b64 [a+8], %rd2;",
    "call.uni (r), f#, (a);",
    "ld.param.b32 %r1, [r];",
    "}",
)
GUARDED = (
    "@%p1 .reg .b32 g#; @(%p1) mov.b32 %r1, #;",
    "@!%p# L#: @%p1 { @%p1 @!%p2 @q# bra L#;",
    '@%p1 } @%q#; @ %p1 .pragma "x#";',
    "@%p1.x bra L#; @%p1|%p2 bra L1; @%p1 .loc 1 # 1",
)
MARKS = "\"/*\\\n;{'"


def cases_by_halving(size: int) -> str:
    """A tree of comparisons with a case at each leaf: all cases write the same registers, and end at one place."""

    def tree(low: int, high: int) -> Iterator[str]:
        middle = (low + high) // 2
        if middle == low:
            yield f"mov.b32 %r{low % 2}, {low}; bra END;\n"
            return
        yield f"setp.ge.u32 %p{middle % 9}, %r2, {middle}; @%p{middle % 9} bra H{middle};\n"
        yield from tree(low, middle)
        yield f"H{middle}: "
        yield from tree(middle, high)

    return body(lambda n: "END: add.s32 %r0, %r0, %r1;\n", 1, before="".join(tree(0, max(2, size // 80))))


def machine_of_states(size: int) -> str:
    """States that one table reaches: each says which one is next, and writes what some other reads."""
    return flow(
        lambda n, count: (
            f"S{n}: add.s32 %r{n % 6}, %r{(n + 2) % 6}, {n}; setp.lt.s32 %p2, %r{n % 5}, {n}; "
            f"selp.b32 %r8, {n * 7919 % count}, {n * 31 % count}, %p2; bra NEXT;\n"
        ),
        size,
        lambda count: (
            "mov.b32 %r8, 0; mov.b32 %r7, 0;\nNEXT: add.s32 %r7, %r7, 1; setp.gt.u32 %p1, %r7, 99; @%p1 bra END;\n"
            f"ALL: .branchtargets {', '.join(f'S{n}' for n in range(count))};\nbrx.idx %r8, ALL;\n"
        ),
    )


def loop_entered_everywhere(size: int) -> str:
    """One loop, each of whose statements a table enters."""
    return flow(
        lambda n, count: (
            f"I{n}: mad.lo.s32 %r{n % 8}, %r{(n + 1) % 8}, {n}, %r{(n + 5) % 8};\n"
            + "add.s32 %r8, %r8, 1; setp.lt.s32 %p1, %r8, 100; @%p1 bra I0;\n" * (n == count - 1)
        ),
        size,
        lambda count: (
            f"mov.b32 %r8, 0;\nALL: .branchtargets {', '.join(f'I{n}' for n in range(count))};\nbrx.idx %r1, ALL;\n"
        ),
    )


def labels_of_debug_entries(size: int) -> str:
    """A kernel with a label before each statement, and sections that name all of them."""
    kernel = body(lambda n: f"$T{n}: .loc 1 {n + 1} 1\nadd.s32 %r{n % 9}, %r1, {n};\n", size // 2)
    count = kernel.count("$T")
    entries = "".join(f".b8 {n % 128}\n.b64 $T{n * 7 % count}\n.b64 $T{n}\n" for n in range(count))
    return f'{kernel}.file 1 "a.cu"\n.section .debug_info\n{{\n{entries}}}\n'


def anagram(number: int) -> str:
    """Ten letters in an order that looks random."""
    return "".join(random.Random(number).sample("abcdefghij", 10))


def bits(n: int) -> str:
    """Some operations on bits, and a branch over others that one bit of the result decides."""
    numbers = {"n": n, "low": n % 32, "n4": n * 7 % 65536, "n8": n % 256, "n9": n % 9}
    one, other = (
        BITS[(n * step) % 8].format(a=(n + step) % 8, b=n * step % 8, c=n * 3 % 7, **numbers) for step in (1, 5)
    )
    return f"{one}and.b32 %r8, %r{(n + 1) % 8}, {1 << n % 31}; setp.eq.u32 %p1, %r8, 0; @%p1 bra K{n};\n{other}K{n}:\n"


def packed_predicate(n: int) -> str:
    """A predicate that is written into a bit of one register, and a branch by another bit of it."""
    return (
        f"setp.lt.s32 %p{n % 8}, %r2, {n}; selp.b32 %r3, 1, 0, %p{n % 8}; shl.b32 %r4, %r3, {n % 32}; "
        f"and.b32 %r1, %r1, {~(1 << n % 31)}; or.b32 %r1, %r1, %r4; shr.u32 %r5, %r1, {n * 7 % 32}; "
        f"and.b32 %r6, %r5, 1; setp.ne.u32 %p8, %r6, 0; @%p8 bra Q{n};\n"
        f"shfl.sync.bfly.b32 %r2, %r2, {n % 31 + 1}, 31, -1;\nQ{n}: bar.warp.sync -1;\n"
    )


def structure_passed_on(n: int) -> str:
    """A function that passes a structure on to the one before it, and returns one."""
    vector = "{%x0, %x1, %x2, %x3}"
    call = (
        f"{{ .param .align 16 .b8 o[64]; .param .align 16 .b8 q[64]; st.param.v4.b32 [o+{n % 4 * 16}], {vector};\n"
        f"call.uni (q), s{n - 1}, (o); ld.param.v4.b32 {vector}, [q+{n * 3 % 4 * 16}]; }}\n"
    )
    return (
        f".func (.param .align 16 .b8 r[64]) s{n}(.param .align 16 .b8 a[64])\n{{ .reg .b32 %x<4>;\n"
        f"ld.param.v4.b32 {vector}, [a+{n % 4 * 16}];\n{call * (n > 0)}"
        f"st.param.v4.b32 [r+{n * 5 % 4 * 16}], {vector}; ret; }}\n"
    )


RIGHT_STATEMENTS: dict[str, tuple[str, Piece]] = {
    "warps that hand over at numbered barriers": (
        ".shared .align 4 .b8 data[256]; mov.u32 %r1, data; mov.u32 %r8, %tid.x; setp.ge.u32 %p1, %r8, 32;\n",
        lambda n: (
            f"@%p1 bra C{n};\nbar.sync {n % 7 + 1}, 64; st.shared.u32 [%r1+{n % 64 * 4}], %r{n % 6 + 2}; "
            f"bar.arrive {n % 7 + 8}, 64; bra J{n};\nC{n}: bar.arrive {n % 7 + 1}, 64; bar.sync {n % 7 + 8}, 64; "
            f"ld.shared.u32 %r{n % 6 + 2}, [%r1+{n % 64 * 4}];\nJ{n}:\n"
        ),
    ),
    "addresses between generic, shared and cluster spaces": (
        ".shared .align 4 .b8 s[4096]; mov.u64 %rd2, s; mov.u32 %r3, %cluster_ctarank;\n",
        lambda n: (
            f"cvta.shared.u64 %rd1, %rd2; add.s64 %rd3, %rd1, {n % 3 * 4}; st.u32 [%rd3+{n % 50 * 4}], %r1;\n"
            "cvta.to.shared.u64 %rd2, %rd3; mapa.shared::cluster.u64 %rd4, %rd2, %r3; isspacep.shared %p1, %rd3; "
            f"@%p1 ld.shared::cluster.u32 %r1, [%rd4+{n % 40 * 4}]; getctarank.shared::cluster.u32 %r3, %rd4;\n"
        ),
    ),
    "branches on known bits": ("", bits),
    "predicates packed in one register": ("mov.b32 %r1, 0; mov.u32 %r2, %laneid;\n", packed_predicate),
    "groups committed under conditions, awaited by number": (
        ".shared .align 16 .b8 s[1024]; mov.u32 %r2, s; mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [p];\n",
        lambda n: (
            f"setp.lt.s32 %p1, %r1, {n}; @%p1 bra G{n};\n"
            f"cp.async.ca.shared.global [%r2+{n % 64 * 16}], [%rd1+{16 * n}], 16; cp.async.commit_group;\n"
            f"G{n}: cp.async.wait_group {n % 5}; bar.sync 0; ld.shared.u32 %r3, [%r2+{n * 5 % 64 * 16}];\n"
        ),
    ),
    "addresses and values exchanged in branches": (
        ".reg .b32 %t; .shared .align 4 .b8 s[4096]; mov.u32 %r1, s; mov.u32 %r2, s; mov.u32 %r3, %tid.x;\n",
        lambda n: (
            f"setp.lt.s32 %p1, %r{n % 8}, {n}; @%p1 bra X{n};\nmov.b32 %t, %r{n * 5 % 8}; "
            f"mov.b32 %r{n * 5 % 8}, %r{(n * 3 + 1) % 8}; mov.b32 %r{(n * 3 + 1) % 8}, %t;\n"
            f"X{n}: st.shared.u32 [%r{n * 7 % 8}], %r{(n + 3) % 8};\n"
            + f"setp.ne.s32 %p2, %r1, {n}; @%p2 bra X{n - 9};\n"
            * (n % 10 == 9)
        ),
    ),
    "places of two indices, each with its own stride": (
        ".shared .align 16 .b8 s[32768]; mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, s;\n",
        lambda n: (
            f"mad.lo.s32 %r4, %r1, {4 * (n % 61 + 1)}, %r3; mad.lo.s32 %r5, %r2, {4 * (n * 13 % 127 + 1)}, %r4; "
            f"st.shared.u32 [%r5+{4 * (n % 9)}], %r6; ld.shared.u32 %r6, [%r4+{4 * (n * 11 % 99)}];\n"
        ),
    ),
}
"""Statements of right kernels, with what stands before them."""

RIGHT_PIECES: dict[str, Piece] = {
    "structures passed on by functions": structure_passed_on,
    "methods called through a table of each class": lambda n: (
        f".func m{n}(.param .b64 this) {{ ret; }}\n.global .align 8 .u64 vt{n}[2] = {{ m{n}, m{n // 2} }};\n"
        f".func u{n}(.param .b64 o) {{ .reg .b64 %a<3>; ld.param.u64 %a0, [o]; ld.global.u64 %a1, [vt{n}+8];\n"
        "{ .param .b64 x; st.param.b64 [x], %a0; P: .callprototype _ (.param .b64 _); call %a1, (x), P; } ret; }\n"
    ),
}
"""Right definitions outside of functions."""

WRONG_STATEMENTS: dict[str, Piece] = {
    "beginnings of long opcodes with ends of others": lambda n: (
        ".".join(LONG_OPCODES[n % 11].split(".")[: n % 7 + 1] + LONG_OPCODES[n // 11 % 11].split(".")[n % 5 :])
        + f" [%rd{n % 9}], %r1, {n};\n"
    ),
    "statements continued by backslashes": lambda n: (
        f"add.s32 \\\n %r1, %r2, \\\\\n{n}; // goes on \\\nmov.b32 %r2, x{n}; \\ \n"
    ),
    "listings of machine code": lambda n: (
        f".L_x_{n}:\n        /*{16 * n:04x}*/    @!P{n % 7} IMAD.WIDE.U32 R{n % 255}, R{n * 3 % 255}.reuse, "
        f"0x{n:x}, c[0x0][0x{n % 999:x}] ;  /* 0x{n * 7919:016x} */\n        BRA.DIV ~URZ, `(.L_x_{n + 1}) ;\n"
    ),
    "guards of what has none": lambda n: GUARDED[n % len(GUARDED)].replace("#", str(n)) + "\n",
    "names used as what other names are": lambda n: (
        f"L{n}: bra %r{n % 9}; call %p{n % 9}, (L{n}); mov.b32 L{n}, k; @L{n // 3} bra k; brx.idx L{n}, %r1;\n"
        f"ld.param.u32 k, [L{n // 2}+{n}]; st.shared.u32 [k+{n}], p; setp.eq.s32 p, %rd1, L{n}; call L{n}, (%p1);\n"
    ),
    "marks of strings and comments in all orders": lambda n: (
        "".join(MARKS[n >> 3 * place & 7] for place in range(6)) + f" x{n} "
    ),
    "words made of registers, qualifiers and numbers": lambda n: (
        f"mov.b32%r{n}%r2.x:y,0x{n:x}.5e3.u32%p1@!%q{n}|_;{n}.v4{{%r{n}%rd1[%r2]}}.xyz;\n"
    ),
    "call sequences, each without one of its lines": lambda n: (
        "\n".join(SEQUENCE[: n % 8] + SEQUENCE[n % 8 + 1 :]).replace("#", str(n // 3)) + "\n"
    ),
}
"""Statements of wrong kernels."""

PRODUCT = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, %rd2, 1, 1, 1, 0, 0;"

GENERATORS: dict[str, Callable[[int], str]] = {
    **{name: partial(body, piece, before=before) for name, (before, piece) in RIGHT_STATEMENTS.items()},
    **{name: partial(module, piece) for name, piece in RIGHT_PIECES.items()},
    "a choice among many cases by halving": cases_by_halving,
    "a machine of states with one table": machine_of_states,
    "one loop, entered at each of its statements": loop_entered_everywhere,
    "labels that entries of debug sections name": under(DEBUGGED, labels_of_debug_entries),
    "locks inside of locks": partial(
        nest,
        lambda n: (
            f"{'ld.param.u64 %rd1, [p]; mov.b32 %r2, 0; ' * (n == 0)}L{n}: atom.acquire.gpu.global.cas.b32 %r1, "
            f"[%rd1+{4 * n}], 0, 1; setp.ne.s32 %p1, %r1, 0; @%p1 bra L{n};\n"
        ),
        "ld.global.u32 %r3, [%rd1+4]; add.s32 %r3, %r3, 1; st.global.u32 [%rd1+4], %r3;\n",
        lambda n: f"st.release.gpu.global.u32 [%rd1+{4 * n}], %r2;\n",
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
    "two accumulators in tensor memory, in turn": under(
        SM_100A,
        lambda size: body(
            lambda n: (
                f"setp.ne.u32 %p1, %r4, 0; add.s32 %r5, %r1, {n % 2 * 32}; elect.sync %r7|%p3, -1;\n"
                "@%p3 tcgen05.mma.cta_group::1.kind::f16 [%r5], %rd1, %rd2, %r2, %p1;\n"
                "@%p3 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 "
                f"[%r3+{n % 2 * 8}];\nWAIT{n}: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3+{n % 2 * 8}], %r4; "
                f"@!%p2 bra WAIT{n};\ntcgen05.fence::after_thread_sync; tcgen05.ld.sync.aligned.32x32b.x4.b32 "
                "{%t0, %t1, %t2, %t3}, [%r5];\ntcgen05.wait::ld.sync.aligned; tcgen05.fence::before_thread_sync; "
                f"bar.sync 0;{' xor.b32 %r4, %r4, 1;' * (n % 2)}\n"
            ),
            size,
            before=(
                ".reg .b32 %t<4>; .shared .align 8 .b64 done[2]; .shared .align 4 .b32 base; mov.u32 %r3, done;\n"
                "mov.u32 %r6, base; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r6], 64; bar.sync 0;\n"
                "ld.shared.u32 %r1, [base]; mov.b32 %r4, 0; mbarrier.init.shared::cta.b64 [%r3], 1;\n"
                "mbarrier.init.shared::cta.b64 [%r3+8], 1; bar.sync 0;\n"
            ),
        ),
    ),
    "work of launches that are cancelled, loop after loop": under(
        SM_100,
        lambda size: body(
            lambda n: (
                f"T{n}: mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 16;\nclusterlaunchcontrol.try_cancel.async"
                f".shared::cta.mbarrier::complete_tx::bytes.b128 [%r1], [%r2];\nU{n}: mbarrier.try_wait.parity"
                f".shared::cta.b64 %p1, [%r2], %r3; @!%p1 bra U{n};\nxor.b32 %r3, %r3, 1; ld.shared.b128 %q, [%r1]; "
                f"clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p2, %q; @!%p2 bra V{n};\n"
                "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r4, %r5, %r6, %r7}, %q;\n"
                f"fence.proxy.async.shared::cta; bra T{n - n % 4};\nV{n}:\n"
            ),
            size,
            before=(
                ".reg .b128 %q; .shared .align 16 .b8 answer[16]; .shared .align 8 .b64 bar; mov.u32 %r1, answer;\n"
                "mov.u32 %r2, bar; mov.b32 %r3, 0; mbarrier.init.shared::cta.b64 [%r2], 1; bar.sync 0;\n"
            ),
        ),
    ),
    **{name: partial(body, piece) for name, piece in WRONG_STATEMENTS.items()},
    "names that are anagrams of declared ones": partial(
        half, lambda n: f".reg .b32 {anagram(2 * n)};\n", lambda n: f"mov.b32 %r1, {anagram(2 * n + 1)};\n"
    ),
    "names of two letters that repeat": partial(
        half,
        lambda n: f".reg .b32 {'ab' * (n % 99)}{'a' * (n % 7)}c{n};\n",
        lambda n: f"mov.b32 {'ab' * (n % 98)}c{n}b, {'aab' * (n % 66)}b;\n",
    ),
    "heads that end in other heads": partial(
        module,
        cycle(
            ".visible .func (.reg .b32 r#\n",
            ".entry e#(.param .u64 a, .param\n",
            ".func f#(.param .align 8 .b8 a[\n",
            ".maxntid #, .reqntid\n",
            ") .minnctapersm # {\n",
            ".global .align # .b32 v#[ = {\n",
            ".extern .func (\n",
            ".noreturn .func .entry .visible #;\n",
            "}\n",
        ),
    ),
    "loops that wait, each inside of another": partial(
        nest,
        lambda n: f"W{n}: mbarrier.arrive.shared::cta.b64 %rd{n % 9}, [%r1+{8 * n}];\n",
        "bar.sync 0; xor.b32 %r2, %r2, 1;\n",
        lambda n: f"mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1+{8 * n}], %r2; @!%p1 bra W{n};\n",
    ),
    "products that loops leave before they are awaited": under(
        SM_90A,
        lambda size: body(
            lambda n: (
                f"P{n}: wgmma.fence.sync.aligned; {PRODUCT} setp.lt.s32 %p{n % 9}, %r1, {n}; @%p{n % 9} bra P{n + 3};\n"
                f"wgmma.commit_group.sync.aligned; @%p{n * 2 % 9} bra P{max(n - 2, 0)}; "
                f"wgmma.wait_group.sync.aligned {n % 2}; add.f32 %f{n % 4}, %f{n % 3}, %f1;\n"
            ),
            size,
        ),
    ),
}
"""All of them, by what is hostile in their texts."""
