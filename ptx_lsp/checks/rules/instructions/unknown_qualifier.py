"""E302 unknown-qualifier."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.checks.support.finding import Finding, error
from ptx_lsp.checks.support.mismatches import is_right_after, makes_no_mistake, mismatches, mnemonic, qualifier_span
from ptx_lsp.checks.support.wording import did_you_mean, listed, nearest
from ptx_lsp.diagnostic import Edit
from ptx_lsp.isa.catalogue import catalogue
from ptx_lsp.isa.model.match_result import Problem
from ptx_lsp.text import Span

RULE = error("E302").for_problems(Problem.UNKNOWN_QUALIFIER)
_LIKE_A_TYPE = re.compile(r"\.[busf]\d+").fullmatch
_MANY = 2
"""With more unknown qualifiers than this another instruction was meant; one finding is enough."""


def check(context: StatementContext) -> Iterator[Finding]:
    """A qualifier or type that the instruction does not have, or not together with the other ones.

    ```ptx
    //- sm_80 ptx 7.0
    add.lo.u32 %r1, %r2, %r3;
    // ^^^ error[E302]: 'add' has no qualifier '.lo' here; expected .sat
    // ptxas: Comparison qualifier is not allowed for instruction 'add'
    ```

    **Right:** `add.u32 %r1, %r2, %r3;`

    **Fixes offered:** the legal qualifier with the most similar spelling, preferably one that fits the operands.

    ---

    The message lists what is allowed instead. Of three or more in one opcode only the first is reported, because
    another instruction was probably meant.
    """
    found = list(mismatches(context, Problem.UNKNOWN_QUALIFIER))
    for mismatch in found[:1] if len(found) > _MANY else found:
        tree = context.instruction
        assert tree is not None
        word = tree.opcode[mismatch.qualifier]
        span = qualifier_span(context, mismatch.qualifier)
        right = nearest(word, mismatch.wanted, partial(_would_do, context, span))
        suggestion = right or nearest(word, mismatch.wanted)
        ending, fixes = did_you_mean(span, suggestion)
        if right is None:
            fixes = tuple(fix for fix in fixes if makes_no_mistake(context, fix.edits[0]))
        kind = "type" if word in catalogue().vocabulary.types or _LIKE_A_TYPE(word) else "qualifier"
        message = mismatch.message or f"'{mnemonic(context)}' has no {kind} '{word}' here"
        if suggestion is None and mismatch.wanted:
            ending = f"; expected {listed(mismatch.wanted)}"
        yield RULE.at(span, message + ending, fixes=fixes)


def _would_do(context: StatementContext, span: Span, word: str) -> bool:
    return is_right_after(context, Edit(span, word))
