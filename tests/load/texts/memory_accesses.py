"""Loads, stores and atomic operations: their orders, scopes, proxies, hints and overlaps."""

from __future__ import annotations

import random
from functools import partial

from .shapes import Generator, Piece, body, cycle, half, kernel_of, nested_statements, staged

OPERATIONS = "and or xor exch add inc dec min max cas".split()
WIDTHS = "b32 b64 u32 s32 u64 s64 f32 f64 f16x2 bf16 b128 noftz.f16".split()
ORDERS = "relaxed acquire release acq_rel".split()
SCOPES = "cta cluster gpu sys".split()
SPACES = "global shared shared::cta shared::cluster".split()


def reduction(n: int) -> str:
    """An atomic operation with an order, a scope, a space and a type, of which some go together."""
    order, scope, space = ORDERS[n // 3 % 4], SCOPES[n // 12 % 4], SPACES[n // 48 % 4]
    operation, width = OPERATIONS[n // 2 % 10], WIDTHS[n // 20 % 12]
    vector = ("", "", ".v2")[n // 7 % 3]
    kind, first = ("red", "") if n % 2 else ("atom", "%r1, ")
    return f"{kind}.{order}.{scope}.{space}.{operation}{vector}.{width} {first}[%rd{n % 9}+{8 * n}], %r2;\n"


STRONG = (
    "ld.acquire.{0}.global.u32 %r1, [%rd1+{1}];",
    "st.release.{0}.global.u32 [%rd1+{1}], %r1;",
    "atom.acq_rel.{0}.global.add.u32 %r1, [%rd1+{1}], 1;",
    "red.relaxed.{0}.global.or.b32 [%rd1+{1}], %r1;",
    "ld.relaxed.{0}.global.u32 %r1, [%rd1+{1}];",
    "fence.sc.{0}; st.relaxed.{0}.global.u32 [%rd1+{1}], %r1;",
)
PROXIES = (
    "st.shared.b32 [shm+{0}], %r1;",
    "fence.proxy.async.shared::cta;",
    "cp.async.bulk.global.shared::cta.bulk_group [%d1+{0}], [%r2], 16; cp.async.bulk.commit_group;",
    "fence.proxy.alias; ld.shared.b32 %r1, [shm+{0}];",
    "cp.async.bulk.wait_group.read 0; st.global.b32 [%d1+{0}], %r3;",
    "fence.proxy.tensormap::generic.release.gpu; st.shared.b32 [%r2+{0}], %r3;",
    "fence.proxy.tensormap::generic.acquire.gpu [%d1], 128; ld.global.b32 %r3, [%d1+{0}];",
    "fence.proxy.async.global; cp.async.bulk.prefetch.L2.global [%d1], 16;",
    "fence.proxy.async; cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d1+{0}], [%r2], 16;",
)


def strong(n: int, count: int) -> str:
    """An access with an order and a scope, at one of many places."""
    return STRONG[n % len(STRONG)].format(SCOPES[n // len(STRONG) % 4], 4 * (n * 7919 % count)) + "\n"


def any_proxy(n: int) -> str:
    """An access or a fence of a proxy, chosen by chance."""
    return random.Random(n).choice(PROXIES).format(16 * (n % 500)) + "\n"


STATEMENTS: dict[str, Piece] = {
    "atomics": lambda n: f"atom.global.add.f{n} %f1, [%rd1], %f2;\n",
    "stores that a later store covers": lambda n: f"st.global.u32 [%rd{n % 8}], {n};\n",
    "stores and loads of one word": lambda n: f"st.shared.b32 [%r1+{4 * (n % 64)}], %r2; ld.shared.b32 %r2, [%r1];\n",
    "fences of all kinds": lambda n: (
        f"fence.{('sc', 'acq_rel', 'proxy.async', 'proxy.alias')[n % 4]}.{('cta', 'gpu', 'sys', 'x')[n // 4 % 4]};\n"
    ),
    "stacks saved and restored in branches": lambda n: (
        f"stacksave.u64 %rd{n % 8}; alloca.u64 %rd8, {n}, {1 << n % 9}; @%p1 bra H{n}; stackrestore.u64 %rd{n % 8}; "
        f"H{n}: st.local.u32 [%rd8], %r1;\n"
    ),
}
"""Statements of a kernel."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    "stores of one interval, then loads of it": partial(
        half,
        lambda n: f"xor.b32 %r{n % 7}, %r8, {n}; shl.b32 %r7, %r{n % 7}, 2; st.shared.u32 [%r7+{4 * n}], %r1;\n",
        lambda n: f"mad.lo.u32 %r7, %r{n % 7}, {n}, %r8; ld.shared.u32 %r1, [%r7];\n",
    ),
    "locks inside of locks": partial(
        nested_statements,
        lambda n: (
            f"{'ld.param.u64 %rd1, [p]; mov.b32 %r2, 0; ' * (n == 0)}L{n}: atom.acquire.gpu.global.cas.b32 %r1, "
            f"[%rd1+{4 * n}], 0, 1; setp.ne.s32 %p1, %r1, 0; @%p1 bra L{n};\n"
        ),
        "ld.global.u32 %r3, [%rd1+4]; add.s32 %r3, %r3, 1; st.global.u32 [%rd1+4], %r3;\n",
        lambda n: f"st.release.gpu.global.u32 [%rd1+{4 * n}], %r2;\n",
    ),
    "atomic operations of every order, scope, space and type": partial(body, reduction),
    "flags acquired, and the next ones released": kernel_of(
        lambda n: (
            f"F{n}: ld.acquire.{SCOPES[n % 4]}.global.u32 %r1, [%d1+{4 * n}]; setp.eq.u32 %p1, %r1, 0; @%p1 bra F{n};\n"
            f"ld.global.u32 %r2, [%d2+{8 * n}]; add.u32 %r2, %r2, %r1; st.global.u32 [%d2+{8 * n + 8}], %r2;\n"
            f"fence.acq_rel.{SCOPES[n // 4 % 4]}; st.release.{SCOPES[n % 3]}.global.u32 [%d1+{4 * n + 4}], 1;\n"
        ),
        "ld.param.u64 %d1, [pa]; add.s64 %d2, %d1, 1048576;\n",
    ),
    "words reached with orders and scopes, then by weak stores": staged(
        strong,
        lambda n, count: f"st.global.v2.u16 [%rd1+{4 * (count - 1 - n)}], {{1, 2}};\n",
        lambda n, count: f"ld.global.nc.u8 %r2, [%rd1+{4 * (n * 104_729 % count) + n % 4}];\n",
    ),
    "lines that are discarded, then loaded": staged(
        lambda n, count: f"st.global.v4.u32 [%rd1+{128 * n + 16 * (n % 8)}], {{1, 2, 3, 4}};\n",
        lambda n, count: f"discard.global.L2 [%rd1+{128 * (n * 7919 % count)}], 128;\n",
        lambda n, count: (
            f"applypriority.global.L2::evict_normal [%rd1+{128 * n}], 128; "
            f"ld.global.u32 %r1, [%rd1+{128 * (count - 1 - n) + 4 * (n % 32)}];\n"
        ),
    ),
    "accesses through all proxies and their fences, in no order": kernel_of(
        any_proxy, "ld.param.u64 %d1, [pa]; mov.u32 %r2, shm;\n"
    ),
    "masks of used bytes before loads, some of which do not fit": kernel_of(
        cycle(
            '.pragma "used_bytes_mask 0xf0f"; ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d1+#];\n',
            '.pragma "used_bytes_mask 0x@"; ld.shared.v2.u32 {%r5, %r6}, [shm+8];\n',
            '.pragma "used_bytes_mask 0xffffffffffff"; L#: ld.global.u8 %r1, [%d1+#];\n',
            '.pragma "used_bytes_mask 0xff", "used_bytes_mask #"; add.s32 %r1, %r2, #;\n',
            '.pragma "used_bytes_mask"; .pragma "used_bytes_mask 0x3"; st.global.u32 [%d1+#], %r5;\n',
        ),
        "ld.param.u64 %d1, [pa];\n",
    ),
}
