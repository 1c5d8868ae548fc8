"""Statements with undeclared names: whether anything else is wrong with them."""

from __future__ import annotations

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.matcher import matcher_of
from ptx_lsp.analysis.statements.value_limits import depends_on_values
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.tree import OperandKind

TAKES_LABELS = frozenset({"bra", "brx"})
"""The instructions whose undeclared names are meant to be labels."""
_OFTEN_WRONG_OTHERWISE = frozenset({"call"})


def has_half_declared(context: StatementContext) -> bool:
    """Whether some declaration with a syntax error may be that of a name in a statement."""
    return bool(context.function.half_declared or context.module.half_declared)


def is_half_declared(context: StatementContext, name: str) -> bool:
    """Whether a declaration with a syntax error seems to declare ``name``: nothing is said of it then."""
    inside, outside = context.function.half_declared, context.module.half_declared
    if not inside and not outside:
        return False
    stem = name.rstrip("0123456789")
    return any(name in one or stem in one for one in (inside, outside))


def lacks_only_declarations(context: StatementContext) -> bool:
    """Whether an instruction is right but for undeclared names, which fit everywhere."""
    shape = context.statement.shape
    if shape.errors or shape.kind != Kind.INSTRUCTION or shape.opcode[0] in _OFTEN_WRONG_OTHERWISE:
        return False
    codes = context.codes
    if not context.names.undeclared or len(context.names.undeclared) != codes.count(0) or depends_on_values(shape):
        return False
    return matcher_of(context.module).is_fine_but_for_names(shape, codes, context.statement)


def is_next_instruction(context: StatementContext) -> bool:
    """Whether the only operand of an instruction must be another instruction: a ``;`` is missing before it.

    It stands on a later line than the opcode, names an instruction, and is not declared.
    """
    tree = context.instruction if "\n" in context.statement.text.lstrip() else None
    if tree is None or len(tree.operands) != 1 or tree.operands[0].kind is not OperandKind.NAME:
        return False
    operand = tree.operands[0].first
    between = context.statement.text[context.span(tree.opcode_tokens[-1]).end : context.span(operand).start]
    return "\n" in between and operand in context.names.undeclared and context.word(operand) in catalogue().mnemonics
