"""Calls against the functions that they name.

Source: PTX ISA, "Control Flow Instructions: call".
"""

from __future__ import annotations

from typing import NamedTuple

from ptx_lsp.analysis.symbols import Symbol, SymbolKind
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind


class Call(NamedTuple):
    """The parts of a call statement."""

    target: Operand
    results: Operand | None
    arguments: Operand | None


def read_call(tree: Instruction) -> Call | None:
    """The parts of a call; None for any other instruction, and for a call without a target."""
    if tree.opcode[0] != "call":
        return None
    at = next((at for at, operand in enumerate(tree.operands) if operand.kind is OperandKind.NAME), None)
    if at is None or at > 1:
        return None
    after = tree.operands[at + 1] if at + 1 < len(tree.operands) else None
    arguments = after if after is not None and after.kind is OperandKind.ARGUMENTS else None
    return Call(tree.operands[at], tree.operands[0] if at else None, arguments)


def count(arguments: Operand | None) -> int:
    """How many arguments stand in parentheses; none without them."""
    return len(arguments.parts) if arguments is not None else 0


def fits(call: Call, target: Symbol | None) -> bool:
    """Whether a direct call passes as many values as its function takes and returns."""
    if target is None or target.kind is not SymbolKind.FUNCTION or target.signature is None:
        return True
    if target.type == ".entry":
        return False
    results, parameters = target.signature
    return count(call.results) == len(results) and count(call.arguments) == len(parameters)
