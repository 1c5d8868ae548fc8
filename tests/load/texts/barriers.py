"""Barriers of CTAs and clusters, and waits for other grids."""

from __future__ import annotations

from functools import partial

from .shapes import SHARED, Generator, Piece, body, in_turn, kernel_of, module, staged

STATEMENTS: dict[str, Piece] = {
    "barriers and shared memory": lambda n: f"st.shared.u32 [%r1+{n}], %r2; bar.sync {n % 16};\n",
    "divergent barriers": lambda n: f"@%p1 bra D{n}; bar.sync {n % 16}; D{n}: setp.eq.s32 %p1, %r1, {n};\n",
    "barriers with counts": lambda n: f"barrier.sync.aligned {n % 17}, {n % 2048}; barrier.arrive {n % 16}, 64;\n",
    "barriers in branches": lambda n: f"@%p{n % 8} bra B{n}; bar.sync {n % 16}; B{n}: bar.red.popc.u32 %r1, 0, %p1;\n",
    "accesses between barriers": lambda n: f"st.shared.b32 [%r{n % 8}], %r1; bar.sync 0; ld.shared.b32 %r3, [%r4];\n",
    "cluster barriers without order": lambda n: f"barrier.cluster.{('arrive', 'wait')[n * n % 3 % 2]};\n",
}
"""Statements of a kernel."""

PIECES: dict[str, Piece] = {
    "functions with barriers, called under conditions": lambda n: (
        f".func b{n}() {{ .reg .pred %p; .reg .b32 %t; mov.u32 %t, %tid.x; setp.lt.u32 %p, %t, {n};\n"
        f"@%p bra L; bar.sync 0; {f'call b{n - 1}, ();' if n else ''} L: ret; }}\n"
    ),
}
"""Pieces that stand outside of functions."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    **{name: partial(module, piece) for name, piece in PIECES.items()},
    "warps that hand over at numbered barriers": partial(
        body,
        lambda n: (
            f"@%p1 bra C{n};\nbar.sync {n % 7 + 1}, 64; st.shared.u32 [%r1+{n % 64 * 4}], %r{n % 6 + 2}; "
            f"bar.arrive {n % 7 + 8}, 64; bra J{n};\nC{n}: bar.arrive {n % 7 + 1}, 64; bar.sync {n % 7 + 8}, 64; "
            f"ld.shared.u32 %r{n % 6 + 2}, [%r1+{n % 64 * 4}];\nJ{n}:\n"
        ),
        before=".shared .align 4 .b8 data[256]; mov.u32 %r1, data; mov.u32 %r8, %tid.x; setp.ge.u32 %p1, %r8, 32;\n",
    ),
    "barriers of computed numbers": partial(
        body,
        lambda n: (
            f"mad.lo.u32 %r2, %r3, {n}, %r1; and.b32 %r2, %r2, 15; st.shared.u32 [%r6+{4 * (n % 999)}], %r2; "
            f"{('bar.sync', 'bar.arrive', 'barrier.sync')[n * n % 3]} %r2, 64; "
            f"ld.shared.u32 %r3, [%r6+{4 * (n % 77)}];\n"
        ),
        before=SHARED,
    ),
    "threads that leave one after another, then barriers": staged(
        lambda n, count: f"setp.eq.u32 %p{n % 8}, %r1, {n}; @%p{n % 8} ret;\n",
        lambda n, count: f"bar.sync {n % 16}; st.shared.u32 [s+{n % 99 * 4}], %r1;\n",
        before=lambda count: ".shared .align 4 .b8 s[400]; mov.u32 %r1, %tid.x;\n",
    ),
    "barriers in each arm of a chain of branches": kernel_of(
        lambda n: (
            f"\tsetp.eq.s32 %p1, %r1, {n};\n@%p1\tbra E{n};\n"
            f"\tbar.sync {n % 16}, 32;\n\tbra.uni J{n};\nE{n}:\tbarrier.sync {n % 16};\nJ{n}:\n"
        )
    ),
    "waits for earlier grids in a branch, accesses in another": in_turn(
        lambda n: f"{'' if n else '@%p8 bra RIGHT; '}griddepcontrol.wait; @%p2 bra X{n}; X{n}:\n",
        lambda n: f"{'' if n else 'ret; RIGHT: '}ld.global.u32 %r1, [%rd1+{4 * n}]; @%p2 bra Y{n}; Y{n}:\n",
    ),
    "stores to another CTA, each in a block": in_turn(
        lambda n: f"st.shared::cluster.u32 [%r2], %r1; @%p1 bra L{n}; L{n}:\n",
        before="mapa.shared::cluster.u32 %r2, %r8, 1; barrier.cluster.arrive; barrier.cluster.wait;\n",
        after="barrier.cluster.arrive; barrier.cluster.wait; ",
    ),
}
