"""Accesses of variables with ``.attribute(.unified(…))`` by their names.

Source: PTX ISA, "Variable and Function Attribute Directive: .attribute", "ld".
"""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.role_misuse import accessed_name
from ptx_lsp.analysis.symbols.attributes import is_unified, may_be_unified
from ptx_lsp.analysis.symbols.symbols import Scope, Symbol
from ptx_lsp.analysis.synchronization.ordering_facts import facts_of, possible_facts
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.process_cache import KEPT_BY_SHAPE
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind

_GLOBAL = ".global"
_OTHERS = (".shared", ".param", ".local", ".const")


@KEPT_BY_SHAPE.answers
def accessed_tokens(shape: Shape, verb: Verb) -> tuple[int, ...]:
    """The tokens of the names in brackets that may be in global memory, in instructions that may read, or write, it."""
    names = [token for token, prefix in shape.names if not prefix]
    tree = shape.tree if names else None
    if not isinstance(tree, Instruction):
        return ()
    found = tuple(accessed_name(one) for one in tree.operands if _is_address(one) and accessed_name(one) in names)
    if not found or _GLOBAL not in tree.opcode and any(word.startswith(_OTHERS) for word in tree.opcode):
        return ()
    return found if (verb, "") in possible_facts(tree.opcode) else ()


def names_unified(scope: Scope, statement: Statement, verb: Verb) -> bool:
    """Whether one of these names is a variable with the attribute."""
    return any(_is_meant(scope.lookup(statement.word(token))) for token in accessed_tokens(statement.shape, verb))


def unified_accesses(context: StatementContext, verb: Verb) -> Iterator[tuple[Operand, Symbol, bool]]:
    """The addresses of variables with the attribute that an instruction reads, or writes; whether it writes them."""
    tree, match = context.instruction, context.match
    if tree is None or match is None or not match.fits:
        return
    facts = facts_of(match, tree.opcode)
    accessed, written = (
        {name for fact in facts if fact.verb is one for name in fact.operands} for one in (verb, Verb.WRITES)
    )
    for role, operand in zip(match.roles, tree.operands, strict=False):
        if role in accessed and _is_address(operand):
            symbol = context.symbols.get(accessed_name(operand))
            if symbol is not None and _is_meant(symbol):
                yield operand, symbol, role in written


def _is_address(operand: Operand) -> bool:
    return operand.kind is OperandKind.ADDRESS


def _is_meant(symbol: Symbol | None) -> bool:
    return symbol is not None and may_be_unified(symbol) and is_unified(symbol)
