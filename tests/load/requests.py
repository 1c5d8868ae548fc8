"""Documents on which a request once held the server's loop for long, each with the request and the place of the cursor.

As :mod:`.features`; the range of these requests is the whole document where a case says so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .features import CURSOR, kernel
from .hostile import repeated


class Case(NamedTuple):
    """A request that a client sends about a document."""

    method: str
    """Its method, without ``textDocument/``; or a command."""
    document: Callable[[int], str]
    """The text for a size in characters, with the cursor."""


def branches(size: int) -> str:
    """A kernel of jumps."""
    return CURSOR + kernel(repeated(size, lambda n: f"L{n}: add.s32 %r1, %r1, 1;\n@%p1 bra L{n};\n"))


CASES: dict[str, Case] = {
    "hints of many branches": Case("inlayHint", branches),
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
