"""E301 unknown-instruction."""

from __future__ import annotations

from collections.abc import Iterator

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.checks.support.wording import did_you_mean, listed
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.syntax.tree import Instruction
from ptx_lsp.text import Span

RULE = error("E301").in_trees(Instruction)


def check(context: StatementContext) -> Iterator[Finding]:
    """An opcode that does not exist in any version of PTX.

    Opcodes are case-sensitive. The parts of a longer name (`cp.async.bulk.tensor`, `mbarrier.try_wait`) come first,
    in their order.

    ```ptx
    //- sm_80 ptx 7.0
    addd.s32 %r1, %r2, %r3;
    // <--- error[E301]: there is no instruction 'addd'; did you mean 'add'?
    // ptxas: Not a name of any known instruction: 'addd'
    ```

    **Right:** `add.s32 %r1, %r2, %r3;`

    **Fixes offered:** the opcode with the most similar spelling.
    """
    tree = context.instruction
    if tree is None or context.match is not None:
        return
    if catalogue().is_listed_only(tree.opcode):
        return
    longer = catalogue().names_from(tree.opcode[0] + ".")
    if longer:
        endings = listed([name.removeprefix(tree.opcode[0]) for name in longer], 6)
        span = context.span(tree.opcode_tokens[0])
        yield RULE.at(
            span, f"'{tree.opcode[0]}' is only the beginning of an instruction name; expected {endings} after it"
        )
        return
    written = context.statement.text[context.opcode_span().start : context.opcode_span().end]
    head = context.span(tree.opcode_tokens[0])
    names = catalogue().nearest(written, 1)
    if names and "." in names[0]:
        head = Span(
            head.start, max(_ends(context, names[0]), key=lambda end: _likeness(context, head.start, end, names[0]))
        )
    ending, fixes = did_you_mean(head, names[0] if names else None)
    yield RULE.at(
        head, f"there is no instruction '{context.statement.text[head.start : head.end]}'{ending}", fixes=fixes
    )


def _ends(context: StatementContext, name: str) -> list[int]:
    """The possible ends of the text meant as ``name``: after as many parts of the opcode as it has, or after fewer."""
    assert context.instruction is not None
    return [context.span(token).end for token in context.instruction.opcode_tokens[: name.count(".") + 1]]


def _likeness(context: StatementContext, start: int, end: int, name: str) -> float:
    """The similarity of a part of the statement to ``name``: ``mulwide`` is like ``mul.wide``, ``mulwide.s32`` less."""
    from difflib import SequenceMatcher  # imported late: only files with errors pay for it

    return SequenceMatcher(None, context.statement.text[start:end], name).ratio()
