"""``and.b32 %r1, %r2, 16711680 = 0xFF0000``: decimal bit masks in hexadecimal."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.analysis.statements.constant_types import typed_constants
from ptx_lsp.features.inlay_hints.hint import Hint, HintPosition
from ptx_lsp.features.inlay_hints.visible_statement import VisibleStatement
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import Shape

_FOLDER = "isa/logic/"
"""The folder of the pages of bitwise instructions."""
_MAYBE = re.compile(r"(?<![\w$%.])(?:[1-9]\d|(?<=-)[2-9])", re.ASCII).search
"""Matches a decimal number that may get a hint."""


def applies_to(shape: Shape) -> bool:
    """Whether it is a bitwise instruction with constants."""
    if shape.kind != Kind.INSTRUCTION or not shape.constants or shape.errors:
        return False
    return any(page.path.startswith(_FOLDER) for page in catalogue().candidates(shape.opcode))


def hints(seen: VisibleStatement) -> Iterator[Hint]:
    """Yield the hexadecimal masks of a statement that are hard to read in decimal."""
    if _MAYBE(seen.text) is None:
        return
    types = catalogue().vocabulary.types
    for constant in typed_constants(seen.context):
        word = seen.text[constant.span.start : constant.span.end]
        is_decimal = word.lstrip("-").removesuffix("U").isdecimal() and word.lstrip("-")[0] != "0"
        if is_decimal and constant.fits and types[constant.type].kind == "untyped" and not -1 <= constant.value < 10:
            yield _hint(seen.start + constant.span.end, constant.value, constant.bits)


def _hint(offset: int, value: int, bits: int) -> Hint:
    pattern = value % (1 << bits)

    def tooltip() -> str:
        ones = [at for at in range(bits) if pattern >> at & 1]
        runs: list[list[int]] = []
        for at in ones:
            if runs and runs[-1][1] == at - 1:
                runs[-1][1] = at
            else:
                runs.append([at, at])
        shown = ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in reversed(runs[-8:]))
        more = " …" if len(runs) > 8 else ""
        return f"`{value}`: {len(ones)} of {bits} bits set: {shown}{more}"

    return Hint(offset, f"= 0x{pattern:X}", "masks", HintPosition.AFTER, tooltip)
