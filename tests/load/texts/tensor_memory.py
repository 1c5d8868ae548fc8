"""Tensor memory of ``tcgen05``: allocations, loads, copies and products."""

from __future__ import annotations

from functools import partial

from .shapes import SM_100A, Generator, Piece, body, in_turn, launched, under

STATEMENTS: dict[str, Piece] = {
    "newer instructions": lambda n: f"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r{n % 9}], 32;\n",
    "tensor memory, allocated and freed": lambda n: (
        f"tcgen05.alloc.cta_group::{1 + n % 2}.sync.aligned.shared::cta.b32 [%r1], {32 << n % 5}; "
        f"tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r{n % 8}, {n};\n"
    ),
    "loads of tensor memory": lambda n: (
        f"tcgen05.ld.sync.aligned.32x32b.x2.b32 {{%r1, %r2}}, [%r{n % 8}+{n}]; tcgen05.wait::ld.sync.aligned;\n"
    ),
    "products in tensor memory": lambda n: f"tcgen05.mma.cta_group::1.kind::f16 [%r{n % 8}], %rd1, %rd2, {n}, %p1;\n",
}
"""Statements of a kernel."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    "tensor memory copied, shifted and committed": under(
        SM_100A,
        lambda size: body(
            lambda n: (
                f"tcgen05.cp.cta_group::1.128x256b [%r{n % 8}+{n}], %rd{n % 8}; tcgen05.shift.cta_group::1.down [%r1]; "
                f"tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%rd{n % 7}+{8 * n}];\n"
            ),
            size,
        ),
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
    "loads of tensor memory by all warps": under(
        SM_100A,
        launched(
            256,
            in_turn(
                lambda n: f"tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%r1}}, [%r6]; @%p1 bra L{n}; L{n}:\n",
                before="and.b32 %r4, %r7, 96; shl.b32 %r6, %r4, 16;\n",
                after="tcgen05.wait::ld.sync.aligned; ",
            ),
        ),
    ),
    "products of one loop, and the last before it": under(
        SM_100A,
        in_turn(
            lambda n: (
                f"{'' if n else 'bra LAST; AGAIN: '}tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;\n"
            ),
            before="tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [b], 32;\n",
            after=(
                "@%p2 bra AGAIN; bra OUT; LAST: tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1; "
                "bra AGAIN; OUT: tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [c]; "
                "W: mbarrier.try_wait.parity.shared.b64 %p1, [c], 0; @!%p1 bra W; "
            ),
        ),
    ),
    "loads of tensor memory that nothing reads": under(
        SM_100A,
        in_turn(lambda n: f"tcgen05.ld.sync.aligned.32x32b.x2.b32 {{%r{n % 6}, %r{n % 6 + 1}}}, [%r8]; L{n}:\n"),
    ),
    "allocations of all columns after deallocations": under(
        SM_100A,
        in_turn(
            lambda n: "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 512;\n",
            lambda n: f"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [b+{4 * n}], 512; L{n}:\n",
        ),
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
}
