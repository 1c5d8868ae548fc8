"""Hostile files about asynchronous work: many mbarriers, barriers, copies, fences and allocations of one kernel."""

from __future__ import annotations

from collections.abc import Callable

from .hostile import HEADER, body
from .sixth import SM_100A, Piece, number_of, under

_SHARED = ".shared .align 8 .b8 b[65536]; .shared .align 8 .b64 c;\n"
_SETUP = f"{_SHARED}mov.u32 %r8, b; ld.param.u64 %rd1, [p]; mov.u32 %r7, %tid.x; setp.ne.u32 %p8, %r7, 0;\n"


def in_turn(*pieces: Piece, before: str = "", after: str = "") -> Callable[[int], str]:
    """Kernels with many statements of one kind, then as many of the next."""

    def text(size: int) -> str:
        count = number_of(size, *pieces)
        statements = "".join(piece(n) for piece in pieces for n in range(count))
        return body(lambda n: f"END: {after}st.global.u32 [%rd1], %r1;\n", 1, before=_SETUP + before + statements)

    return text


def of_threads(count: int, generator: Callable[[int], str]) -> Callable[[int], str]:
    """The texts of a generator for so many threads."""
    return lambda size: generator(size).replace("k(.param .u64 p)", f"k(.param .u64 p) .reqntid {count}", 1)


def _wait(label: str, place: str, parity: int = 0) -> Piece:
    return lambda n: (
        f"{label}{n}: mbarrier.try_wait.parity.shared.b64 %p1, [{place.format(8 * n)}], {parity}; "
        f"@!%p1 bra {label}{n};\n"
    )


