"""Thirteen kinds of hostile files whose graphs or facts need many rounds, or have many ways: all of them are right.

Each has lists of statements that are as long as each other, and a fact that goes from one end of a list to the other
by one place in each round of a loop; or graphs on which orders, dominators and ways are hard to find.
"""

from __future__ import annotations

from collections.abc import Callable

from .hostile import HEADER, body
from .sixth import number_of

Step = Callable[[int, int], str]
"""A statement from its number and the number of all."""

AGAIN = "add.u32 %r8, %r8, 1; setp.lt.u32 %p8, %r8, 99; @%p8 bra AGAIN; "
"""The end of a loop of 99 rounds, of which ``%r8`` is the counter."""


def staged(*lists: Step, before: Callable[[int], str] = lambda count: "", after: str = "") -> Callable[[int], str]:
    """Kernels with lists of statements, one after another, all of the same number; the label ``END`` is last."""

    def text(size: int) -> str:
        count = number_of(size, *(lambda n, step=step: step(n, n) for step in lists))
        statements = "".join(step(n, count) for step in lists for n in range(count))
        last = f"{after}\nEND: st.global.u32 [%rd1], %r1;\n"
        return body(lambda n: last, 1, before=f"ld.param.u64 %rd1, [p];\n{before(count)}" + statements)

    return text


def in_a_loop(*lists: Step, before: str, step: Step) -> Callable[[int], str]:
    """Kernels with lists of statements, and then a loop of others; ``#`` in what is before is their number."""
    return staged(
        *lists,
        lambda n, count: f"{'mov.u32 %r8, 0;' * (n == 0)}\n{'AGAIN: ' * (n == 0)}{step(n, count)}",
        before=lambda count: before.replace("#", str(count + 1)),
        after=AGAIN,
    )


def listed(name: str, count: int) -> str:
    """Numbered names with commas between them."""
    return ", ".join(f"{name}{n}" for n in range(count))


def two_tables(size: int) -> str:
    """A long chain of blocks; a table before it and the same one after it enter all of the blocks that follow."""
    jump = "brx.idx %r2, ALL;\n"
    return staged(
        lambda n, count: f"setp.eq.u32 %p1, %r1, {n}; @%p1 bra END;\n{jump * (n == count - 1)}",
        lambda n, count: f"Y{n}: st.global.u32 [%rd1+{4 * n}], %r1; bra END;\n",
        before=lambda count: f"ALL: .branchtargets {listed('Y', count)};\nsetp.eq.u32 %p2, %r1, 7; @%p2 {jump}",
    )(size)


def left_through_one_table(size: int) -> str:
    """Loops inside of loops: in the innermost one, a table leads to any of them."""
    return staged(
        lambda n, count: (
            f"L{n}: add.s32 %r{n % 7}, %r1, {n};\n"
            + f"ALL: .branchtargets {listed('C', count)};\nbrx.idx %r8, ALL;\n" * (n == count - 1)
        ),
        lambda n, count: f"C{count - 1 - n}: setp.lt.s32 %p1, %r1, {n}; @%p1 bra L{count - 1 - n};\n",
    )(size)


def of_a_chain(size: int) -> str:
    """Functions that call the one before and have an array each, and kernels that call the last one."""

    def function(n: int) -> str:
        call = f"call.uni f{n - 1}, ();" if n else "bar.sync 0;"
        return (
            f".shared .align 4 .b32 s{n};\n.func f{n}() {{ .reg .b32 %a; ld.shared.u32 %a, [s{n}]; {call} "
            f"st.shared.u32 [s{n}], %a; ret; }}\n"
        )

    count = number_of(size, function, kernel)
    kernels = "".join(kernel(n).replace("last", f"f{count - 1}") for n in range(count))
    return HEADER + "".join(map(function, range(count))) + kernels


def kernel(n: int) -> str:
    """A kernel that calls a function, with a number of threads of its own."""
    return f".visible .entry k{n}() .reqntid {n % 32 + 1}, {n % 5 + 1} {{ call.uni last, (); ret; }}\n"


def of_many_sizes(size: int) -> str:
    """A function with barriers under conditions of threads, and kernels of all sizes that call it."""

    def part(n: int) -> str:
        return (
            f"setp.ge.u32 %p, %t, {n * 7 % 160}; @%p bra J{n}; st.shared.u32 [s+{4 * (n % 64)}], %t; J{n}: bar.sync 0; "
            f"ld.shared.u32 %t, [s+{4 * (n * 5 % 64)}];\n"
        )

    count = number_of(size, part, kernel)
    first = ".reg .pred %p; .reg .b32 %t; .shared .align 4 .b32 s[64]; mov.u32 %t, %tid.x;\n"
    function = f".func last() {{ {first}{''.join(map(part, range(count)))}ret; }}\n"
    return HEADER + function + "".join(map(kernel, range(count)))


