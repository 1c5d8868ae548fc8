"""Documents on which a single request once took long, each with the request and the place of the cursor.

The cursor is marked in what a generator of :data:`CASES` gives. :data:`GENERATORS` has the same texts without marks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .hostile import HEADER, REGISTERS, repeated

CURSOR = "<|>"


class Case(NamedTuple):
    """A request that a client sends about a document."""

    method: str
    """Its method, without ``textDocument/``."""
    document: Callable[[int], str]
    """The text for a size in characters, with the cursor."""


def kernel(body: str, before: str = "") -> str:
    """A module with a kernel."""
    return f"{HEADER}{before}.entry k(.param .u64 p)\n{{\n{REGISTERS}{body}ret;\n}}\n"


def kernels_and_variables(space: str) -> Callable[[int], str]:
    """Variables of a space, and as many kernels without parameters."""
    return lambda size: (
        HEADER
        + CURSOR
        + repeated(size // 2, lambda n: f".{space} .b32 v{n};\n")
        + repeated(size // 2, lambda n: f".entry k{n}() {{ ret; }}\n")
    )


CASES: dict[str, Case] = {
    "lenses of kernels without parameters, beside shared variables": Case("codeLens", kernels_and_variables("shared")),
    "lenses of kernels without parameters, beside global variables": Case("codeLens", kernels_and_variables("global")),
}
"""All of them, by what is asked of what."""
GENERATORS: dict[str, Callable[[int], str]] = {
    name: lambda size, case=case: case.document(size).replace(CURSOR, "")  # type: ignore[misc]
    for name, case in CASES.items()
}
