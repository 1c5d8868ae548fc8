"""E404 operand-value."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.checks.support.mismatches import mismatches, mnemonic, place_of
from ptx_lsp.checks.support.wording import listed, one_of
from ptx_lsp.isa.model.match_result import Problem
from ptx_lsp.syntax.constants import evaluate
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind

RULE = error("E404").in_trees(Instruction)


def check(context: StatementContext) -> Iterator[Finding]:
    """A constant that is out of range for the operand.

    ```ptx
    //- sm_80 ptx 7.0
    cp.async.ca.shared.global [%r1], [%rd1], 12;
    //                                       ^^ error[E404]: '12' is out of range; 'cp.async' expects 4, 8 or 16 here
    // ptxas: Argument 2 of instruction 'cp.async': unexpected value '12', expected to be 4 or 8 or 16
    ```

    **Right:** `cp.async.ca.shared.global [%r1], [%rd1], 8;`
    """
    tree = context.instruction
    for operand in tree.operands if tree is not None else ():
        for part in (operand, *operand.parts):
            if part.offset is not None and _is_float(context, part.offset):
                text = context.text_of(part.offset)
                yield RULE.at(
                    context.operand_span(part.offset), f"'{text}' is not an integer; an address offset must be one"
                )
    yield from _related(context)
    for mismatch in mismatches(context, Problem.OPERAND_VALUE):
        span = place_of(context, mismatch)
        text = context.statement.text[span.start : span.end]
        wanted = one_of(mismatch.wanted) if len(mismatch.wanted) <= _FEW else listed(mismatch.wanted)
        message = f"'{text}' is out of range; '{mnemonic(context)}' expects {wanted} here"
        yield RULE.at(span, mismatch.message or message)


def accepts_shape(shape: Shape) -> bool:
    """Whether a statement can have a computed offset, or constants of which one limits another."""
    tree = shape.tree
    if not isinstance(tree, Instruction):
        return False
    parts = (part for operand in tree.operands for part in (operand, *operand.parts))
    computed = any(part.offset is not None and part.offset.kind is OperandKind.CONSTANT for part in parts)
    return computed or bool(shape.constants) and tree.opcode[:2] in _RELATED


_FEW = 4
"""So many values are read as a sentence."""
_RELATED = frozenset({("cp", ".async"), ("createpolicy", ".range"), ("createpolicy", ".fractional")})


def _related(context: StatementContext) -> Iterator[Finding]:
    """Constants that are wrong beside each other, of an instruction that is right otherwise."""
    tree = context.instruction
    if tree is None or context.match is None or context.match.mismatches or tree.opcode[:2] not in _RELATED:
        return
    by_role = dict(zip(context.match.roles, tree.operands, strict=False))
    part = by_role.get("src-size", by_role.get("primary-size"))
    if part is not None:
        limit = by_role.get("total-size", tree.operands[min(_COPIED, len(tree.operands) - 1)])
        size, most = evaluate(context.statement, part), evaluate(context.statement, limit)
        is_copy = tree.opcode[0] == "cp"
        if not isinstance(size, int) or not isinstance(most, int):
            return
        is_too_large = size > most and (is_copy or size <= _LOW)
        if is_too_large or is_copy and size < 0:
            message = f"'{context.text_of(part)}' is out of range; '{mnemonic(context)}' expects 0..{most} here"
            yield RULE.at(context.operand_span(part), message)
    fraction = by_role.get("fraction")
    value = evaluate(context.statement, fraction) if fraction is not None else None
    if fraction is not None and isinstance(value, float) and not 0 < value <= 1:
        message = f"'{context.text_of(fraction)}' is out of range; a fraction must be greater than 0.0 and at most 1.0"
        yield RULE.at(context.operand_span(fraction), message)


_COPIED = 2
"""The place of the size in ``cp.async``."""
_LOW = (1 << 32) - 1
"""Of larger sizes some ptxas sees no more than these bits."""


def _is_float(context: StatementContext, offset: Operand) -> bool:
    computed = offset.kind is OperandKind.CONSTANT
    return offset.kind is OperandKind.FLOAT or computed and isinstance(evaluate(context.statement, offset), float)
