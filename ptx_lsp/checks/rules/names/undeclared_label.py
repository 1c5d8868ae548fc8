"""E203 undeclared-label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.analysis.statements.undeclared import TAKES_LABELS, has_half_declared, is_half_declared
from ptx_lsp.analysis.symbols.declarations import entries, members
from ptx_lsp.checks.support.finding import Finding, GroupKey, Phase, error
from ptx_lsp.checks.support.wording import did_you_mean, nearest_of
from ptx_lsp.syntax.tree import Targets
from ptx_lsp.text import Span

RULE = error("E203", phase=Phase.NAMES).for_unknown_names()


def check(context: StatementContext) -> Iterator[Finding]:
    """A branch to a label that does not exist or is not visible here.

    A label can follow its use. A label of another function, or in a block that does not contain the branch, is not
    visible.

    ```ptx
    //- sm_80 ptx 7.0
    bra DNE;
    //  ^^^ error[E203]: no label 'DNE' is visible here; did you mean 'DONE'?
    DONE:
    ret;
    // ptxas: Unknown symbol 'DNE'
    ```

    **Right:**

    ```ptx
    //- sm_80 ptx 7.0
    bra DONE;
    DONE:
    ret;
    ```

    **Fixes offered:** the visible label with the most similar spelling.

    ---

    Not reported in functions with unbalanced braces. Further branches to the same label are listed with the first.
    """
    if context.function.has_unbalanced_braces:
        return
    may_be_half = has_half_declared(context)
    for token, name in _unknown_labels(context):
        if may_be_half and is_half_declared(context, name):
            continue
        message = f"no label '{name}' is visible here"
        yield RULE.at_one_of(context.span(token), message, GroupKey(name, name))


def merge_group(context: StatementContext, span: Span, names: Sequence[str]) -> Finding:
    """The finding for all branches of a function to one missing label, at the first of them."""
    labels = (scope.spellings(of_labels=True) for scope in context.scope.chain())
    ending, fixes = did_you_mean(span, nearest_of(names[0], labels))
    return RULE.at(span, f"no label '{names[0]}' is visible here{ending}", fixes=fixes)


def _unknown_labels(context: StatementContext) -> Iterator[tuple[int, str]]:
    """The names without a declaration that must be labels, with their tokens; ``N<3>`` in a list: ``N0`` to ``N2``."""
    tree = context.statement.shape.tree
    if context.instruction is not None and context.instruction.opcode[0] in TAKES_LABELS:
        guard = context.instruction.guard
        names, word = context.names, context.statement.word
        for (token, _), code in zip(context.statement.shape.names, names.codes, strict=True):
            if code or guard is not None and token == guard.name or token in names.symbols or token in names.late:
                continue
            yield token, word(token)
    elif isinstance(tree, Targets) and context.word(tree.word) == ".branchtargets":
        for declarator in entries(context.statement, tree):
            missing = (name for name in members(context.statement, declarator) if context.scope.lookup(name) is None)
            for name in islice(missing, _MOST_MISSING):
                yield declarator.name, name


_MOST_MISSING = 4
"""So many missing labels are reported of an entry ``N<1000>``; the others are missing for the same reason."""
