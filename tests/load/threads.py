"""Hostile files for what is known of single threads of a kernel, and of the iterations of loops."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from .dataflow import of_threads
from .hostile import HEADER, REGISTERS, body, repeated

_DONE = "mbarrier.try_wait.parity.shared.b64 %p2, [b+{0}], 0; @!%p2 bra W{0};\n"


def many_threads(text: str) -> str:
    """The kernels of a text, launched with as many threads as a CTA can have."""
    return of_threads(text).replace(".reqntid 512", ".reqntid 1024")


def kernels(size: int, statements: str, header: str = HEADER) -> str:
    """Kernels of 1024 threads, all with the same statements."""
    text = f"() .reqntid 1024\n{{\n{REGISTERS}{statements}\nret;\n}}\n"
    return header + repeated(size, lambda n: f".visible .entry k{n}{text}")


def arrivals(size: int, predicate: str) -> str:
    """Arrivals at mbarriers, under guards about threads."""
    return many_threads(
        body(
            lambda n: (
                f"mbarrier.init.shared.b64 [b+{8 * n}], 4000; {predicate.format(n)}; "
                f"@%p1 mbarrier.arrive.shared.b64 _, [b+{8 * n}];\nW{8 * n}: {_DONE.format(8 * n)}"
            ),
            size,
            before=".shared .align 8 .b8 b[100000]; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 31;\n",
        )
    )


_ACCESSES = "".join(
    f"st.shared.u32 [%r5+{4096 * n}], %r1; ld.shared.u32 %r2, [%r5+{4096 * n + 4}];\n" for n in range(12)
)


def races(size: int, place: str, guard: str) -> str:
    """Stores and loads of one array in a loop."""
    return kernels(
        size,
        ".shared .align 4 .b8 s[65536]; mov.u32 %r4, s; mov.u32 %r1, %tid.x; and.b32 %r3, %r1, 31; mov.u32 %r6, 0;\n"
        f"{guard}; mad.lo.u32 %r5, {place}, 4, %r4; @%p1 bra E;\n"
        f"L: {_ACCESSES} add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, %r7; @%p1 bra L;\nE: bar.sync 0;",
    )


GENERATORS: dict[str, Callable[[int], str]] = {
    "arrivals of the first threads": partial(arrivals, predicate="setp.lt.u32 %p1, %r1, {0}"),
    "arrivals of single lanes": partial(arrivals, predicate="setp.eq.u32 %p1, %r2, {0}"),
    "races in loops, under an unknown condition": partial(races, place="%r1", guard="setp.eq.u32 %p1, %r7, 0"),
    "races in loops, of the first threads": partial(races, place="%r1", guard="setp.ge.u32 %p1, %r1, 1000"),
    "races in loops, of lanes": partial(races, place="%r3", guard="setp.eq.u32 %p1, %r7, 0"),
}
"""All of them, by what is hostile in their texts."""