GENERATORS: dict[str, Callable[[int], str]] = {
    "blocks that one table enters before and after a chain": two_tables,
    "a chain up and down that two others enter from both ends": staged(
        lambda n, count: f"setp.lt.s32 %p{n % 7}, %r1, {n}; @%p{n % 7} bra Z{n};\n{'bra END;' * (n == count - 1)}",
        lambda n, count: f"{'X: ' * (n == 0)}setp.gt.s32 %p1, %r2, {n}; @%p1 bra Z{count - 1 - n};\n",
        lambda n, count: f"Z{n}: add.s32 %r1, %r1, %r{n % 7}; setp.eq.s32 %p2, %r1, {n}; @%p2 bra Z{max(n - 1, 0)};\n",
        before=lambda count: "setp.eq.s32 %p1, %r1, 7; @%p1 bra X;\n",
    ),
    "loops inside of each other, left through one table": left_through_one_table,
    "kernels that call one long chain of functions": of_a_chain,
    "one function with barriers, called by kernels of all sizes": of_many_sizes,
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
    "one unwritten value that goes round through all registers": in_a_loop(
        lambda n, count: f"mov.b32 x{n}, {n};\n",
        before=".reg .b32 x<#>;\n",
        step=lambda n, count: f"mov.b32 x{n}, x{n + 1};\n",
    ),
    "divergence that spreads by one branch in each round": in_a_loop(
        lambda n, count: f"mov.u32 x{n + 1}, 0;\n",
        before=".reg .b32 x<#>; mov.u32 x0, %laneid;\n",
        step=lambda n, count: (
            f"setp.ne.u32 %p1, x{count - 1 - n}, 0; @%p1 bra D{n}; add.u32 x{count - n}, x{count - n}, 1;\nD{n}:\n"
            + "shfl.sync.bfly.b32 %r1, %r1, 1, 31, -1;\n" * (n % 8 == 7)
        ),
    ),
    "bits that move by one place in each round": in_a_loop(
        lambda n, count: f"mov.u32 x{n + 1}, 0;\n",
        before=".reg .b32 x<#>; mov.u32 x0, 1;\n",
        step=lambda n, count: (
            f"shl.b32 %r2, x{count - 1 - n}, 1; or.b32 x{count - n}, x{count - n}, %r2; "
            f"and.b32 %r3, x{count - n}, {1 << n % 31}; setp.ne.u32 %p1, %r3, 0; @%p1 bra END;\n"
        ),
    ),
    "one counter compared with many bounds in one loop": in_a_loop(
        before="",
        step=lambda n, count: (
            f"setp.gt.u32 %p{n % 7}, %r8, {n * 7919 % count * 9}; @%p{n % 7} bra E{n}; "
            f"st.global.u32 [%rd1+{4 * n}], %r8;\nE{n}:\n"
        ),
    ),
    "loops of billions of known steps": staged(
        lambda n, count: (
            f"mov.u32 %r2, {n + 27}; mov.u32 %r1, 0;\n"
            f"I{n}: and.b32 %r3, %r2, 1; setp.ne.u32 %p1, %r3, 0; shr.u32 %r3, %r2, 1; mad.lo.u32 %r4, %r2, 3, 1; "
            f"selp.b32 %r2, %r4, %r3, %p1; setp.ne.u32 %p2, %r2, 1; @%p2 bra I{n};\n"
            f"J{n}: add.u32 %r1, %r1, %r2; setp.lt.u32 %p1, %r1, {4_000_000_000 - n}; @%p1 bra J{n};\n"
            f"add.u32 %r5, %r1, {4 * n}; and.b32 %r5, %r5, 1020; add.u32 %r5, %r5, %r6; st.shared.u32 [%r5], %r2;\n"
        ),
        before=lambda count: ".shared .align 4 .b8 s[1024]; mov.u32 %r6, s;\n",
    ),
    "threads that leave one after another, then barriers": staged(
        lambda n, count: f"setp.eq.u32 %p{n % 8}, %r1, {n}; @%p{n % 8} ret;\n",
        lambda n, count: f"bar.sync {n % 16}; st.shared.u32 [s+{n % 99 * 4}], %r1;\n",
        before=lambda count: ".shared .align 4 .b8 s[400]; mov.u32 %r1, %tid.x;\n",
    ),
}
"""All of them, by what is hostile in their texts."""
