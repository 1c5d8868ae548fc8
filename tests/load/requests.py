"""Documents on which a request once held the server's loop for long, each with the request and the place of the cursor.

As :mod:`.features`; the range of these requests is the whole document where a case says so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from . import hostile
from .features import CURSOR, kernel
from .hostile import HEADER, repeated


class Case(NamedTuple):
    """A request that a client sends about a document."""

    method: str
    """Its method, without ``textDocument/``; or a command."""
    document: Callable[[int], str]
    """The text for a size in characters, with the cursor."""


def branches(size: int) -> str:
    """A kernel of jumps."""
    return CURSOR + kernel(repeated(size, lambda n: f"L{n}: add.s32 %r1, %r1, 1;\n@%p1 bra L{n};\n"))


def nest(size: int) -> str:
    """A kernel of a block in a block, and so on."""
    return CURSOR + kernel(f"{'{' * (size // 4)}\n{'}' * (size // 4)}\n")


CASES: dict[str, Case] = {
    "hints of many branches": Case("inlayHint", branches),
    "formatting of blocks in blocks": Case("formatting", nest),
    "lenses of one variable declared again and again": Case(
        "codeLens", lambda size: CURSOR + kernel("", repeated(size, lambda n: f".global .b32 v; // {n % 10}\n"))
    ),
    "a word after many signs": Case(
        "completion", lambda size: f"{HEADER}.global .b32 a = {'~ - ' * (size // 4)}{CURSOR}"
    ),
    "tokens of words": Case("semanticTokens/full", lambda size: CURSOR + hostile.GENERATORS["lonely words"](size)),
    "the origin of a value of many bitwise operations": Case(
        "ptx-lsp.originAt",
        lambda size: kernel(
            repeated(
                size, lambda n: f"lop3.b32 %r{n % 7 + 1}, %r{n % 5 + 1}, %r{n % 3 + 1}, %r{n % 4 + 1}, {n % 256};\n"
            )
            + f"mov.b32 {CURSOR}%r1, %r2;\n"
        ),
    ),
    "the barriers of clusters that many instructions pass": Case(
        "ptx-lsp.barriersAt",
        lambda size: kernel(
            CURSOR
            + repeated(size, lambda n: f"barrier.cluster.{'arrive' if n % 2 else 'wait'};\nadd.s32 %r1, %r1, {n};\n")
        ),
    ),
    "the new name of a register in many statements": Case(
        "rename", lambda size: kernel(f"mov.b32 {CURSOR}%r1, 1;\n" + repeated(size, "add.s32 %r2, %r1, {};\n".format))
    ),
    "formatting of a range of blocks in blocks": Case("rangeFormatting", nest),
}
"""All of them, by what is asked of what."""
GENERATORS: dict[str, Callable[[int], str]] = {
    name: lambda size, case=case: case.document(size).replace(CURSOR, "")  # type: ignore[misc]
    for name, case in CASES.items()
}
WRONG_ASSEMBLY = [
    'asm("add.s32 %0, %1, [271];" : "=r"(a) : "r"(b));',
    'asm("add.s32 %0, %1, [272];" : "=f"(x) : "f"(x));',
    'asm("wgmma.fence.sync.aligned 273;");',
    'asm("tcgen05.mma.cta_group::1.kind::f16 [%0], %1, 274;" : : "r"(a), "r"(b));',
]
"""Statements that are wrong for all targets."""