GENERATORS: dict[str, Callable[[int], str]] = {
    "relaxed arrivals after tensor loads, and waits": under(
        SM_100A,
        in_turn(
            lambda n: (
                "tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1, %r2}, [%r3]; "
                "mbarrier.arrive.relaxed.cta.shared.b64 _, [c];\n"
            ),
            _wait("W", "c"),
            before="mbarrier.init.shared.b64 [c], 1;\n",
            after="tcgen05.wait::ld.sync.aligned; ",
        ),
    ),
    "results of waits, copied and never read": in_turn(
        lambda n: f"mbarrier.try_wait.parity.shared.b64 %p{n % 7}, [c], 0;\n",
        lambda n: f"mov.pred %q{n % 7}, %p{(n + 1) % 7};\n",
        before=".reg .pred %q<9>;\n",
    ),
    "results of waits that nothing reads, and other waits": in_turn(
        lambda n: "mbarrier.try_wait.parity.shared.b64 %p1, [c], 0;\n",
        lambda n: f"W{n}: mbarrier.try_wait.parity.shared.b64 %p1, [c], 0; @!%p1 bra X{n}; X{n}:\n",
    ),
    "mbarriers initialized before relaxed arrivals at the cluster": in_turn(
        lambda n: f"mbarrier.init.shared.b64 [b+{8 * n}], 1; barrier.cluster.arrive.relaxed; barrier.cluster.wait;\n",
    ),
    "mbarriers of this CTA, stages of others, relaxed arrivals": in_turn(
        lambda n: f"mbarrier.init.shared.b64 [b+{8 * n}], 1; barrier.cluster.arrive.relaxed; barrier.cluster.wait;\n",
        lambda n: (
            f"mad.lo.u32 %r3, %r7, 8, %r8; mapa.shared::cluster.u32 %r2, %r3, 1; "
            f"mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r2+{70000 + 8 * n}];\n"
        ),
    ),
    "mbarriers initialized by one thread, used by many at unknown places": of_threads(
        1024,
        in_turn(
            lambda n: f"{'' if n else '@%p8 bra READY; '}mbarrier.init.shared.b64 [b+{8 * n}], 1;\n",
            lambda n: (
                f"{'' if n else 'READY: bar.sync 0; mad.lo.u32 %r6, %r7, 8, %r8; '}"
                f"mbarrier.arrive.shared.b64 _, [%r6]; L{n}:\n"
            ),
        ),
    ),
    "mbarriers initialized by one thread, each used by all": of_threads(
        1024,
        in_turn(
            lambda n: f"{'' if n else '@%p8 bra READY; '}mbarrier.init.shared.b64 [b+{8 * n}], 1;\n",
            lambda n: f"{'' if n else 'READY: bar.sync 0; '}mbarrier.arrive.shared.b64 _, [b+{8 * n}]; L{n}:\n",
        ),
    ),
    "loads of tensor memory by all warps": under(
        SM_100A,
        of_threads(
            256,
            in_turn(
                lambda n: f"tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%r1}}, [%r6]; @%p1 bra L{n}; L{n}:\n",
                before="and.b32 %r4, %r7, 96; shl.b32 %r6, %r4, 16;\n",
                after="tcgen05.wait::ld.sync.aligned; ",
            ),
        ),
    ),
    "waits for earlier grids in a branch, accesses in another": in_turn(
        lambda n: f"{'' if n else '@%p8 bra RIGHT; '}griddepcontrol.wait; @%p2 bra X{n}; X{n}:\n",
        lambda n: f"{'' if n else 'ret; RIGHT: '}ld.global.u32 %r1, [%rd1+{4 * n}]; @%p2 bra Y{n}; Y{n}:\n",
    ),
    "pending counts of states that branches copy": in_turn(
        lambda n: f"@%p1 bra L{n}; mov.b64 %rd3, %rd2; L{n}:\n",
        lambda n: f"@%p1 bra M{n}; mov.b64 %rd4, %rd3; M{n}:\n",
        lambda n: f"mbarrier.pending_count.b64 %r1, %rd4; @%p1 bra N{n}; N{n}:\n",
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
    "stores to another CTA, each in a block": in_turn(
        lambda n: f"st.shared::cluster.u32 [%r2], %r1; @%p1 bra L{n}; L{n}:\n",
        before="mapa.shared::cluster.u32 %r2, %r8, 1; barrier.cluster.arrive; barrier.cluster.wait;\n",
        after="barrier.cluster.arrive; barrier.cluster.wait; ",
    ),
    "waits before copies that are never committed": in_turn(
        lambda n: "cp.async.wait_group 0;\n",
        lambda n: f"cp.async.ca.shared.global [b+{4 * n}], [%rd1], 4;\n",
        after="cp.async.wait_all; ",
    ),
    "mbarriers, each awaited in a block of its own": in_turn(
        lambda n: f"mbarrier.init.shared.b64 [b+{8 * n}], 2; mbarrier.arrive.shared.b64 _, [b+{8 * n}];\n",
        _wait("W", "b+{}"),
    ),
    "mbarriers that are ended and made again": in_turn(
        lambda n: (
            f"mbarrier.init.shared.b64 [b+{8 * n}], 1; mbarrier.inval.shared.b64 [b+{8 * n}]; @%p1 bra L{n}; L{n}:\n"
        ),
    ),
    "mbarriers of one variable, and loads from it": in_turn(
        lambda n: f"mbarrier.init.shared.b64 [b+{8 * n}], 1;\n",
        lambda n: f"ld.shared.u32 %r1, [b+{65532 - 4 * n}]; mbarrier.arrive.shared.b64 _, [b];\n",
    ),
    "waits and arrivals of one loop with a constant parity": in_turn(
        lambda n: (
            f"{'' if n else 'AGAIN: '}mbarrier.arrive.shared.b64 _, [c]; "
            "mbarrier.try_wait.parity.shared.b64 %p1, [c], 1;\n"
        ),
        before="mbarrier.init.shared.b64 [c], 1;\n",
        after="@%p1 bra AGAIN; ",
    ),
    "arrivals at one mbarrier, then waits for it": in_turn(
        lambda n: "mbarrier.arrive.shared.b64 _, [c];\n",
        _wait("W", "c"),
        before="mbarrier.init.shared.b64 [c], 1;\n",
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
}
"""All of them, by what is hostile in their texts."""
