"""The spelling of a statement, for the conditions of its instruction's page."""

from __future__ import annotations

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.symbols.symbols import OPERANDS
from ptx_lsp.isa.model.match_result import Match
from ptx_lsp.isa.model.page_condition import OPERAND_KINDS, Spelling
from ptx_lsp.isa.pages.spellings import spelling_of_match
from ptx_lsp.syntax.tree import Instruction, OperandKind

_KINDS = {
    OperandKind.VECTOR: "vector",
    OperandKind.INTEGER: "constant",
    OperandKind.FLOAT: "constant",
    OperandKind.CONSTANT: "constant",
}


def spelling_of(context: StatementContext, match: Match) -> Spelling:
    """The spelling of an instruction as it is written, with the kinds of its operands."""
    tree = context.statement.shape.tree
    assert isinstance(tree, Instruction)
    written = spelling_of_match(match, tree.opcode)
    kinds = {OPERANDS[code].kind for code in context.codes} & OPERAND_KINDS
    kinds.update(_KINDS[operand.kind] for operand in tree.operands if operand.kind in _KINDS)
    return Spelling(written.opcode, written.parts | kinds)
