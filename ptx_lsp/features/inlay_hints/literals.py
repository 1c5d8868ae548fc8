"""``0f3F800000 = 1.0``: the values of floating-point constants written as bit patterns."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.features.inlay_hints.hint import Hint, HintPosition, shortened
from ptx_lsp.features.inlay_hints.visible_statement import VisibleStatement
from ptx_lsp.float_text import FloatFormat, from_bits, known_constant
from ptx_lsp.patterns import compile_pattern
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.trivia import COMMENT, LINE_MARKER

_CONSTANT = compile_pattern(
    rf'"[^"\n]*+"?+|{COMMENT}|{LINE_MARKER}'
    r"|(?<![\w$%.])0(?:[fF](?P<single>[0-9a-fA-F]{8})|[dD](?P<double>[0-9a-fA-F]{16}))(?![\w$.])",
    re.ASCII,
)
_MAYBE = re.compile(r"0[fFdD][0-9a-fA-F]{8}").search
_MOST = 256
"""The number of constants of one statement above which it is a data table without hints."""
_BIASES = {"f": (23, 127), "d": (52, 1023)}


def applies_to(shape: Shape) -> bool:
    """Whether it is an instruction with constants or a declaration of variables."""
    return shape.kind == Kind.VARIABLE or (shape.kind == Kind.INSTRUCTION and bool(shape.constants))


def hints(seen: VisibleStatement) -> Iterator[Hint]:
    """Yield the values of a statement's constants within the visible range."""
    text, span = seen.text, seen.visible.span
    if _MAYBE(text) is None:
        return
    count = 0
    for found in _CONSTANT.finditer(text, 0, max(span.end - seen.start + 20, 0)):
        format_: FloatFormat = "f" if found["single"] else "d"
        digits = found["single"] or found["double"]
        if not digits or seen.start + found.end() < span.start:
            continue
        yield _hint(seen.start + found.end(), int(digits, 16), format_)
        count += 1
        if count == _MOST:
            return


def _hint(offset: int, bits: int, format_: FloatFormat) -> Hint:
    value, name = from_bits(bits, format_), known_constant(bits, format_)
    label = f"= {value} ≈ {name}" if name is not None else f"= {value}"
    if name is not None and len(label) != len(shortened(label)):
        label = f"≈ {name}"

    def tooltip() -> str:
        width, bias = _BIASES[format_]
        total = 32 if format_ == "f" else 64
        exponent = bits >> width & 2 * bias + 1
        power = f"2^{exponent - bias}" if 0 < exponent < 2 * bias + 1 else "all ones" if exponent else "subnormal or 0"
        about = f", the nearest number to {name}" if name is not None else ""
        return (
            f"`.f{total}` {value}{about}\n"
            f"sign {bits >> total - 1}, exponent {exponent} ({power}), fraction `0x{bits & (1 << width) - 1:X}`"
        )

    return Hint(offset, shortened(label), "literals", HintPosition.AFTER, tooltip)
