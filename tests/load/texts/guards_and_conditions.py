"""Predicates, guards, and conditions that depend on other conditions."""

from __future__ import annotations

from functools import partial

from .shapes import Generator, Piece, body, kernel_of, nested_statements, staged

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
GUARDED = (
    "@%p1 .reg .b32 g#; @(%p1) mov.b32 %r1, #;",
    "@!%p# L#: @%p1 { @%p1 @!%p2 @q# bra L#;",
    '@%p1 } @%q#; @ %p1 .pragma "x#";',
    "@%p1.x bra L#; @%p1|%p2 bra L1; @%p1 .loc 1 # 1",
)


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


def all_cases(n: int) -> str:
    """Writes of one register under the eight conjunctions of three predicates and their complements, and a read."""
    text = (
        f".reg .b32 x{n}; setp.eq.u32 %p1, %r1, {n}; setp.lt.u32 %p2, %r2, {n}; setp.gt.s32 %p3, %r3, {n % 99}; "
        "not.pred %p4, %p1; not.pred %p5, %p2; not.pred %p6, %p3;\n"
    )
    for case in range(8):
        first, second, third = (place + 3 * (case >> place - 1 & 1) for place in (1, 2, 3))
        text += f"and.pred %p7, %p{first}, %p{second}; and.pred %p7, %p7, %p{third}; @%p7 mov.b32 x{n}, {case};\n"
    return f"{text}st.global.u32 [%rd1+{4 * n}], x{n};\n"


STATEMENTS: dict[str, Piece] = {
    "conditional writes": lambda n: f"@%p{n % 9} mov.b32 %r{n % 8}, %r{n % 7};\n",
    "wrong guards": lambda n: f"@%r{n % 9} mov.b32 %r1, {n};\n",
    "conditions on conditions": lambda n: f"setp.lt.s32 %p{n % 9}, %r{n % 8}, {n}; @%p{n % 9} bra Q{n}; Q{n}:\n",
    "guards that alternate": lambda n: f"@{'!' * (n % 2)}%p{n % 8} add.s32 %r{n % 8}, %r{(n + 3) % 8}, 1;\n",
    "selections that lead to each other": lambda n: f"selp.b32 %r{n % 8}, %r{(n + 1) % 8}, {n}, %p{n % 8};\n",
    "predicates made from predicates": lambda n: (
        f"and.pred %p{n % 9}, %p{(n + 1) % 9}, %p{(n + 4) % 9}; xor.pred %p{(n + 5) % 9}, %p{n % 9}, %p{(n + 7) % 9}; "
        f"not.pred %p{(n + 2) % 9}, %p{n % 9}; @%p{(n + 5) % 9} bar.sync {n % 16};\n"
    ),
    "branches on known bits": bits,
    "guards of what has none": lambda n: GUARDED[n % len(GUARDED)].replace("#", str(n)) + "\n",
}
"""Statements of a kernel."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    "conditions nested as deep as the text is long": partial(
        nested_statements,
        lambda n: f"setp.lt.s32 %p{n % 9}, %r{n % 9}, {n}; @%p{n % 9} bra E{n};\n",
        "bar.sync 0; shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;\n",
        lambda n: f"E{n}: add.s32 %r{n % 9}, %r1, {n};\n",
    ),
    "predicates packed in one register": partial(
        body, packed_predicate, before="mov.b32 %r1, 0; mov.u32 %r2, %laneid;\n"
    ),
    "conditions decided once, asked again in the reverse order": staged(
        lambda n, count: f"setp.lt.s32 q{n}, %r{n % 8}, {n}; @q{n} bra PAST{n}; mov.b32 x{n}, {n};\nPAST{n}:\n",
        lambda n, count: f"@q{count - 1 - n} bra OVER{n}; add.s32 %r{n % 8}, %r{n % 8}, x{count - 1 - n};\nOVER{n}:\n",
        before=lambda count: f".reg .pred q<{count}>; .reg .b32 x<{count}>;\n",
    ),
    "values read under guards that imply their own": staged(
        lambda n, count: f"setp.lt.and.s32 q{n + 1}, %r{n % 7}, {n}, q{n}; @q{n + 1} mov.b32 x{n}, {n};\n",
        lambda n, count: f"@q{count} add.s32 %r1, %r1, x{n}; @q{n + 1} xor.b32 %r2, %r2, x{n // 2};\n",
        before=lambda count: f".reg .pred q<{count + 1}>; .reg .b32 x<{count}>; setp.eq.s32 q0, %r1, 0;\n",
    ),
    "predicates, each of the one before it": kernel_of(
        lambda n: (
            f"\tsetp.ne.or.b32 %p{n % 8}|%p{(n + 1) % 8}, %r1, {n}, !%p{(n + 7) % 8};\n"
            f"@!%p{n % 8}\tselp.b32 %r1, %r2, {n}, %p{(n + 3) % 8};\n"
        )
    ),
    "writes under guards that only together cover all cases": lambda size: body(
        all_cases,
        size,
        before="ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %ctaid.x;\n",
    ),
}
