"""W636 missing-unified."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.role_misuse import accessed_name
from ptx_lsp.analysis.symbols.attributes import UNIFIED, is_unified, may_be_unified
from ptx_lsp.analysis.symbols.symbols import Scope
from ptx_lsp.analysis.synchronization.ordering_facts import possible_facts
from ptx_lsp.checks.support.finding import Finding, warning
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.isa.model.ordering import Verb
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.syntax.tree import Instruction
from ptx_lsp.text import Span

RULE = warning("W636").in_trees(Instruction)
_OTHER_SPACES = (".shared", ".param", ".local", ".const")


def accepts_shape(shape: Shape) -> int | None:
    """Loads of a name that may be in global memory, and whose address has no qualifier: the token of the name."""
    tree = shape.tree
    if not isinstance(tree, Instruction) or len(tree.operands) < 2 or tree.operands[1].selector:
        return None
    name = accessed_name(tree.operands[1])
    if not any(token == name and not prefix for token, prefix in shape.names):
        return None
    if any(word.startswith(_OTHER_SPACES) for word in tree.opcode):
        return None
    facts = possible_facts(tree.opcode)
    return name if (Verb.READS, "") in facts and (Verb.WRITES, "") not in facts else None


def prefilter_names(_module: Module, scope: Scope, statement: Statement) -> bool:
    """Whether the name is a variable that is declared so."""
    name = accepts_shape(statement.shape)
    symbol = scope.lookup(statement.word(name)) if name is not None else None
    return symbol is not None and may_be_unified(symbol) and is_unified(symbol)


def check(context: StatementContext) -> Iterator[Finding]:
    """A load of a variable with `.attribute(.unified(…))` whose address has no `.unified`.

    The qualifier tells ptxas that the address is the same on the host and on all devices. The manual requires it for
    such a variable.

    ```ptx
    //- sm_90 ptx 8.0 module
    .global .attribute(.unified(1, 2)) .u32 counter;
    .visible .entry kernel()
    {
        .reg .b32 %r<2>;
        ld.global.u32 %r1, [counter];
    //                     ^^^^^^^^^ warning[W636]: '.unified' is missing; 'counter' is declared with it (line 5)
        ret;
    }
    ```

    **Right:** `ld.global.u32 %r1, [counter].unified;`

    **Fixes offered:** add `.unified`.

    ---

    ptxas accepts such variables only with `-c`. PTX ISA, "ld".
    """
    tree, token = context.instruction, accepts_shape(context.statement.shape)
    if tree is None or token is None or context.match is None or not context.match.fits:
        return
    symbol = context.symbols.get(token)
    if symbol is not None and may_be_unified(symbol) and is_unified(symbol):
        span = context.operand_span(tree.operands[1])
        fix = Fix(f"add '{UNIFIED}'", (Edit(Span(span.end, span.end), UNIFIED),))
        message = f"'{UNIFIED}' is missing; '{symbol.name}' is declared with it"
        yield RULE.at(span, message, fixes=(fix,)).explained_by(symbol)
