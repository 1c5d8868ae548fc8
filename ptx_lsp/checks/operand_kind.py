"""E402 operand-kind."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.symbols import OPERANDS
from ptx_lsp.analysis.use import Use
from ptx_lsp.checks.finding import HERE, Finding, error
from ptx_lsp.checks.mismatches import mismatches, mnemonic, place_of
from ptx_lsp.checks.wording import kinds
from ptx_lsp.isa.match import Problem
from ptx_lsp.syntax.tree import Operand, OperandKind

RULE = error("E402")

_SHAPES = {
    OperandKind.ADDRESS: "an address", OperandKind.VECTOR: "a vector", OperandKind.ARGUMENTS: "an argument list",
    OperandKind.SINK: "the sink '_'", OperandKind.INTEGER: "a constant", OperandKind.FLOAT: "a constant",
    OperandKind.CONSTANT: "a constant",
}


def check(use: Use) -> Iterator[Finding]:
    """An operand of the wrong kind: a constant for a register, a register for an address, a label for a value.

    ```ptx
    //- sm_80 ptx 7.0
    ld.global.u32 %r1, %rd1;
    //                 ^^^^ error[E402]
    // ptxas: Arguments mismatch for instruction 'ld'
    ```

    **Right:** `ld.global.u32 %r1, [%rd1];`
    """
    for mismatch in mismatches(use, Problem.OPERAND_KIND):
        span = place_of(use, mismatch)
        text = use.statement.text[span.start : span.end]
        operand = use.operand_at(mismatch.operand)
        wanted = kinds(mismatch.wanted)
        what = _what(use, operand)
        message = f"'{text}' cannot stand here"
        if wanted:
            message = f"'{text}' is {what}{HERE}; '{mnemonic(use)}' wants {wanted} here"
        declared = use.symbols.get(operand.name) if operand is not None and operand.kind is OperandKind.NAME else None
        yield RULE.at(span, mismatch.message or message, declared=declared)


def _what(use: Use, operand: Operand | None) -> str:
    if operand is None:
        return "wrong"
    if operand.kind is not OperandKind.NAME:
        return _SHAPES[operand.kind]
    symbol = use.symbols.get(operand.name)
    if symbol is None:
        meaning = OPERANDS[use.code_of(operand.name)]
        return f"a {meaning.type} special register" if meaning.kind == "special" else "a constant"
    if symbol.space == ".reg":
        return f"a {symbol.type} register"
    if symbol.space:
        return f"a {symbol.space} variable"
    return f"a {symbol.kind.name.lower()}"
