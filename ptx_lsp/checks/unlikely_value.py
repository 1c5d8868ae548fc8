"""W611 unlikely-value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.analysis.advice import advised, is_about_constants, may_be_unlikely, unlikely
from ptx_lsp.analysis.use import Use
from ptx_lsp.checks.finding import Finding, warning
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.shape import Shape

RULE = warning("W611")

_NUMBERS = re.compile(r"(?<![\w$%.])-?\d\w*").findall
_known: dict[tuple[int, ...] | tuple[int | str, ...], bool] = {}
_MOST = 1 << 16
_READABLE = 15
"""Longer ranges say less than the reason behind them."""


def watches(shape: Shape) -> bool:
    """Instructions with constants whose page says which can be meant."""
    return bool(shape.constants) and any(
        is_about_constants(advice)
        for page in catalogue().candidates(shape.opcode)
        for form in page.forms
        for advice in form.advice
    )


def glance(text: str, shape: Shape) -> bool:
    """Whether some form advises against the constants; few combinations of opcode and constants are ever seen."""
    key = (shape.id, *_NUMBERS(text))
    known = _known.get(key)
    if known is None:
        if len(_known) > _MOST:
            _known.clear()
        known = _known[key] = may_be_unlikely(shape, text)
    return known


def check(use: Use) -> Iterator[Finding]:
    """A constant that ptxas takes and nobody can mean: it does nothing, or what happens is undefined.

    Among these are shifts by the width of the value or more, fields beyond it, tables and selectors with bits that are
    not looked at, masks without a lane, shuffles in which no lane gets another's value, comparisons whose result is
    always the same, and divisions by zero.

    ```ptx
    //- sm_80 ptx 7.0
    shl.b32 %r1, %r2, 32;
    //                ^^ warning[W611]
    // ptxas: accepts it
    ```

    **Right:** `shl.b32 %r1, %r2, 31;`

    ---

    Which constants can be meant stands on the pages of the instructions, in lines with `~`.
    """
    for one in advised(use):
        if not is_about_constants(one.advice):
            continue
        for operand, _ in unlikely(use.statement, one.operand, one.words):
            wanted = " ".join(str(word) for cell in one.words for word in cell)
            place = "cannot be meant" if len(wanted) > _READABLE else f"is outside of {wanted}"
            yield RULE.at(use.operand_span(operand), f"'{use.text_of(operand)}' {place}: {one.advice.message}")
