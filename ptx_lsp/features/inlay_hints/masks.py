"""``and.b32 %r1, %r2, 16711680 = 0xFF0000``: decimal constants whose bits count, in hexadecimal.

So are the selectors of ``prmt``, whose digits count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.analysis.constant_types import typed_constants
from ptx_lsp.analysis.packed.operands import packed_operand
from ptx_lsp.features.inlay_hints.hint import Hint, Stands
from ptx_lsp.features.inlay_hints.sight import Seen
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.layouts.decode import decode
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import OperandKind

_PAGES = ("isa/logic/", "isa/data/prmt.md")
"""The pages of bitwise instructions, and of the one that counts in digits."""
_SELECTS = "prmt"
_PLACE = 3
"""The operand that is the selector."""
_SMALL = 10
"""Smaller numbers are the same in both bases."""
_MAYBE = re.compile(r"(?<![\w$%.])(?:[1-9]\d|(?<=-)[2-9])", re.ASCII).search
"""A decimal number that is worth a hint."""


def looks_at(shape: Shape) -> bool:
    """Bitwise instructions with constants, and ``prmt``."""
    if shape.kind != Kind.INSTRUCTION or not shape.constants or shape.errors:
        return False
    return any(page.path.startswith(_PAGES) for page in catalogue().candidates(shape.opcode))


def hints(seen: Seen) -> Iterator[Hint]:
    """The masks of a statement that are not plain enough in decimal."""
    if _MAYBE(seen.text) is None:
        return
    if seen.use.statement.shape.opcode[0] == _SELECTS:
        yield from _selector(seen)
        return
    types = catalogue().vocabulary.types
    for constant in typed_constants(seen.use):
        word = seen.text[constant.span.start : constant.span.end]
        is_decimal = word.lstrip("-").removesuffix("U").isdecimal() and word.lstrip("-")[0] != "0"
        is_small = -1 <= constant.value < _SMALL
        if is_decimal and constant.fits and types[constant.type].kind == "untyped" and not is_small:
            yield _hint(seen.start + constant.span.end, constant.value, constant.bits)


def _selector(seen: Seen) -> Iterator[Hint]:
    """The digits of a selector that stands in decimal; those of a pattern are few."""
    tree, match = seen.use.instruction, seen.use.match
    if tree is None or match is None or len(tree.operands) != _PLACE + 1:
        return
    operand = tree.operands[_PLACE]
    packed = packed_operand(seen.use, match, operand, match.roles[_PLACE])
    word = seen.use.text_of(operand).removesuffix("U")
    if operand.kind is not OperandKind.INTEGER or packed is None or not word.isdecimal() or int(word) < _SMALL:
        return
    reading = decode(packed.layout, int(word), packed.context)
    tooltip = f"`{word}`: {reading.summary}"
    offset = seen.start + seen.use.operand_span(operand).end
    yield Hint(offset, f"= 0x{int(word):04X}", "masks", Stands.BEHIND, lambda: tooltip)


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

    return Hint(offset, f"= 0x{pattern:X}", "masks", Stands.BEHIND, tooltip)
