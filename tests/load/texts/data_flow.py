"""Registers whose values come from far away, from many places, or from none."""

from __future__ import annotations

from functools import partial

from .shapes import CLOSED, HEADER_8_6, OPENED, Generator, Piece, body, flow, in_a_loop, kernel_of, number_of, staged


def skipped_writes(size: int) -> str:
    """Branches around writes of many registers, each of which is read twice after all of them."""

    def piece(n: int) -> str:
        return f".reg .b32 k{n}; @%p{n % 8} bra Y{n}; mov.b32 k{n}, 1;\nY{n}: bar.sync 0;\n"

    def reads(n: int) -> str:
        return f"@%p8 bra Z{n}; add.s32 %r3, k{n}, 1;\nZ{n}: add.s32 %r3, k{n}, %r3;\n"

    count = number_of(size, piece, reads)
    text = "".join(map(piece, range(count))) + "".join(map(reads, range(count)))
    return body(lambda n: "st.global.u32 [%rd1], %r3;\n", 1, before=text)


WIDTH = 32
"""Half of the registers that exchange their halves."""


def exchanged(n: int) -> str:
    """A pair of registers that exchange halves, in one stage of many."""
    bit = 1 << n // WIDTH % 6
    pair = n % WIDTH
    a = (pair & ~(bit - 1)) << 1 | pair & (bit - 1)
    b = a | bit
    text = (
        f"mov.b32 {{%h1, %h2}}, x{a}; mov.b32 {{%h3, %h4}}, x{b}; "
        f"mov.b32 x{a}, {{%h1, %h3}}; mov.b32 x{b}, {{%h4, %h2}};\n"
    )
    if pair == WIDTH - 1:
        text += f"and.b32 %r1, x{n % 64}, 16; setp.ne.u32 %p1, %r1, 0; @%p1 bra H{n}; add.u32 x0, x0, 1;\nH{n}:\n"
    return text


STATEMENTS: dict[str, Piece] = {
    "registers written and never read": lambda n: f".reg .b32 w{n}; mov.b32 w{n}, %r{n % 9};\n",
    "registers read and never written": lambda n: f".reg .b32 u{n}; add.s32 %r1, %r1, u{n};\n",
    "chains of registers": lambda n: f".reg .b32 c{n}; add.s32 c{n}, c{max(n - 1, 0)}, c{max(n - 9, 0)};\n",
    "one value from many branches, read everywhere": lambda n: (
        f"setp.lt.s32 %p{n % 9}, %r2, {n}; @%p{n % 9} bra AFTER{n}; mov.b32 %r1, {n};\n"
        f"AFTER{n}: st.global.b32 [%rd1+{n}], %r1;\n"
    ),
}
"""Statements of a kernel."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    "registers that live across all branches": lambda size: flow(
        lambda n, count: f"setp.lt.s32 %p1, l{n}, 9; @%p1 bra Y{n}; add.s32 %r1, l{count - 1 - n}, l{n};\nY{n}:\n",
        size * 3 // 5,
        lambda count: "".join(f".reg .b32 l{n}; mov.b32 l{n}, {n};\n" for n in range(count)),
    ),
    "one unwritten value that goes round through all registers": in_a_loop(
        lambda n, count: f"mov.b32 x{n}, {n};\n",
        before=".reg .b32 x<#>;\n",
        step=lambda n, count: f"mov.b32 x{n}, x{n + 1};\n",
    ),
    "one register that grows by a sum of itself": kernel_of(
        lambda n: (
            f"\tmad.wide.s32 %d{n % 90 + 1}, %r1, {n}, %d{n % 90};\n"
            f"\tadd.s64 %d{n % 90 + 1}, %d{n % 90 + 1}, %d{n % 90 + 1};\n"
            f"\tld.global.b32 %r1, [%d{n % 90 + 1}+{n}];\n"
        )
    ),
    "registers all alive to the end": lambda size: (
        HEADER_8_6
        + OPENED
        + f"\t.reg .b32 %v<{size // 50 + 1}>;\n"
        + "".join(f"\tld.shared.b32 %v{n}, [shm+{n}];\nM{n}: @%p1 bra M{n};\n" for n in range(size // 55))
        + "".join(f"\tst.shared.b32 [shm], %v{n};\n" for n in range(size // 55))
        + CLOSED
    ),
    "blocks in the reverse order, a value from one way": lambda size: flow(
        lambda n, count: (
            f"R{n}: @%p2 bra S{n}; add.s32 %r3, %r{n % 9}, {n};\nS{n}: bra {f'R{n - 1}' if n else 'END'};\n"
        ),
        size,
        lambda count: f"@%p3 bra R{count - 1}; mov.u32 %r1, 1; bra R{count - 1};\n",
    ),
    "blocks in the reverse order, each with a value from one way": lambda size: flow(
        lambda n, count: (
            f"R{n}: .reg .b32 x{n}; @%p2 bra S{n}; mov.b32 x{n}, {n};\n"
            f"S{n}: add.s32 %r3, x{n}, {n}; bra {f'R{n - 1}' if n else 'END'};\n"
        ),
        size,
        lambda count: f"bra R{count - 1};\n",
    ),
    "jumps back to the block before, each with a value": lambda size: flow(
        lambda n, count: (
            f"J{n}: .reg .b32 j{n}; add.s32 %r3, j{count - 1 - n}, {n}; @%p{n % 9} bra K{n}; mov.b32 j{n}, {n};\n"
            f"K{n}: @%p2 bra J{max(n - 1, 0)};\n"
        ),
        size,
    ),
    "branches around writes, read far away": skipped_writes,
    "registers ordered by a chain of comparisons, compared far away": staged(
        lambda n, count: f"ld.global.s32 x{n}, [%rd1+{4 * n}];\n",
        lambda n, count: f"setp.lt.s32 %p1, x{n}, x{n + 1}; @!%p1 bra END;\n",
        lambda n, count: (
            f"setp.gt.s32 %p2, x{n}, x{n * 7919 % count}; @%p2 bra S{n}; st.global.u32 [%rd1+{4 * n}], x{n};\nS{n}:\n"
        ),
        before=lambda count: f".reg .b32 x<{count + 1}>; mov.b32 x{count}, 0x7fffffff;\n",
    ),
    "copies of copies in a tree, overwritten from the root on": staged(
        lambda n, count: f"mov.u32 x{n}, {f'x{n // 2}' if n else '%r1'};\n",
        lambda n, count: f"add.u32 x{n}, x{n}, x{(n + 1) // 2};\n",
        lambda n, count: f"st.global.u32 [%rd1+{4 * n}], x{count - 1 - n};\n",
        before=lambda count: f".reg .u32 x<{count}>; mov.u32 %r1, %tid.x;\n",
    ),
    "halves of registers, exchanged in all stages of a butterfly": kernel_of(
        exchanged,
        ".reg .b32 x<64>; mov.u32 x0, %tid.x;\n" + "".join(f"mov.u32 x{n}, {n * n};\n" for n in range(1, 64)),
        "st.shared.u32 [shm], x1;\n",
    ),
}
