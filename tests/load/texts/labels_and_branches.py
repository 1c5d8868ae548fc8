"""Labels and branches: the order of blocks, missing labels, and tables of ``brx.idx``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from .shapes import (
    CLOSED,
    HEADER,
    HEADER_8_6,
    OPENED,
    Generator,
    Piece,
    body,
    both,
    flow,
    half,
    kernel_of,
    listed,
    repeated,
    staged,
    word,
)


def labels_at_one_place(size: int) -> str:
    """Labels, all at one statement, and jumps to each."""
    return half(lambda n: f"Z{n}: ", lambda n: f"@%p{n % 9} bra Z{n};\n", size)


def cases_by_halving(size: int) -> str:
    """A tree of comparisons with a case at each leaf: all cases write the same registers, and end at one place."""

    def tree(low: int, high: int) -> Iterator[str]:
        middle = (low + high) // 2
        if middle == low:
            yield f"mov.b32 %r{low % 2}, {low}; bra END;\n"
            return
        yield f"setp.ge.u32 %p{middle % 9}, %r2, {middle}; @%p{middle % 9} bra H{middle};\n"
        yield from tree(low, middle)
        yield f"H{middle}: "
        yield from tree(middle, high)

    return body(lambda n: "END: add.s32 %r0, %r0, %r1;\n", 1, before="".join(tree(0, max(2, size // 80))))


def machine_of_states(size: int) -> str:
    """States that one table reaches: each says which one is next, and writes what some other reads."""
    return flow(
        lambda n, count: (
            f"S{n}: add.s32 %r{n % 6}, %r{(n + 2) % 6}, {n}; setp.lt.s32 %p2, %r{n % 5}, {n}; "
            f"selp.b32 %r8, {n * 7919 % count}, {n * 31 % count}, %p2; bra NEXT;\n"
        ),
        size,
        lambda count: (
            "mov.b32 %r8, 0; mov.b32 %r7, 0;\nNEXT: add.s32 %r7, %r7, 1; setp.gt.u32 %p1, %r7, 99; @%p1 bra END;\n"
            f"ALL: .branchtargets {listed('S', count)};\nbrx.idx %r8, ALL;\n"
        ),
    )


def two_tables(size: int) -> str:
    """A long chain of blocks; a table before it and the same one after it enter all of the blocks that follow."""
    jump = "brx.idx %r2, ALL;\n"
    return staged(
        lambda n, count: f"setp.eq.u32 %p1, %r1, {n}; @%p1 bra END;\n{jump * (n == count - 1)}",
        lambda n, count: f"Y{n}: st.global.u32 [%rd1+{4 * n}], %r1; bra END;\n",
        before=lambda count: f"ALL: .branchtargets {listed('Y', count)};\nsetp.eq.u32 %p2, %r1, 7; @%p2 {jump}",
    )(size)


def jumps_to_other_functions(size: int) -> str:
    """Functions with labels, each of which jumps to labels of others, or to labels much like those."""
    return HEADER + repeated(
        size,
        lambda n: (
            f".func f{n}() {{ .reg .pred %p; .reg .b32 %r;\n{word(n)}: setp.eq.s32 %p, %r, 1; @%p bra {word(n + 7)};\n"
            f"{word(n)}_{n}: @%p bra {word(n // 2)}_{n}; bra f{n // 2}; bra {word(n)[::-1]}; mov.b32 %r, {word(n)};"
            " ret; }\n"
        ),
    )


STATEMENTS: dict[str, Piece] = {
    "labels and jumps to similar ones": lambda n: f"LABEL_{n}: bra LABEL_{n}x;\n",
    "jumps back": lambda n: f"B{n}: add.s32 %r1, %r1, 1; @%p1 bra B{n // 2};\n",
    "jumps on": lambda n: f"@%p1 bra F{n + 7}; F{n}:\n",
    "tables of jumps": lambda n: f"T{n}: .branchtargets A{n}, A{n}; A{n}: brx.idx %r1, T{n};\n",
    "one label again and again": lambda n: f"AGAIN: add.s32 %r{n % 9}, %r1, {n};\n",
    "labels declared twice": lambda n: f"L{n // 2}:\n",
    "jumps to registers": lambda n: f"bra %r{n % 9};\n",
    "many jumps to one missing label": lambda n: f"@%p{n % 9} bra NOWHERE;\n",
    "jumps over everything": lambda n: f"@%p1 bra LAST{n % 50}; st.global.u32 [%rd1+{n}], %r{n % 9};\n",
    "unreachable pieces": lambda n: f"ret; add.s32 %r1, %r1, {n}; bra.uni U{n}; mov.b32 %r2, {n}; U{n}:\n",
    "tables of jumps that share their labels": lambda n: (
        f"L{n}: add.s32 %r1, %r1, {n}; T{n}: .branchtargets L{n // 2}, L{n // 3}, L{n}; brx.idx %r{n % 9}, T{n};\n"
    ),
    "returns under conditions": lambda n: f"setp.eq.s32 %p1, %r1, {n}; @%p1 ret; @!%p1 exit;\n",
}
"""Statements of a kernel."""

GENERATORS: dict[str, Generator] = {
    **{name: partial(body, piece) for name, piece in STATEMENTS.items()},
    "lists of numbered labels that are missing": lambda size: body(
        lambda n: f"T{n}: .branchtargets a<1000>, a<1000>, a<1000>; brx.idx %r1, T{n};\n", size
    ),
    "labels and misspelt ones": partial(half, lambda n: f"{word(n)}:\n", lambda n: f"bra {word(n)[:-1]};\n"),
    "one list of many targets": lambda size: (
        f"{HEADER}.entry k() {{\nL:\nT: .branchtargets {'L, ' * (size // 3)}L;\n}}\n"
    ),
    "a table of labels, and jumps through parts of it": partial(
        half,
        lambda n: f"E{n}: add.s32 %r1, %r1, {n};\n",
        lambda n: f"T{n}: .branchtargets E{n}, E{n + 1}; brx.idx %r1, T{n};\n",
    ),
    "blocks in the reverse order of their execution": lambda size: flow(
        lambda n, count: f"R{n}: add.s32 %r{n % 9}, %r{(n + 1) % 9}, {n}; bra {f'R{n - 1}' if n else 'END'};\n",
        size,
        lambda count: f"bra R{count - 1};\n",
    ),
    "jumps to places far away": lambda size: flow(
        lambda n, count: f"S{n}: add.s32 %r1, %r1, {n}; setp.lt.s32 %p1, %r1, {n}; @%p1 bra S{n * 7919 % count};\n",
        size,
    ),
    "one table of all labels, and jumps through it": lambda size: flow(
        lambda n, count: f"X{n}: add.s32 %r1, %r1, {n}; brx.idx %r1, ALL;\n",
        size,
        lambda count: f"ALL: .branchtargets {listed('X', count)};\n",
    ),
    "labels that all name one statement": labels_at_one_place,
    "a choice among many cases by halving": cases_by_halving,
    "a machine of states with one table": machine_of_states,
    "blocks that one table enters before and after a chain": two_tables,
    "a chain up and down that two others enter from both ends": staged(
        lambda n, count: f"setp.lt.s32 %p{n % 7}, %r1, {n}; @%p{n % 7} bra Z{n};\n{'bra END;' * (n == count - 1)}",
        lambda n, count: f"{'X: ' * (n == 0)}setp.gt.s32 %p1, %r2, {n}; @%p1 bra Z{count - 1 - n};\n",
        lambda n, count: f"Z{n}: add.s32 %r1, %r1, %r{n % 7}; setp.eq.s32 %p2, %r1, {n}; @%p2 bra Z{max(n - 1, 0)};\n",
        before=lambda count: "setp.eq.s32 %p1, %r1, 7; @%p1 bra X;\n",
    ),
    "branches through one table of all labels": lambda size: (
        HEADER_8_6
        + OPENED
        + "T: .branchtargets "
        + ", ".join(f"L{n}" for n in range(max(2, size // 40)))
        + ";\n"
        + "".join(f"L{n}:\tbrx.idx %r{n % 9}, T;\n" for n in range(max(2, size // 40)))
        + CLOSED
    ),
    "a branch table for each branch, all in a row": kernel_of(
        lambda n: f"T{n}: .branchtargets A{n}, A{n // 2}, A0, A{n + 1};\n@%p1 brx.idx.uni %r1, T{n};\nA{n}:\n"
    ),
    "labels in a row, then branches to them": both(
        lambda n: f"L{n}: ", "\n\tadd.s32 %r1, %r1, 1;\n", lambda n: f"@%p{n % 8} bra L{n};\n"
    ),
    "branches ahead to one label, from each value of one register": kernel_of(
        lambda n: f"\tmov.b32 %r1, {n};\n@%p1 bra OUT;\n\tadd.s32 %r2, %r1, %r2;\n",
        after="OUT:\n\tst.shared.b32 [shm], %r1;\n",
    ),
    "jumps to labels of other functions": jumps_to_other_functions,
}
