"""H905 no-effect."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, hint
from ptx_lsp.diagnostic import Edit, Fix, Tag
from ptx_lsp.syntax.shape import Shape
from ptx_lsp.syntax.tree import Instruction, Operand, OperandKind
from ptx_lsp.text import Span

RULE = hint("H905").in_trees(Instruction)


def accepts_shape(shape: Shape) -> bool:
    """Moves from a register to one of the same kind: with the same prefix."""
    tree = shape.tree
    if not isinstance(tree, Instruction) or tree.opcode[0] != "mov" or len(tree.operands) != 2:
        return False
    prefixes = dict(shape.names)
    to, source = tree.operands
    return _is_plain(to) and _is_plain(source) and prefixes.get(to.name) == prefixes.get(source.name)


def _is_plain(operand: Operand) -> bool:
    """Whether an operand is a name and nothing else."""
    return operand.kind is OperandKind.NAME and operand.last - operand.first == 1


def prefilter_statement(text: str, _datum: object) -> bool:
    """Whether the text before the comma ends like the text after it."""
    before, after = text[: text.rfind(",")], text[text.rfind(",") + 1 :]
    return before.rstrip().endswith(after.strip(" \t\r\n;"))


def check(context: StatementContext) -> Iterator[Finding]:
    """A `mov` of a register to itself.

    ```ptx
    //- sm_80 ptx 7.0
    mov.b32 %r1, %r1;
    // <--- hint[H905]: '%r1' is copied to itself
    // ptxas: accepts it
    ```

    **Right:** `mov.b32 %r1, %r2;`, or remove the instruction.

    **Fixes offered:** remove the instruction.
    """
    found, tree = context.match, context.instruction
    if found is None or tree is None or not found.fits or not accepts_shape(context.statement.shape):
        return
    to, source = tree.operands
    if context.word(to.name) != context.word(source.name):
        return
    whole = Span(context.statement.lead, len(context.statement.text))
    message = f"'{context.word(to.name)}' is copied to itself"
    fixes = (Fix("remove the instruction", (Edit(whole, ""),)),)
    span = Span(context.opcode_span().start, context.operand_span(source).end)
    yield RULE.at(span, message, fixes=fixes, tags=(Tag.UNNECESSARY,))
