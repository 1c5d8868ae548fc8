"""Objects of ``mbarrier``: initialization, arrivals, phases and waits."""

from __future__ import annotations

from functools import partial

from .shapes import (
    CHOSEN,
    SHARED,
    SM_100A,
    Generator,
    Piece,
    body,
    in_turn,
    launched,
    listed,
    nested_statements,
    staged,
    under,
)


def rings_of_stages(size: int) -> str:
    """Pipelines of four stages, one after another, each with its mbarriers, copies and waits."""

    def pipeline(n: int) -> str:
        return (
            f"mov.b32 %r2, 0; mov.b32 %r3, 0;\nLOOP{n}: mad.lo.s32 %r4, %r2, 8, %r5; mad.lo.s32 %r7, %r2, 1024, %r6;\n"
            "mbarrier.arrive.expect_tx.shared.b64 %rd3, [%r4], 1024;\n"
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r7], [%rd1], 1024, [%r4];\n"
            f"WAIT{n}: mbarrier.try_wait.parity.shared.b64 %p1, [%r4], %r3; @!%p1 bra WAIT{n};\n"
            "ld.shared.u32 %r8, [%r7]; add.s32 %r2, %r2, 1; setp.eq.s32 %p2, %r2, 4; selp.b32 %r2, 0, %r2, %p2;\n"
            f"@%p2 xor.b32 %r3, %r3, 1; add.s32 %r1, %r1, 1; setp.lt.s32 %p3, %r1, {n}; @%p3 bra LOOP{n};\n"
        )

    first = (
        ".shared .align 16 .b8 full[32]; .shared .align 128 .b8 data[4096];\nmov.u32 %r5, full; mov.u32 %r6, data;\n"
    )
    inits = "".join(f"mbarrier.init.shared.b64 [%r5+{8 * n}], 1; " for n in range(4))
    return body(pipeline, size, before=f"{first}{inits}\nld.param.u64 %rd1, [p]; mov.b32 %r1, 0; bar.sync 0;\n")


def waits(label: str, place: str, parity: int = 0) -> Piece:
    """Waits for mbarriers, each in a loop of its own."""
    return lambda n: (
        f"{label}{n}: mbarrier.try_wait.parity.shared.b64 %p1, [{place.format(8 * n)}], {parity}; "
        f"@!%p1 bra {label}{n};\n"
    )


STATEMENTS: dict[str, Piece] = {
    "wait loops": lambda n: f"W{n}: mbarrier.try_wait.shared.b64 %p1, [%r1], %rd1; @!%p1 bra W{n};\n",
    "mbarriers at many addresses": lambda n: (
        f"mbarrier.init.shared.b64 [%r1+{8 * n}], {n}; mbarrier.arrive.shared.b64 %rd1, [%r1+{8 * n}];\n"
    ),
    "arrivals and waits of many phases": lambda n: (
        f"mbarrier.arrive.shared.b64 %rd1, [%r1+{8 * n}]; "
        f"Q{n}: mbarrier.try_wait.parity.shared.b64 %p1, [%r1+{8 * n}], {n % 2}; @!%p1 bra Q{n};\n"
    ),
    "initialized and invalidated mbarriers": lambda n: (
        f"mbarrier.init.shared.b64 [%r1+{n % 99 * 8}], {n}; mbarrier.inval.shared.b64 [%r1+{n % 77 * 8}];\n"
    ),
}
"""Statements of a kernel."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    "rings of stages with phases": rings_of_stages,
    "loops that wait, each inside of another": partial(
        nested_statements,
        lambda n: f"W{n}: mbarrier.arrive.shared::cta.b64 %rd{n % 9}, [%r1+{8 * n}];\n",
        "bar.sync 0; xor.b32 %r2, %r2, 1;\n",
        lambda n: f"mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1+{8 * n}], %r2; @!%p1 bra W{n};\n",
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
    "relaxed arrivals after tensor loads, and waits": under(
        SM_100A,
        in_turn(
            lambda n: (
                "tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1, %r2}, [%r3]; "
                "mbarrier.arrive.relaxed.cta.shared.b64 _, [c];\n"
            ),
            waits("W", "c"),
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
    "mbarriers initialized by one thread, used by many at unknown places": launched(
        1024,
        in_turn(
            lambda n: f"{'' if n else '@%p8 bra READY; '}mbarrier.init.shared.b64 [b+{8 * n}], 1;\n",
            lambda n: (
                f"{'' if n else 'READY: bar.sync 0; mad.lo.u32 %r6, %r7, 8, %r8; '}"
                f"mbarrier.arrive.shared.b64 _, [%r6]; L{n}:\n"
            ),
        ),
    ),
    "mbarriers initialized by one thread, each used by all": launched(
        1024,
        in_turn(
            lambda n: f"{'' if n else '@%p8 bra READY; '}mbarrier.init.shared.b64 [b+{8 * n}], 1;\n",
            lambda n: f"{'' if n else 'READY: bar.sync 0; '}mbarrier.arrive.shared.b64 _, [b+{8 * n}]; L{n}:\n",
        ),
    ),
    "pending counts of states that branches copy": in_turn(
        lambda n: f"@%p1 bra L{n}; mov.b64 %rd3, %rd2; L{n}:\n",
        lambda n: f"@%p1 bra M{n}; mov.b64 %rd4, %rd3; M{n}:\n",
        lambda n: f"mbarrier.pending_count.b64 %r1, %rd4; @%p1 bra N{n}; N{n}:\n",
    ),
    "mbarriers, each awaited in a block of its own": in_turn(
        lambda n: f"mbarrier.init.shared.b64 [b+{8 * n}], 2; mbarrier.arrive.shared.b64 _, [b+{8 * n}];\n",
        waits("W", "b+{}"),
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
        waits("W", "c"),
        before="mbarrier.init.shared.b64 [c], 1;\n",
    ),
}
