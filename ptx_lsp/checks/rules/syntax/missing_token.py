"""E101 missing-token."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptx_lsp.analysis.module.function import Function, StructureFaultKind
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.undeclared import is_next_instruction
from ptx_lsp.checks.support.finding import Finding, Phase, PlacedFinding, error
from ptx_lsp.checks.support.mismatches import makes_no_mistake
from ptx_lsp.diagnostic import Edit, Fix
from ptx_lsp.syntax.documents.nearby import after
from ptx_lsp.syntax.errors import syntax_errors
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.trivia import trivia_length
from ptx_lsp.text import Span

RULE = error("E101", phase=Phase.SYNTAX).for_syntax_errors().for_faults(StructureFaultKind.NO_BRACE)


def check(context: StatementContext) -> Iterator[Finding]:
    """Something that the grammar requires is missing: a `;`, a `,`, an operand, a closing bracket.

    It is reported where it belongs, not at the next word: a missing `;` at the end of its own line.

    ```ptx
    //- sm_80 ptx 7.0
    add.s32 %r1, %r2, %r3
    //                   ^ error[E101]: ';' expected after '%r3'
    sub.s32 %r1, %r1, 1;
    // ptxas: Parsing error near 'sub': syntax error
    ```

    **Right:** `add.s32 %r1, %r2, %r3;`

    **Fixes offered:** insert the missing token if only one is possible; no `;` before a broken vector, or before a
    block outside of functions. A `;` that would leave an instruction, or what begins no statement, outside of functions
    is offered, but is never inserted automatically; nor is a `{` after a wrong head of a function.
    """
    for diagnostic in syntax_errors(context.statement):
        if diagnostic.code == RULE.code:
            fixes = tuple(
                fix._replace(is_sure=False) if _leaves_rest_outside(context, fix.edits[0]) else fix
                for fix in diagnostic.fixes
                if makes_no_mistake(context, fix.edits[0]) and not _leaves_block_outside(context, fix.edits[0])
            )
            yield Finding(diagnostic._replace(fixes=() if _continues_in_braces(context) else fixes))
    if is_next_instruction(context) and context.instruction is not None:
        last = context.instruction.opcode_tokens[-1]
        end = Span(context.span(last).end, context.span(last).end)
        insert = Fix("insert ';'", (Edit(end, ";"),))
        yield RULE.at(end, f"';' expected after '{context.word(last)}'", fixes=(insert,))


def _leaves_block_outside(context: StatementContext, edit: Edit) -> bool:
    """Whether an edit ends a statement outside of functions, and the brace after it would begin a block there."""
    if context.is_inside or edit.text != ";":
        return False
    return _BRACE(context.statement.text[edit.span.end :] + _following(context, 1)) is not None


def _leaves_rest_outside(context: StatementContext, edit: Edit) -> bool:
    """Whether an edit ends a statement outside of functions, and what follows is no directive there: no better."""
    if edit.text != ";" or (context.is_inside and context.statement.shape.meant is not Kind.FUNCTION):
        return False
    rest = context.statement.text[edit.span.end :] + _following(context, 1)
    return rest[trivia_length(rest) :][:1] not in _OUTSIDE


def _following(context: StatementContext, count: int) -> str:
    """The text of some statements after one."""
    places = after(context.function.chunks, context.chunk, context.index, count)
    return "".join([chunk.part(index) for chunk, index in places])


def _continues_in_braces(context: StatementContext) -> bool:
    """Whether an instruction or declaration continues after a brace: a vector is broken, or the brace is a slip."""
    if not context.is_inside or context.statement.shape.meant not in _CONTINUED:
        return False
    rest = context.statement.text[context.span(-1).end :] + _following(context, 2)
    return _VECTOR(rest) is not None


_CONTINUED = frozenset({Kind.INSTRUCTION, Kind.REGISTERS, Kind.VARIABLE})
_OUTSIDE = ("", ".", "{", "}")
"""The beginnings of what can stand outside of functions, or has its own rule there."""
_BRACE = re.compile(r"[ \t]*\{").match
_VECTOR = re.compile(r"[ \t]*(?:\{|\}\s*[,;])").match


def check_function(function: Function) -> Iterator[PlacedFinding]:
    """Bodies without the brace that opens them."""
    for fault in function.faults:
        if fault.fault is StructureFaultKind.NO_BRACE:
            statement = fault.place.chunk.statement(fault.place.statement)
            span = statement.span(0)
            is_head_right = not function.first.statement(0).shape.errors  # else this may be a part of it
            insert = Fix("insert '{'", (Edit(Span(span.start, span.start), "{\n"),), is_sure=is_head_right)
            found = RULE.at(span, f"'{{' expected before '{statement.word(0)}'", fixes=(insert,))
            yield PlacedFinding(fault.place, found)
