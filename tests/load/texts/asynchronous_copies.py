"""Asynchronous copies, their groups, and tensor maps."""

from __future__ import annotations

import random
from functools import partial

from .shapes import HEADER, SM_100, Generator, Piece, body, both, cycle, in_turn, kernel_of, staged, under

FIELDS = (
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
NESTED = 1400
"""How many intervals contain each other before the outermost one comes again."""


def field(n: int) -> str:
    """A field of one of many tensor maps, replaced."""
    text = random.Random(n).choice(FIELDS).format(128 * (n % 61), n % 90 + 1, n % 3)
    return f"tensormap.replace.tile.{text};\n"


def copied_map(n: int) -> str:
    """A tensor map that is copied to global memory, and read from there."""
    return (
        f"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%d1+{128 * n}], "
        f"[shm+{128 * (n % 61)}], 128; fence.proxy.tensormap::generic.acquire.gpu [%d1+{128 * n}], 128;\n"
    )


STATEMENTS: dict[str, Piece] = {
    "copies that nothing awaits": lambda n: "cp.async.ca.shared.global [%r1], [%rd1], 16;\n",
    "copies in groups": lambda n: f"cp.async.commit_group; cp.async.wait_group {n % 8};\n",
    "tensor copies": lambda n: (
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
        f"[%r1], [%rd1, {{%r2, {n}}}], [%r3];\n"
    ),
    "waits for groups without a commit": lambda n: f"cp.async.wait_group {n % 9}; ld.shared.u32 %r1, [%r2+{4 * n}];\n",
    "bulk copies to one barrier": lambda n: (
        f"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r{n % 9}], [%rd1], {16 * n}, [%r3];\n"
    ),
    "bulk stores, and waits for their groups": lambda n: (
        f"cp.async.bulk.global.shared::cta.bulk_group [%rd{n % 8}], [%r{n % 7}], {16 * n}; cp.async.bulk.commit_group; "
        f"st.shared.b32 [%r{n % 7}+{4 * n}], %r8; cp.async.bulk.wait_group{'.read' * (n % 2)} {n % 3};\n"
    ),
}
"""Statements of a kernel."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    "groups committed under conditions, awaited by number": partial(
        body,
        lambda n: (
            f"setp.lt.s32 %p1, %r1, {n}; @%p1 bra G{n};\n"
            f"cp.async.ca.shared.global [%r2+{n % 64 * 16}], [%rd1+{16 * n}], 16; cp.async.commit_group;\n"
            f"G{n}: cp.async.wait_group {n % 5}; bar.sync 0; ld.shared.u32 %r3, [%r2+{n * 5 % 64 * 16}];\n"
        ),
        before=".shared .align 16 .b8 s[1024]; mov.u32 %r2, s; mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [p];\n",
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
    "barriers and asynchronous copies": kernel_of(
        cycle(
            "\tcp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d2], #, [%r3];\n",
            "\tmbarrier.arrive.expect_tx.shared::cta.b64 %d1, [shm+#], 16;\n",
            "W#: mbarrier.try_wait.parity.shared::cta.b64 %p1, [shm+8], %r1; @!%p1 bra W#;\n",
            "\tcp.async.commit_group; cp.async.wait_group #; bar.arrive @, 64;\n",
            "\tbarrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire;\n",
        )
    ),
    "copies of many sources, stores elsewhere": in_turn(
        lambda n: "st.shared.u32 [c], %r1;\n",
        lambda n: f"cp.async.bulk.global.shared::cta.bulk_group [%rd1], [b+{16 * n}], 16;\n",
        after="cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ",
    ),
    "tensor maps made in shared memory, stores, copies": under(
        HEADER.replace("8.0", "8.3").replace("sm_90", "sm_90a"),
        in_turn(
            lambda n: f"tensormap.replace.tile.global_address.shared::cta.b1024.b64 [b+{128 * n}], %rd1;\n",
            lambda n: "st.shared.u32 [c], %r1;\n",
            lambda n: f"cp.async.bulk.global.shared::cta.bulk_group [%rd1], [b+{16 * n}], 16;\n",
            after="cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ",
        ),
    ),
    "waits before copies that are never committed": in_turn(
        lambda n: "cp.async.wait_group 0;\n",
        lambda n: f"cp.async.ca.shared.global [b+{4 * n}], [%rd1], 4;\n",
        after="cp.async.wait_all; ",
    ),
    "bulk copies into intervals that contain each other": staged(
        lambda n, count: (
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
            f"[%r4+{16 * (n % NESTED)}], [%rd1+{16 * n}], {32 * (NESTED - n % NESTED)}, [one];\n"
        ),
        lambda n, count: f"ld.shared.v2.u32 {{%r1, %r2}}, [%r4+{8 * (n * 7919 % (4 * NESTED))}];\n",
        before=lambda count: (
            f".shared .align 128 .b8 s[{32 * NESTED}]; .shared .align 8 .b64 one; mov.u32 %r4, s; "
            "mbarrier.init.shared.b64 [one], 1;\n"
        ),
    ),
    "fields of many tensor maps, replaced in no order, and copies of the maps": both(
        field, "ld.param.u64 %d1, [pa]; bar.sync 0;\n", copied_map
    ),
}
