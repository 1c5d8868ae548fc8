"""Hostile files about accesses of memory: orders, scopes and proxies, intervals, hints, tensor maps, fragments."""

from __future__ import annotations

import random
from collections.abc import Callable

from .blind import both, cycle, kernel_of
from .rounds import staged
from .sixth import SM_100A, under
from .synchronization import in_turn

SCOPES = ("cta", "cluster", "gpu", "sys")
_STRONG = (
    "ld.acquire.{0}.global.u32 %r1, [%rd1+{1}];",
    "st.release.{0}.global.u32 [%rd1+{1}], %r1;",
    "atom.acq_rel.{0}.global.add.u32 %r1, [%rd1+{1}], 1;",
    "red.relaxed.{0}.global.or.b32 [%rd1+{1}], %r1;",
    "ld.relaxed.{0}.global.u32 %r1, [%rd1+{1}];",
    "fence.sc.{0}; st.relaxed.{0}.global.u32 [%rd1+{1}], %r1;",
)
_PROXIES = (
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
_FIELDS = (
    "global_address.shared::cta.b1024.b64 [shm+{0}], %d{1}",
    "rank.shared::cta.b1024.b32 [shm+{0}], %r{1}",
    "box_dim.shared::cta.b1024.b32 [shm+{0}], {2}, %r{1}",
    "global_dim.shared::cta.b1024.b32 [shm+{0}], {2}, %r{1}",
    "global_stride.shared::cta.b1024.b64 [shm+{0}], {2}, %d{1}",
    "element_stride.shared::cta.b1024.b32 [shm+{0}], {2}, %r{1}",
    "elemtype.shared::cta.b1024.b32 [shm+{0}], {2}",
    "interleave_layout.shared::cta.b1024.b32 [shm+{0}], {2}",
    "swizzle_mode.shared::cta.b1024.b32 [shm+{0}], {2}",
    "fill_mode.shared::cta.b1024.b32 [shm+{0}], 1",
)
_SHAPES = ("m16n16k16", "m32n8k16", "m8n32k16")
_EIGHT = "{{{0}{1}, {0}{2}, {0}{3}, {0}{4}, {0}{5}, {0}{6}, {0}{7}, {0}{8}}}"
_NESTED = 1400
"""How many intervals contain each other before the outermost one comes again."""


def strong(n: int, count: int) -> str:
    """An access with an order and a scope, at one of many places."""
    return _STRONG[n % len(_STRONG)].format(SCOPES[n // len(_STRONG) % 4], 4 * (n * 7919 % count)) + "\n"


def any_proxy(n: int) -> str:
    """An access or a fence of a proxy, chosen by chance."""
    return random.Random(n).choice(_PROXIES).format(16 * (n % 500)) + "\n"


def field(n: int) -> str:
    """A field of one of many tensor maps, replaced."""
    text = random.Random(n).choice(_FIELDS).format(128 * (n % 61), n % 90 + 1, n % 3)
    return f"tensormap.replace.tile.{text};\n"


def copied_map(n: int) -> str:
    """A tensor map that is copied to global memory, and read from there."""
    return (
        f"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%d1+{128 * n}], "
        f"[shm+{128 * (n % 61)}], 128; fence.proxy.tensormap::generic.acquire.gpu [%d1+{128 * n}], 128;\n"
    )


def fragment(n: int) -> str:
    """Fragments of a shape and layout, and a product of another one."""
    first, second = ("row", "col")[n % 2], ("col", "row")[n // 3 % 2]
    place = n % 8 * 8 + 1
    a, b = (_EIGHT.format("%r", *range(place + more, place + more + 8)) for more in (0, 4))
    d = _EIGHT.format("%f", *range(place, place + 8))
    return (
        f"wmma.load.a.sync.aligned.{first}.{_SHAPES[n % 3]}.global.f16 {a}, [%d1+{32 * n}], %r98;\n"
        f"wmma.load.b.sync.aligned.{second}.{_SHAPES[n % 3]}.shared.f16 {b}, [shm], {n % 99};\n"
        f"wmma.mma.sync.aligned.{second}.{first}.{_SHAPES[n // 2 % 3]}.f32.f32 {d}, {a}, {b}, {d};\n"
        f"wmma.store.d.sync.aligned.{first}.{_SHAPES[n // 5 % 3]}.global.f32 [%d1+{64 * n}], {d}, 16;\n"
    )


GENERATORS: dict[str, Callable[[int], str]] = {
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
    "bulk copies into intervals that contain each other": staged(
        lambda n, count: (
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
            f"[%r4+{16 * (n % _NESTED)}], [%rd1+{16 * n}], {32 * (_NESTED - n % _NESTED)}, [one];\n"
        ),
        lambda n, count: f"ld.shared.v2.u32 {{%r1, %r2}}, [%r4+{8 * (n * 7919 % (4 * _NESTED))}];\n",
        before=lambda count: (
            f".shared .align 128 .b8 s[{32 * _NESTED}]; .shared .align 8 .b64 one; mov.u32 %r4, s; "
            "mbarrier.init.shared.b64 [one], 1;\n"
        ),
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
    "addresses of tensor memory that go through many places": under(
        SM_100A,
        in_turn(
            lambda n: f"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [b+{4 * n % 65536}], {32 << n % 5};\n",
            lambda n: (
                f"ld.shared.u32 %r1, [b+{4 * n % 65536}]; add.u32 %r1, %r1, {n % 64}; "
                f"st.shared.u32 [b+{4 * (n * 7919) % 65536}], %r1;\n"
            ),
            lambda n: (
                f"ld.shared.u32 %r2, [b+{4 * n % 65536}]; "
                f"tcgen05.ld.sync.aligned.32x32b.x2.b32 {{%r3, %r4}}, [%r2+{n % 32}]; "
                f"tcgen05.wait::ld.sync.aligned; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, {32 << n % 5};\n"
            ),
        ),
    ),
    "fields of many tensor maps, replaced in no order, and copies of the maps": both(
        field, "ld.param.u64 %d1, [pa]; bar.sync 0;\n", copied_map
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
    "fragments of matrices, used in another shape and layout": kernel_of(fragment, "ld.param.u64 %d1, [pa];\n"),
}
"""All of them, by what is hostile in their texts."""
