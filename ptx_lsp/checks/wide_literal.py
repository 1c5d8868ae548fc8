"""W610 wide-literal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from ptx_lsp.analysis.constant_types import LARGEST, typed_constants
from ptx_lsp.analysis.layout import integer
from ptx_lsp.analysis.use import Use
from ptx_lsp.checks.finding import Finding, warning
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import Declaration, Instruction, Operand, OperandKind

RULE = warning("W610")

_AT_MOST = 20
"""A table of the wrong type says the same of each of its numbers."""
_LITERALS = {
    digits: re.compile(rf"(?<![\w$%.])(?:\d{{{digits},}}+|0[xXbB]\w++)U?(?![\w$.])").finditer for digits in (3, 5, 10)
}
_bits: dict[int, int] = {}
"""The bits of the smallest type that a constant of a shape may have, by the shape's id."""


def watches(shape: Shape) -> bool:
    """Instructions with constants for operands, and initialisers."""
    tree = shape.tree
    types = catalogue().vocabulary.types
    if isinstance(tree, Declaration):
        wanted = any(declarator.initialiser is not None for declarator in tree.declarators)
        sizes = [types[tree.type].bits] if wanted and tree.type in types else []
    elif isinstance(tree, Instruction) and shape.constants and any(map(_may_hold, tree.operands)):
        sizes = [types[word].bits for word in tree.opcode if word in types] or [16]
    else:
        return False
    if sizes:
        _bits[shape.id] = min(sizes)
    return bool(sizes)


def glance(text: str, shape: Shape) -> bool:
    """Whether there is a literal with more digits than the smallest type takes, or a constant expression."""
    tree = shape.tree
    if isinstance(tree, Instruction) and any(operand.kind is OperandKind.CONSTANT for operand in tree.operands):
        return True
    bits = _bits[shape.id]
    for found in _LITERALS[3 if bits <= 8 else 5 if bits <= 16 else 10](text):
        value = integer(found[0])
        if value is not None and value >> (bits - 1 if text[found.start() - 1] == "-" else bits):
            return True
    return False


def _may_hold(operand: Operand) -> bool:
    return operand.kind in (OperandKind.INTEGER, OperandKind.CONSTANT, OperandKind.VECTOR)


def check(use: Use) -> Iterator[Finding]:
    """An integer constant with more bits than its type. ptxas cuts it without a word.

    ```ptx
    //- sm_80 ptx 7.0
    mov.u16 %h1, 70000;
    //           ^^^^^ warning[W610]
    // ptxas: accepts it
    ```

    **Right:** `mov.u16 %h1, 4464;`, or a larger type.

    **Fixes offered:** the value that is left.

    ---

    A constant fits if it can be read as a signed or as an unsigned number of the type's size: `-1` and `0xFFFF` are
    the same `.u16`, and the same `.s16`.
    """
    wide = (one for one in typed_constants(use) if not one.fits)
    for one in islice(wide, _AT_MOST):
        left = one.value % (1 << min(one.bits, LARGEST))
        text = use.statement.text[one.span.start : one.span.end]
        where = f"the {one.bits} bits of {one.type}"
        shown = text if len(text) <= len(str(1 << LARGEST)) else "this constant"
        message = f"'{shown}' does not fit into {where}; {left} is left of it"
        yield RULE.at(one.span, message, fixes=(Fix(f"write '{left}'", (Edit(one.span, str(left)),)),))
