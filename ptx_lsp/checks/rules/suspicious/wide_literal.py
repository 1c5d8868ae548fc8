"""W610 wide-literal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, warning
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.constants import integer_or_none
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import Declaration, Instruction, Operand, OperandKind, has_initial_values

RULE = warning("W610").in_trees(Instruction, Declaration)

_AT_MOST = 20
"""A table of the wrong type has the same finding for each of its numbers."""
_SMALLEST = {1: 1, 3: 8, 5: 16, 10: 32}
"""The least number of digits of a literal that does not fit into so many bits."""
_DIGITS = re.compile(r"\d", re.ASCII).findall
_GROWING = re.compile(r"[</>~]|0[xX]|WARP_SZ").search
"""Operators whose result may be larger than the product of all numbers, and numbers of more than their digits."""


@cache
def _literals(bits: int, digits: int) -> Callable[[str], list[str]]:
    """Finds literals with a minus sign right before them, but for those that fit into so many bits by their length."""
    of_bits = rf"[bB]\w++|[xX]\w{{{max(1, bits // 4)},}}+"
    # One class at the beginning lets the engine skip to where a literal may begin.
    return re.compile(
        rf"[-\d](?:(?<=-)(?:\d{{{digits},}}+|0(?:{of_bits}))"
        rf"|(?<=\d)(?<![\w$%.].)(?:\d{{{digits - 1},}}+|(?<=0)(?:{of_bits})))U?(?![\w$.])"
    ).findall


class _Constants(NamedTuple):
    """The constants of a shape."""

    bits: int
    """The bits of the smallest type that one may have."""
    digits: int
    """Shorter literals fit."""
    last: int
    """Shorter last operands fit, with their comma and semicolon; 0 if there are other constants."""
    has_expression: bool
    is_initializer: bool

    def ignores(self, digits: int) -> bool:
        """Whether all decimal literals of so many digits fit."""
        return digits < self.digits and not self.has_expression


def accepts_shape(shape: Shape) -> _Constants | None:
    """Instructions with constants for operands, and initializers."""
    tree = shape.tree
    types = catalogue().vocabulary.types
    kinds: list[OperandKind] = []
    if isinstance(tree, Declaration):
        wanted = has_initial_values(tree)
        sizes = [types[tree.type].bits] if wanted and tree.type in types else []
    elif isinstance(tree, Instruction) and shape.constants:
        kinds = [operand.kind for operand in tree.operands if _may_hold(operand)]
        sizes = ([types[word].bits for word in tree.opcode if word in types] or [16]) if kinds else []
    else:
        return None
    if not sizes:
        return None
    bits = min(sizes)
    digits = next((digits for digits, most in _SMALLEST.items() if bits <= most), max(_SMALLEST))
    is_last = len(shape.constants) == 1 and isinstance(tree, Instruction) and _may_hold(tree.operands[-1])
    return _Constants(bits, digits, digits + 2 if is_last else 0, OperandKind.CONSTANT in kinds, not kinds)


def prefilter_statement(text: str, constants: _Constants) -> bool:
    """Whether there is a literal with more digits than the smallest type takes, or a constant expression."""
    bits, digits, last, has_expression, is_initializer = constants
    if len(text) - text.rfind(",") < last:
        return False
    if has_expression and _may_compute(text.split(None, 1)[-1], digits):
        return True
    for literal in set(_literals(bits, digits)(text[text.find("=") :] if is_initializer else text)):
        number = literal.removeprefix("-")
        value = integer_or_none(number)
        if value is not None and (value >> bits if number is literal else value - 1 >> bits - 1):
            return True
    return False


def _may_compute(operands: str, digits: int) -> bool:
    """Whether an expression can have so many digits: without shifts and divisions no more than its numbers together."""
    return len(_DIGITS(operands)) >= digits or _GROWING(operands) is not None


def _may_hold(operand: Operand) -> bool:
    return operand.kind in (OperandKind.INTEGER, OperandKind.CONSTANT, OperandKind.VECTOR)


def check(context: StatementContext) -> Iterator[Finding]:
    """An integer constant with more bits than its type. ptxas silently truncates it.

    ```ptx
    //- sm_80 ptx 7.0
    mov.u16 %h1, 70000;
    //           ^^^^^ warning[W610]: '70000' does not fit .u16; truncated to 4464
    // ptxas: accepts it
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0
    mov.u32 %r1, 70000;
    ```

    **Fixes offered:** the truncated value.

    ---

    A constant fits if it can be read as a signed or as an unsigned number of the type's size: `-1` and `0xFFFF` are
    the same `.u16`, and the same `.s16`.
    """
    from ptx_lsp.analysis.statements.constant_types import LARGEST, typed_constants  # imported late: few are wide

    wide = (one for one in typed_constants(context) if not one.fits)
    for one in islice(wide, _AT_MOST):
        left = one.value % (1 << min(one.bits, LARGEST))
        text = context.statement.text[one.span.start : one.span.end]
        shown = text if len(text) <= len(str(1 << LARGEST)) else "this constant"
        message = f"'{shown}' does not fit {one.type}; truncated to {left}"
        yield RULE.at(one.span, message, fixes=(Fix(f"write '{left}'", (Edit(one.span, str(left)),)),))
